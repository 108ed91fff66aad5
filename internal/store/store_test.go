package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/memory"
)

var testTime = time.Date(2026, 2, 3, 4, 5, 6, 7e6, time.UTC)

// openTest opens a store in a fresh directory and proves it sound at the end.
func openTest(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "chitta.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if problems, err := s.Check(context.Background()); err != nil || len(problems) > 0 {
			t.Errorf("check at the end: %v %v", problems, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	putRealm(t, s, "p_1")
	return s
}

func putRealm(t *testing.T, s *Store, id string) {
	t.Helper()
	err := s.Write(t.Context(), func(tx *Tx) error {
		return tx.PutRealm(memory.Realm{ID: id, Name: "one", Kind: memory.RealmProject, Visibility: memory.Private,
			Roots: []string{"abc"}, Paths: []string{"/src/one"}, Created: testTime, Updated: testTime})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func testRecord(i int) Record {
	at := testTime.Add(time.Duration(i) * time.Minute)
	r := Record{Hash: fmt.Sprintf("hash%d", i)}
	r.Memory = memory.Memory{
		ID: fmt.Sprintf("m_test%04d", i), Kind: memory.Kind(i % 26), Content: fmt.Sprintf("memory number %d", i),
		Tags: []string{"all", fmt.Sprintf("mod%d", i%3)}, Realm: "p_1", Visibility: memory.Private, State: memory.Active,
		Confidence: memory.NewConfidence(0.7), DecayRate: 0.01, Source: memory.Conscious, Trust: memory.TrustUser,
		Provenance: memory.Provenance{Actor: "test", Cwd: "/src/one"}, Created: at, Updated: at, Observed: at,
	}
	return r
}

func insert(t *testing.T, s *Store, r Record) Record {
	t.Helper()
	err := s.Write(t.Context(), func(tx *Tx) error {
		if err := tx.Insert(&r); err != nil {
			return err
		}
		return tx.AddChange(Change{Memory: r.ID, At: r.Created, Actor: "test", Op: "remember"})
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestInsertAndGet(t *testing.T) {
	s := openTest(t)
	want := insert(t, s, testRecord(1))
	got, err := s.Get(t.Context(), want.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stored and read back (-want +got):\n%s", diff)
	}
}

func TestGetByPrefix(t *testing.T) {
	s := openTest(t)
	for i := range 12 {
		insert(t, s, testRecord(i))
	}
	if r, err := s.Get(t.Context(), "m_test0011"); err != nil || r.ID != "m_test0011" {
		t.Errorf("whole id: %v %v", r.ID, err)
	}
	if r, err := s.Get(t.Context(), "m_test001"); err == nil {
		t.Errorf("prefix of two fits %s", r.ID)
	}
	var ambiguous *AmbiguousError
	if _, err := s.Get(t.Context(), "m_test"); !errors.As(err, &ambiguous) || len(ambiguous.IDs) != maxAmbiguous {
		t.Errorf("prefix of all: %v", err)
	}
	if _, err := s.Get(t.Context(), "m_none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("unknown id: %v", err)
	}
}

func TestUpdateMovesToTheEndOfTheSequence(t *testing.T) {
	s := openTest(t)
	first, second := insert(t, s, testRecord(1)), insert(t, s, testRecord(2))
	first.Content, first.Tags = "changed", []string{"new"}
	if err := s.Write(t.Context(), func(tx *Tx) error { return tx.Update(&first) }); err != nil {
		t.Fatal(err)
	}
	changed, err := s.List(t.Context(), Filter{ByRev: true, After: second.Rev})
	if err != nil || len(changed) != 1 || changed[0].Content != "changed" {
		t.Fatalf("changes after %d: %v %v", second.Rev, changed, err)
	}
	if diff := cmp.Diff(first, changed[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWriteIsAllOrNothing(t *testing.T) {
	s := openTest(t)
	boom := errors.New("boom")
	err := s.Write(t.Context(), func(tx *Tx) error {
		r := testRecord(1)
		if err := tx.Insert(&r); err != nil {
			return err
		}
		return boom
	})
	if !errors.Is(err, boom) {
		t.Errorf("error: %v", err)
	}
	if n, err := s.Count(t.Context(), Filter{}); n != 0 || err != nil {
		t.Errorf("%d rows stored by a failed write, %v", n, err)
	}
}

func TestList(t *testing.T) {
	s := openTest(t)
	putRealm(t, s, "p_2")
	for i := range 30 {
		r := testRecord(i)
		if i%10 == 9 {
			r.Realm, r.Visibility = "p_2", []memory.Visibility{memory.Private, memory.Shared, memory.Global}[i/10]
		}
		if i == 5 {
			r.State, r.Forgotten = memory.Forgotten, testTime
		}
		insert(t, s, r)
	}
	tests := []struct {
		name  string
		f     Filter
		count int
	}{
		{"everything", Filter{}, 30},
		{"by kind", Filter{Kinds: []memory.Kind{1, 2}}, 4},
		{"by tags, all of them", Filter{Tags: []string{"all", "mod1"}}, 10},
		{"by an unknown tag", Filter{Tags: []string{"none"}}, 0},
		{"a realm and what is global", Filter{Realm: "p_1"}, 28},
		{"a realm and what is shared", Filter{Realm: "p_1", Reach: ReachShared}, 29},
		{"a realm alone", Filter{Realm: "p_1", Reach: ReachOnly}, 27},
		{"by state", Filter{States: []memory.Status{memory.Forgotten}}, 1},
		{"by source", Filter{Sources: []memory.Source{memory.Subconscious}}, 0},
		{"by text, whatever its case", Filter{Text: "NUMBER 2"}, 11},
		{"since", Filter{Since: testTime.Add(20 * time.Minute)}, 10},
		{"until", Filter{Until: testTime.Add(20 * time.Minute)}, 20},
		{"pinned", Filter{Pinned: true}, 0},
		{"by id", Filter{IDs: []string{"m_test0003", "m_test0004"}}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rs, err := s.List(t.Context(), tt.f)
			if err != nil || len(rs) != tt.count {
				t.Errorf("listed %d, want %d: %v", len(rs), tt.count, err)
			}
			if n, err := s.Count(t.Context(), tt.f); err != nil || n != tt.count {
				t.Errorf("counted %d, want %d: %v", n, tt.count, err)
			}
		})
	}
}

func TestPagesCoverEverythingOnce(t *testing.T) {
	s := openTest(t)
	for i := range 25 {
		r := testRecord(i)
		r.Created = testTime.Add(time.Duration(i/5) * time.Hour) // several at the same time
		insert(t, s, r)
	}
	for _, oldest := range []bool{false, true} {
		seen := map[string]bool{}
		f := Filter{Limit: 7, Oldest: oldest}
		for {
			page, err := s.List(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range page {
				if seen[r.ID] {
					t.Fatalf("%s on two pages", r.ID)
				}
				seen[r.ID] = true
				f.After = r.Seq
			}
			if len(page) < f.Limit {
				break
			}
		}
		if len(seen) != 25 {
			t.Errorf("oldest %v: %d of 25 seen", oldest, len(seen))
		}
	}
}

func TestHistoryKeepsOrderAndDetail(t *testing.T) {
	s := openTest(t)
	r := insert(t, s, testRecord(1))
	err := s.Write(t.Context(), func(tx *Tx) error {
		return tx.AddChange(Change{Memory: r.ID, At: testTime, Actor: "cli", Op: "update", Detail: map[string][2]any{"content": {"a", "b"}}})
	})
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Changes(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := []Change{
		{Memory: r.ID, At: r.Created, Actor: "test", Op: "remember"},
		{Memory: r.ID, At: testTime, Actor: "cli", Op: "update", Detail: map[string][2]any{"content": {"a", "b"}}},
	}
	if diff := cmp.Diff(want, all[r.ID]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRealmsRoundTrip(t *testing.T) {
	s := openTest(t)
	got, err := s.Realms(t.Context())
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	got[0].Name, got[0].Visibility, got[0].Remotes = "renamed", memory.Shared, []string{"host/a/b"}
	if err := s.Write(t.Context(), func(tx *Tx) error { return tx.PutRealm(got[0]) }); err != nil {
		t.Fatal(err)
	}
	again, err := s.Realms(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, again); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFilesAreForTheOwnerOnly(t *testing.T) {
	s := openTest(t)
	insert(t, s, testRecord(1))
	for _, suffix := range []string{"", "-wal", "-shm"} {
		fi, err := os.Stat(s.Path() + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if fi.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o", fi.Name(), fi.Mode().Perm())
		}
	}
}

// TestCheckFindsBrokenRows breaks every invariant by hand and expects check to
// say which.
func TestCheckFindsBrokenRows(t *testing.T) {
	tests := []struct{ name, sql, want string }{
		{"kind", `UPDATE memory SET kind = 99`, "a memory's kind is known"},
		{"state", `UPDATE memory SET state = 'odd'`, "a memory's state is known"},
		{"visibility", `UPDATE memory SET visibility = 'odd'`, "a memory's visibility is known"},
		{"confidence", `UPDATE memory SET mean = 1.5`, "confidence lies between 0 and 1"},
		{"empty text", `UPDATE memory SET content = ''`, "only an erased memory has no text"},
		{"erased but tagged", `UPDATE memory SET content = '', erased = 1`, "an erased memory keeps no hash and no tags"},
		{"forgotten without a time", `UPDATE memory SET state = 'forgotten'`, "a forgotten memory knows when"},
		{"superseded by nothing", `UPDATE memory SET state = 'superseded'`, "a superseded memory names its correction"},
		{"one-way correction", `UPDATE memory SET superseded_by = 'm_test0002' WHERE id = 'm_test0001'`, "corrections are linked both ways"},
		{"no history", `DELETE FROM memory_change`, "every memory has a history"},
		{"history of nobody", `PRAGMA foreign_keys = 0; INSERT INTO memory_change VALUES (99, 99, 1, 'x', 'y', '{}')`, "references lead somewhere"},
		{"provenance", `UPDATE memory SET provenance = '{'`, "provenance and history are JSON"},
		{"reference", `PRAGMA foreign_keys = 0; UPDATE memory SET realm = 'p_gone'`, "references lead somewhere"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "chitta.db")})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			putRealm(t, s, "p_1")
			insert(t, s, testRecord(1))
			insert(t, s, testRecord(2))
			if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
				t.Fatalf("before: %v %v", problems, err)
			}
			if _, err := s.write.Exec(tt.sql); err != nil {
				t.Fatal(err)
			}
			problems, err := s.Check(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range problems {
				if p.What == tt.want {
					return
				}
			}
			t.Errorf("%q not among %v", tt.want, problems)
		})
	}
}

func TestBackupAndRestore(t *testing.T) {
	s := openTest(t)
	insert(t, s, testRecord(1))
	file := filepath.Join(t.TempDir(), "deep", "backup.db")
	if err := s.Backup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(file); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("backup: %v %v", fi, err)
	}
	if err := s.Backup(t.Context(), file); !errors.Is(err, fs.ErrExist) {
		t.Errorf("second backup to the same file: %v", err)
	}

	home := t.TempDir()
	o := Options{Path: filepath.Join(home, "chitta.db")}
	other, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	putRealm(t, other, "p_other")
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	kept, err := Restore(t.Context(), file, o)
	if err != nil {
		t.Fatal(err)
	}
	restored, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close()
	if r, err := restored.Get(t.Context(), "m_test0001"); err != nil || r.Content != "memory number 1" {
		t.Errorf("restored: %v %v", r.Content, err)
	}
	before, err := Open(t.Context(), Options{Path: kept})
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	if realms, err := before.Realms(t.Context()); err != nil || len(realms) != 1 || realms[0].ID != "p_other" {
		t.Errorf("what was there before: %v %v", realms, err)
	}
}

func TestRestoreRefusesWhatIsNoBackup(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "chitta.db")
	s, err := Open(t.Context(), Options{Path: target})
	if err != nil {
		t.Fatal(err)
	}
	putRealm(t, s, "p_1")
	insert(t, s, testRecord(1))
	whole := filepath.Join(dir, "whole.db")
	if err := s.Backup(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	other, err := sql.Open("sqlite", filepath.Join(dir, "other.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Exec(`CREATE TABLE t (x)`); err != nil {
		t.Fatal(err)
	}
	other.Close()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct{ name, file string }{
		{"missing", filepath.Join(dir, "none.db")},
		{"a directory", dir},
		{"empty", write("empty.db", nil)},
		{"text", write("text.db", []byte(strings.Repeat("not a database ", 500)))},
		{"cut short", write("cut.db", b[:len(b)/2])},
		{"another database", filepath.Join(dir, "other.db")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Restore(t.Context(), tt.file, Options{Path: target}); err == nil {
				t.Fatal("restored")
			}
			s, err := Open(t.Context(), Options{Path: target})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if _, err := s.Get(t.Context(), "m_test0001"); err != nil {
				t.Errorf("the database in place suffered: %v", err)
			}
		})
	}
}

func TestNewerSchemaIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chitta.db")
	s, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.write.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)`); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var newer *NewerSchemaError
	if _, err := Open(t.Context(), Options{Path: path}); !errors.As(err, &newer) || newer.Have != 99 {
		t.Errorf("opened a newer schema: %v", err)
	}
	if _, err := Restore(t.Context(), path, Options{Path: path + "2"}); !errors.As(err, &newer) {
		t.Errorf("restored a newer schema: %v", err)
	}
}

// nextSchema is the embedded migrations and one more.
func nextSchema(t *testing.T, sql string) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	names, err := fs.Glob(embedded(), "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		b, err := fs.ReadFile(embedded(), n)
		if err != nil {
			t.Fatal(err)
		}
		files[n] = &fstest.MapFile{Data: b}
	}
	files["09999_next.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + sql)}
	return files
}

func TestBackupBeforeMigration(t *testing.T) {
	dir := t.TempDir()
	o := Options{Path: filepath.Join(dir, "chitta.db"), Now: func() time.Time { return testTime }}
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	putRealm(t, s, "p_1")
	insert(t, s, testRecord(1))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	o.migrations = nextSchema(t, "CREATE TABLE brand_new (x INTEGER) STRICT;")
	s, err = Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.SchemaVersion(t.Context()); err != nil || v != 9999 {
		t.Errorf("schema %d, %v", v, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	copies, err := filepath.Glob(filepath.Join(dir, "backups", "before-schema-9999-*.db"))
	if err != nil || len(copies) != 1 {
		t.Fatalf("copies: %v %v", copies, err)
	}
	old, err := Open(t.Context(), Options{Path: copies[0]})
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if _, err := old.Get(t.Context(), "m_test0001"); err != nil {
		t.Errorf("the copy lacks the memory: %v", err)
	}
}

func TestFailedMigrationLeavesTheDatabaseAsItWas(t *testing.T) {
	o := Options{Path: filepath.Join(t.TempDir(), "chitta.db")}
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	putRealm(t, s, "p_1")
	insert(t, s, testRecord(1))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	broken := o
	broken.migrations = nextSchema(t, "CREATE TABLE half (x INTEGER) STRICT;\nINSERT INTO nowhere VALUES (1);")
	if _, err := Open(t.Context(), broken); err == nil {
		t.Fatal("a broken migration succeeded")
	}
	s, err = Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.write.Exec(`SELECT * FROM half`); err == nil {
		t.Error("half of the migration stayed")
	}
	if _, err := s.Get(t.Context(), "m_test0001"); err != nil {
		t.Error(err)
	}
}

func TestDamagedFileIsSaidSo(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"text":   strings.Repeat("this is not a database\n", 400),
		"header": "SQLite format 3\x00" + strings.Repeat("\xff", 8000),
	} {
		path := filepath.Join(dir, name+".db")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), Options{Path: path}); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != content {
			t.Errorf("%s: the damaged file was touched", name)
		}
	}
}

func TestErasedTextIsGoneFromTheFile(t *testing.T) {
	s := openTest(t)
	const secret = "zanzibar-quince-marmalade"
	r := testRecord(1)
	r.Content = secret + strings.Repeat(" filler", 2000)
	r = insert(t, s, r)
	err := s.Write(t.Context(), func(tx *Tx) error {
		r.Content, r.Hash, r.Tags, r.Erased = "", "", nil, testTime
		r.State, r.Forgotten = memory.Forgotten, testTime
		return tx.Update(&r)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(s.Path() + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), secret) {
			t.Errorf("erased text is still in chitta.db%s", suffix)
		}
	}
}

func TestReadOnlyDirectory(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("skipped: root may write everywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{Path: filepath.Join(dir, "chitta.db")}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("%v", err)
	}
}

func TestFullDiskRefusesTheWriteWhole(t *testing.T) {
	s := openTest(t)
	insert(t, s, testRecord(1))
	// the engine's own limit stands in for a full disk: same error, same path
	var pages int
	if err := s.write.QueryRow(`PRAGMA page_count`).Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if _, err := s.write.Exec(fmt.Sprintf(`PRAGMA max_page_count = %d`, pages)); err != nil {
		t.Fatal(err)
	}
	err := s.Write(t.Context(), func(tx *Tx) error {
		r := testRecord(2)
		r.Content = strings.Repeat("much text ", 100_000)
		return tx.Insert(&r)
	})
	if !errors.Is(err, ErrFull) {
		t.Errorf("error: %v", err)
	}
	if n, err := s.Count(t.Context(), Filter{}); err != nil || n != 1 {
		t.Errorf("%d memories after a refused write: %v", n, err)
	}
	if _, err := s.write.Exec(`PRAGMA max_page_count = 1000000`); err != nil {
		t.Fatal(err)
	}
	insert(t, s, testRecord(3)) // room again, works again
}

// TestWhatRestoreKeepsCanBeRestored crashes with data in the write-ahead log
// only, restores something else over it, and takes that back.
func TestWhatRestoreKeepsCanBeRestored(t *testing.T) {
	s := openTest(t)
	empty := filepath.Join(t.TempDir(), "we?ird #1%41.db")
	if err := s.Backup(t.Context(), empty); err != nil {
		t.Fatal(err)
	}
	insert(t, s, testRecord(1))
	crashed := filepath.Join(t.TempDir(), "chitta.db")
	for _, suffix := range []string{"", "-wal"} { // as a killed process leaves them
		if err := copyFile(s.Path()+suffix, crashed+suffix); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := Restore(t.Context(), empty, Options{Path: crashed})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), kept, Options{Path: crashed}); err != nil {
		t.Fatalf("restore what was kept: %v", err)
	}
	back, err := Open(t.Context(), Options{Path: crashed})
	if err != nil {
		t.Fatal(err)
	}
	defer back.Close()
	if _, err := back.Get(t.Context(), "m_test0001"); err != nil {
		t.Errorf("lost on the way: %v", err)
	}
	if back.Identity() == s.Identity() || back.Identity() == "" {
		t.Error("a restored database has the identity of another")
	}
}

// TestRestoreFoldsInTheLog restores the files of a killed process directly.
func TestRestoreFoldsInTheLog(t *testing.T) {
	s := openTest(t)
	insert(t, s, testRecord(1))
	crashed := filepath.Join(t.TempDir(), "chitta.db")
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(s.Path()+suffix, crashed+suffix); err != nil {
			t.Fatal(err)
		}
	}
	target := filepath.Join(t.TempDir(), "chitta.db")
	if _, err := Restore(t.Context(), crashed, Options{Path: target}); err != nil {
		t.Fatal(err)
	}
	back, err := Open(t.Context(), Options{Path: target})
	if err != nil {
		t.Fatal(err)
	}
	defer back.Close()
	if _, err := back.Get(t.Context(), "m_test0001"); err != nil {
		t.Errorf("lost on the way: %v", err)
	}
}
