package mind

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"chitta/internal/follow"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// maxAnchors bounds the files one memory is about.
const maxAnchors = 50

// AnchorPaths returns files as anchors name them: from the top of the project
// with slashes, absolute outside of it, each once. Relative ones count from
// cwd. What cannot be a path, or looks like a secret, is left out.
func (m *Mind) AnchorPaths(ctx context.Context, realm, cwd string, files []string) ([]string, error) {
	if len(files) == 0 {
		return nil, nil
	}
	roots, err := follow.RealmRoots(ctx, m.store, realm)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range files {
		f = m.anchorPath(roots, cwd, f)
		if f != "" && len(out) < maxAnchors && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out, nil
}

func (m *Mind) anchorPath(roots []string, cwd, file string) string {
	if memory.CheckText("file", file, memory.MaxPath) != nil || len(m.redactor.Findings(file)) > 0 {
		return ""
	}
	file = strings.ReplaceAll(strings.TrimSpace(file), `\`, "/")
	if file == "" {
		return ""
	}
	if file = path.Clean(file); !absolute(file) && cwd != "" {
		file = path.Join(strings.ReplaceAll(cwd, `\`, "/"), file)
	}
	if rel, ok := follow.RelativeTo(roots, file); ok {
		return rel
	}
	return file
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

// absolute reports whether a path says where it begins, on any system.
func absolute(file string) bool {
	return path.IsAbs(file) || strings.HasPrefix(file, "~") || len(file) > 1 && file[1] == ':'
}

// anchorsGiven is AnchorPaths for what a caller names, which must be sound.
func (m *Mind) anchorsGiven(ctx context.Context, c Caller, realm string, files []string) ([]string, error) {
	if len(files) > maxAnchors {
		return nil, &memory.InputError{Field: "files", Problem: fmt.Sprintf("are %d, more than %d", len(files), maxAnchors), Hint: "name those it is about"}
	}
	for _, f := range files {
		if err := memory.CheckText("files", f, memory.MaxPath); err != nil {
			return nil, err
		}
		if strings.TrimSpace(f) == "" {
			return nil, &memory.InputError{Field: "files", Problem: "has an empty name", Hint: "leave it out"}
		}
	}
	return m.AnchorPaths(ctx, realm, c.Cwd, files)
}

// checkSymbols holds names of symbols that a caller gives to what they can be.
func checkSymbols(symbols []string) error {
	if len(symbols) > maxAnchors {
		return &memory.InputError{Field: "symbols", Problem: fmt.Sprintf("are %d, more than %d", len(symbols), maxAnchors), Hint: "name those it is about"}
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

func anchorsTo(seq int64, files []string) []store.Anchor {
	anchors := make([]store.Anchor, len(files))
	for i, f := range files {
		anchors[i] = store.Anchor{Memory: seq, Path: f}
	}
	return anchors
}
