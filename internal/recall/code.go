package recall

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"chitta/internal/memory"
)

// TargetCode is the name of the target that recalls symbols of source code.
const TargetCode = "code"

// SourceCode is evidence by the name or signature of a symbol.
const SourceCode = "code"

// Symbol is a symbol of source code.
type Symbol struct {
	ID     string
	Kind   string // function, class, …
	Name   string
	Place  string // file:line
	Text   string
	Match  float64 // 0 to 1: how well it fits
	Detail string  // how
}

// Code recalls symbols of source code, for questions that look like code. Any
// other question is none of its business, unless only code is asked for.
type Code struct {
	// Find proposes symbols. names are the parts of the question that look like
	// code; only says that nothing else was asked.
	Find func(ctx context.Context, q *Query, names []string, only bool) ([]Symbol, error)
}

// Name returns the target's name.
func (Code) Name() string { return TargetCode }

// codeWeight is what a symbol that fits counts beside what is remembered: the
// code can be read anyway, what was learned about it cannot.
const codeWeight = 0.5

// Recall answers with symbols.
func (c Code) Recall(ctx context.Context, q *Query) (*Answer, error) {
	a := &Answer{}
	only := slices.Contains(q.Targets, TargetCode)
	names := CodeNames(q.Text)
	switch {
	case !only && (q.NoCode || len(names) == 0),
		len(q.Kinds)+len(q.Tags) > 0, len(q.States) > 0 && !slices.Contains(q.States, memory.Active),
		!q.AsOf.IsZero(), !q.Since.IsZero(), !q.Until.IsZero():
		return a, nil // symbols have no kinds and no tags, and are as they are now
	}
	start := time.Now()
	found, err := c.Find(ctx, q, names, only)
	switch {
	case err != nil && (only || ctx.Err() != nil):
		return nil, err
	case errors.Is(err, ErrOff):
		a.blame(TargetCode, err)
		return a, nil
	case err != nil:
		a.blame(TargetCode, err)
	}
	for _, s := range found {
		score := codeWeight * s.Match
		a.Candidates = append(a.Candidates, Candidate{
			Symbol: &s, ID: s.ID, Text: s.Text, Score: score,
			Evidence: []Evidence{{Source: SourceCode, Score: s.Match, Weighted: score, Detail: s.Detail}},
		})
	}
	a.Found = len(a.Candidates)
	a.Stages = append(a.Stages, stageTime(TargetCode, start))
	return a, nil
}

// maxCodeNames is how many names of one question are looked up.
const maxCodeNames = 6

// CodeNames returns the parts of a question that look like code: names joined by
// ::, ->, _ or a dot, names with a capital within, and a name that is all of the
// question. It is empty for a question in plain words.
func CodeNames(text string) []string {
	var out []string
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("`'\"()[]{},;!?=", r) })
	for _, w := range words {
		w = strings.Trim(w, ".:-&*@#/\\")
		if len(out) < maxCodeNames && looksLikeCode(w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	if len(out) == 0 && len(words) == 1 {
		if w := strings.Trim(words[0], ".:-&*@#"); isName(w) && len(w) <= maxCodeName {
			out = append(out, w)
		}
	}
	return out
}

// maxCodeName is how long a name may be; longer text is data.
const maxCodeName = 200

// looksLikeCode reports whether a word is a name that is not plain language.
func looksLikeCode(w string) bool {
	if len(w) > maxCodeName || strings.Contains(w, "//") {
		return false
	}
	parts := strings.FieldsFunc(strings.NewReplacer("::", " ", "->", " ", ".", " ").Replace(w), unicode.IsSpace)
	for _, p := range parts {
		if !isName(p) {
			return false
		}
	}
	switch {
	case len(parts) == 0:
		return false
	case strings.Contains(w, "::") || strings.Contains(w, "->"):
		return len(parts) > 1
	case len(parts) > 1: // not "e.g" or "i.e"
		return slices.ContainsFunc(parts, func(p string) bool { return len(p) > 1 })
	}
	return strings.Contains(strings.Trim(w, "_"), "_") || humped(w)
}

// isName reports whether a word could be a name in a program.
func isName(w string) bool {
	for i, r := range w {
		if r != '_' && r != '$' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return w != ""
}

// humped reports whether a capital follows a small letter.
func humped(w string) bool {
	small := false
	for _, r := range w {
		if small && unicode.IsUpper(r) {
			return true
		}
		small = unicode.IsLower(r)
	}
	return false
}
