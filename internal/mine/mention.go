package mine

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Mention is a file or a symbol that a text names.
type Mention struct {
	Name string // as it was written, without what only quotes, calls or locates it
	File bool   // a file; otherwise a symbol
}

const (
	// maxMentions bounds the names taken from one text: what lists more is an
	// index of files, and says nothing about any of them.
	maxMentions = 48
	// maxName is the length of the longest name, in bytes.
	maxName = 160
	// minSymbol is the length of the shortest symbol, in bytes: below it names
	// are variables, and mean something else in every function.
	minSymbol = 5
)

// Mentions returns the files and symbols that a text names, in the order they
// first occur. dir is the directory of work: absolute paths count if they lie
// in it, and are told from there; "" takes none.
//
// A file is a relative path of at least two parts that ends in a known
// extension, or a bare name with one in inline code. A symbol is inline code
// that is nothing but a qualified or compound identifier: pkg.Func,
// Type::method, snake_case(), CamelCase.
func Mentions(text, dir string) []Mention {
	f := finder{dir: path.Clean(strings.ReplaceAll(dir, `\`, "/"))}
	fence := ""
	for line := range strings.Lines(text) {
		if len(f.found) >= maxMentions {
			break
		}
		mark := fenceOf(line)
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
		case mark != "":
			fence = mark
		default:
			f.line(line)
		}
	}
	return f.found
}

// fenceOf returns the marks that open or close a code block, or "".
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " \t")
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

type finder struct {
	dir   string
	found []Mention
}

func (f *finder) add(m Mention) {
	if len(f.found) < maxMentions && !slices.Contains(f.found, m) {
		f.found = append(f.found, m)
	}
}

// line reads a line: inline code and the prose between by their own rules.
func (f *finder) line(line string) {
	parts := strings.Split(line, "`")
	for i, part := range parts {
		if i%2 == 0 || i == len(parts)-1 { // what is opened last and not closed is no code
			f.prose(part)
		} else if code := strings.TrimSpace(part); code != "" {
			f.code(code)
		}
	}
}

// prose looks for paths: no plain word is a file or a symbol.
func (f *finder) prose(text string) {
	if !strings.Contains(text, "/") {
		return
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return strings.ContainsRune(" \t\r\n\"'()[]{}<>,;|*=", r)
	}) {
		if name, ok := f.file(word); ok && strings.Contains(name, "/") {
			f.add(Mention{Name: name, File: true})
		}
	}
}

// code looks at inline code: all of it is a name, or it is none.
func (f *finder) code(text string) {
	if strings.ContainsAny(text, " \t") {
		f.prose(text) // a command, which may name files
		return
	}
	if name, ok := f.file(text); ok {
		f.add(Mention{Name: name, File: true})
	} else if name, ok := symbol(text); ok {
		f.add(Mention{Name: name})
	}
}

// Patterns are compiled at their first use, and not in every process.
var (
	placeAfter = lazily(`(:\d+(-\d+)?|#L\d+(-L?\d+)?)+:?$`) // main.go:12:5, main.go#L3
	fileParts  = lazily(`^[\pL\d_.@+-]+(/[\pL\d_.@+-]+)*$`)
)

func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// file returns the name of the file that a word names.
func (f *finder) file(word string) (string, bool) {
	if len(word) > maxName || strings.Contains(word, "://") {
		return "", false
	}
	word = strings.TrimRight(word, ".:!?…")
	if last := word[max(0, len(word)-1):]; last >= "0" && last <= "9" {
		word = strings.TrimRight(placeAfter().ReplaceAllString(word, ""), ".:")
	}
	if strings.HasPrefix(word, "/") {
		inside, ok := strings.CutPrefix(word, f.dir+"/")
		if !ok || f.dir == "/" || f.dir == "." {
			return "", false
		}
		word = inside
	}
	word = strings.TrimPrefix(word, "./")
	if strings.HasPrefix(word, "a/") || strings.HasPrefix(word, "b/") { // the two sides of a diff
		return "", false
	}
	base := path.Base(word)
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(base), "."))
	if !extensions[ext] || len(base) <= len(ext)+1 {
		return "", false
	}
	if !fileParts().MatchString(word) || strings.Contains(word, "..") || strings.Contains(word, "//") {
		return "", false
	}
	if first, _, nested := strings.Cut(word, "/"); nested && isHost(first) {
		return "", false
	}
	return word, true
}

// isHost tells the first part of an address from a directory.
func isHost(part string) bool {
	dot := strings.LastIndexByte(part, '.')
	return dot > 0 && hosts[strings.ToLower(part[dot+1:])]
}

var identifier = lazily(`^[A-Za-z_]\w*((\.|::|#)[A-Za-z_]\w*)*(\(\))?$`)

// symbol returns the name of the symbol that a piece of code is.
func symbol(code string) (string, bool) {
	if len(code) > maxName || !identifier().MatchString(code) {
		return "", false
	}
	name := strings.TrimSuffix(code, "()")
	if len(name) < minSymbol {
		return "", false
	}
	qualified := strings.ContainsAny(name, ".:#")
	if qualified {
		return name, !isHost(name)
	}
	return name, compound(name)
}

// compound says whether an identifier is made of several words: with an
// underscore between letters, or a capital after a small letter.
func compound(name string) bool {
	inner := strings.Trim(name, "_")
	if at := strings.IndexByte(inner, '_'); at > 0 {
		return true
	}
	for i := 1; i < len(inner); i++ {
		if isUpper(inner[i]) && !isUpper(inner[i-1]) {
			return true
		}
	}
	return false
}

func isUpper(b byte) bool { return 'A' <= b && b <= 'Z' }

// set returns a set of words.
func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

var (
	// extensions are those of files that people work on.
	extensions = set(`go mod sum py pyi rs c h cc cpp cxx hpp hh m mm swift java kt kts scala clj cs fs vb js jsx mjs cjs ts tsx vue svelte
		rb php pl pm lua r jl ex exs erl hs ml mli elm dart zig nim sh bash zsh fish ps1 bat sql proto graphql
		html htm css scss sass less md mdx rst txt adoc tex json jsonl json5 yaml yml toml ini cfg conf env xml csv tsv
		lock tf tfvars nix cmake mk gradle dockerfile ipynb svg tmpl tpl golden`)
	// hosts end names of machines.
	hosts = set(`com org net io dev ai app edu gov co uk de fr eu us info me localhost local`)
)
