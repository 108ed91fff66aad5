package codebase

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"chitta/internal/store"
)

// The catalogue of a project is what is looked through for names that are spelt
// alike, for words, and for what a project is made of. It is made when it is
// first asked for and kept while it is used; afterwards only files that changed
// are read again. Words are read when they are first asked for.

// entry is a symbol in a catalogue.
type entry struct {
	id           int64
	idx          int32 // in its file
	line, end    int32
	name, folded string
	kind, lang   string
	words        []uint32 // of the name
	text         []uint32 // of signature, path and comment, each once
}

// listed is a file in a catalogue with its symbols in the order of the text. It
// is replaced, never changed.
type listed struct {
	store.CodeListed
	entries []entry
	worded  bool // entries have their words
}

type catalogue struct {
	mu      sync.Mutex
	changed time.Time // of the project, when it was last brought up to date
	files   map[int64]*listed
	order   []int64 // of files, by path
	worded  bool    // words are wanted
	words   map[string]uint32
	kinds   map[string]string // each kind once
	net     *callNet          // what calls what; nil until asked for
	netOf   time.Time         // of the project, when net was read
	rest    *time.Timer       // drops it
}

// catalogues are those of all projects, by number.
type catalogues struct {
	mu   sync.Mutex
	list map[int64]*catalogue
}

// catalogueRest is how long a catalogue is kept that nobody asks for.
const catalogueRest = 10 * time.Minute

// of returns the catalogue of a project.
func (x *catalogues) of(project int64) *catalogue {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.list == nil {
		x.list = map[int64]*catalogue{}
	}
	c := x.list[project]
	if c == nil {
		c = &catalogue{files: map[int64]*listed{}, words: map[string]uint32{}, kinds: map[string]string{}}
		c.rest = time.AfterFunc(catalogueRest, func() {
			x.mu.Lock()
			defer x.mu.Unlock()
			delete(x.list, project)
		})
		x.list[project] = c
	}
	c.rest.Reset(catalogueRest)
	return c
}

// view is a catalogue as it was when asked for.
type view struct {
	files []*listed // by path
	of    *catalogue
}

// each calls fn with all entries.
func (v *view) each(fn func(*entry)) {
	for _, f := range v.files {
		for i := range f.entries {
			fn(&f.entries[i])
		}
	}
}

// catalogue returns the catalogue of the project, up to date, with the words of
// its symbols if they are wanted.
func (a *Ask) catalogue(ctx context.Context, words bool) (*view, error) {
	c := a.base.catalogues.of(a.project.ID)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.changed.Equal(a.project.Changed) || c.changed.IsZero() || words && !c.worded {
		c.worded = c.worded || words
		if err := c.read(ctx, a.base.db, a.project.ID); err != nil {
			return nil, fmt.Errorf("read symbols: %w", err)
		}
		c.changed = a.project.Changed
	}
	v := &view{of: c, files: make([]*listed, len(c.order))}
	for i, id := range c.order {
		v.files[i] = c.files[id]
	}
	return v, nil
}

// scanFiles is from how many files on all symbols of the database are gone
// through instead of those of the files.
const scanFiles = 1000

// usualSymbols is how many symbols a file has room for at first: most have about
// so many.
const usualSymbols = 16

// read brings the catalogue up to date.
func (c *catalogue) read(ctx context.Context, db *store.Code, project int64) error {
	list, err := db.CodeListing(ctx, project)
	if err != nil {
		return err
	}
	fresh := map[int64]*listed{}
	files, order := make(map[int64]*listed, len(list)), make([]int64, len(list))
	todo := []int64{}
	for i, f := range list {
		order[i] = f.ID
		if have := c.files[f.ID]; have != nil && have.CodeListed == f && (have.worded || !c.worded) {
			files[f.ID] = have
			continue
		}
		fresh[f.ID] = &listed{CodeListed: f, worded: c.worded}
		files[f.ID] = fresh[f.ID]
		todo = append(todo, f.ID)
	}
	if len(todo) > 0 {
		if len(todo) >= scanFiles {
			todo = nil // all
		}
		err := db.EachName(ctx, project, todo, c.worded, func(n *store.CodeName) {
			if f := fresh[n.File]; f != nil {
				if f.entries == nil {
					f.entries = make([]entry, 0, usualSymbols)
				}
				f.entries = append(f.entries, c.entry(n, f.Lang))
			}
		})
		if err != nil {
			return err
		}
	}
	for _, f := range fresh {
		slices.SortFunc(f.entries, func(a, b entry) int { return cmp.Compare(a.idx, b.idx) })
	}
	c.files, c.order = files, order
	return nil
}

func (c *catalogue) entry(n *store.CodeName, lang string) entry {
	kind, ok := c.kinds[n.Kind]
	if !ok {
		kind = n.Kind
		c.kinds[kind] = kind
	}
	e := entry{id: n.ID, idx: n.Index, line: n.Line, end: n.EndLine, name: n.Name, folded: strings.ToLower(n.Name), kind: kind, lang: lang}
	if !c.worded {
		return e
	}
	for _, w := range textWords(n.Name) {
		e.words = append(e.words, c.word(w))
	}
	for _, text := range []string{n.Sig, n.Path, n.Doc} {
		for _, w := range textWords(text) {
			if n := c.word(w); !slices.Contains(e.words, n) && !slices.Contains(e.text, n) {
				e.text = append(e.text, n)
			}
		}
	}
	return e
}

// word numbers a word.
func (c *catalogue) word(w string) uint32 {
	n, ok := c.words[w]
	if !ok {
		n = uint32(len(c.words) + 1)
		c.words[w] = n
	}
	return n
}
