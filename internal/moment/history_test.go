package moment

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/past"
	"chitta/internal/store"
)

// imports takes over transcripts as chitta import does: no hook tells of them.
func (h *house) imports(talks ...*talk) {
	h.t.Helper()
	for _, s := range talks {
		if _, err := h.mind.SessionIngest(h.t.Context(), mind.Caller{Actor: mind.ActorCLI}, mind.SessionIngestInput{Path: s.path}); err != nil {
			h.t.Fatal(err)
		}
	}
}

// past is a session in which something was asked for, changed and said.
func (h *house) past(id, request, file, said string) *talk {
	h.t.Helper()
	s := h.talk(id)
	s.asks(request)
	s.fails("go test ./...")
	s.edits(file)
	s.runs("go test ./...")
	s.says(said)
	return s
}

func (h *house) person() mind.Caller {
	return mind.Caller{Actor: mind.ActorCLI, Cwd: filepath.Join(h.home, "project")}
}

// learnsHistory calls until all is done.
func (h *house) learnsHistory(in HistoryInput) HistoryOutput {
	h.t.Helper()
	all := HistoryOutput{Memories: map[string]int{}}
	for {
		out, err := h.LearnHistory(h.t.Context(), h.person(), in)
		if err != nil || len(out.Problems) > 0 {
			h.t.Fatalf("%+v %v", out, err)
		}
		all.Sessions += out.Sessions
		all.Summaries += out.Summaries
		for kind, n := range out.Memories {
			all.Memories[kind] += n
		}
		if in.Cursor = out.Next; out.Next == "" {
			return all
		}
	}
}

// TestHistoryIsLearnedFrom: after an import a newcomer has memories, ledgers and
// a sunrise, with the times of then, and all of it once.
func TestHistoryIsLearnedFrom(t *testing.T) {
	h := newHouse(t)
	first := h.past("s1", "The total is wrong when the list is empty, please repair it. From now on always run the tests with -race.", "total.go", "It was off by one.")
	second := h.past("s2", "The report has no title when it is printed, please give it one", "report.go", "It has one now.\n\nNext steps:\n- translate the title of the report into French")
	ended := h.now()
	h.wait(40 * 24 * time.Hour)
	h.imports(second, first)
	h.rounds()
	if got := h.memories(""); len(got) != 0 {
		t.Fatalf("nothing was asked for: %+v", got)
	}
	out := h.learnsHistory(HistoryInput{})
	if out.Sessions != 2 || out.Summaries != 2 || out.Memories["preference"] != 1 || out.Memories["outcome"] != 2 || out.Memories["intention"] != 1 {
		t.Errorf("%+v", out)
	}
	for _, id := range []string{"s1", "s2"} {
		got := h.memories(id)
		if len(got) < 3 || len(h.summaries(id)) != 1 {
			t.Errorf("%s: %+v", id, got)
		}
		for _, r := range got {
			if r.Created.After(ended) || r.Observed.After(ended) {
				t.Errorf("%q is of %v", r.Content, r.Created)
			}
		}
	}
	rows, err := h.store.Ledgers(t.Context(), store.LedgerFilter{Limit: 9})
	if err != nil || len(rows) != 2 || rows[0].Session != "s2" || rows[0].Updated.After(ended) {
		t.Errorf("%+v %v", rows, err)
	}
	before := h.memories("")
	if again := h.learnsHistory(HistoryInput{Realm: allRealms}); again.Sessions != 0 || len(h.memories("")) != len(before) {
		t.Errorf("again: %+v", again)
	}
	h.rounds() // and the background has nothing to add
	if len(h.memories("")) != len(before) {
		t.Errorf("%+v", h.memories(""))
	}
	holds(t, h.attend(Event{Name: SessionStart, Session: "s3", Source: "startup"}), []string{"report.go", "-race", "French"})
}

// TestHistoryOfASession goes on where it was left, and takes one at a time if
// that is asked for.
func TestHistoryOfASession(t *testing.T) {
	h := newHouse(t)
	one := h.past("aaaaaaaa-1", "The total is wrong when the list is empty, please repair it", "total.go", "It was off by one.")
	h.imports(one, h.past("bbbbbbbb-1", "The report has no title when it is printed, please give it one", "report.go", "It has one now."))
	if out := h.learnsHistory(HistoryInput{Session: "aaaaaaaa"}); out.Sessions != 1 || len(h.memories("bbbbbbbb-1")) != 0 {
		t.Errorf("%+v", out)
	}
	h.wait(time.Hour)
	one.asks("The date is wrong in the letter, please repair it as well")
	one.edits("letter.go")
	h.imports(one)
	if out := h.learnsHistory(HistoryInput{Since: "30m"}); out.Sessions != 1 || len(h.summaries("aaaaaaaa-1")) != 1 {
		t.Errorf("%+v %+v", out, h.summaries("aaaaaaaa-1"))
	}
	if got := tagged(h.memories("aaaaaaaa-1"), "edit"); len(got) != 2 || !strings.Contains(h.summaries("aaaaaaaa-1")[0].Content, "letter.go") {
		t.Errorf("%+v", got)
	}
	if out := h.learnsHistory(HistoryInput{}); out.Sessions != 1 {
		t.Errorf("%+v", out)
	}
	for _, in := range []HistoryInput{{Session: "zzzz"}, {Since: "whenever"}, {Cursor: "x\x00"}, {Realm: "nowhere"}} {
		if _, err := h.LearnHistory(t.Context(), h.person(), in); err == nil {
			t.Errorf("%+v is taken", in)
		}
	}
}

// TestHistoryLeavesWhatIsUnderWay: a session that hooks tell of is learned from
// by them.
func TestHistoryLeavesWhatIsUnderWay(t *testing.T) {
	h := newHouse(t)
	s := h.talk("s1")
	s.event(SessionStart)
	s.works("The total is wrong when the list is empty, please repair it", "total.go")
	h.imports(s)
	if out := h.learnsHistory(HistoryInput{}); out.Sessions != 0 || len(h.memories("s1")) != 0 {
		t.Errorf("%+v", out)
	}
}

// TestHistoryBringsNothingBack: what somebody forgot stays forgotten, also if a
// person said it, and a session that was forgotten teaches nothing.
func TestHistoryBringsNothingBack(t *testing.T) {
	h := newHouse(t)
	const wish = "From now on always run the tests with -race."
	first := h.past("s1", "The total is wrong when the list is empty, please repair it. "+wish, "total.go", "It was off by one.")
	second := h.past("s2", "The report has no title when it is printed, please give it one. "+wish, "report.go", "It has one now.")
	gone := h.past("s3", "The letter has no date when it is printed, please give it one", "letter.go", "It has one now.")
	h.imports(first)
	h.learnsHistory(HistoryInput{})
	wished := slices.DeleteFunc(h.memories("s1"), func(r store.Record) bool { return r.Kind != memory.Preference })
	if len(wished) != 1 {
		t.Fatalf("%+v", wished)
	}
	h.wait(time.Hour)
	if _, err := h.mind.Forget(t.Context(), h.person(), mind.ForgetInput{ID: wished[0].ID}); err != nil {
		t.Fatal(err)
	}
	h.imports(second, gone)
	if _, err := h.mind.SessionForget(t.Context(), h.person(), past.SessionInput{ID: "s3"}); err != nil {
		t.Fatal(err)
	}
	out := h.learnsHistory(HistoryInput{})
	if out.Sessions != 1 || out.Memories["preference"] != 0 || len(h.memories("s3")) != 0 {
		t.Errorf("%+v", out)
	}
}

// TestLateLedgerIsNotTheLast: how an old session stood, written down late, does
// not hide how the last one did.
func TestLateLedgerIsNotTheLast(t *testing.T) {
	h := newHouse(t)
	old := h.past("old", "The total is wrong when the list is empty, please repair it", "total.go", "It was off by one.")
	h.wait(24 * time.Hour)
	s := h.talk("new")
	s.event(SessionStart)
	s.works("The report has no title when it is printed, please give it one", "report.go")
	s.event(SessionEnd)
	h.rounds()
	h.wait(time.Hour)
	h.imports(old)
	h.learnsHistory(HistoryInput{})
	l, err := h.LedgerLoad(t.Context(), h.person(), LedgerLoadInput{})
	if err != nil || l.Session != "new" {
		t.Errorf("%+v %v", l, err)
	}
}

// TestHistoryOfFiles learns from the sessions of some files or folders, and from
// no others that are stored.
func TestHistoryOfFiles(t *testing.T) {
	h := newHouse(t)
	h.project("project")
	one := h.past("one", "The total is wrong when the list is empty, please repair it", "total.go", "It was off by one.")
	two := h.past("two", "The report has no title when it is printed, please give it one", "report.go", "It has one now.")
	h.imports(one, two)
	dir, err := filepath.EvalSymlinks(filepath.Dir(one.path))
	if err != nil {
		t.Fatal(err)
	}
	for _, paths := range [][]string{{filepath.Join(dir, "on")}, {filepath.Join(dir, "one.jsonl", "x")}, {dir[:len(dir)-1]}, {filepath.Join(dir, "%.jsonl")}} {
		if out := h.learnsHistory(HistoryInput{Realm: "all", Paths: paths}); out.Sessions != 0 {
			t.Errorf("%q: %+v", paths, out)
		}
	}
	if out := h.learnsHistory(HistoryInput{Realm: "all", Paths: []string{filepath.Join(dir, "one.jsonl")}}); out.Sessions != 1 || len(h.memories("one")) == 0 || len(h.memories("two")) != 0 {
		t.Errorf("one file: %+v, of the other %+v", out, h.memories("two"))
	}
	if out := h.learnsHistory(HistoryInput{Realm: "all", Paths: []string{dir + "/"}}); out.Sessions != 1 || len(h.memories("two")) == 0 {
		t.Errorf("the folder: %+v", out)
	}
	if _, err := h.LearnHistory(t.Context(), h.person(), HistoryInput{Realm: "all", Paths: []string{"one.jsonl"}}); err == nil {
		t.Error("a path that is not whole is taken")
	}
}
