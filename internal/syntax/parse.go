//go:build cgo

package syntax

// #cgo CFLAGS: -std=c11 -O2 -D_POSIX_C_SOURCE=200809L
// #include "flatten.h"
import "C"

import (
	"fmt"
	"sync"
	"time"
	"unsafe"

	_ "github.com/tree-sitter/go-tree-sitter" // compiles the library
	csharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"
	cpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"
	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	ruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

// Available says that this build can parse.
const Available = true

// The binding has every allocation of the library go through Go. Nothing here
// needs that, and it doubles the time: memory of its own is put in its place
// before a parser is made (the binding's init has run, as it is imported).
func init() { C.chitta_arena_install() }

// maxDepth bounds how deep a tree is kept. Written code stays far below; what is
// deeper is generated or hostile, and walks above recurse.
const maxDepth = 2000

var languages = map[Lang]func() unsafe.Pointer{
	CPP: cpp.Language, CSharp: csharp.Language, Go: golang.Language, Java: java.Language,
	JavaScript: javascript.Language, Python: python.Language, Ruby: ruby.Language, Rust: rust.Language,
	TypeScript: typescript.LanguageTypescript, TSX: typescript.LanguageTSX,
}

// grammar is what is asked of a language once.
type grammar struct {
	language *C.TSLanguage
	kinds    []string
	fields   []string
	keep     []uint8 // by kind: a bare token that is a word
}

var grammars = func() map[Lang]func() *grammar {
	out := map[Lang]func() *grammar{}
	for lang, pointer := range languages {
		out[lang] = sync.OnceValue(func() *grammar { return load((*C.TSLanguage)(pointer())) })
	}
	return out
}()

func load(language *C.TSLanguage) *grammar {
	g := &grammar{language: language, fields: []string{""}}
	for i := range C.ts_language_symbol_count(language) {
		kind := C.GoString(C.ts_language_symbol_name(language, C.uint16_t(i)))
		g.kinds = append(g.kinds, kind)
		word := len(kind) > 0 && (kind[0] >= 'a' && kind[0] <= 'z' || kind[0] >= 'A' && kind[0] <= 'Z')
		g.keep = append(g.keep, map[bool]uint8{true: 1}[word])
	}
	for i := range C.ts_language_field_count(language) {
		g.fields = append(g.fields, C.GoString(C.ts_language_field_name_for_id(language, C.uint16_t(i+1))))
	}
	return g
}

// Parser parses one text after another. It is not for use by two at once, and
// must be closed.
type Parser struct {
	out   C.chitta_tree
	alone *C.TSParser // of [Parser.ParseAlone]
	spare []node      // of a tree that was given back
	// Limit is how long one text may take; 0 is [DefaultLimit].
	Limit time.Duration
}

// DefaultLimit is far above what any written file takes, and short enough that
// one bad file does not hold up a project.
const DefaultLimit = 2 * time.Second

// New makes a parser.
func New() *Parser { return &Parser{} }

// Close frees the parser.
func (p *Parser) Close() {
	if p.alone != nil {
		C.ts_parser_delete(p.alone)
	}
	C.chitta_arena_free(&p.out.arena)
	*p = Parser{Limit: p.Limit}
}

func grammarOf(lang Lang) (*grammar, error) {
	load, ok := grammars[lang]
	if !ok {
		return nil, fmt.Errorf("no grammar for %q", lang)
	}
	return load(), nil
}

// Parse parses a text. Text that fits no rule gives nodes of kind ERROR, never a
// failure; a tree always comes back unless time or memory ran out.
func (p *Parser) Parse(lang Lang, src []byte) (*Tree, error) {
	g, err := grammarOf(lang)
	if err != nil {
		return nil, err
	}
	limit := p.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	status := C.chitta_parse(g.language, text(src), C.uint32_t(len(src)), C.uint64_t(limit),
		maxDepth, (*C.uint8_t)(unsafe.Pointer(&g.keep[0])), &p.out)
	if err := failure(status, lang); err != nil {
		return nil, err
	}
	t := &Tree{Lang: lang, Src: src, Cut: bool(p.out.cut), kinds: g.kinds, fields: g.fields}
	t.nodes = append(p.spare[:0], unsafe.Slice((*node)(unsafe.Pointer(p.out.nodes)), int(p.out.count))...)
	p.spare = nil
	return t, nil
}

// Reuse takes back a tree that nobody looks at any more: the next one lies in
// its memory.
func (p *Parser) Reuse(t *Tree) { p.spare, t.nodes = t.nodes, nil }

// ParseAlone parses a text and drops the tree without a look at it, all in C, with
// the C library's memory: what any program that uses the parsers has to spend.
// Benchmarks compare with it.
func (p *Parser) ParseAlone(lang Lang, src []byte) error {
	g, err := grammarOf(lang)
	if err != nil {
		return err
	}
	if p.alone == nil {
		p.alone = C.ts_parser_new()
	}
	return failure(C.chitta_parse_alone(p.alone, g.language, text(src), C.uint32_t(len(src))), lang)
}

func failure(status C.int, lang Lang) error {
	switch status {
	case C.CHITTA_TIMEOUT:
		return ErrTimeout
	case C.CHITTA_MEMORY:
		return ErrMemory
	case C.CHITTA_LANGUAGE:
		return fmt.Errorf("the grammar of %s is of another version than the parser", lang)
	}
	return nil
}

func text(src []byte) *C.char { return (*C.char)(unsafe.Pointer(unsafe.SliceData(src))) }

var _ [unsafe.Sizeof(node{})]byte = [unsafe.Sizeof(C.chitta_node{})]byte{} // the same layout on both sides
