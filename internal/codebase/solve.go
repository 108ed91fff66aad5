package codebase

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"

	"chitta/internal/code"
	"chitta/internal/resolve"
	"chitta/internal/store"
)

// What calls what is found in a process of its own: facts of a large project
// take much memory, which goes back to the system when that process ends, and
// facts are those of any text there is, so that a fault in what works on them
// costs an index and not the daemon.

// order tells the solving process something.
type order struct {
	Kind  int64
	Path  string
	Data  []byte // facts or manifest
	Gone  bool   // the manifest is not there any more
	Known int64  // hash of the rows of a file that are stored
	// Of solveNow: rows of all files are wanted, or of those whose edges may
	// have changed and of Fresh.
	All   bool
	Fresh []string
}

const (
	putFacts int64 = iota + 1
	dropFacts
	putManifest
	solveNow
	solveWhole // forget all edges first: what was found in steps may differ from what is found at once
)

func (o *order) fields(f *fields) {
	f.number(&o.Kind)
	f.text(&o.Path)
	f.bytes(&o.Data)
	f.flag(&o.Gone)
	f.number(&o.Known)
	f.flag(&o.All)
	each(f, &o.Fresh, f.text)
}

// solved is one file's rows where they are other than those stored, or says that
// all were given.
type solved struct {
	Path    string
	Damaged bool // its facts cannot be read
	Cut     bool // there were more rows than there is room for
	Done    bool
	Made    store.CodeMade
}

func (s *solved) fields(f *fields) {
	f.text(&s.Path)
	f.flag(&s.Damaged)
	f.flag(&s.Cut)
	f.flag(&s.Done)
	f.made(&s.Made)
}

// Solve is the process that finds what calls what in one project: it takes
// orders on in until in ends.
func Solve(root string, in io.Reader, out io.Writer) error {
	humble()
	debug.SetMaxStack(maxStack)
	collectLater()
	s := newSolver(root)
	w := bufio.NewWriter(out)
	if err := writeFrame(w, &greeting{Version: code.Version}); err != nil {
		return fmt.Errorf("greet: %w", err)
	}
	r := bufio.NewReader(in)
	var room, taken []byte
	for {
		var o order
		if err := readFrameIn(&taken, r, &o); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read an order: %w", err)
		}
		if err := s.follow(&o, func(a *solved) error { return writeFrameIn(&room, w, a) }); err != nil {
			return fmt.Errorf("answer: %w", err)
		}
	}
}

// solver has the facts of a project in memory.
type solver struct {
	root    string
	project *resolve.Project
	facts   map[string]*code.File
	ids     map[string][]int64    // of symbols by file
	known   map[string]int64      // hashes of rows that are stored
	waiting map[string]*code.File // facts that are not taken in yet, nil where they cannot be read
	room    room
}

func newSolver(root string) *solver {
	return &solver{
		root: root, project: resolve.New(), facts: map[string]*code.File{}, ids: map[string][]int64{},
		known: map[string]int64{}, waiting: map[string]*code.File{},
	}
}

func (s *solver) follow(o *order, give func(*solved) error) error {
	switch o.Kind {
	case putFacts:
		s.waiting[o.Path], s.known[o.Path] = decode(o.Path, o.Data), o.Known
	case dropFacts:
		delete(s.waiting, o.Path)
		s.drop(o.Path)
	case putManifest:
		if text := o.Data; !o.Gone && text == nil {
			s.project.Manifest(o.Path, []byte{}) // empty, but there
		} else {
			s.project.Manifest(o.Path, bytes.Clone(text)) // whose memory the next order takes
		}
	case solveNow, solveWhole:
		return s.solve(o, give)
	}
	return nil
}

func (s *solver) drop(path string) {
	if s.facts[path] != nil {
		s.project.Remove(path)
	}
	delete(s.facts, path)
	delete(s.ids, path)
	delete(s.known, path)
}

// solve takes in what waits, resolves, and gives the rows that came out
// otherwise than they are stored.
func (s *solver) solve(o *order, give func(*solved) error) error {
	collectFromHere()
	for _, path := range s.takeIn() {
		s.drop(path)
		if err := give(&solved{Path: path, Damaged: true}); err != nil {
			return err
		}
	}
	if o.Kind == solveWhole {
		s.project.Whole()
	}
	paths := s.project.Resolve()
	if o.All || o.Kind == solveWhole {
		paths = sortedPaths(s.facts)
	} else {
		paths = append(paths, o.Fresh...)
		slices.Sort(paths)
		paths = slices.Compact(paths)
	}
	for _, path := range paths {
		f := s.facts[path]
		if f == nil {
			continue
		}
		m := s.made(f)
		if m.Hash == s.known[path] {
			continue
		}
		s.known[path] = m.Hash
		if err := giveRows(&solved{Path: path, Made: m}, give); err != nil {
			return err
		}
	}
	return give(&solved{Done: true})
}

// giveRows gives the rows of a file, or as many as there is room for: one file
// must not keep those of others from being given.
func giveRows(a *solved, give func(*solved) error) error {
	err := give(a)
	for m := &a.Made; errors.Is(err, errLarge); err = give(a) {
		if len(m.Edges)+len(m.Loose)+len(m.Inherits)+len(m.Imports) == 0 {
			if len(m.Symbols) == 0 {
				return err
			}
			m.Symbols = m.Symbols[:len(m.Symbols)/2]
		}
		a.Cut = true
		m.Edges, m.Loose = m.Edges[:len(m.Edges)/2], m.Loose[:len(m.Loose)/2]
		m.Inherits, m.Imports = m.Inherits[:len(m.Inherits)/2], m.Imports[:len(m.Imports)/2]
	}
	return err
}

// decode reads the facts of a file as they come: in their encoded form they
// would be in memory twice. It returns nil for what cannot be read.
func decode(path string, data []byte) *code.File {
	f, err := code.Decode(data)
	if err != nil || f.Path != path {
		return nil
	}
	return f
}

// takeIn takes in what waits in one order, so that the same comes out, and
// returns the paths of what cannot be read.
func (s *solver) takeIn() (damaged []string) {
	for _, path := range sortedPaths(s.waiting) {
		f := s.waiting[path]
		if f == nil {
			damaged = append(damaged, path)
			continue
		}
		s.project.Put(f)
		s.facts[path], s.ids[path] = f, symbolIDs(s.root, f)
	}
	clear(s.waiting)
	return damaged
}
