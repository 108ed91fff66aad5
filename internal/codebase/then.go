package codebase

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// errNoFacts says that a text cannot be parsed.
var errNoFacts = errors.New("it cannot be parsed")

// FactsOf returns what a text says that is no file of any project, such as one
// of an earlier commit. path says what language it is in.
func (b *Base) FactsOf(ctx context.Context, path string, text []byte) (*code.File, error) {
	lang := syntax.LangOf(path)
	if lang == "" || len(text) > MaxFile {
		return nil, fmt.Errorf("read %s: %w", path, errNoFacts)
	}
	dir, err := os.MkdirTemp("", "chitta-then-")
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Base(filepath.FromSlash(path))
	if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	var facts *code.File
	err = b.pool.run(ctx, 1, []request{{Root: dir, Path: name, Lang: lang}}, func(a answer) (err error) {
		if len(a.facts) == 0 {
			return errNoFacts
		}
		facts, err = code.Decode(a.facts)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return facts, nil
}
