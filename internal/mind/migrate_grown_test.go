package mind

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chitta/internal/distil"
	"chitta/internal/past"
	"chitta/internal/store"
)

// TestRollbackKeepsWhatCameAfter rolls back a migration that brought a session
// which went on afterwards.
func TestRollbackKeepsWhatCameAfter(t *testing.T) {
	for _, finish := range []bool{true, false} {
		m := plain(t)
		dir := t.TempDir()
		begun(t, m)
		k := conversation(oldSession, dir)
		path := k.write(t, filepath.Join(dir, oldSession+".jsonl"))
		migrated(t, m, path)
		migrated(t, m, conversation(newSession, dir).write(t, filepath.Join(dir, newSession+".jsonl")))
		if finish {
			finished(t, m)
		}
		k.user("Now the narwhal, please")
		k.assistant("The narwhal has a horn.")
		extend(t, path, strings.Join(k.lines[9:], "\n")+"\n")
		ingestAll(t, m, path)
		if out := rolledBack(t, m); out.Sessions != 1 || out.Grown != 1 || out.Messages != 18 || len(out.Kept) != 0 {
			t.Errorf("%+v", out)
		}
		messagesBecome(t, m, oldSession, 2)
		if s := sessionOf(t, m, oldSession); s.Title == "" || s.Started.IsZero() || !s.Forgotten.IsZero() {
			t.Errorf("%+v", s)
		}
		for query, want := range map[string]int{"narwhal": 2, "walrus": 0} {
			if got := search(t, m, past.SearchInput{Query: query, Realm: "all"}); got.Found != want {
				t.Errorf("%s: %d found, want %d", query, got.Found, want)
			}
		}
		if got := shown(t, m, past.ShowInput{ID: oldSession}); len(got.Messages) != 2 {
			t.Errorf("shown: %+v", got.Messages)
		}
		sound(t, m)
		if again := rolledBack(t, m); again.Sessions+again.Grown != 0 {
			t.Errorf("again: %+v", again)
		}
		ingestAll(t, m, path) // as the watch does
		messagesBecome(t, m, oldSession, 2)
		begun(t, m)
		migrated(t, m, path)
		messagesBecome(t, m, oldSession, 11)
		sound(t, m)
	}
}

// TestRollbackKeepsWhatAGrownForkNeeds rolls back a session and its fork, which
// went on afterwards.
func TestRollbackKeepsWhatAGrownForkNeeds(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	begun(t, m)
	k := conversation(oldSession, dir)
	migrated(t, m, k.write(t, filepath.Join(dir, oldSession+".jsonl")))
	fork := forked(k, newSession, 7)
	path := fork.write(t, filepath.Join(dir, newSession+".jsonl"))
	migrated(t, m, path)
	finished(t, m)
	fork.user("and now the ostrich")
	extend(t, path, fork.lines[7]+"\n")
	ingestAll(t, m, path)
	if out := rolledBack(t, m); !slices.Equal(out.Kept, []string{oldSession}) || out.Sessions != 0 {
		t.Errorf("%+v", out)
	}
	messagesBecome(t, m, oldSession, 9)
	messagesBecome(t, m, newSession, 1)
	if got := shown(t, m, past.ShowInput{ID: newSession}).Total; got != 8 {
		t.Errorf("the fork shows %d messages", got)
	}
	sound(t, m)
}

// TestForkThatOnlyRepeatsStays loses what it repeats in different ways, and with
// it the title that tells of it.
func TestForkThatOnlyRepeatsStays(t *testing.T) {
	t.Run("its origin is forgotten", func(t *testing.T) {
		m := plain(t)
		orig := conversation("orig", "/p")
		ingestScripts(t, m, orig, forked(orig, "fork", 7))
		out, err := m.SessionForget(t.Context(), person, past.SessionInput{ID: "orig"})
		if err != nil || !slices.Equal(out.Forks, []string{"fork"}) || out.Shared != 7 {
			t.Errorf("%+v %v", out, err)
		}
		if s := sessionOf(t, m, "fork"); s.Title != "" || !s.Forgotten.IsZero() {
			t.Errorf("%+v", s)
		}
		if got := shown(t, m, past.ShowInput{ID: "fork"}); got.Total != 0 || !got.Session.BeginningForgotten {
			t.Errorf("%+v", got)
		}
		ingestScripts(t, m, forked(orig, "fork", 7)) // nothing comes back
		if got := shown(t, m, past.ShowInput{ID: "fork"}); got.Total != 0 || got.Session.Title != "" {
			t.Errorf("after an import: %+v", got)
		}
		sound(t, m)
	})
	for _, c := range []struct {
		name           string
		migrateOrigin  int // lines of the origin that the migration brings
		migrateFork    bool
		repeats        int
		origin, fork   int // messages, and what the fork shows
		kept, forkGone bool
	}{
		{name: "its origin is rolled back", migrateOrigin: 9, repeats: 7, origin: 9, fork: 7, kept: true},
		{name: "both are rolled back", migrateOrigin: 9, migrateFork: true, repeats: 7, forkGone: true},
		{name: "it repeats what stays", migrateOrigin: 4, repeats: 3, origin: 5, fork: 3},
		{name: "it repeats what was added", migrateOrigin: 4, repeats: 7, origin: 9, fork: 7, kept: true},
		{name: "it came with what was added", migrateOrigin: 4, migrateFork: true, repeats: 7, origin: 5, forkGone: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := plain(t)
			dir := t.TempDir()
			orig := conversation(oldSession, dir)
			path := filepath.Join(dir, oldSession+".jsonl")
			before := strings.Join(orig.lines[:9-c.migrateOrigin], "\n")
			write(t, path, before)
			if before != "" {
				extend(t, path, "\n")
				ingestAll(t, m, path)
			}
			begun(t, m)
			extend(t, path, strings.Join(orig.lines[9-c.migrateOrigin:], "\n")+"\n")
			migrated(t, m, path)
			fork := forked(orig, newSession, c.repeats).write(t, filepath.Join(dir, newSession+".jsonl"))
			if c.migrateFork {
				migrated(t, m, fork)
			}
			finished(t, m)
			if !c.migrateFork {
				ingestAll(t, m, fork)
			}
			name := sessionOf(t, m, newSession).Title
			out := rolledBack(t, m)
			if (len(out.Kept) == 1) != c.kept {
				t.Errorf("%+v", out)
			}
			if found, err := m.store.SessionByID(t.Context(), newSession, 1); err != nil || (len(found) == 0) != c.forkGone {
				t.Fatalf("%+v %v", found, err)
			}
			if c.origin > 0 {
				messagesBecome(t, m, oldSession, c.origin)
			}
			if !c.forkGone {
				if got := shown(t, m, past.ShowInput{ID: newSession}); got.Total != c.fork || got.Session.Title != name || name == "" {
					t.Errorf("the fork shows %d messages and is called %q, it was %q", got.Total, got.Session.Title, name)
				}
			}
			sound(t, m)
		})
	}
}

// TestRollbackUnlearns takes back what was learned from what it takes back.
func TestRollbackUnlearns(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	k := conversation(oldSession, dir)
	path := k.write(t, filepath.Join(dir, oldSession+".jsonl"))
	ingestAll(t, m, path)
	begun(t, m)
	k.user("Now the narwhal, please")
	extend(t, path, k.lines[9]+"\n")
	migrated(t, m, path)
	migrated(t, m, conversation(newSession, dir).write(t, filepath.Join(dir, newSession+".jsonl")))
	finished(t, m)
	taught := func(session, message, text string) string {
		return keep(t, m, lesson(m, distil.RuleFix, text, func(l *Lesson) { l.Session, l.Messages = session, []string{session + "-" + message} }))[0].ID
	}
	ids := map[string]string{
		"early":  taught(oldSession, "0001", "the walrus build needs the tusk library to be there"),
		"late":   taught(oldSession, "0010", "the narwhal is kept in a pool of cold water"),
		"fresh":  taught(newSession, "0001", "a lighthouse keeper cleans the lamp every evening"),
		"shared": taught(newSession, "0002", "paint the harbour wall only when the wind is calm"),
	}
	if again := keep(t, m, lesson(m, distil.RuleFix, "paint the harbour wall only when the wind is calm", func(l *Lesson) {
		l.Session, l.Messages = otherSession, []string{"x"}
	})); again[0].ID != ids["shared"] {
		t.Fatalf("%+v", again)
	}
	err := m.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.PutLedger(&store.Ledger{ID: "l_1", Realm: "user", Session: newSession, Kind: "sunset", State: "{}", Created: m.now(), Updated: m.now()})
	})
	if err != nil {
		t.Fatal(err)
	}
	rolledBack(t, m)
	for name, stays := range map[string]bool{"early": true, "late": false, "fresh": false, "shared": true} {
		if r := getRecord(t, m, ids[name]); r.Erased.IsZero() != stays || (r.Content != "") != stays {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := getRecord(t, m, ids["shared"]); r.Provenance.Session != otherSession || r.Provenance.Message != "" {
		t.Errorf("%+v", r.Provenance)
	}
	if rows, err := m.store.Ledgers(t.Context(), store.LedgerFilter{Session: newSession, Limit: 1}); err != nil || len(rows) != 0 {
		t.Errorf("%+v %v", rows, err)
	}
	// what was read just before is not kept either
	if late := keep(t, m, lesson(m, distil.RuleFix, "a lighthouse keeper cleans the lamp every evening", func(l *Lesson) { l.Session = newSession })); late[0].Action != ActionRefused {
		t.Errorf("%+v", late)
	}
	if id, err := m.KeepSummary(t.Context(), hook, SessionSummary{Session: newSession, Realm: "user", Text: "A lighthouse was cleaned and painted in the evening."}); err != nil || id != "" {
		t.Errorf("%q %v", id, err)
	}
	sound(t, m)
	begun(t, m) // from here on it may come again
	if again := keep(t, m, lesson(m, distil.RuleFix, "a lighthouse keeper cleans the lamp every evening", func(l *Lesson) { l.Session = newSession })); again[0].Action != ActionStored {
		t.Errorf("%+v", again)
	}
}
