package mind

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/anchor"
	"chitta/internal/capture"
	"chitta/internal/distil"
	"chitta/internal/memory"
	"chitta/internal/store"
)

var hook = Caller{Actor: "hook"}

// lesson is one as a turn of session-1 would teach it.
func lesson(m *Mind, rule, text string, fn func(*Lesson)) Lesson {
	l := Lesson{
		Lesson: distil.Lesson{
			Kind: memory.Episode, Text: text, Confidence: 0.7, Rule: rule, Tags: []string{rule},
			Messages: []string{"m1", "m2"}, Trust: memory.TrustOutcome,
		},
		Session: agent.Session, Realm: memory.UserRealm, At: m.now().Add(-time.Minute),
	}
	if fn != nil {
		fn(&l)
	}
	return l
}

func keep(t *testing.T, m *Mind, lessons ...Lesson) []KeptLesson {
	t.Helper()
	kept, err := m.KeepLessons(t.Context(), hook, lessons)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func actions(kept []KeptLesson) string {
	var all []string
	for _, k := range kept {
		all = append(all, k.Action)
	}
	return strings.Join(all, " ")
}

func getRecord(t *testing.T, m *Mind, id string) store.Record {
	t.Helper()
	r, err := m.store.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestKeepLesson(t *testing.T) {
	m, _ := openTest(t)
	p := newPast(t, m)
	l := lesson(m, distil.RuleFix, "`make test` failed and passes after changing auth.c", func(l *Lesson) {
		l.Kind, l.Realm, l.Cwd = memory.Outcome, p.realm, "/w/app/src"
		l.Files = []string{"/w/app/src/auth.c", "/home/ada/app/src/auth.c", "login.c", "/etc/hosts", "", "bad\x00name"}
	})
	kept := keep(t, m, l)
	if actions(kept) != ActionStored {
		t.Fatal(kept)
	}
	r := getRecord(t, m, kept[0].ID)
	if r.Source != memory.Subconscious || r.Trust != memory.TrustOutcome || r.Kind != memory.Outcome || r.Confidence.Mean != 0.7 || r.Realm != p.realm {
		t.Errorf("%+v", r.Memory)
	}
	if pr := r.Provenance; pr.Session != agent.Session || pr.Message != "m1" || !slices.Equal(pr.Messages, []string{"m1", "m2"}) || pr.Actor != "hook" {
		t.Errorf("%+v", pr)
	}
	if !r.Created.Equal(l.At) || !r.Observed.Equal(l.At) || !r.Updated.Equal(m.now()) {
		t.Errorf("created %v observed %v updated %v", r.Created, r.Observed, r.Updated)
	}
	anchors, err := m.store.AnchorsOf(t.Context(), []int64{r.Seq})
	var paths []string
	for _, a := range anchors[r.Seq] {
		paths = append(paths, a.Path)
	}
	if want := []string{"/etc/hosts", "src/auth.c", "src/login.c"}; err != nil || !slices.Equal(paths, want) {
		t.Errorf("anchors %q %v, want %q", paths, err, want)
	}
}

// TestLessonCountsOnce brings the same turn again and again, as after a process
// that ended before it wrote down how far it had come.
func TestLessonCountsOnce(t *testing.T) {
	m, clock := openTest(t)
	turn := []Lesson{
		lesson(m, distil.RuleCommand, "A command that works here: `make test`", func(l *Lesson) { l.Kind = memory.Approach }),
		lesson(m, distil.RuleEdit, "Changed a.go for: “do something about it”", nil),
		lesson(m, distil.RulePreference, "short", nil),
	}
	first := keep(t, m, turn...)
	if actions(first) != "stored stored refused" {
		t.Fatal(first)
	}
	for range 3 {
		clock.advance(time.Hour)
		if again := keep(t, m, turn...); actions(again) != "known known known" {
			t.Errorf("again: %v", again)
		}
	}
	for _, k := range first[:2] {
		if r := getRecord(t, m, k.ID); r.Confidence.N != 0 || r.Confidence.Mean != 0.7 {
			t.Errorf("%s was strengthened: %+v", r.ID, r.Confidence)
		}
	}
	// another turn that shows the same is evidence, once
	turn[0].Messages = []string{"m9"}
	for i, want := range []string{ActionStrengthened, ActionKnown} {
		if kept := keep(t, m, turn[0]); kept[0] != (KeptLesson{first[0].ID, want}) {
			t.Errorf("time %d: %v", i, kept)
		}
	}
	if r := getRecord(t, m, first[0].ID); r.Confidence.N != 1 {
		t.Errorf("%+v", r.Confidence)
	}
	// what somebody forgot does not come back from the same turn
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: first[1].ID}); err != nil {
		t.Fatal(err)
	}
	if kept := keep(t, m, turn[1]); kept[0].Action != ActionKnown || getRecord(t, m, first[1].ID).State != memory.Forgotten {
		t.Errorf("%v", kept)
	}
}

func TestLessonGrowsWithItsTurn(t *testing.T) {
	m, _ := openTest(t)
	edit := func(files ...string) Lesson {
		return lesson(m, distil.RuleEdit, "Changed "+strings.Join(files, ", ")+" for: “tidy up the imports”", func(l *Lesson) { l.Files = files })
	}
	first := keep(t, m, edit("/w/a.go"))
	second := keep(t, m, edit("/w/a.go", "/w/b.go"))
	if second[0] != (KeptLesson{first[0].ID, ActionRevised}) {
		t.Fatal(first, second)
	}
	r := getRecord(t, m, first[0].ID)
	anchors, err := m.store.AnchorsOf(t.Context(), []int64{r.Seq})
	if err != nil || !strings.Contains(r.Content, "b.go") || len(anchors[r.Seq]) != 2 || r.Confidence.N != 0 {
		t.Errorf("%q %v %v", r.Content, anchors, err)
	}
	if n, _ := m.store.Count(t.Context(), store.Filter{}); n != 1 {
		t.Errorf("%d memories", n)
	}
	// what a person has edited stays theirs
	mine := "Changed a.go and b.go, mind the order of imports"
	if _, err := m.Update(t.Context(), person, UpdateInput{ID: r.ID, Content: &mine}); err != nil {
		t.Fatal(err)
	}
	if kept := keep(t, m, edit("/w/a.go", "/w/b.go", "/w/c.go")); kept[0].Action != ActionKnown || getRecord(t, m, r.ID).Content != mine {
		t.Errorf("%v", kept)
	}
}

// TestEchoIsNoLesson lets an agent say again what it was handed from memory.
func TestEchoIsNoLesson(t *testing.T) {
	m, _ := openTest(t)
	known := remember(t, m, person, RememberInput{Content: "Use port 5433 for the billing database, because 5432 is taken. Restart needed.", Kind: "approach"})
	before := getRecord(t, m, known.ID)
	for i, said := range []string{
		"Use port 5433 for the billing database, because 5432 is taken. Restart needed.",
		"Use port 5433 for the billing database, because 5432 is taken.",
		"use port 5433 for billing database because 5432 is taken",
		capture.Wrap("Use port 5433 for the billing database"),
	} {
		for _, text := range []string{said, "Left open: “" + said + "” — while: “tell me about ports”"} {
			kept := keep(t, m, lesson(m, distil.RuleMarker, text, func(l *Lesson) {
				l.Trust, l.Said, l.Conscious, l.Messages = memory.TrustAgent, said, true, []string{fmt.Sprint("e", i, len(text))}
			}))
			if a := kept[0].Action; a != ActionRepeated && a != ActionRefused {
				t.Errorf("%q: %v", text, kept)
			}
		}
	}
	if after := getRecord(t, m, known.ID); after.Confidence != before.Confidence || after.Rev != before.Rev {
		t.Errorf("an echo changed it: %+v", after)
	}
	// what differs in a number is news
	kept := keep(t, m, lesson(m, distil.RuleMarker, "Use port 5434 for the billing database, because 5433 is taken.", func(l *Lesson) {
		l.Trust, l.Said = memory.TrustAgent, "Use port 5434 for the billing database, because 5433 is taken."
	}))
	if kept[0].Action != ActionStored {
		t.Errorf("%v", kept)
	}
}

// TestLessonsPassTheGate tries what no memory may hold.
func TestLessonsPassTheGate(t *testing.T) {
	m, _ := openTest(t)
	wrong := remember(t, m, person, RememberInput{Content: "The deploy script wants the flag --all"})
	if _, err := m.Reject(t.Context(), person, ReasonInput{ID: wrong.ID}); err != nil {
		t.Fatal(err)
	}
	secret := "ghp_" + strings.Repeat("aB3dE6", 6)
	kept := keep(t, m,
		lesson(m, distil.RuleCommand, "The deploy script wants the flag --all", nil),
		lesson(m, distil.RuleCommand, "A command that works here: `deploy --token "+secret+"`", nil),
		lesson(m, distil.RuleNext, "\u202e🙂\u202e🙂", nil),
		lesson(m, distil.RuleNext, "has a NUL \x00 byte in it", nil),
		lesson(m, distil.RuleNext, "is not \xff UTF-8 at all", nil),
	)
	if got, want := actions(kept), "refused stored refused refused refused"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if r := getRecord(t, m, kept[1].ID); strings.Contains(r.Content, secret) {
		t.Errorf("%q", r.Content)
	}
}

func TestRememberAnchors(t *testing.T) {
	m, _ := openTest(t)
	p := newPast(t, m)
	out := remember(t, m, Caller{Actor: "mcp", Cwd: "/w/app/src"}, RememberInput{Content: "Tokens are checked before roles", Realm: p.realm, Files: []string{"auth.c"}})
	found, err := m.store.MemoriesAbout(t.Context(), p.realm, []string{"src/auth.c"}, 10)
	if err != nil || len(found) != 1 || found[0].ID != out.ID {
		t.Errorf("%v %v", found, err)
	}
	for name, files := range map[string][]string{"empty": {" "}, "NUL": {"a\x00b"}, "too many": slices.Repeat([]string{"a"}, anchor.Most+1)} {
		if _, err := m.Remember(t.Context(), agent, RememberInput{Content: "Some statement that is long enough", Files: files}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestConvergence(t *testing.T) {
	m, clock := openTest(t)
	said := remember(t, m, agent, RememberInput{Content: "Fixed authentication bug in login flow"})
	elsewhere := remember(t, m, Caller{Actor: "mcp", Session: "session-2"}, RememberInput{Content: "Authentication uses tokens of an hour"})
	clock.advance(50 * time.Second)
	edit := func(text, file, message string) Lesson {
		return lesson(m, distil.RuleEdit, text, func(l *Lesson) { l.Files, l.Messages, l.At = []string{file}, []string{message}, m.now() })
	}
	kept := keep(t, m,
		edit("Changed src/auth.c for: “people are thrown out”", "/w/src/auth.c", "m1"),
		edit("Changed docs/install.md for: “mention the flag”", "/w/docs/install.md", "m2"))
	for range 2 { // the second time there is nothing left
		if _, err := m.Converge(t.Context(), hook, agent.Session); err != nil {
			t.Fatal(err)
		}
	}
	a, b := getRecord(t, m, said.ID), getRecord(t, m, kept[0].ID)
	if a.Pair != b.ID || b.Pair != a.ID || !slices.Contains(a.Tags, TagConvergent) || !slices.Contains(b.Tags, TagConvergent) {
		t.Fatalf("%+v\n%+v", a.Memory, b.Memory)
	}
	for _, r := range []store.Record{a, b} { // both began at 0.7
		if mean := r.Confidence.Mean; mean < 0.899 || mean > 0.9 || r.Confidence.N != 1 {
			t.Errorf("%s: %+v", r.ID, r.Confidence)
		}
		h, err := m.store.Changes(t.Context(), r.ID)
		if err != nil || h[r.ID][len(h[r.ID])-1].Op != "converge" {
			t.Errorf("history %v %v", h, err)
		}
	}
	for _, id := range []string{kept[1].ID, elsewhere.ID} {
		if r := getRecord(t, m, id); r.Pair != "" || r.Confidence.N != 0 {
			t.Errorf("%q converged: %+v", r.Content, r.Memory)
		}
	}
}

func TestConvergenceStaysBelowCertainty(t *testing.T) {
	m, _ := openTest(t)
	sure := 0.95
	said := remember(t, m, agent, RememberInput{Content: "The parser keeps nested quotes now", Confidence: &sure})
	keep(t, m, lesson(m, distil.RuleEdit, "Changed parser.c for: “nested quotes”", func(l *Lesson) { l.Files, l.At = []string{"/w/parser.c"}, m.now() }))
	if found, err := m.Converge(t.Context(), hook, agent.Session); err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if r := getRecord(t, m, said.ID); r.Confidence.Mean != convergentMost {
		t.Errorf("%+v", r.Confidence)
	}
}

func TestSummaryOfASession(t *testing.T) {
	m, clock := openTest(t)
	in := SessionSummary{Session: agent.Session, Realm: memory.UserRealm, Cwd: "/w", Text: "Asked: “tidy the parser”\nDone: changed parser.c", Files: []string{"/w/parser.c"}, At: m.now()}
	sumUp := func() string {
		t.Helper()
		id, err := m.KeepSummary(t.Context(), hook, in)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	id := sumUp()
	r := getRecord(t, m, id)
	if r.Kind != memory.Summary || r.Source != memory.Consolidated || r.Provenance.Session != agent.Session {
		t.Errorf("%+v", r.Memory)
	}
	clock.advance(time.Hour)
	in.Text += ", lexer.c"
	if again := sumUp(); again != id || sumUp() != id {
		t.Errorf("a second summary: %s", again)
	}
	if r = getRecord(t, m, id); !strings.HasSuffix(r.Content, "lexer.c") {
		t.Errorf("%q", r.Content)
	}
	// what somebody forgot is not said again
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: id}); err != nil {
		t.Fatal(err)
	}
	in.Text += " and more"
	if again := sumUp(); again != "" {
		t.Errorf("%s came back", again)
	}
}

func TestAbsorbEpisodes(t *testing.T) {
	m, _ := openTest(t)
	edit := func(message, file, why string) Lesson {
		return lesson(m, distil.RuleEdit, "Changed "+file+" for: “"+why+"”", func(l *Lesson) { l.Files, l.Messages = []string{"/w/" + file}, []string{message} })
	}
	kept := keep(t, m, edit("m1", "a.go", "add a timeout"), edit("m2", "b.go", "rename the flag"), edit("m3", "a.go", "log the timeout"))
	absorb := func(want int) {
		t.Helper()
		if n, err := m.AbsorbEpisodes(t.Context(), hook, agent.Session); err != nil || n != want {
			t.Errorf("%d gave way, %v, want %d", n, err, want)
		}
	}
	absorb(1)
	absorb(0)
	last := getRecord(t, m, kept[2].ID)
	if last.State != memory.Active || !strings.Contains(last.Content, "add a timeout") || !strings.Contains(last.Content, "log the timeout") {
		t.Errorf("%+v", last.Memory)
	}
	if first := getRecord(t, m, kept[0].ID); first.State != memory.Superseded || first.SupersededBy != last.ID {
		t.Errorf("%+v", first.Memory)
	}
	if other := getRecord(t, m, kept[1].ID); other.State != memory.Active || !slices.Contains(other.Tags, TagAbsorbed) {
		t.Errorf("%+v", other.Memory)
	}
	keep(t, m, edit("m4", "a.go", "make the timeout an option")) // the session went on
	absorb(1)
	about, err := m.store.MemoriesAbout(t.Context(), memory.UserRealm, []string{"/w/a.go"}, 10)
	if err != nil || len(about) != 1 || strings.Count(about[0].Content, "timeout") != 3 {
		t.Errorf("%v %v", about, err)
	}
}

// TestConvergenceByMeaning: no word and no file in common.
func TestConvergenceByMeaning(t *testing.T) {
	m, _ := openSemantic(t, semanticConfig(t))
	said := remember(t, m, agent, RememberInput{Content: "Emails were delivered twice"})
	other := remember(t, m, agent, RememberInput{Content: "The nightly backup takes two hours and must not overlap with the import"})
	kept := keep(t, m, lesson(m, distil.RuleEdit, "Changed smtp.go for: “duplicate mails are sent”", func(l *Lesson) {
		l.Files, l.At = []string{"/w/smtp.go"}, m.now()
	}))
	found, err := m.Converge(t.Context(), hook, agent.Session)
	if err != nil || len(found) != 1 || found[0].Conscious != said.ID || found[0].Subconscious != kept[0].ID || found[0].Ground != capture.ByMeaning || found[0].Value < capture.ConvergeMeaning {
		t.Errorf("%+v %v", found, err)
	}
	if r := getRecord(t, m, other.ID); r.Pair != "" {
		t.Errorf("%+v", r.Memory)
	}
}

// TestEchoByMeaning: nearly the same words in the agent's mouth.
func TestEchoByMeaning(t *testing.T) {
	m, _ := openSemantic(t, semanticConfig(t))
	remember(t, m, person, RememberInput{Content: "The invoices go through the second queue because the first one drops messages"})
	settle(t, m)
	kept := keep(t, m, lesson(m, distil.RuleMarker, "Invoices go through the second queue, since the first one drops messages", func(l *Lesson) {
		l.Trust, l.Said = memory.TrustAgent, l.Text
	}))
	if kept[0].Action != ActionRepeated {
		t.Errorf("%+v", kept)
	}
}

// TestForgottenIsNotLearnedAgain: what somebody forgot comes back only when a
// person says it again.
func TestForgottenIsNotLearnedAgain(t *testing.T) {
	m, _ := openTest(t)
	const text = "`make deploy` works here for deploying the shop"
	first := keep(t, m, lesson(m, distil.RuleCommand, text, nil))
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: first[0].ID}); err != nil {
		t.Fatal(err)
	}
	again := lesson(m, distil.RuleCommand, text, func(l *Lesson) { l.Session, l.Messages = "session-2", []string{"m9"} })
	if kept := keep(t, m, again); actions(kept) != ActionRefused {
		t.Errorf("%+v", kept)
	}
	said := lesson(m, distil.RulePreference, text, func(l *Lesson) {
		l.Session, l.Messages, l.Trust, l.At = "session-3", []string{"m10"}, memory.TrustUser, m.now()
	})
	if kept := keep(t, m, said); actions(kept) != ActionStored {
		t.Errorf("%+v", kept)
	}
}
