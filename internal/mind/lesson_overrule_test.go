package mind

import (
	"strings"
	"testing"
	"time"

	"chitta/internal/distil"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// wishes is one standing wish of the person, said in a turn of its own.
func wishes(m *Mind, text string, at time.Time) Lesson {
	return lesson(m, distil.RulePreference, "The user wants: “"+text+"”", func(l *Lesson) {
		l.Kind, l.Trust, l.At, l.Messages = memory.Preference, memory.TrustUser, at, []string{text + at.String()}
	})
}

func TestLaterWishOverrules(t *testing.T) {
	m, clock := openTest(t)
	began := m.now()
	say := func(text string) string {
		t.Helper()
		clock.advance(time.Hour)
		kept := keep(t, m, wishes(m, text, m.now()))
		if actions(kept) != ActionStored {
			t.Fatalf("%q: %v", text, kept)
		}
		return kept[0].ID
	}
	state := func(id string, want memory.Status, by string) {
		t.Helper()
		if r := getRecord(t, m, id); r.State != want || r.SupersededBy != by {
			t.Errorf("%q is %s by %q, want %s by %q", r.Content, r.State, r.SupersededBy, want, by)
		}
	}
	tabs := say("always use tabs in python")
	hints := say("always use type hints in python")
	spaces := say("use spaces instead of tabs in python files from now on")
	state(tabs, memory.Superseded, spaces)
	state(hints, memory.Active, "")
	state(spaces, memory.Active, "")
	if r := getRecord(t, m, spaces); r.Supersedes != tabs {
		t.Errorf("supersedes %q, want %q", r.Supersedes, tabs)
	}
	all, err := m.store.Changes(t.Context(), tabs)
	changes := all[tabs]
	if err != nil || len(changes) == 0 {
		t.Fatal(changes, err)
	}
	last := changes[len(changes)-1]
	if last.Op != opOverrule {
		last = changes[0]
	}
	if why, _ := last.Detail["reason"][1].(string); last.Op != opOverrule || !strings.Contains(why, "use spaces instead of tabs") {
		t.Errorf("the history says %+v", last)
	}

	// the mind is changed back, in the same words
	again := say("always use tabs in python")
	state(spaces, memory.Superseded, again)
	state(again, memory.Active, "")

	// an old conversation is read late: what it says was overruled since, and
	// stands before the others
	old := keep(t, m, wishes(m, "never use tabs in python", began.Add(time.Minute)))
	state(old[0].ID, memory.Superseded, tabs)
	state(again, memory.Active, "")
	sound(t, m)
}

func TestWishesThatStayBesideEachOther(t *testing.T) {
	const older, newer = "always use tabs in python", "use spaces instead of tabs in python files from now on"
	for _, tt := range []struct {
		name string
		fn   func(old, young *Lesson)
	}{
		{"another project", func(old, _ *Lesson) { old.Realm = "" }},
		{"said at the same time", func(old, young *Lesson) { old.At = young.At }},
		{"learned from work", func(old, _ *Lesson) { old.Trust = memory.TrustOutcome }},
		{"the agent's word", func(_, young *Lesson) { young.Trust = memory.TrustAgent }},
		{"no wish", func(_, young *Lesson) { young.Kind, young.Rule = memory.Approach, distil.RuleDecision }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, _ := openTest(t)
			p := newPast(t, m)
			old, young := wishes(m, older, m.now().Add(-time.Hour)), wishes(m, newer, m.now().Add(-time.Minute))
			tt.fn(&old, &young)
			if old.Realm == "" {
				old.Realm = p.realm
			}
			first := keep(t, m, old)
			keep(t, m, young)
			if r := getRecord(t, m, first[0].ID); r.State != memory.Active {
				t.Errorf("%q is %s", r.Content, r.State)
			}
		})
	}
}

// TestSeveralWishesOverruledAtOnce: each gives way to the next, so that every
// one is linked both ways.
func TestSeveralWishesOverruledAtOnce(t *testing.T) {
	m, clock := openTest(t)
	var ids []string
	for _, text := range []string{"always use tabs in python", "always use tabs in go", "use spaces instead of tabs everywhere"} {
		clock.advance(time.Hour)
		ids = append(ids, keep(t, m, wishes(m, text, m.now()))[0].ID)
	}
	for i, by := range []string{ids[1], ids[2], ""} {
		if r := getRecord(t, m, ids[i]); r.SupersededBy != by {
			t.Errorf("%q gave way to %q, want %q", r.Content, r.SupersededBy, by)
		}
	}
	sound(t, m)
}

// TestConsciousWishIsOverruled: what the agent noted as a wish gives way as well.
func TestConsciousWishIsOverruled(t *testing.T) {
	m, clock := openTest(t)
	out, err := m.Remember(t.Context(), Caller{Actor: "mcp"}, RememberInput{Content: "The user prefers tabs in python.", Kind: "preference", Realm: memory.UserRealm, Visibility: "private"})
	if err != nil {
		t.Fatal(err)
	}
	clock.advance(time.Hour)
	kept := keep(t, m, wishes(m, "never use tabs in python", m.now()))
	if r := getRecord(t, m, out.ID); r.SupersededBy != kept[0].ID {
		t.Errorf("%q is %s by %q", r.Content, r.State, r.SupersededBy)
	}
}

func TestProjectRoot(t *testing.T) {
	m, _ := openTest(t)
	p := newPast(t, m)
	for _, tt := range []struct{ cwd, want string }{
		{"/w/app", "/w/app"}, {"/w/app/src/deep", "/w/app"}, {"/elsewhere/x", "/elsewhere/x"}, {"", ""},
	} {
		if got, err := m.ProjectRoot(t.Context(), &store.Session{Cwd: tt.cwd}, p.realm); err != nil || got != tt.want {
			t.Errorf("%q: %q %v, want %q", tt.cwd, got, err, tt.want)
		}
	}
}
