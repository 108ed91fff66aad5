package codebase

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chitta/internal/store"
)

// Reading is the text of a symbol as its file is now.
type Reading struct {
	Symbol Symbol   `json:"symbol"`
	From   int      `json:"from"` // number of the first line
	Lines  []string `json:"lines"`
	Left   int      `json:"left,omitempty"`      // lines of the symbol that were left out at the end
	Anew   bool     `json:"refreshed,omitempty"` // the file had changed and was indexed again first
}

// ErrGone means that a symbol is not in its file any more.
var ErrGone = errors.New("the symbol is not in its file any more")

// ErrFileGone means that the file of a symbol is not there any more, or is no
// file of text.
var ErrFileGone = errors.New("the file of the symbol is gone")

// Read returns the source of a symbol, at most so many lines. A file that changed
// since it was indexed is indexed again first.
func (a *Ask) Read(ctx context.Context, s *Symbol, most int) (Reading, error) {
	out := Reading{Symbol: *s}
	text, err := a.text(s.File)
	if err != nil {
		return out, err
	}
	file, err := a.file(ctx, s.File, "")
	if err != nil {
		return out, err
	}
	if sum := sha256.Sum256(text); !bytes.Equal(file.Hash, sum[:]) {
		if err := a.base.Refresh(ctx, a.project.Root, []string{s.File}); err != nil {
			return out, err
		}
		if out.Symbol, err = a.again(ctx, s); err != nil {
			return out, err
		}
		out.Anew = true
		if text, err = a.text(s.File); err != nil {
			return out, err
		}
	}
	lines := strings.Split(strings.ToValidUTF8(string(text), "\uFFFD"), "\n")
	from, to := out.Symbol.Line, min(out.Symbol.EndLine, len(lines))
	if from < 1 || from > to {
		return out, ErrGone
	}
	out.From, out.Lines = from, lines[from-1:to]
	if extra := len(out.Lines) - most; extra > 0 {
		out.Left, out.Lines = extra, out.Lines[:most]
	}
	for i := range out.Lines {
		out.Lines[i] = strings.TrimSuffix(out.Lines[i], "\r")
	}
	return out, nil
}

// again finds a symbol after its file was indexed again: by its id, or by the
// body it had under another name.
func (a *Ask) again(ctx context.Context, s *Symbol) (Symbol, error) {
	found, err := a.base.db.SymbolsByID(ctx, []int64{s.id})
	if err != nil {
		return Symbol{}, fmt.Errorf("load symbol: %w", err)
	}
	if f, ok := found[s.id]; ok {
		return symbolOf(&f), nil
	}
	list, err := a.base.db.SymbolsOfFiles(ctx, []int64{s.file})
	if err != nil {
		return Symbol{}, fmt.Errorf("load symbols: %w", err)
	}
	i := slices.IndexFunc(list, func(f store.CodeFound) bool { return f.Path == s.Path || f.Body == s.Body })
	if i < 0 {
		return Symbol{}, ErrGone
	}
	return symbolOf(&list[i]), nil
}

// text reads a file of the project; one that a link leads out of it is not read.
func (a *Ask) text(file string) ([]byte, error) {
	full := filepath.Join(a.project.Root, filepath.FromSlash(file))
	switch info, err := os.Stat(full); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("read source: %s: %w", file, ErrFileGone)
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("read source: %s is not a regular file: %w", file, ErrFileGone)
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}
	if !Within(a.project.Root, real) {
		return nil, fmt.Errorf("read source: %s leads out of the project", file)
	}
	_, text, _, err := readSource(real)
	if err != nil {
		return nil, fmt.Errorf("read source: %s: %w", file, err)
	}
	return text, nil
}
