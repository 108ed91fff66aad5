package anchor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"chitta/internal/follow"
)

// maxPath is the length of the longest path that is one, in bytes: what Linux
// takes.
const maxPath = 4096

// Paths returns files as anchors name them: from the top of the project with
// slashes, absolute outside of it, each once. Relative ones count from cwd. What
// cannot be a path, or looks like a secret, is left out.
func (r *Room) Paths(ctx context.Context, realm, cwd string, files []string) ([]string, error) {
	if len(files) == 0 {
		return nil, nil
	}
	tops, err := r.tops(ctx, realm)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range files {
		f = r.path(tops, cwd, f)
		if f != "" && len(out) < Most && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out, nil
}

func (r *Room) path(tops []string, cwd, file string) string {
	if !utf8.ValidString(file) || strings.ContainsRune(file, 0) || len(file) > maxPath || r.opts.Secret(file) {
		return ""
	}
	file = strings.ReplaceAll(strings.TrimSpace(file), `\`, "/")
	if file == "" {
		return ""
	}
	if file = path.Clean(file); !absolute(file) && cwd != "" {
		file = path.Join(strings.ReplaceAll(cwd, `\`, "/"), file)
	}
	if rel, ok := follow.RelativeTo(tops, file); ok {
		return rel
	}
	return file
}

// absolute reports whether a path says where it begins, on any system.
func absolute(file string) bool {
	return path.IsAbs(file) || strings.HasPrefix(file, "~") || len(file) > 1 && file[1] == ':'
}

// Missing returns which files, as [Room.Paths] names them, are not there. They can
// be anchors: what is gone, or not written yet, can be spoken of.
func (r *Room) Missing(ctx context.Context, realm, cwd string, files []string) (out []string, err error) {
	if len(files) == 0 {
		return nil, nil
	}
	t, err := r.treeOf(ctx, realm, cwd)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		full := filepath.FromSlash(f)
		if !filepath.IsAbs(full) {
			if t.root == "" {
				continue // there is nothing to look at
			}
			full = t.full(f)
		}
		if _, err := os.Stat(full); isGone(err) {
			out = append(out, f)
		}
	}
	return out, nil
}

// isGone says whether an error means that there is no such file: a path may lead
// through what is no folder any more.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }
