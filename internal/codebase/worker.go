package codebase

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"chitta/internal/code"
	"chitta/internal/extract"
	"chitta/internal/syntax"
)

const (
	// workerIdle is how long a worker waits for a request before it ends.
	workerIdle = 30 * time.Second
	// maxStack is how deep a walk over a tree may go before it counts as a
	// crash: trees are cut far above.
	maxStack = 256 << 20
	// workerGC lets the heap of a worker grow to five times what is in use, a few
	// megabytes: collecting at twice that took a sixth of the time of finding
	// facts.
	workerGC = 400
	// readTries is how often a file that changes while it is read is read.
	readTries = 3
)

// Child is what a process does that was started with "code" and these arguments
// to parse or to resolve; false if they are others.
func Child(args []string, in io.Reader, out io.Writer) (bool, error) {
	switch {
	case len(args) == 1 && args[0] == "worker":
		return true, Work(in, out)
	case len(args) == 2 && args[0] == "solver":
		return true, Solve(args[1], in, out)
	}
	return false, nil
}

// Work is the worker's process: it answers requests on in, one after the other,
// until in ends or nothing was asked for a while. It exits when its parent does.
func Work(in io.Reader, out io.Writer) error {
	humble()
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(workerGC)
	return work(in, out, workerIdle, (&reader{}).answer)
}

func work(in io.Reader, out io.Writer, idle time.Duration, give func(request) answer) error {
	w := bufio.NewWriter(out)
	hello := greeting{Version: code.Version}
	if !syntax.Available {
		hello.Off = syntax.ErrOff.Error()
	}
	if err := writeFrame(w, &hello); err != nil {
		return fmt.Errorf("greet: %w", err)
	}
	requests, failed := make(chan request, pipelined), make(chan error, 1) // who asks never waits for an answer
	go func() {                                                            // ends with the process
		r := bufio.NewReader(in)
		for {
			var q request
			if err := readFrame(r, &q); err != nil {
				failed <- err
				return
			}
			requests <- q
		}
	}()
	var room []byte
	rest := time.NewTimer(idle)
	defer rest.Stop()
	for {
		select {
		case q := <-requests:
			a := give(q)
			if err := writeFrameIn(&room, w, &a); err != nil {
				return fmt.Errorf("answer: %w", err)
			}
			rest.Reset(idle)
		case err := <-failed:
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("read a request: %w", err)
		case <-rest.C:
			return nil
		}
	}
}

// reader reads files and finds their facts.
type reader struct {
	cleaner
	parser *syntax.Parser
	text   []byte // of the last file
}

// answer reads a file, and parses it unless it is as known.
func (r *reader) answer(q request) answer {
	a := r.look(q)
	if a.Gone || a.Left != "" || a.Same {
		return a
	}
	r.parse(q, r.text, &a)
	return a
}

// look reads a file. What changes while it is read is read again.
func (r *reader) look(q request) answer {
	a := answer{Path: q.Path}
	full := filepath.Join(q.Root, filepath.FromSlash(q.Path))
	for try := 1; ; try++ {
		before, text, after, err := readSource(full)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			a.Gone = true
			return a
		case err != nil:
			a.Left, a.Why = LeftUnreadable, err.Error()
			return a
		}
		a.Size, a.Modified = after.Size(), Written(after).UnixNano()
		if after.Size() > MaxFile {
			a.Left = LeftLarge
			return a
		}
		if before.Size() == after.Size() && Written(before).Equal(Written(after)) && int64(len(text)) == after.Size() {
			sum := sha256.Sum256(text)
			r.text, a.Hash = text, sum[:]
			a.Same = bytes.Equal(q.Known, a.Hash)
			return a
		}
		if try >= readTries {
			a.Left, a.Why = LeftChanging, "it changed each time it was read"
			return a
		}
	}
}

// readSource reads a file with what it looked like before and after.
func readSource(path string) (before fs.FileInfo, text []byte, after fs.FileInfo, err error) {
	f, before, err := OpenRegular(path)
	if err != nil {
		return nil, nil, nil, err
	}
	defer f.Close()
	text = make([]byte, min(before.Size(), MaxFile)+1) // one more shows that it grew
	n, err := io.ReadFull(f, text)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, nil, nil, err
	}
	after, err = os.Stat(path) // by name: it may have been replaced
	return before, text[:n], after, err
}

// parse finds the facts of a text.
func (r *reader) parse(q request, text []byte, a *answer) {
	if a.Left = leftByText(text); a.Left != "" {
		return
	}
	if r.parser == nil {
		r.parser = syntax.New()
	}
	tree, err := r.parser.Parse(q.Lang, text)
	if err != nil {
		a.Left, a.Why = LeftFailed, err.Error()
		if errors.Is(err, syntax.ErrTimeout) {
			a.Left = LeftTimeout
		}
		return
	}
	facts := extract.Facts(q.Path, tree)
	r.parser.Reuse(tree)
	if err := facts.Check(); err != nil {
		a.Left, a.Why = LeftFailed, err.Error()
		return
	}
	if err := r.clean(text, facts); err != nil {
		a.Left, a.Why = LeftFailed, err.Error()
		return
	}
	a.Errors, a.Lines = facts.ErrorCount, facts.ErrorLines
	a.facts = code.Encode(facts)
	if n := max(len(a.facts), symbolBytes(facts)); n > maxFacts {
		a.facts, a.Left, a.Why = nil, LeftFailed, fmt.Sprintf("what it says takes %d MB, which is no text that people write", n>>20)
	}
}

// maxFacts bounds what is kept of one file: some thirty times the largest that
// is read, where written text gives three to six times its own size.
const maxFacts = 32 << 20

// symbolBytes is about what the rows of a file's symbols take: facts hold a text
// once that is said of many, a row each has its own.
func symbolBytes(f *code.File) (n int) {
	for i := range f.Symbols {
		s := &f.Symbols[i]
		n += 2*len(s.Name) + 2*len(s.Path) + len(f.Path) + len(s.Signature) + len(s.Doc)
	}
	return n
}
