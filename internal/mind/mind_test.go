package mind

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/anchor"
	"chitta/internal/capture"
	"chitta/internal/config"
	"chitta/internal/memory"
	"chitta/internal/recall"
	"chitta/internal/store"
)

// clock is a time that tests move by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

var (
	person = Caller{Actor: ActorCLI}
	agent  = Caller{Actor: "mcp", Session: "session-1"}
)

const day = 24 * time.Hour

// openTest opens a mind in a fresh home with a clock of its own and proves
// the data sound at the end.
func openTest(t *testing.T) (*Mind, *clock) {
	t.Helper()
	cfg := config.Default()
	cfg.Home = t.TempDir()
	cfg.Model.Use = "none" // what is found by meaning is tested apart
	return openAt(t, cfg)
}

func openAt(t *testing.T, cfg config.Config) (*Mind, *clock) {
	t.Helper()
	c := &clock{now: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)}
	m, err := Open(t.Context(), Options{Config: cfg, Now: c.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if out, err := checkAll(context.Background(), m); err == nil && !out.OK {
			t.Errorf("check at the end: %v", out.Problems)
		}
		m.Close()
	})
	return m, c
}

func remember(t *testing.T, m *Mind, c Caller, in RememberInput) RememberOutput {
	t.Helper()
	out, err := m.Remember(t.Context(), c, in)
	if err != nil {
		t.Fatalf("remember %q: %v", in.Content, err)
	}
	return out
}

// found returns the ids an answer holds, best first.
func found(t *testing.T, m *Mind, c Caller, in RecallInput) []string {
	t.Helper()
	out, err := m.Recall(t.Context(), c, in)
	if err != nil {
		t.Fatalf("recall %q: %v", in.Query, err)
	}
	ids := []string{}
	for _, r := range out.Results {
		ids = append(ids, r.ID)
	}
	return ids
}

func TestRememberAndRecall(t *testing.T) {
	m, _ := openTest(t)
	out := remember(t, m, person, RememberInput{Content: "the socket path may have 108 bytes on Linux", Kind: "wisdom", Tags: []string{"Socket", "#linux"}})
	if out.Action != ActionStored || out.Kind != "wisdom" || out.Realm != memory.UserRealm {
		t.Errorf("%+v", out)
	}
	v, err := m.Get(t.Context(), person, GetInput{ID: out.ID})
	if err != nil {
		t.Fatal(err)
	}
	if v.Trust != "user" || v.Source != "conscious" || !slices.Equal(v.Tags, []string{"linux", "socket"}) || v.Visibility != "global" {
		t.Errorf("%+v", v)
	}
	answer, err := m.Recall(t.Context(), person, RecallInput{Query: "how long may a socket path be"})
	if err != nil || len(answer.Results) != 1 {
		t.Fatalf("%+v %v", answer, err)
	}
	r := answer.Results[0]
	if r.ID != out.ID || r.Score <= 0 || r.Confidence != 0.9 || r.Freshness != anchor.Unknown {
		t.Errorf("%+v", r)
	}
	var sources []string
	for _, e := range r.Evidence {
		sources = append(sources, e.Source)
	}
	if !slices.Equal(sources, []string{"keyword", "fusion", "confidence", "trust", "tag"}) {
		t.Errorf("evidence from %v", sources)
	}
}

func TestScoreIsTheSumOfItsEvidence(t *testing.T) {
	m, c := openTest(t)
	for i := range 20 {
		remember(t, m, agent, RememberInput{Content: fmt.Sprintf("fact %d about the parser and its tokens", i), Tags: []string{"parser"}, Trust: memory.Trusts()[i%5]})
		c.advance(day)
	}
	out, err := m.Recall(t.Context(), person, RecallInput{Query: "parser tokens", Limit: 20})
	if err != nil || len(out.Results) != 20 {
		t.Fatal(len(out.Results), err)
	}
	last := out.Results[0].Score
	for _, r := range out.Results {
		var sum float64
		for _, e := range r.Evidence {
			if e.Source != recall.SourceKeyword && e.Source != recall.SourceVector { // those are in the fusion
				sum += e.Weighted
			}
		}
		if d := sum - r.Score; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: evidence sums to %v, score is %v", r.ID, sum, r.Score)
		}
		if r.Score > last {
			t.Errorf("not in order: %v after %v", r.Score, last)
		}
		last = r.Score
	}
}

func TestKnownIsStrengthened(t *testing.T) {
	m, _ := openTest(t)
	first := remember(t, m, agent, RememberInput{Content: "Run make test before every commit.", Tags: []string{"ci"}})
	before, _ := m.Get(t.Context(), person, GetInput{ID: first.ID})
	for _, again := range []string{
		"Run make test before every commit.",
		"run  make test\nbefore every commit",
		"**Run** make test before every commit!",
	} {
		out := remember(t, m, person, RememberInput{Content: again, Tags: []string{"habit"}})
		if out.Action != ActionStrengthened || out.ID != first.ID {
			t.Errorf("%q: %+v", again, out)
		}
	}
	after, _ := m.Get(t.Context(), person, GetInput{ID: first.ID})
	if after.Confidence <= before.Confidence || after.Trust != "user" || !slices.Equal(after.Tags, []string{"ci", "habit"}) {
		t.Errorf("before %+v\nafter %+v", before, after)
	}
	for _, different := range []string{
		"Never run make test before every commit.",
		"Run make lint before every commit.",
	} {
		if out := remember(t, m, person, RememberInput{Content: different}); out.Action != ActionStored {
			t.Errorf("%q counts as known", different)
		}
	}
}

func TestNumbersMakeADifference(t *testing.T) {
	m, _ := openTest(t)
	remember(t, m, person, RememberInput{Content: "the staging server of the team listens on port 8080 behind the proxy"})
	if out := remember(t, m, person, RememberInput{Content: "the staging server of the team listens on port 8081 behind the proxy"}); out.Action != ActionStored {
		t.Error("another port counts as known")
	}
}

func TestCorrectionsStayCorrected(t *testing.T) {
	m, _ := openTest(t)
	wrong := remember(t, m, agent, RememberInput{Content: "the cache is flushed every ten minutes", Tags: []string{"cache"}})
	fixed, err := m.Correct(t.Context(), person, CorrectInput{ID: wrong.ID, Content: "the cache is flushed every two minutes", Reason: "read the code"})
	if err != nil {
		t.Fatal(err)
	}
	v, _ := m.Get(t.Context(), person, GetInput{ID: wrong.ID})
	if v.State != "superseded" || v.SupersededBy != fixed.ID {
		t.Errorf("the wrong one: %+v", v)
	}
	if ids := found(t, m, person, RecallInput{Query: "cache flushed ten minutes"}); !slices.Equal(ids, []string{fixed.ID}) {
		t.Errorf("recall finds %v", ids)
	}
	// however well it fits and however strong it was, it comes after
	for range 5 {
		if _, err := m.Strengthen(t.Context(), person, ReasonInput{ID: wrong.ID}); err != nil {
			t.Fatal(err)
		}
	}
	if ids := found(t, m, person, RecallInput{Query: "cache flushed ten minutes", States: []string{"all"}}); !slices.Equal(ids, []string{fixed.ID, wrong.ID}) {
		t.Errorf("with all states: %v", ids)
	}
	// an agent cannot bring it back by saying it again, the user can
	var refused *memory.RefusedError
	if _, err := m.Remember(t.Context(), agent, RememberInput{Content: "the cache is flushed every ten minutes"}); !errors.As(err, &refused) {
		t.Errorf("said again by an agent: %v", err)
	}
	if _, err := m.Remember(t.Context(), agent, RememberInput{Content: "the cache is flushed every ten minutes", Trust: "user"}); !errors.As(err, &refused) {
		t.Errorf("said again by an agent in the user's name: %v", err)
	}
	if out := remember(t, m, person, RememberInput{Content: "the cache is flushed every ten minutes"}); out.Action != ActionStored {
		t.Errorf("said again by the user: %+v", out)
	}
}

func TestRejectedIsNotStoredAgain(t *testing.T) {
	m, _ := openTest(t)
	out := remember(t, m, agent, RememberInput{Content: "the moon is made of green cheese"})
	if _, err := m.Reject(t.Context(), person, ReasonInput{ID: out.ID, Reason: "no"}); err != nil {
		t.Fatal(err)
	}
	var refused *memory.RefusedError
	if _, err := m.Remember(t.Context(), agent, RememberInput{Content: "the moon is made of green cheese"}); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
	if v, err := m.Unforget(t.Context(), person, IDInput{out.ID}); err != nil || v.State != "active" {
		t.Errorf("brought back: %v %v", v.State, err)
	}
}

// TestSettledStaysSettled tries every door by which an agent could bring back
// what a person corrected or rejected.
func TestSettledStaysSettled(t *testing.T) {
	m, _ := openTest(t)
	wrong := remember(t, m, person, RememberInput{Content: "the cache lives in memory only"})
	fixed, err := m.Correct(t.Context(), person, CorrectInput{ID: wrong.ID, Content: "the cache lives on disk as well"})
	if err != nil {
		t.Fatal(err)
	}
	rejected := remember(t, m, person, RememberInput{Content: "the moon is made of green cheese"})
	if _, err := m.Reject(t.Context(), person, ReasonInput{ID: rejected.ID}); err != nil {
		t.Fatal(err)
	}
	other := remember(t, m, agent, RememberInput{Content: "an unrelated memory of the agent"})
	text := func(s string) *string { return &s }
	doors := []struct {
		name string
		try  func(Caller) error
	}{
		{"remember", func(c Caller) error {
			_, err := m.Remember(t.Context(), c, RememberInput{Content: "the moon is made of green cheese"})
			return err
		}},
		{"remember with a word more", func(c Caller) error {
			_, err := m.Remember(t.Context(), c, RememberInput{Content: "the moon is made of the green cheese"})
			return err
		}},
		{"correct the correction back", func(c Caller) error {
			_, err := m.Correct(t.Context(), c, CorrectInput{ID: fixed.ID, Content: "the cache lives in memory only"})
			return err
		}},
		{"edit another into it", func(c Caller) error {
			_, err := m.Update(t.Context(), c, UpdateInput{ID: other.ID, Content: text("the moon is made of green cheese")})
			return err
		}},
		{"unforget", func(c Caller) error {
			_, err := m.Unforget(t.Context(), c, IDInput{rejected.ID})
			return err
		}},
	}
	for _, d := range doors {
		t.Run(d.name, func(t *testing.T) {
			var refused *memory.RefusedError
			if err := d.try(agent); !errors.As(err, &refused) {
				t.Errorf("by an agent: %v", err)
			}
		})
	}
	if err := doors[4].try(person); err != nil {
		t.Errorf("by a person: %v", err)
	}
}

func TestNoTwoActiveMemoriesSayTheSame(t *testing.T) {
	m, _ := openTest(t)
	a := remember(t, m, person, RememberInput{Content: "the first of two memories"})
	b := remember(t, m, person, RememberInput{Content: "another one, quite different"})
	same := "The first of two memories!"
	var twin *twinError
	if _, err := m.Update(t.Context(), person, UpdateInput{ID: b.ID, Content: &same}); !errors.As(err, &twin) || twin.record.ID != a.ID {
		t.Errorf("edited into a twin: %v", err)
	}
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: a.ID}); err != nil {
		t.Fatal(err)
	}
	remember(t, m, person, RememberInput{Content: "the first of two memories"})
	if _, err := m.Unforget(t.Context(), person, IDInput{a.ID}); !errors.As(err, &twin) {
		t.Errorf("brought back beside a twin: %v", err)
	}
}

func TestACorrectionThatIsGoneCanBeUndone(t *testing.T) {
	m, _ := openTest(t)
	old := remember(t, m, person, RememberInput{Content: "the port is eighty-eighty"})
	fixed, err := m.Correct(t.Context(), person, CorrectInput{ID: old.ID, Content: "the port is ninety-ninety"})
	if err != nil {
		t.Fatal(err)
	}
	var refused *memory.RefusedError
	if _, err := m.Unforget(t.Context(), person, IDInput{old.ID}); !errors.As(err, &refused) {
		t.Errorf("while the correction stands: %v", err)
	}
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: fixed.ID, Now: true}); err != nil {
		t.Fatal(err)
	}
	if v, err := m.Unforget(t.Context(), person, IDInput{old.ID}); err != nil || v.State != "active" || v.SupersededBy != "" {
		t.Errorf("%+v %v", v, err)
	}
}

func TestAForgottenMemoryIsLeftAlone(t *testing.T) {
	m, _ := openTest(t)
	out := remember(t, m, person, RememberInput{Content: "to be forgotten and left alone"})
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: out.ID}); err != nil {
		t.Fatal(err)
	}
	pinned := true
	for name, try := range map[string]func() (View, error){
		"pin":        func() (View, error) { return m.Update(t.Context(), person, UpdateInput{ID: out.ID, Pinned: &pinned}) },
		"strengthen": func() (View, error) { return m.Strengthen(t.Context(), person, ReasonInput{ID: out.ID}) },
		"tag":        func() (View, error) { return m.Tag(t.Context(), person, TagInput{ID: out.ID, Tags: []string{"x"}}) },
		"reject":     func() (View, error) { return m.Reject(t.Context(), person, ReasonInput{ID: out.ID}) },
	} {
		var refused *memory.RefusedError
		if _, err := try(); !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAChangeThatChangesNothingLeavesNoTrace(t *testing.T) {
	m, c := openTest(t)
	out := remember(t, m, person, RememberInput{Content: "nothing will change here", Tags: []string{"x"}})
	c.advance(time.Hour)
	v, err := m.Tag(t.Context(), person, TagInput{ID: out.ID, Tags: []string{"x"}})
	if err != nil || !v.Updated.Equal(v.Created) {
		t.Errorf("%+v %v", v, err)
	}
	if h, err := m.History(t.Context(), person, IDInput{out.ID}); err != nil || len(h.Changes) != 1 {
		t.Errorf("%+v %v", h, err)
	}
}

func TestARepetitionTakesOverWhatItSays(t *testing.T) {
	m, _ := openTest(t)
	first := remember(t, m, agent, RememberInput{Content: "deploys happen on tuesdays"})
	again := remember(t, m, agent, RememberInput{Content: "deploys happen on tuesdays", Kind: "wisdom", Visibility: "shared", Note: "the wiki", Trust: "user"})
	if again.ID != first.ID {
		t.Fatal("stored twice")
	}
	v, _ := m.Get(t.Context(), person, GetInput{ID: first.ID})
	if v.Kind != "wisdom" || v.Visibility != "shared" || v.Provenance.Note != "the wiki" {
		t.Errorf("%+v", v)
	}
	if v.Trust != "agent" {
		t.Errorf("an agent speaks as %s", v.Trust)
	}
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf("tag%d", i))
	}
	remember(t, m, agent, RememberInput{Content: "deploys happen on tuesdays", Tags: many})
	remember(t, m, agent, RememberInput{Content: "deploys happen on tuesdays", Tags: []string{"one", "two", "three", "four"}})
	if v, _ = m.Get(t.Context(), person, GetInput{ID: first.ID}); len(v.Tags) > maxTags {
		t.Errorf("%d tags", len(v.Tags))
	}
}

func TestRealmChangesAtOnceAllHold(t *testing.T) {
	m, _ := openTest(t)
	here := Caller{Actor: "cli", Cwd: t.TempDir()}
	remember(t, m, here, RememberInput{Content: "the first memory of this realm"})
	const dirs = 10
	var wg sync.WaitGroup
	for range dirs {
		dir := t.TempDir()
		wg.Go(func() {
			if _, err := m.RealmSet(t.Context(), here, RealmSetInput{Dir: dir}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Go(func() {
		if _, err := m.RealmSet(t.Context(), here, RealmSetInput{Name: "renamed"}); err != nil {
			t.Error(err)
		}
	})
	wg.Wait()
	r, err := m.RealmGet(t.Context(), here, RealmInput{})
	if err != nil || r.Name != "renamed" || len(r.Paths) != dirs+1 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestAnIndexOfAnotherStoreIsNotUsed(t *testing.T) {
	open := func(home, content string) {
		cfg := config.Default()
		cfg.Home, cfg.Model.Use = home, "none"
		m, _ := openAt(t, cfg)
		remember(t, m, person, RememberInput{Content: content})
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	one, two := t.TempDir(), t.TempDir()
	open(one, "about the giraffe and its neck")
	open(two, "about the walrus and its tusks")
	b, err := os.ReadFile(filepath.Join(two, "chitta.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(one, "chitta.db"), b, 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = one, "none"
	m, _ := openAt(t, cfg)
	if ids := found(t, m, person, RecallInput{Query: "walrus"}); len(ids) != 1 {
		t.Errorf("walrus finds %v", ids)
	}
	if ids := found(t, m, person, RecallInput{Query: "giraffe"}); len(ids) != 0 {
		t.Errorf("giraffe finds %v", ids)
	}
}

func TestExportPagesAreBounded(t *testing.T) {
	if raceEnabled {
		t.Skip("megabytes of text take long under the race detector; make unit runs this test without it")
	}
	m, _ := openTest(t)
	long := func(what string, i, bytes int) string { // in few words: many take long to analyse
		word := strings.Repeat(fmt.Sprintf("%s%d", what, i), 100) + " "
		return fmt.Sprintf("%s %d %s", what, i, strings.Repeat(word, bytes/len(word)))
	}
	var ids []string
	for i := range 40 {
		ids = append(ids, remember(t, m, person, RememberInput{Content: long("memory", i, 200_000)}).ID)
	}
	for i := range 40 { // a history longer than a line may be
		content := long("version", i, 240_000)
		if _, err := m.Update(t.Context(), person, UpdateInput{ID: ids[0], Content: &content}); err != nil {
			t.Fatal(err)
		}
	}
	var raw []json.RawMessage
	in := ExportInput{}
	for {
		p, err := m.Export(t.Context(), person, in)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > exportBytes+maxLineBytes {
			t.Errorf("a page has %d bytes", len(b))
		}
		for _, l := range p.Lines {
			b, err := json.Marshal(l)
			if err != nil {
				t.Fatal(err)
			}
			if len(b) > maxLineBytes {
				t.Errorf("a line has %d bytes", len(b))
			}
			raw = append(raw, b)
		}
		if p.Next == "" {
			break
		}
		in.Cursor = p.Next
	}
	other, _ := openTest(t)
	if out, err := other.Import(t.Context(), person, ImportInput{Lines: raw}); err != nil || out.Added != 40 || len(out.Refused) > 0 {
		t.Errorf("%d added, refused %v, %v", out.Added, out.Refused, err)
	}
}

func TestForgettingCanBeUndoneForAWhile(t *testing.T) {
	m, c := openTest(t)
	out := remember(t, m, person, RememberInput{Content: "the password is under the mat, they say"})
	forgotten, err := m.Forget(t.Context(), person, ForgetInput{ID: out.ID})
	if err != nil || forgotten.Erased {
		t.Fatal(forgotten, err)
	}
	if want := c.Now().Add(30 * day); !forgotten.UndoUntil.Equal(want) {
		t.Errorf("undo until %v, want %v", forgotten.UndoUntil, want)
	}
	if ids := found(t, m, person, RecallInput{Query: "mat"}); len(ids) > 0 {
		t.Errorf("recall finds %v", ids)
	}
	c.advance(29 * day)
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Unforget(t.Context(), person, IDInput{out.ID}); err != nil {
		t.Fatalf("within the period: %v", err)
	}
	if ids := found(t, m, person, RecallInput{Query: "mat"}); len(ids) != 1 {
		t.Error("brought back but not found")
	}
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: out.ID}); err != nil {
		t.Fatal(err)
	}
	c.advance(31 * day)
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	var refused *memory.RefusedError
	if _, err := m.Unforget(t.Context(), person, IDInput{out.ID}); !errors.As(err, &refused) {
		t.Errorf("after the period: %v", err)
	}
	assertGone(t, m, "under the mat")
}

func TestErasingIsReal(t *testing.T) {
	m, _ := openTest(t)
	const text = "zanzibar quince marmalade recipe"
	out := remember(t, m, person, RememberInput{Content: text, Tags: []string{"quincetag"}})
	content := text + " with more quincepeel"
	if _, err := m.Update(t.Context(), person, UpdateInput{ID: out.ID, Content: &content}); err != nil {
		t.Fatal(err)
	}
	index, err := m.index.Ready()
	if err != nil {
		t.Fatal(err)
	}
	if err := index.Flush(); err != nil { // so that it is on disk as well
		t.Fatal(err)
	}
	gone, err := m.Forget(t.Context(), person, ForgetInput{ID: out.ID, Now: true})
	if err != nil || !gone.Erased {
		t.Fatal(gone, err)
	}
	for _, word := range []string{"zanzibar", "quincepeel", "quincetag", "marmalad"} {
		assertGone(t, m, word)
	}
	h, err := m.History(t.Context(), person, IDInput{out.ID})
	if err != nil || len(h.Changes) == 0 || h.Changes[len(h.Changes)-1].Op != "erase" {
		t.Errorf("history: %+v %v", h, err)
	}
}

// assertGone looks for a word in every file of the data directory.
func assertGone(t *testing.T, m *Mind, word string) {
	t.Helper()
	err := filepath.WalkDir(m.opts.Config.Home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(string(b), word) {
			t.Errorf("%q is still in %s", word, filepath.Base(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSecretsAreTakenOut(t *testing.T) {
	m, _ := openTest(t)
	key := "ghp_" + "R7kQ2mZx9LpW4tYv8N" + "cB3sHd6FgJ1aEuKo5i" // in two parts: no scanner shall stumble over it
	out := remember(t, m, person, RememberInput{Content: "push with the token " + key + " until friday <private>my salary</private>", Note: "https://me:hunter2hunter2@example.com/x"})
	if out.Redacted < 2 {
		t.Errorf("%d parts taken out", out.Redacted)
	}
	v, _ := m.Get(t.Context(), person, GetInput{ID: out.ID})
	if strings.Contains(v.Content, key) || strings.Contains(v.Content, "salary") || strings.Contains(v.Provenance.Note, "hunter2") {
		t.Errorf("stored: %q %q", v.Content, v.Provenance.Note)
	}
	if !strings.Contains(v.Content, "[redacted:") || !strings.Contains(v.Content, "until friday") {
		t.Errorf("stored: %q", v.Content)
	}
	var refused *memory.RefusedError
	if _, err := m.Remember(t.Context(), person, RememberInput{Content: "<private>all of this is private</private>"}); !errors.As(err, &refused) {
		t.Errorf("only private text: %v", err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	assertGone(t, m, key)
	assertGone(t, m, "salary")
	assertGone(t, m, "hunter2")
}

func TestEchoIsRefused(t *testing.T) {
	m, _ := openTest(t)
	var refused *memory.RefusedError
	echo := capture.Wrap("[m_x] wisdom · something that was handed over before")
	if _, err := m.Remember(t.Context(), agent, RememberInput{Content: echo}); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
}

func TestConfidenceDecaysWhenRead(t *testing.T) {
	m, c := openTest(t)
	fades := remember(t, m, person, RememberInput{Content: "an episode that fades with time", Kind: "episode"})
	stays := remember(t, m, person, RememberInput{Content: "a belief that never fades at all", Kind: "belief"})
	c.advance(100 * day)
	v, _ := m.Get(t.Context(), person, GetInput{ID: fades.ID})
	if v.Confidence > 0.05 || v.Belief.Mean != 0.9 {
		t.Errorf("episode: %v now, %v stored", v.Confidence, v.Belief.Mean)
	}
	v, _ = m.Get(t.Context(), person, GetInput{ID: stays.ID})
	if v.Confidence != 0.9 {
		t.Errorf("belief: %v", v.Confidence)
	}
	if v, _ = m.Strengthen(t.Context(), person, ReasonInput{ID: fades.ID}); v.Confidence < 0.2 {
		t.Errorf("strengthened: %v", v.Confidence)
	}
}

func TestConfidenceAndTrustDecideBetweenEquals(t *testing.T) {
	m, c := openTest(t)
	web := remember(t, m, agent, RememberInput{Content: "alpha tuning of the index: read on a blog", Trust: "web"})
	c.advance(time.Second)
	user := remember(t, m, person, RememberInput{Content: "beta tuning of the index: told by the user"})
	ids := found(t, m, person, RecallInput{Query: "tuning of the index"})
	if !slices.Equal(ids, []string{user.ID, web.ID}) {
		t.Errorf("%v, want the user's word first", ids)
	}
}

func TestRealmsKeepToThemselves(t *testing.T) {
	m, _ := openTest(t)
	root := t.TempDir()
	here, there := Caller{Actor: "cli", Cwd: filepath.Join(root, "here")}, Caller{Actor: "cli", Cwd: filepath.Join(root, "there")}
	for _, c := range []Caller{here, there} {
		if err := os.Mkdir(c.Cwd, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	private := remember(t, m, here, RememberInput{Content: "deploying needs a private note"})
	shared := remember(t, m, here, RememberInput{Content: "deploying has a shared note", Visibility: "shared"})
	global := remember(t, m, here, RememberInput{Content: "deploying has a global note", Visibility: "global"})
	tests := []struct {
		name  string
		c     Caller
		realm string
		want  []string
	}{
		{"at home", here, "", []string{private.ID, shared.ID, global.ID}},
		{"elsewhere", there, "", []string{global.ID}},
		{"elsewhere, asking all", there, "all", []string{shared.ID, global.ID}},
		{"elsewhere, asking that realm", there, "here", []string{private.ID, shared.ID, global.ID}},
		{"nowhere", Caller{}, "", []string{global.ID}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := found(t, m, tt.c, RecallInput{Query: "deploying", Realm: tt.realm})
			slices.Sort(got)
			slices.Sort(tt.want)
			if !slices.Equal(got, tt.want) {
				t.Errorf("recall: %v, want %v", got, tt.want)
			}
			list, err := m.List(t.Context(), tt.c, ListInput{Realm: tt.realm})
			if err != nil || list.Total != len(tt.want) {
				t.Errorf("list: %d, want %d: %v", list.Total, len(tt.want), err)
			}
		})
	}
	if st, err := m.RealmList(t.Context(), there, NoInput{}); err != nil || len(st.Realms) != 2 {
		t.Errorf("only looking recorded a realm: %v %v", st, err)
	}
}

func TestATeamsRealmIsStillRecognised(t *testing.T) {
	m, _ := openTest(t)
	here := Caller{Actor: "cli", Cwd: t.TempDir()}
	first := remember(t, m, here, RememberInput{Content: "said before it was a team's"})
	if _, err := m.RealmSet(t.Context(), here, RealmSetInput{Kind: "team", Name: "platform"}); err != nil {
		t.Fatal(err)
	}
	second := remember(t, m, here, RememberInput{Content: "said after it became a team's"})
	r, err := m.RealmGet(t.Context(), here, RealmInput{})
	if err != nil || r.Name != "platform" || r.Kind != memory.RealmTeam || r.Memories != 2 || first.Realm != second.Realm {
		t.Errorf("%+v %v", r, err)
	}
}

func TestAskingDoesNotChangeTheStore(t *testing.T) {
	m, _ := openTest(t)
	remember(t, m, person, RememberInput{Content: "something to look at, nothing else"})
	before, _ := m.store.LastRev(t.Context())
	found(t, m, person, RecallInput{Query: "something"})
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after, _ := m.store.LastRev(t.Context()); after != before {
		t.Error("a recall counts as a change")
	}
	list, _ := m.List(t.Context(), person, ListInput{})
	if list.Memories[0].AccessCount != 1 || list.Memories[0].Accessed.IsZero() {
		t.Errorf("the access is not counted: %+v", list.Memories[0])
	}
}

func TestBudgetAndLimit(t *testing.T) {
	m, _ := openTest(t)
	for i := range 10 {
		remember(t, m, person, RememberInput{Content: fmt.Sprintf("note %d on budgets: %s", i, strings.Repeat(fmt.Sprintf("w%d ", i), 30))})
	}
	out, err := m.Recall(t.Context(), person, RecallInput{Query: "budgets", Budget: 100})
	if err != nil || out.Tokens > 100 || len(out.Results) == 0 || out.Found != 10 {
		t.Errorf("%d tokens, %d of %d results: %v", out.Tokens, len(out.Results), out.Found, err)
	}
	out, err = m.Recall(t.Context(), person, RecallInput{Query: "budgets", Limit: 3, Explain: true})
	if err != nil || len(out.Results) != 3 || len(out.Suppressed) == 0 || len(out.Stages) == 0 {
		t.Errorf("%+v %v", out, err)
	}
}

func TestALongMemoryIsCutRatherThanLost(t *testing.T) {
	m, _ := openTest(t)
	long := remember(t, m, person, RememberInput{Content: "the whole story: " + strings.Repeat("and then it went on ", 1000)})
	out, err := m.Recall(t.Context(), person, RecallInput{Query: "whole story", Budget: 50})
	if err != nil || len(out.Results) != 1 || !out.Results[0].Shortened || out.Tokens > 50 || !strings.HasSuffix(out.Results[0].Text, "…") {
		t.Fatalf("%+v %v", out, err)
	}
	whole, err := m.Get(t.Context(), person, GetInput{ID: long.ID})
	if err != nil || strings.HasSuffix(whole.Content, "…") {
		t.Errorf("the memory itself was cut: %v", err)
	}
	rest, err := m.Get(t.Context(), person, GetInput{ID: long.ID, From: 17})
	if err != nil || rest.Content != whole.Content[17:] || rest.From != 17 {
		t.Errorf("from the 17th character: %q… %v", rest.Content[:20], err)
	}
	for _, from := range []int{-1, 1 << 30} {
		if _, err := m.Get(t.Context(), person, GetInput{ID: long.ID, From: from}); err == nil {
			t.Errorf("from %d was accepted", from)
		}
	}
}

func TestContext(t *testing.T) {
	m, _ := openTest(t)
	remember(t, m, person, RememberInput{Content: "always write tests before the code", Kind: "preference"})
	remember(t, m, person, RememberInput{Content: "finish the parser on monday", Kind: "intention"})
	remember(t, m, person, RememberInput{Content: "the release branch is frozen", Pinned: true})
	remember(t, m, person, RememberInput{Content: "the parser fails on empty files", Kind: "failure"})
	out, err := m.Context(t.Context(), person, ContextInput{Task: "mend the parser"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range out.Sections {
		got = append(got, fmt.Sprintf("%s: %d", s.Title, len(s.Results)))
	}
	want := []string{"Pinned: 1", "How the user wants things done: 1", "Open intentions: 1", "About the task: 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if small, err := m.Context(t.Context(), person, ContextInput{Task: "mend the parser", Budget: 20}); err != nil || small.Tokens > 20 {
		t.Errorf("%d tokens for a budget of 20: %v", small.Tokens, err)
	}
}

func TestExportAndImportAreExact(t *testing.T) {
	m, c := openTest(t)
	dir := t.TempDir()
	here := Caller{Actor: "cli", Cwd: dir}
	a := remember(t, m, here, RememberInput{Content: "the first of several memories", Tags: []string{"x", "y"}})
	c.advance(time.Hour)
	b := remember(t, m, agent, RememberInput{Content: "the second, said by an agent", Kind: "failure", Trust: "tool"})
	if _, err := m.Correct(t.Context(), person, CorrectInput{ID: a.ID, Content: "the first of several memories, corrected"}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: b.ID, Reason: "no longer so"}); err != nil {
		t.Fatal(err)
	}
	lines := exportAll(t, m, 2)
	other, _ := openTest(t)
	var raw []json.RawMessage
	for _, l := range lines {
		raw = append(raw, json.RawMessage(l))
	}
	out, err := other.Import(t.Context(), person, ImportInput{Lines: raw})
	if err != nil || out.Added != 3 || len(out.Refused) > 0 || out.Realms != 1 {
		t.Fatalf("%+v %v", out, err)
	}
	again := exportAll(t, other, 100)
	if diff := cmp.Diff(lines, again); diff != "" {
		t.Errorf("(-exported +exported again):\n%s", diff)
	}
	if out, err = other.Import(t.Context(), person, ImportInput{Lines: raw}); err != nil || out.Known != 3 || out.Added+out.Updated > 0 {
		t.Errorf("second import: %+v %v", out, err)
	}
	if ids := found(t, other, person, RecallInput{Query: "several memories corrected", Realm: "all"}); len(ids) != 0 {
		t.Errorf("private memories of another realm: %v", ids)
	}
}

func exportAll(t *testing.T, m *Mind, page int) []string {
	t.Helper()
	var out []string
	in := ExportInput{Limit: page}
	for {
		p, err := m.Export(t.Context(), person, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range p.Lines {
			b, err := json.Marshal(l)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(b))
		}
		if p.Next == "" {
			return out
		}
		in.Cursor = p.Next
	}
}

func TestImportRefusesWhatIsNotSound(t *testing.T) {
	m, _ := openTest(t)
	good := memory.Memory{
		ID: "m_0123456789abcdef", Kind: memory.Wisdom, Content: "a memory from elsewhere", Tags: []string{}, Realm: "user",
		Visibility: memory.Private, State: memory.Active, Confidence: memory.NewConfidence(0.5), Source: memory.Conscious, Trust: memory.TrustAgent,
		Created: time.Unix(1, 0), Updated: time.Unix(1, 0), Observed: time.Unix(1, 0),
	}
	line := func(change func(*memory.Memory)) json.RawMessage {
		bad := good
		change(&bad)
		b, err := json.Marshal(TransferLine{Memory: &bad})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	lines := []json.RawMessage{
		line(func(x *memory.Memory) { x.ID = "x_1" }),
		line(func(x *memory.Memory) { x.ID = "m_UPPER" }),
		line(func(x *memory.Memory) { x.Content = "short" }),
		line(func(x *memory.Memory) { x.Content = "with a NUL \x00 in the middle" }),
		line(func(x *memory.Memory) { x.State = "odd" }),
		line(func(x *memory.Memory) { x.Visibility = "odd" }),
		line(func(x *memory.Memory) { x.Trust = "odd" }),
		line(func(x *memory.Memory) { x.Source = "odd" }),
		line(func(x *memory.Memory) { x.Realm = "p_unknown" }),
		line(func(x *memory.Memory) { x.Confidence.Mean = 7 }),
		line(func(x *memory.Memory) { x.Confidence.Variance = -1 }),
		line(func(x *memory.Memory) { x.DecayRate = -1 }),
		line(func(x *memory.Memory) { x.Created = time.Time{} }),
		line(func(x *memory.Memory) { x.Updated = time.Now().AddDate(100, 0, 0) }),
		line(func(x *memory.Memory) { x.Provenance.Session = strings.Repeat("long", 5000) }),
		line(func(x *memory.Memory) { x.Created = time.Unix(0, 0) }),
		line(func(x *memory.Memory) { x.Accessed = time.Now().AddDate(100, 0, 0) }),
		line(func(x *memory.Memory) { x.DecayRate = 1e300 }),
		line(func(x *memory.Memory) { x.SupersededBy = "m_other" }),
		line(func(x *memory.Memory) { x.Supersedes = x.ID }),
		line(func(x *memory.Memory) { x.Content = capture.Wrap("[m_x] handed over before") }),
		json.RawMessage(`{"realm":{"id":"p_evil\u001b[31m","name":"x","kind":"project","visibility":"private","created":"2026-01-01T00:00:00Z","updated":"2026-01-01T00:00:00Z"}}`),
		json.RawMessage(`{"realm":{"id":"p_evil1","name":"user","kind":"project","visibility":"private","created":"2026-01-01T00:00:00Z","updated":"2026-01-01T00:00:00Z"}}`),
		json.RawMessage(`{"realm":{"id":"p_evil2","name":"x","kind":"user","visibility":"private","created":"2026-01-01T00:00:00Z","updated":"2026-01-01T00:00:00Z"}}`),
		json.RawMessage(`{"chitta":1,"realm":{"id":"p_evil3","name":"x"}}`),
		line(func(x *memory.Memory) { x.State = memory.Forgotten }),
		line(func(x *memory.Memory) { x.State = memory.Superseded }),
		line(func(x *memory.Memory) { x.Tags = []string{"a,b"} }),
		json.RawMessage(`{}`), json.RawMessage(`[]`), json.RawMessage(`7`), json.RawMessage(`{"chitta":99}`),
		json.RawMessage(`{"memory":{"kind":"nonsense"}}`), json.RawMessage(`{"realm":{"id":"../x"}}`),
		line(func(*memory.Memory) {}),
	}
	out, err := m.Import(t.Context(), person, ImportInput{Lines: lines})
	if err != nil {
		t.Fatal(err)
	}
	if out.Added != 1 || len(out.Refused) != len(lines)-1 {
		t.Errorf("added %d, refused %d of %d: %+v", out.Added, len(out.Refused), len(lines), out.Refused)
	}
}

// TestImportKeepsCorrectionsLinked sends files whose links contradict each
// other; whatever is taken, the store stays sound.
func TestImportKeepsCorrectionsLinked(t *testing.T) {
	line := func(id, supersedes, by string) json.RawMessage {
		r := memory.Memory{
			ID: id, Kind: memory.Wisdom, Content: "a linked memory called " + id, Tags: []string{}, Realm: "user",
			Visibility: memory.Private, State: memory.Active, Confidence: memory.NewConfidence(0.5), Source: memory.Conscious, Trust: memory.TrustAgent,
			Supersedes: supersedes, SupersededBy: by, Created: time.Unix(1, 0), Updated: time.Unix(1, 0), Observed: time.Unix(1, 0),
		}
		if by != "" {
			r.State = memory.Superseded
		}
		b, err := json.Marshal(TransferLine{Memory: &r})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	tests := []struct {
		name  string
		lines []json.RawMessage
		added int
	}{
		{"in order", []json.RawMessage{line("m_old1", "", "m_new1"), line("m_new1", "m_old1", "")}, 2},
		{"the other way round", []json.RawMessage{line("m_new1", "m_old1", ""), line("m_old1", "", "m_new1")}, 2},
		{"only the old one", []json.RawMessage{line("m_old1", "", "m_new1")}, 1},
		{"the new one does not know", []json.RawMessage{line("m_old1", "", "m_new1"), line("m_new1", "", "")}, 1},
		{"the old one names a stranger", []json.RawMessage{line("m_new1", "m_other", ""), line("m_old1", "", "m_new1")}, 1},
		{"two claim one correction", []json.RawMessage{line("m_new1", "m_old1", ""), line("m_old1", "", "m_new1"), line("m_old2", "", "m_new1")}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, _ := openTest(t) // proves the store sound at the end
			out, err := m.Import(t.Context(), person, ImportInput{Lines: tt.lines})
			if err != nil || out.Added != tt.added || len(out.Refused) != len(tt.lines)-tt.added {
				t.Errorf("%+v %v", out, err)
			}
		})
	}
}

func TestIndexIsMadeAnewWhenItIsGoneOrDamaged(t *testing.T) {
	for _, harm := range []struct {
		name string
		do   func(dir string) error
	}{
		{"deleted", os.RemoveAll},
		{"truncated", func(dir string) error {
			return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				return os.Truncate(path, 5)
			})
		}},
		{"overwritten", func(dir string) error {
			return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				return os.WriteFile(path, []byte(strings.Repeat("garbage", 1000)), 0o600)
			})
		}},
	} {
		t.Run(harm.name, func(t *testing.T) {
			cfg := config.Default()
			cfg.Home, cfg.Model.Use = t.TempDir(), "none"
			m, _ := openAt(t, cfg)
			for i := range 20 {
				remember(t, m, person, RememberInput{Content: fmt.Sprintf("item %d to be found after the damage", i)})
			}
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			if err := harm.do(cfg.Paths().Index()); err != nil {
				t.Fatal(err)
			}
			m, _ = openAt(t, cfg)
			if err := m.Maintain(t.Context()); err != nil {
				t.Fatal(err)
			}
			if ids := found(t, m, person, RecallInput{Query: "damage", Limit: 50}); len(ids) != 20 {
				t.Errorf("%d of 20 found", len(ids))
			}
		})
	}
}

func TestRecallWithoutAnIndexFallsBack(t *testing.T) {
	m, _ := openTest(t)
	remember(t, m, person, RememberInput{Content: "an ordinary memory of today"})
	pinned := remember(t, m, person, RememberInput{Content: "a pinned memory, always worth a look", Pinned: true})
	if err := m.index.Close(); err != nil {
		t.Fatal(err)
	}
	out, err := m.Recall(t.Context(), person, RecallInput{Query: "whatever"})
	if err := m.index.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err != nil || len(out.Results) != 2 || out.Results[0].ID != pinned.ID {
		t.Errorf("%+v %v", out.Results, err)
	}
	if len(out.Degraded) != 1 || !strings.Contains(out.Degraded[0], "it is closed") {
		t.Errorf("degraded: %v", out.Degraded)
	}
}

func TestStoreOlderThanTheIndex(t *testing.T) {
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = t.TempDir(), "none"
	m, _ := openAt(t, cfg)
	remember(t, m, person, RememberInput{Content: "a memory in the backup"})
	copyTo := filepath.Join(t.TempDir(), "copy.db")
	if _, err := m.Backup(t.Context(), person, BackupInput{File: copyTo}); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		remember(t, m, person, RememberInput{Content: fmt.Sprintf("later memory %d, not in the backup", i)})
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Restore(t.Context(), copyTo, store.Options{Path: cfg.Paths().DB()}); err != nil {
		t.Fatal(err)
	}
	m, _ = openAt(t, cfg)
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ids := found(t, m, person, RecallInput{Query: "memory backup"}); len(ids) != 1 {
		t.Errorf("found %v", ids)
	}
}

func TestManyWritersAtOnce(t *testing.T) {
	m, _ := openTest(t)
	const writers, each = 8, 25
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if _, err := m.Remember(t.Context(), agent, RememberInput{Content: fmt.Sprintf("writer%d says thing%d for the record", w, i)}); err != nil {
					t.Error(err)
				}
				if _, err := m.Recall(t.Context(), agent, RecallInput{Query: fmt.Sprintf("thing%d", i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	out, err := checkAll(t.Context(), m)
	if err != nil || !out.OK || out.Memories != writers*each {
		t.Errorf("%+v %v", out, err)
	}
	if ids := found(t, m, person, RecallInput{Query: "record", Limit: 100}); len(ids) != 100 {
		t.Errorf("%d found", len(ids))
	}
}
