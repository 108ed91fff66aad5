package mind

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chitta/internal/config"
	"chitta/internal/follow"
)

// openByWords opens a mind that goes by words alone, and returns its log and the
// directory of its indexes.
func openByWords(t *testing.T) (m *Mind, log *bytes.Buffer, dir string) {
	t.Helper()
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = t.TempDir(), "none"
	log = new(bytes.Buffer)
	m, err := Open(t.Context(), Options{Config: cfg, Log: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m, log, cfg.Paths().Index()
}

// mustBeWhole holds that a memory is found, nothing is wrong, and the index of
// memories is on disk.
func mustBeWhole(t *testing.T, m *Mind, dir, id string) {
	t.Helper()
	if ids := found(t, m, person, RecallInput{Query: "warehouse scanner"}); !slices.Contains(ids, id) {
		t.Errorf("found %v", ids)
	}
	if st := m.indexStatus(); st.State != follow.IndexReady || st.Problem != "" {
		t.Errorf("status: %+v", st)
	}
	if f := m.doctorIndex(); f.Status != FindingOK {
		t.Errorf("doctor: %+v", f)
	}
	if out, err := checkAll(t.Context(), m); err != nil || !out.OK {
		t.Errorf("check: %+v %v", out.Problems, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "memories", "manifest")); err != nil {
		t.Error(err)
	}
}

// TestAnIndexDirectoryComesBack removes the directory before anything was
// written to it, and after.
func TestAnIndexDirectoryComesBack(t *testing.T) {
	for name, written := range map[string]bool{"before the first flush": false, "after it": true} {
		t.Run(name, func(t *testing.T) {
			m, _, dir := openByWords(t)
			x := remember(t, m, person, RememberInput{Content: "the warehouse scanner speaks serial at 9600 baud"})
			if written {
				if err := m.Maintain(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			remember(t, m, person, RememberInput{Content: "the shelf behind it is painted green"})
			if err := m.Maintain(t.Context()); err != nil {
				t.Fatal(err)
			}
			mustBeWhole(t, m, dir, x.ID)
		})
	}
}

// TestAFileWhereAnIndexBelongs puts a file in the place of a directory, under
// an open mind and before it is opened. It is moved aside, not removed: nobody
// knows what it is.
func TestAFileWhereAnIndexBelongs(t *testing.T) {
	const text = "somebody's notes"
	places := map[string]string{"one index": "memories", "all of them": "."}
	mends := map[string]func(*Mind) error{
		"background": func(m *Mind) error { return m.Maintain(t.Context()) },
		"rebuild": func(m *Mind) error {
			if _, err := m.Rebuild(t.Context(), person, NoInput{}); err != nil {
				return err
			}
			return m.Maintain(t.Context())
		},
	}
	for place, name := range places {
		for how, mend := range mends {
			t.Run(place+"/"+how, func(t *testing.T) {
				m, log, dir := openByWords(t)
				x := remember(t, m, person, RememberInput{Content: "the warehouse scanner speaks serial at 9600 baud"})
				if err := m.Maintain(t.Context()); err != nil {
					t.Fatal(err)
				}
				file := filepath.Join(dir, name)
				putInTheWay(t, file, text)
				if out, err := checkAll(t.Context(), m); err != nil || out.OK {
					t.Errorf("nobody noticed: %+v %v", out, err)
				}
				if err := mend(m); err != nil {
					t.Fatal(err)
				}
				remember(t, m, person, RememberInput{Content: "the shelf behind it is painted green"})
				if err := m.Close(); err != nil { // which writes it
					t.Fatal(err)
				}
				m, err := Open(t.Context(), m.opts)
				if err != nil {
					t.Fatal(err)
				}
				defer m.Close()
				mustBeWhole(t, m, dir, x.ID)
				if kept, err := os.ReadFile(filepath.Clean(file) + ".moved-aside"); err != nil || string(kept) != text {
					t.Errorf("%q %v", kept, err)
				}
				if !strings.Contains(log.String(), "moved aside") {
					t.Errorf("the log says: %s", log)
				}
			})
		}
	}
	t.Run("at the start", func(t *testing.T) {
		m, _, dir := openByWords(t)
		x := remember(t, m, person, RememberInput{Content: "the warehouse scanner speaks serial at 9600 baud"})
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		putInTheWay(t, filepath.Join(dir, "memories"), text)
		m, err := Open(t.Context(), m.opts)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if err := m.Maintain(t.Context()); err != nil {
			t.Fatal(err)
		}
		mustBeWhole(t, m, dir, x.ID)
	})
}

// putInTheWay replaces whatever is at a path by a file.
func putInTheWay(t *testing.T, path, text string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Clean(path)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Clean(path), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAFailedFlushIsSaid: what is not on disk is found all the same, but who
// looks after the data is told, until it is written.
func TestAFailedFlushIsSaid(t *testing.T) {
	m, _, dir := openByWords(t)
	x := remember(t, m, person, RememberInput{Content: "the warehouse scanner speaks serial at 9600 baud"})
	inTheWay := filepath.Join(dir, "memories", "manifest.tmp")
	if err := os.Mkdir(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(inTheWay, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := m.Maintain(t.Context()); err == nil {
		t.Fatal("the flush went well")
	}
	m.index.Follow(t.Context()) // which has nothing to complain of
	if st := m.indexStatus(); st.State != follow.IndexReady || !strings.Contains(st.Problem, "memories: not on disk: flushing keyword index") {
		t.Errorf("status: %+v", st)
	}
	if f := m.doctorIndex(); f.Status != FindingWarn || !strings.Contains(f.Detail, "not on disk") {
		t.Errorf("doctor: %+v", f)
	}
	if err := os.RemoveAll(inTheWay); err != nil {
		t.Fatal(err)
	}
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	mustBeWhole(t, m, dir, x.ID)
}
