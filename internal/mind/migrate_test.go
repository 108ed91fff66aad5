package mind

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chitta/internal/ingest"
	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/store"
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
	taken := migrated(t, m, path)
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
	if again := migrated(t, m, path); again.Added != taken.Added {
		t.Errorf("migrating again took %d messages, not %d", again.Added, taken.Added)
	}
	if got := listed(t, m); got != both {
		t.Errorf("after migrating again:\n%s\nwant\n%s", got, both)
	}
	sound(t, m)
}

// migrated takes a file over as part of the migration that has begun.
func migrated(t *testing.T, m *Mind, path string) ingest.Report {
	t.Helper()
	out, err := m.SessionIngest(t.Context(), person, SessionIngestInput{Path: path, Migration: true})
	if err != nil || !out.Done {
		t.Fatalf("%+v %v", out, err)
	}
	return out
}

func begun(t *testing.T, m *Mind) {
	t.Helper()
	if _, err := m.MigrationBegin(t.Context(), person, NoInput{}); err != nil {
		t.Fatal(err)
	}
}

// rolledBack rolls back to the end.
func rolledBack(t *testing.T, m *Mind) (total MigrationOutput) {
	t.Helper()
	for !total.Done {
		out, err := m.MigrationRollback(t.Context(), person, NoInput{})
		if err != nil {
			t.Fatal(err)
		}
		out.Sessions += total.Sessions
		out.Grown += total.Grown
		out.Messages += total.Messages
		total = out
	}
	return total
}

// standing is everything stored but for rows that only keep a number.
func standing(t *testing.T, m *Mind) string {
	t.Helper()
	var b strings.Builder
	for _, line := range strings.SplitAfter(all(t, m), "session ") {
		if !strings.Contains(line, `"" 0 messages`) && !strings.Contains(line, `"" 1 messages`) {
			b.WriteString(line)
		}
	}
	return b.String()
}

const (
	oldSession   = "11111111-1111-4111-8111-111111111111"
	newSession   = "22222222-2222-4222-8222-222222222222"
	otherSession = "33333333-3333-4333-8333-333333333333"
)

// TestInterruptedMigrationIsRolledBack ends a migration before it finished, as
// a kill does, lets another session come in meanwhile, and takes back what the
// migration brought and nothing else: a new session, and what it added to one
// that was there, in the middle of which something came by another way.
func TestInterruptedMigrationIsRolledBack(t *testing.T) {
	for _, later := range []bool{false, true} {
		t.Run(fmt.Sprintf("more came later %v", later), func(t *testing.T) {
			m := plain(t)
			dir := t.TempDir()
			k := conversation(oldSession, dir)
			old := k.write(t, filepath.Join(dir, oldSession+".jsonl"))
			ingestAll(t, m, old)
			before := standing(t, m)

			begun(t, m)
			written := len(k.lines)
			k.call("toolu_9", "Bash", map[string]any{"command": "make penguin"})
			k.result("toolu_9", "ok", map[string]any{"exitCode": 0})
			k.user("Now the narwhal, please")
			k.assistant("The narwhal has a horn.")
			extend(t, old, strings.Join(k.lines[written:], "\n")+"\n"+`{"type":"summary","summary":"About narwhals","leafUuid":"`+k.parent+`"}`+"\n")
			if out := migrated(t, m, old); out.Added != 4 {
				t.Fatalf("%+v", out)
			}
			migrated(t, m, conversation(newSession, dir).write(t, filepath.Join(dir, newSession+".jsonl")))
			want := before
			if later {
				ingestAll(t, m, conversation(otherSession, dir).write(t, filepath.Join(dir, otherSession+".jsonl")))
				alone := plain(t)
				ingestAll(t, alone, old[:len(old)-len(oldSession+".jsonl")]+otherSession+".jsonl")
				want += standing(t, alone)[len("session "):]
			}
			if got := rolledBack(t, m); got.Sessions != 1 || got.Grown != 1 || got.Messages != 4+9 {
				t.Errorf("%+v", got)
			}
			sound(t, m)
			if got := standing(t, m); strings.ReplaceAll(got, "session ", "") != strings.ReplaceAll(want, "session ", "") {
				t.Errorf("after the rollback:\n%s\nwant\n%s", got, want)
			}
			if found, err := m.Search(t.Context(), person, past.SearchInput{Query: "narwhal", Realm: "all"}); err != nil || len(found.Sessions) != 0 {
				t.Errorf("still found: %+v %v", found.Sessions, err)
			}
			// and it can be done again
			begun(t, m)
			if out := migrated(t, m, old); out.Added != 4 {
				t.Errorf("again: %+v", out)
			}
			sound(t, m)
		})
	}
}

// TestRolledBackMessagesLeaveTheIndexAtTheNextStart ends the process after the
// rows are gone and before the index has lost them.
func TestRolledBackMessagesLeaveTheIndexAtTheNextStart(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	k := conversation(oldSession, dir)
	old := k.write(t, filepath.Join(dir, oldSession+".jsonl"))
	ingestAll(t, m, old)
	begun(t, m)
	written := len(k.lines)
	k.user("Now the narwhal, please")
	extend(t, old, k.lines[written]+"\n")
	migrated(t, m, old)
	x, err := m.migration(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	brought, err := m.broughtBy(t.Context(), &x)
	if err != nil || len(brought) != 1 {
		t.Fatal(brought, err)
	}
	if err := m.store.Write(t.Context(), func(tx *store.Tx) error {
		if _, _, err := m.takeBack(tx, &x, brought[0], false); err != nil {
			return err
		}
		return putMigration(tx, x)
	}); err != nil {
		t.Fatal(err)
	}
	if err := m.dropForgotten(t.Context()); err != nil {
		t.Fatal(err)
	}
	followed(t, m)
	sound(t, m)
	if out := rolledBack(t, m); out.Sessions != 0 || out.Grown != 0 {
		t.Errorf("%+v", out)
	}
	if x, err := m.migration(t.Context()); err != nil || len(x.Taken) != 0 || x.RolledBack.IsZero() {
		t.Errorf("%+v %v", x, err)
	}
}

func followed(t *testing.T, m *Mind) {
	t.Helper()
	if err := m.followConversations(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestInterruptedMigrationGoesOn begins again after an interruption and undoes
// both as one.
func TestInterruptedMigrationGoesOn(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	begun(t, m)
	first := migrated(t, m, conversation(oldSession, dir).write(t, filepath.Join(dir, oldSession+".jsonl")))
	begun(t, m)
	second := migrated(t, m, conversation(newSession, dir).write(t, filepath.Join(dir, newSession+".jsonl")))
	out, err := m.MigrationFinish(t.Context(), person, NoInput{})
	if err != nil || out.Sessions != 2 || out.Messages != first.Added+second.Added {
		t.Fatalf("%+v %v", out, err)
	}
	if back := rolledBack(t, m); back.Sessions != 2 || standing(t, m) != "session " {
		t.Errorf("%+v\n%s", back, standing(t, m))
	}
	sound(t, m)
}

// TestMigrationOfBeforeMarks rolls back what a version brought that noted rows
// alone, and refuses where it did not note the last.
func TestMigrationOfBeforeMarks(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	ingestAll(t, m, conversation(oldSession, dir).write(t, filepath.Join(dir, oldSession+".jsonl")))
	put := func(x Migration) {
		t.Helper()
		if err := m.store.Write(t.Context(), func(tx *store.Tx) error { return putMigration(tx, x) }); err != nil {
			t.Fatal(err)
		}
	}
	put(Migration{Started: m.now()})
	var refused *memory.RefusedError
	if _, err := m.MigrationRollback(t.Context(), person, NoInput{}); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
	if _, err := m.SessionIngest(t.Context(), person, SessionIngestInput{Path: filepath.Join(dir, oldSession+".jsonl"), Migration: true}); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
	put(Migration{Started: m.now(), Finished: m.now(), Upto: 1})
	if out := rolledBack(t, m); out.Sessions != 1 {
		t.Errorf("%+v", out)
	}
	sound(t, m)
}

// listed names the sessions there are, with how much is in them and whether
// words find it.
func listed(t *testing.T, m *Mind) string {
	t.Helper()
	out, err := m.SessionList(t.Context(), person, past.ListInput{Realm: "all"})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range out.Sessions {
		fmt.Fprintf(&b, "%s %d\n", s.ID, s.Messages)
	}
	found, err := m.Search(t.Context(), person, past.SearchInput{Query: "walrus", Realm: "all"})
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
	taken := migrated(t, m, path)
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
	if again := migrated(t, m, path); again.Added != taken.Added {
		t.Errorf("%d messages came back, not %d", again.Added, taken.Added)
	}
	sound(t, m)
}
