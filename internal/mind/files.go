package mind

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"chitta/internal/anchor"
	"chitta/internal/follow"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// filesGiven returns the files that a caller names as anchors do. They must be
// sound.
func (m *Mind) filesGiven(ctx context.Context, c Caller, realm string, files []string) ([]string, error) {
	if len(files) > anchor.Most {
		return nil, &memory.InputError{Field: "files", Problem: fmt.Sprintf("are %d, more than %d", len(files), anchor.Most), Hint: "name those it is about"}
	}
	for _, f := range files {
		if err := memory.CheckText("files", f, memory.MaxPath); err != nil {
			return nil, err
		}
		if strings.TrimSpace(f) == "" {
			return nil, &memory.InputError{Field: "files", Problem: "has an empty name", Hint: "leave it out"}
		}
	}
	return m.anchors.Paths(ctx, realm, c.Cwd, files)
}

// checkSymbols holds names of symbols that a caller gives to what they can be.
func checkSymbols(symbols []string) error {
	if len(symbols) > anchor.Most {
		return &memory.InputError{Field: "symbols", Problem: fmt.Sprintf("are %d, more than %d", len(symbols), anchor.Most), Hint: "name those it is about"}
	}
	for _, s := range symbols {
		if err := memory.CheckText("symbols", s, memory.MaxPath); err != nil {
			return err
		}
		if strings.TrimSpace(s) == "" {
			return &memory.InputError{Field: "symbols", Problem: "has an empty name", Hint: "leave it out"}
		}
	}
	return nil
}

// ProjectRoot is the directory from which the files of a session are named: the
// top of its project, or where the session began.
func (m *Mind) ProjectRoot(ctx context.Context, s *store.Session, realm string) (string, error) {
	roots, err := follow.RealmRoots(ctx, m.store, realm)
	if err != nil || s.Cwd == "" {
		return s.Cwd, err
	}
	cwd := path.Clean(strings.ReplaceAll(s.Cwd, `\`, "/"))
	if rel, ok := follow.RelativeTo(roots, cwd); ok && path.IsAbs(cwd) && !slices.Contains(roots, cwd) {
		return strings.TrimSuffix(cwd, "/"+rel), nil
	}
	return cwd, nil
}
