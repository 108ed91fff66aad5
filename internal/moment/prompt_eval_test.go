package moment

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"chitta/internal/mind"
)

var (
	withRecorded = flag.Bool("recorded", false, "also measure on the recorded sessions of the evaluation data; embedding them takes a minute or two")
	recordedHome = flag.String("recorded-home", "", "keep the data directory made of them here, for the next time")
)

// about is a prompt and the sessions it is about.
type about struct {
	About  []string `json:"about"`
	Prompt string   `json:"prompt"`
}

func readLines(t testing.TB, name string) []string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		out = append(out, lines.Text())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// The prompts that the bar was chosen with, and those that were written after
// it stood.
const (
	tuned = ""
	fresh = "-fresh"
)

// offTopic are prompts that nothing stored has to do with.
func offTopic(t testing.TB, part string) []string {
	var out []string
	for _, l := range readLines(t, "offtopic"+part+".txt") {
		out = append(out, strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(l))
	}
	return out
}

func onTopic(t testing.TB, part string) []about {
	var out []about
	for _, l := range readLines(t, "ontopic"+part+".jsonl") {
		var a about
		if err := json.Unmarshal([]byte(l), &a); err != nil {
			t.Fatal(err)
		}
		out = append(out, a)
	}
	return out
}

func homeOfRecorded(t testing.TB) string {
	if *recordedHome == "" {
		return t.TempDir()
	}
	if err := os.MkdirAll(*recordedHome, 0o700); err != nil {
		t.Fatal(err)
	}
	return *recordedHome
}

func asked(t testing.TB, k *Keeper, c mind.Caller, prompt string) (heard, string) {
	t.Helper()
	h, err := k.resonate(t.Context(), c, asking{prompt: prompt, given: func(string) bool { return false }})
	if err != nil {
		t.Fatalf("%q: %v", prompt, err)
	}
	text, _ := fence([]section{{title: "x", items: h.items}}, promptMost)
	return h, text
}

// TestGateOnRecordedSessions measures the bar on a real project's history: what
// has nothing to do with it gets nothing, what has gets the right thing.
func TestGateOnRecordedSessions(t *testing.T) {
	if !*withRecorded {
		t.Skip("embedding 34 MB of sessions takes a minute or two; run with -recorded")
	}
	k, c, _ := recorded(t, homeOfRecorded(t))
	var sizes []int
	for _, part := range []string{tuned, fresh} {
		wrong, off := 0, offTopic(t, part)
		for _, p := range off {
			if h, text := asked(t, k, c, p); text != "" {
				wrong++
				t.Errorf("%q is answered, %.2f:\n%s", p, h.best, text)
			}
		}
		right, told, on := 0, 0, onTopic(t, part)
		for _, a := range on {
			h, text := asked(t, k, c, a.Prompt)
			if text == "" {
				t.Logf("silent, %s, %.2f: %s", h.why, h.best, a.Prompt)
				continue
			}
			told++
			sizes = append(sizes, utf8.RuneCountInString(text)/charsPerToken)
			if k.isAbout(t, h.items, a.About) {
				right++
			} else {
				t.Logf("wrong: %s\n%s", a.Prompt, text)
			}
		}
		t.Logf("prompts%s: %d of %d off-topic ones answered; %d of %d on-topic ones, %d rightly", part, wrong, len(off), told, len(on), right)
		if 10*right < 7*len(on) {
			t.Errorf("prompts%s: %d of %d on-topic ones get the right thing, want seven in ten", part, right, len(on))
		}
	}
	slices.Sort(sizes)
	t.Logf("tokens: median %d, most %d", sizes[len(sizes)/2], sizes[len(sizes)-1])
}

// isAbout says whether one of the items stems from one of the sessions.
func (k *Keeper) isAbout(t testing.TB, items []item, sessions []string) bool {
	t.Helper()
	for _, x := range items {
		if s, ok := strings.CutPrefix(x.source, "session "); ok {
			if slices.Contains(sessions, s) {
				return true
			}
			continue
		}
		if rec, err := k.store.Get(t.Context(), x.id); err == nil && slices.Contains(sessions, rec.Provenance.Session) {
			return true
		}
	}
	return false
}
