package anchor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/store"
)

// TestPassagesAgainstFiles: of a passage only times of files are known.
func TestPassagesAgainstFiles(t *testing.T) {
	tr := tree{root: t.TempDir()}
	then := time.Now().Add(-time.Hour)
	for name, at := range map[string]time.Time{"old.go": then.Add(-time.Minute), "new.go": then.Add(time.Minute)} {
		if err := os.WriteFile(tr.full(name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(tr.full(name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ files, state, note string }{
		{"", "", ""},
		{"old.go", Fresh, ""},
		{"old.go new.go", Unknown, "`new.go` was written since"},
		{"gone.go", Stale, "`gone.go` is gone"},
		{"gone.go away/x.go", Stale, "`gone.go` is gone"},
		{"gone.go old.go", Unknown, "`gone.go` is gone"},
		{"old.go/x.go", Stale, "`old.go/x.go` is gone"},
	} {
		if f := tr.since(strings.Fields(c.files), then); f.State != c.state || f.Note != c.note {
			t.Errorf("%s: %+v", c.files, f)
		}
	}
	p := &Passage{Text: "see old.go, missing.go and ../../etc/passwd"}
	p.Touched = []store.Touch{
		{FileTouch: store.FileTouch{Path: tr.full("new.go"), Action: "edit"}}, {FileTouch: store.FileTouch{Path: "/elsewhere/x.go", Action: "edit"}},
		{FileTouch: store.FileTouch{Path: tr.full("found.go"), Action: "search"}}, {FileTouch: store.FileTouch{Path: tr.full("failed.go"), Action: "edit", Failed: true}},
	}
	if got := tr.filesOf(p, []string{filepath.ToSlash(tr.root)}); !slices.Equal(got, []string{"new.go", "old.go"}) {
		t.Error(got)
	}
}
