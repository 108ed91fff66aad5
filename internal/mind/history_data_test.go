package mind

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/evaldata"
	"chitta/internal/memory"
	"chitta/internal/past"
)

// TestBlameOnRecordedSessions: of the files that recorded sessions are known to
// have touched, and that a call in their transcripts names, at least nine in ten
// are traced back to them. The others were touched by commands, by hand, or by
// subagents whose transcripts are not there: four in ten.
func TestBlameOnRecordedSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 34 MB of transcripts")
	}
	if raceEnabled {
		t.Skip("34 MB of transcripts take minutes under the race detector; make unit runs this test without it")
	}
	root := filepath.Dir(evaldata.Files(t, "sessions", "files-touched.tsv")[0])
	m := plain(t)
	p := newPast(t, m)
	files, err := filepath.Glob(filepath.Join(root, "claude", "projects", "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Skipf("no evaluation data: no transcripts in %s", root)
	}
	for _, file := range files {
		for done := false; !done; {
			out, err := m.SessionIngest(t.Context(), person, SessionIngestInput{Path: file, Realm: "app"})
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			done = out.Done
		}
	}
	if n, err := m.store.TouchedFiles(t.Context(), p.realm); err != nil || len(n) == 0 {
		t.Skipf("the import notes no touched files yet: %v", err)
	}
	pairs, err := os.ReadFile(filepath.Join(root, "files-touched.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	blamed := map[string][]string{}
	all, named, found, anyway := 0, 0, 0, 0
	for line := range strings.Lines(string(pairs)) {
		file, id, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		all++
		if _, known := blamed[file]; !known {
			out, err := m.Blame(t.Context(), person, past.BlameInput{File: file, Realm: "app", Limit: 100, Reads: true})
			var missing *memory.NotFoundError
			if err != nil && !errors.As(err, &missing) {
				t.Fatalf("%s: %v", file, err)
			}
			blamed[file] = []string{}
			for _, s := range out.Sessions {
				blamed[file] = append(blamed[file], s.Session)
			}
		}
		isFound := slices.Contains(blamed[file], id)
		switch isNamed := callNames(t, root, id, file); {
		case isNamed && isFound:
			named, found = named+1, found+1
		case isNamed:
			named++
			t.Logf("not found: %s in %s", file, id)
		case isFound:
			anyway++
		}
	}
	t.Logf("%d of %d pairs that a call names, %d of %d in all", found, named, found+anyway, all)
	if 10*found < 9*named || named == 0 {
		t.Errorf("%d of %d pairs found, want nine in ten", found, named)
	}
	begin := time.Now()
	for more := true; more; more = m.linker.Behind() {
		if err := m.linker.Maintain(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	counts, err := m.store.CountEdges(t.Context())
	t.Logf("edges %v after %v, %v", counts, time.Since(begin), err)
}

// callNames says whether a call in a recorded session names a file.
func callNames(t *testing.T, root, id, file string) bool {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "claude", "projects", "*", id+".jsonl"))
	if err != nil || len(paths) != 1 {
		return false
	}
	raw, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`"file_path":\s*"(?:[^"]*/)?` + regexp.QuoteMeta(file) + `"`).Match(raw)
}
