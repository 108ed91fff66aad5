//go:build unix

package install_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/install"
	"chitta/internal/memory"
)

// TestASummaryIsNotForcedOnAFile: a CLAUDE.md that leads elsewhere, is not to be
// written or has other names is refused by all that write it, and left as it is.
func TestASummaryIsNotForcedOnAFile(t *testing.T) {
	link := func(to string) func(*testing.T, string) {
		return func(t *testing.T, home string) {
			path := filepath.Join(home, "work", "CLAUDE.md")
			if err := errors.Join(os.RemoveAll(path), os.Symlink(to, path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tt := range []struct {
		name string
		make func(t *testing.T, home string)
		says string
	}{
		{"a link out of the repository", link("../notes/AGENTS.md"), "leaves the repository"},
		{"a link to nothing, out of it", link("../notes/none.md"), "leaves the repository"},
		{"a link by a linked folder", func(t *testing.T, home string) {
			if err := os.Symlink("../notes", filepath.Join(home, "work", "docs")); err != nil {
				t.Fatal(err)
			}
			link("docs/AGENTS.md")(t, home)
		}, "leaves the repository"},
		{"a link into git's folder", link(".git/config"), "leaves the repository"},
		{"read-only", func(t *testing.T, home string) {
			if err := os.Chmod(filepath.Join(home, "work", "CLAUDE.md"), 0o444); err != nil {
				t.Fatal(err)
			}
		}, "may not be written by its owner (mode 0444)"},
		{"two names", func(t *testing.T, home string) {
			if err := os.Link(filepath.Join(home, "work", "CLAUDE.md"), filepath.Join(home, "notes", "other.md")); err != nil {
				t.Fatal(err)
			}
		}, "has 2 names"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, map[string]string{"work/.git/config": "# All\n", "work/CLAUDE.md": "# All\n", "notes/AGENTS.md": "# All\n"})
			tt.make(t, b.home)
			before := textsIn(t, b.home, "work", "notes")
			with := want
			with.ClaudeMD = true
			_, err := b.Install(t.Context(), install.ScopeUser, with, false)
			var refused *memory.RefusedError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.says) || refused.Hint == "" {
				t.Errorf("installed: %v", err)
			}
			if diff := cmp.Diff(before, textsIn(t, b.home, "work", "notes")); diff != "" {
				t.Error(diff)
			}
		})
		t.Run(tt.name+", after it was installed", func(t *testing.T) {
			b := newBench(t, map[string]string{"work/.git/config": "# All\n", "work/CLAUDE.md": "# All\n", "notes/AGENTS.md": "# All\n"})
			if _, err := b.Summarise(t.Context(), install.ScopeUser, false); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(b.home, "work", "CLAUDE.md")
			text, err := os.ReadFile(path)
			if err == nil {
				err = errors.Join(os.WriteFile(filepath.Join(b.home, "work", ".git", "config"), text, 0o600), os.WriteFile(filepath.Join(b.home, "notes", "AGENTS.md"), text, 0o600))
			}
			if err != nil {
				t.Fatal(err)
			}
			tt.make(t, b.home)
			before := textsIn(t, b.home, "work", "notes")
			changed, err := install.WriteSummary(path, "- tabs")
			if _, gone := os.Stat(path); gone == nil && (changed || err == nil || !strings.Contains(err.Error(), tt.says)) {
				t.Errorf("brought up to date: %v, %v", changed, err)
			}
			states, err := install.Summaries(b.Record)
			if s := states[path]; err != nil || s.State == install.SummaryThere {
				t.Errorf("it counts as there: %+v, %v", s, err)
			}
			report, err := b.Unsummarise(t.Context(), install.ScopeUser, false)
			if err != nil {
				t.Errorf("taken out: %+v, %v", report, err)
			}
			if diff := cmp.Diff(before, textsIn(t, b.home, "work", "notes")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// textsIn reads the files of folders, and no links.
func textsIn(t *testing.T, home string, folders ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(home, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(path)
			out[path] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}
