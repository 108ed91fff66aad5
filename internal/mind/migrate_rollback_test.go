package mind

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/store"
)

// forkAfter writes a transcript that repeats the first lines of another under its
// own id and goes on.
func forkAfter(t *testing.T, k *script, lines int, id, path, say string) string {
	t.Helper()
	fork := &script{session: id, cwd: k.cwd, n: lines, parent: fmt.Sprintf("%s-%04d", k.session, lines)}
	for _, line := range k.lines[:lines] {
		fork.lines = append(fork.lines, strings.ReplaceAll(line, `"sessionId":"`+k.session+`"`, `"sessionId":"`+id+`"`))
	}
	fork.user(say)
	return fork.write(t, path)
}

func finished(t *testing.T, m *Mind) {
	t.Helper()
	if _, err := m.MigrationFinish(t.Context(), person, NoInput{}); err != nil {
		t.Fatal(err)
	}
}

// TestRollbackKeepsWhatForksShare rolls back a session, and another that it was
// forked from, from which a session was forked that an import brought.
func TestRollbackKeepsWhatForksShare(t *testing.T) {
	const importedFork, alone = "44444444-4444-4444-8444-444444444444", "55555555-5555-4555-8555-555555555555"
	for _, marked := range []bool{true, false} {
		t.Run(fmt.Sprintf("marked %v", marked), func(t *testing.T) {
			m := plain(t)
			dir := t.TempDir()
			begun(t, m)
			k := conversation(oldSession, dir)
			migrated(t, m, k.write(t, filepath.Join(dir, oldSession+".jsonl")))
			middle := forkAfter(t, k, 9, newSession, filepath.Join(dir, newSession+".jsonl"), "the middle")
			migrated(t, m, middle)
			migrated(t, m, forkAfter(t, k, 5, otherSession, filepath.Join(dir, otherSession+".jsonl"), "a fork that goes"))
			migrated(t, m, conversation(alone, dir).write(t, filepath.Join(dir, alone+".jsonl")))
			finished(t, m)
			text, err := os.ReadFile(middle)
			if err != nil {
				t.Fatal(err)
			}
			mid := &script{session: newSession, cwd: dir, lines: strings.Split(strings.TrimSpace(string(text)), "\n")}
			if out := ingestAll(t, m, forkAfter(t, mid, 10, importedFork, filepath.Join(dir, "b.jsonl"), "the end")); out.Added != 1 || out.Known != 10 {
				t.Fatalf("%+v", out)
			}
			if !marked {
				unmark(t, m, 4)
			}
			out := rolledBack(t, m)
			if want := []string{oldSession, newSession}; !slices.Equal(out.Kept, want) || out.Sessions != 2 || out.Messages != 9+1 {
				t.Errorf("%+v, want kept %v", out, want)
			}
			for id, want := range map[string]int{oldSession: 9, newSession: 1, importedFork: 1, otherSession: 0, alone: 0} {
				s, err := m.store.SessionByID(t.Context(), id, 1)
				if err != nil {
					t.Fatal(err)
				}
				have := 0
				if len(s) == 1 && s[0].Forgotten.IsZero() {
					have = s[0].Messages
				}
				if have != want {
					t.Errorf("session %s has %d messages, want %d", id, have, want)
				}
			}
			sound(t, m)
			if again := rolledBack(t, m); again.Sessions+again.Grown+len(again.Kept) != 0 {
				t.Errorf("again: %+v", again)
			}
		})
	}
}

// unmark makes the last migration one of a version that noted rows alone.
func unmark(t *testing.T, m *Mind, upto int64) {
	t.Helper()
	err := m.store.Write(t.Context(), func(tx *store.Tx) error {
		for seq := range upto {
			if err := tx.KeepMigrated(1, seq+1); err != nil {
				return err
			}
		}
		return putMigration(tx, Migration{Started: m.now(), Finished: m.now(), Upto: upto})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestRollbackOfGrowthKeepsWhatForksShare rolls back what was added to a
// session from which another was forked, within what was added or before.
func TestRollbackOfGrowthKeepsWhatForksShare(t *testing.T) {
	for _, c := range []struct {
		name   string
		shared int
		kept   bool
	}{{"before what was added", 5, false}, {"within what was added", 10, true}} {
		t.Run(c.name, func(t *testing.T) {
			m := plain(t)
			dir := t.TempDir()
			k := conversation(oldSession, dir)
			old := k.write(t, filepath.Join(dir, oldSession+".jsonl"))
			ingestAll(t, m, old)
			begun(t, m)
			k.user("Now the narwhal, please")
			k.assistant("The narwhal has a horn.")
			extend(t, old, strings.Join(k.lines[9:], "\n")+"\n")
			migrated(t, m, old)
			finished(t, m)
			ingestAll(t, m, forkAfter(t, k, c.shared, newSession, filepath.Join(dir, "b.jsonl"), "the end"))
			out, want := rolledBack(t, m), 9
			if c.kept {
				want = 11
			}
			if (len(out.Kept) == 1) != c.kept || (out.Grown == 1) == c.kept {
				t.Errorf("%+v", out)
			}
			messagesBecome(t, m, oldSession, want)
			sound(t, m)
		})
	}
}

// TestRollbackTakesMinedFactsBack rolls back growth that states a fact, after
// it was read for facts.
func TestRollbackTakesMinedFactsBack(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	k := conversation(oldSession, dir)
	k.assistant("early.cause -[causes]-> early.effect")
	old := k.write(t, filepath.Join(dir, oldSession+".jsonl"))
	ingestAll(t, m, old)
	maintain(t, m)
	mineAll(t, m)
	before := counts(t, m)
	if before.Triples != 1 {
		t.Fatalf("%+v", before)
	}
	begun(t, m)
	k.assistant("And so late.cause -[causes]-> late.effect")
	k.user("What else?")
	k.assistant("last.cause -[causes]-> last.effect")
	extend(t, old, strings.Join(k.lines[10:], "\n")+"\n")
	migrated(t, m, old)
	maintain(t, m)
	mineAll(t, m)
	if n := counts(t, m); n.Triples != 3 {
		t.Fatalf("%+v", n)
	}
	// what somebody stated is meant to stay
	state(t, m, person, "own.cause -[causes]-> own.effect")
	rolledBack(t, m)
	maintain(t, m)
	mineAll(t, m)
	if n := counts(t, m); n.Triples != 2 {
		t.Errorf("%+v, before %+v", n, before)
	}
	if net, _ := m.net.Net(); net.Len() != 2 {
		t.Errorf("the net holds %d facts", net.Len())
	}
	sound(t, m)
}

// TestEmptyMigrationDoesNotHideTheOneBefore rolls back after one that was
// interrupted before it brought anything.
func TestEmptyMigrationDoesNotHideTheOneBefore(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	begun(t, m)
	const sessions = rollbackAtOnce + 2 // more than one call
	for i := range sessions {
		id := fmt.Sprintf("%08d-1111-4111-8111-111111111111", i)
		k := &script{session: id, cwd: dir}
		k.user("Hello walrus")
		migrated(t, m, k.write(t, filepath.Join(dir, id+".jsonl")))
	}
	finished(t, m)
	begun(t, m)
	begun(t, m) // twice interrupted
	if out := rolledBack(t, m); out.Sessions != sessions || standing(t, m) != "session " {
		t.Errorf("%+v\n%s", out, standing(t, m))
	}
	sound(t, m)
	if out := rolledBack(t, m); out.Sessions != 0 {
		t.Errorf("again: %+v", out)
	}
}

// TestRollbackEndsWithTheMigrationItUndid does not go on to the one before.
func TestRollbackEndsWithTheMigrationItUndid(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	begun(t, m)
	migrated(t, m, conversation(oldSession, dir).write(t, filepath.Join(dir, oldSession+".jsonl")))
	finished(t, m)
	begun(t, m)
	migrated(t, m, conversation(newSession, dir).write(t, filepath.Join(dir, newSession+".jsonl")))
	for i, want := range []int{1, 0} {
		if out := rolledBack(t, m); out.Sessions != want {
			t.Errorf("call %d: %+v", i, out)
		}
	}
	messagesBecome(t, m, oldSession, 9)
}

// reopened opens a data directory with the watch of a folder, until the
// returned function ends both.
func reopened(t *testing.T, cfg config.Config) (*Mind, func()) {
	t.Helper()
	m, err := Open(t.Context(), Options{Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { m.Watch(ctx) })
	return m, func() {
		stop()
		wg.Wait()
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestWatchWaitsForAnInterruptedMigration ends the process in a migration. The
// watch leaves the rest alone until the rollback; what that erased stays away.
func TestWatchWaitsForAnInterruptedMigration(t *testing.T) {
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = t.TempDir(), "none"
	cfg.Sessions.Dir, cfg.Sessions.Watch = t.TempDir(), true
	m, end := reopened(t, cfg)
	begun(t, m)
	var paths []string
	for i, id := range []string{oldSession, newSession} { // in the order in which the watch reads them
		path := conversation(id, "/p").write(t, filepath.Join(cfg.Sessions.Dir, "-p", id+".jsonl"))
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Duration(i+1)*time.Hour)); err != nil { // it is due at once
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	migrated(t, m, paths[0])
	end()

	m, end = reopened(t, cfg)
	defer func() { end() }()
	time.Sleep(300 * time.Millisecond) // long enough to read them, as below
	if found, err := m.store.SessionByID(t.Context(), newSession, 1); err != nil || len(found) != 0 {
		t.Errorf("the watch read on: %+v %v", found, err)
	}
	if out := rolledBack(t, m); !out.Watched || out.Sessions != 1 {
		t.Errorf("%+v", out)
	}
	end()
	m, end = reopened(t, cfg)
	messagesBecome(t, m, newSession, 9)
	if s, err := m.store.SessionByID(t.Context(), oldSession, 1); err != nil || len(s) != 0 {
		t.Errorf("it came back: %+v %v", s, err)
	}
}

// TestMigrationHoldsOn lets a migration take longer than it holds at once.
func TestMigrationHoldsOn(t *testing.T) {
	m, c := openTest(t)
	dir := t.TempDir()
	begun(t, m)
	c.advance(migrationHold - time.Second)
	migrated(t, m, conversation(oldSession, dir).write(t, filepath.Join(dir, oldSession+".jsonl")))
	if x, err := m.migration(t.Context()); err != nil || !x.Held.Equal(m.now().Add(migrationHold)) {
		t.Errorf("%+v %v", x, err)
	}
	if out := rolledBack(t, m); !out.Watched {
		t.Errorf("%+v", out)
	}
}

// TestRolledBackStaysAwayAfterAnotherInterruption begins again after a rollback,
// which lets everything in again, is interrupted, and rolls back again.
func TestRolledBackStaysAwayAfterAnotherInterruption(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	k := conversation(oldSession, dir)
	old := k.write(t, filepath.Join(dir, oldSession+".jsonl"))
	ingestAll(t, m, old)
	want := listed(t, m)
	begun(t, m)
	k.user("Now the narwhal, please")
	extend(t, old, k.lines[9]+"\n")
	fresh := conversation(newSession, dir).write(t, filepath.Join(dir, newSession+".jsonl"))
	for _, path := range []string{old, fresh} {
		migrated(t, m, path)
	}
	rolledBack(t, m)
	for range 2 {
		begun(t, m)
		begun(t, m)
		rolledBack(t, m)
		for _, path := range []string{old, fresh} { // as the watch does
			ingestAll(t, m, path)
		}
		if got := listed(t, m); got != want {
			t.Errorf("after the rollback:\n%s\nwant\n%s", got, want)
		}
	}
	begun(t, m)
	for path, n := range map[string]int{old: 1, fresh: 9} {
		if out := migrated(t, m, path); out.Added != n {
			t.Errorf("migrated again: %+v", out)
		}
	}
	sound(t, m)
}
