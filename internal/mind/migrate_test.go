package mind

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chitta/internal/memory"
)

func TestMigrationIsRolledBackAndDoneAgain(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	before := conversation("11111111-1111-4111-8111-111111111111", dir).write(t, filepath.Join(dir, "11111111-1111-4111-8111-111111111111.jsonl"))
	ingestAll(t, m, before)
	known := listed(t, m)

	if _, err := m.MigrationBegin(t.Context(), person, NoInput{}); err != nil {
		t.Fatal(err)
	}
	path := conversation("22222222-2222-4222-8222-222222222222", dir).write(t, filepath.Join(dir, "22222222-2222-4222-8222-222222222222.jsonl"))
	taken := ingestAll(t, m, path)
	out, err := m.MigrationFinish(t.Context(), person, NoInput{})
	if err != nil || out.Sessions != 1 || out.Messages != taken.Added || taken.Added == 0 {
		t.Fatalf("%+v %v, %d taken", out, err, taken.Added)
	}
	both := listed(t, m)
	sound(t, m)

	back, err := m.MigrationRollback(t.Context(), person, NoInput{})
	if err != nil || !back.Done || back.Sessions != 1 || back.Messages != taken.Added {
		t.Fatalf("%+v %v", back, err)
	}
	if got := listed(t, m); got != known {
		t.Errorf("after the rollback:\n%s\nwant\n%s", got, known)
	}
	sound(t, m)
	if ingestAll(t, m, path); listed(t, m) != known {
		t.Error("an import brought back what was rolled back")
	}

	if _, err := m.MigrationBegin(t.Context(), person, NoInput{}); err != nil {
		t.Fatal(err)
	}
	if again := ingestAll(t, m, path); again.Added != taken.Added {
		t.Errorf("migrating again took %d messages, not %d", again.Added, taken.Added)
	}
	if got := listed(t, m); got != both {
		t.Errorf("after migrating again:\n%s\nwant\n%s", got, both)
	}
	sound(t, m)
}

// listed names the sessions there are, with how much is in them and whether
// words find it.
func listed(t *testing.T, m *Mind) string {
	t.Helper()
	out, err := m.SessionList(t.Context(), person, SessionListInput{Realm: "all"})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range out.Sessions {
		fmt.Fprintf(&b, "%s %d\n", s.ID, s.Messages)
	}
	found, err := m.Search(t.Context(), person, SearchInput{Query: "walrus", Realm: "all"})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range found.Sessions {
		fmt.Fprintf(&b, "found in %s\n", s.Session.ID)
	}
	return b.String()
}

func TestNothingToRollBack(t *testing.T) {
	m := plain(t)
	var refused *memory.RefusedError
	if _, err := m.MigrationRollback(t.Context(), person, NoInput{}); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
	if _, err := m.MigrationFinish(t.Context(), person, NoInput{}); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
}

// TestMigrationFindsRenamedFilesAgain rolls back what came from a file whose
// name says nothing of its session.
func TestMigrationFindsRenamedFilesAgain(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	path := conversation("33333333-3333-4333-8333-333333333333", dir).write(t, filepath.Join(dir, "renamed.jsonl"))
	if _, err := m.MigrationBegin(t.Context(), person, NoInput{}); err != nil {
		t.Fatal(err)
	}
	taken := ingestAll(t, m, path)
	if _, err := m.MigrationFinish(t.Context(), person, NoInput{}); err != nil {
		t.Fatal(err)
	}
	// another one that brings nothing does not stand in the way
	for _, step := range []func() error{
		func() error { _, err := m.MigrationBegin(t.Context(), person, NoInput{}); return err },
		func() error { _, err := m.MigrationFinish(t.Context(), person, NoInput{}); return err },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	if back, err := m.MigrationRollback(t.Context(), person, NoInput{}); err != nil || back.Messages != taken.Added {
		t.Fatalf("%+v %v", back, err)
	}
	if _, err := m.MigrationBegin(t.Context(), person, NoInput{}); err != nil {
		t.Fatal(err)
	}
	if again := ingestAll(t, m, path); again.Added != taken.Added {
		t.Errorf("%d messages came back, not %d", again.Added, taken.Added)
	}
	sound(t, m)
}
