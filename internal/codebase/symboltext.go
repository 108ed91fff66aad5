package codebase

import (
	"cmp"
	"strings"
)

// betweenPathAndSignature stands between what a symbol is called and what it
// looks like.
const betweenPathAndSignature = "  "

// Title is a symbol as a line has room for it: what it is called with what
// encloses it, then its signature, of which at most so many characters. A
// signature that says the whole path stands alone.
func (s *Symbol) Title(most int) string {
	sig := s.Signature
	if sig == s.Name {
		sig = ""
	}
	text := cmp.Or(sig, s.Path)
	if sig != "" && !s.saysPath() {
		text = s.Path + betweenPathAndSignature + sig
	}
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return Shown(text)
}

// saysPath reports whether a signature says what encloses its symbol, as the
// receiver of a method in Go does.
func (s *Symbol) saysPath() bool {
	if s.Path == "" || s.Path == s.Name || strings.Contains(s.Signature, s.Path) {
		return true
	}
	receiver, ok := strings.CutPrefix(s.Signature, "func (")
	if !ok {
		return false
	}
	receiver, rest, ok := strings.Cut(receiver, ") ")
	owner := strings.TrimSuffix(s.Path, "."+s.Name)
	_, of, named := strings.Cut(receiver, " ")
	if !named {
		of = receiver
	}
	of, _, _ = strings.Cut(strings.TrimPrefix(of, "*"), "[")
	return ok && of == owner && strings.HasPrefix(rest, s.Name)
}

// builtin begins the names of what a language itself has.
const builtin = "<builtin>."

// ofList begins the names of what lists of a known type have; those of other
// lists begin with the word.
const ofList, list = "[].", "list."

// Title is what a call without a target calls, as people write it.
func (l *LooseCall) Title() string {
	name := strings.TrimPrefix(l.Name, builtin)
	if member, ok := strings.CutPrefix(name, ofList); ok {
		name = list + member
	}
	return Shown(name)
}
