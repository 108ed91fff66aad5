package distil

import (
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"chitta/internal/session"
)

// scraps are what random turns are made of: what the rules look for, and what
// breaks careless code.
var scraps = []string{
	"no, use ", "always ", "never ", "from now on ", "let's go with ", "option A", "if ", "?", ". ", "! ", "\n", "\n\n",
	"[DECISION] ", "[LEARNED]", "TODO: ", "Next steps:\n- ", "```", "`", "\"", "“", "”", "> ", "    ", "# ", "You're right", "approach breaks ",
	"", "\x00", "\xff\xfe", "\u202eabc", "🙂", "é", "日本語", strings.Repeat("x", 3000), "&&", "|", ";", "'", "$(", "make test", "go test ./... ",
	"git checkout -- ", "a.go", "/tmp/x", "FAIL", "error: ", "\"Which one?\"=\"This one\"", "word ", "the file ", "didn't work ",
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.Intn(12) {
		b.WriteString(scraps[r.Intn(len(scraps))])
	}
	return b.String()
}

func randomMessages(r *rand.Rand) []session.Message {
	kinds := []session.Kind{session.Text, session.ToolUse, session.ToolResult, session.Thinking, session.Summary, session.Boundary, ""}
	roles := []session.Role{session.User, session.Assistant, session.System, ""}
	tools := []string{"Bash", "Edit", "Write", "Read", askTool, ""}
	var all []session.Message
	for i := range r.Intn(20) {
		m := session.Message{ID: fmt.Sprint(i), Role: roles[r.Intn(len(roles))], Cwd: []string{"", home, "/"}[r.Intn(3)], Meta: r.Intn(8) == 0}
		for range r.Intn(4) {
			p := session.Part{
				Kind: kinds[r.Intn(len(kinds))], Text: randomText(r), Tool: tools[r.Intn(len(tools))],
				ToolID: fmt.Sprint(r.Intn(5)), Failed: r.Intn(3) == 0, Meta: r.Intn(8) == 0,
			}
			if r.Intn(2) == 0 {
				p.Command = randomText(r)
				exit := r.Intn(2)
				p.ExitCode = &exit
			}
			if r.Intn(2) == 0 {
				p.Files = []string{randomText(r), home + "/a.go"}
			}
			m.Parts = append(m.Parts, p)
		}
		all = append(all, m)
	}
	return all
}

// sound fails if a lesson is not what every caller may rely on.
func sound(t *testing.T, messages []session.Message, lessons []Lesson) {
	t.Helper()
	ids := map[string]bool{}
	for i := range messages {
		ids[messages[i].ID] = true
	}
	if len(lessons) > MaxLessons {
		t.Errorf("%d lessons", len(lessons))
	}
	for _, l := range lessons {
		switch {
		case !l.Kind.Valid(), l.Rule == "", len(l.Tags) == 0:
			t.Errorf("unfinished lesson %+v", l)
		case l.Confidence <= 0 || l.Confidence >= 1:
			t.Errorf("confidence %v", l.Confidence)
		case utf8.RuneCountInString(l.Text) > MaxText || utf8.RuneCountInString(l.Text) < minText:
			t.Errorf("text of %d characters: %q", utf8.RuneCountInString(l.Text), l.Text)
		case !utf8.ValidString(l.Text) || strings.ContainsAny(l.Text, "\n\r\x00\u202e") || strings.Contains(l.Text, "```"):
			t.Errorf("text is no line of prose: %q", l.Text)
		case len(l.Messages) == 0 || len(l.Messages) > maxSources || len(l.Files) > maxFiles:
			t.Errorf("%d messages, %d files", len(l.Messages), len(l.Files))
		}
		for _, id := range l.Messages {
			if !ids[id] {
				t.Errorf("lesson of a message %q that is not there: %+v", id, l)
			}
		}
	}
}

func TestAnyTurnIsSound(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	found := 0
	for range randomTurns {
		messages := randomMessages(r)
		lessons := Turn("", messages, nil)
		sound(t, messages, lessons)
		if again := Turn("", messages, nil); !reflect.DeepEqual(lessons, again) {
			t.Fatalf("two answers:\n%+v\n%+v", lessons, again)
		}
		found += len(lessons)
		if t.Failed() {
			t.FailNow()
		}
	}
	if found == 0 {
		t.Error("random turns taught nothing: the test shows nothing")
	}
}

func FuzzTurn(f *testing.F) {
	f.Add("no, use the other one", "You're right.\n[DECISION] the other one", "make test | tail", "FAIL\nerror: x", "src/a.go")
	f.Add("always \xff", "`\"“", "git checkout -- a", "\x00", "/")
	f.Fuzz(func(t *testing.T, prompt, answer, command, output, file string) {
		messages := messagesOf(agent(answer), user(prompt), agent(answer), edit(file), runs(command, 1, output), edit(file), runs(command, 0, answer), agent(answer))
		sound(t, messages, Turn("", messages, nil))
	})
}

// slowest is how long a turn of hugeTurn bytes may be computed.
const slowest = time.Second

// hugeTurns are shapes that a rule with a loop too many would trip over.
func hugeTurns() map[string][]session.Message {
	many := func(n int, steps ...step) []session.Message {
		all := []step{agent("The parser reads dates now."), user("add a column for the date, and show it in every list of orders")}
		for range n {
			all = append(all, steps...)
		}
		return messagesOf(all...)
	}
	return map[string][]session.Message{
		"prompt":   messagesOf(agent("x"), user(strings.Repeat("no, use the other one. ", hugeTurn/23))),
		"quotes":   messagesOf(agent("x"), user(strings.Repeat("\"`", hugeTurn/2))),
		"answer":   messagesOf(user("why"), agent(strings.Repeat("the approach breaks it. ", hugeTurn/24))),
		"answers":  many(hugeTurn/200, agent(strings.Repeat("I tried it, but no. ", 10))),
		"outputs":  many(50, runs("make test", 1, strings.Repeat("x.go:1:1: error here\n", hugeTurn/50/21))),
		"runs":     many(hugeTurn/300, runs("make test && make lint", 1, strings.Repeat("error: it is broken\n", 14))),
		"edits":    many(hugeTurn/200, edit("dir/"+strings.Repeat("n", 180)+".go")),
		"files":    manyFiles(hugeTurn / 200),
		"distinct": manyRuns(hugeTurn / 100),
		"putsback": many(hugeTurn/200, edit("dir/a.go"), runs("git restore dir/a.go", 0, strings.Repeat("x", 100))),
	}
}

func manyFiles(n int) []session.Message {
	all := []step{user("rename the package in every file of the project")}
	for i := range n {
		all = append(all, edit(fmt.Sprintf("dir%d/%s.go", i, strings.Repeat("n", 180))))
	}
	all = append(all, runs("git checkout .", 0, ""))
	return messagesOf(all...)
}

func manyRuns(n int) []session.Message {
	all := []step{user("build every target of the project, one by one")}
	for i := range n {
		all = append(all, runs(fmt.Sprintf("make target-%d", i), 1, "error: "+strings.Repeat("x", 80)))
	}
	return messagesOf(all...)
}

func TestHugeTurnsAreQuick(t *testing.T) {
	for name, messages := range hugeTurns() {
		t.Run(name, func(t *testing.T) {
			sound(t, messages, Turn("", messages, nil))
			before := cpuTime(t)
			Turn("", messages, nil)
			took := cpuTime(t) - before
			t.Logf("computed for %v", took)
			if took > slowest*raceFactor {
				t.Errorf("took %v, want at most %v", took, slowest*raceFactor)
			}
		})
	}
}

// cpuTime is what this process has computed so far. Unlike a clock it does not
// mind what else the machine does.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		t.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

func BenchmarkHugeTurn(b *testing.B) {
	for name, messages := range hugeTurns() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Turn("", messages, nil)
			}
		})
	}
}
