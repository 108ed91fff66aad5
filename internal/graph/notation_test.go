package graph

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// written writes statements for comparison.
func written(all []Statement) string {
	var parts []string
	for _, s := range all {
		text := s.Subject + " " + s.Predicate + " " + s.Object
		if s.Confidence != 0 {
			text += fmt.Sprintf(" %g", s.Confidence)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// TestParse shows what is taken from free text.
func TestParse(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		// arrows, alone on a line
		{"nc.subshell → socket.failure", "nc.subshell causes socket.failure"},
		{"nc.subshell -> socket.failure", "nc.subshell causes socket.failure"},
		{"nc.subshell => socket.failure", "nc.subshell causes socket.failure"},
		{"nc.subshell ⇒ socket.failure", "nc.subshell causes socket.failure"},
		{"nc.subshell→socket.failure", "nc.subshell causes socket.failure"},
		{"deadlock → socket.failure", "deadlock causes socket.failure"},
		{"stale-lock → daemon.hang", "stale-lock causes daemon.hang"},
		{"cache.miss → query_latency", "cache.miss causes query_latency"},
		{"- nc.subshell → socket.failure", "nc.subshell causes socket.failure"},
		{"* nc.subshell → socket.failure", "nc.subshell causes socket.failure"},
		{"  - nc.subshell → socket.failure", "nc.subshell causes socket.failure"},
		{"- Causes:\n    - nc.subshell → socket.failure", "nc.subshell causes socket.failure"},
		{"nc.subshell → socket.failure.", "nc.subshell causes socket.failure"},
		{"nc.subshell → socket.failure\r\n", "nc.subshell causes socket.failure"},
		{"nc.subshell → socket.failure → data.loss", "nc.subshell causes socket.failure; socket.failure causes data.loss"},
		{"disk.full -> write.failure -> queue.stall", "disk.full causes write.failure; write.failure causes queue.stall"},
		{"disk.full → panic → daemon.restart", "disk.full causes panic; panic causes daemon.restart"},
		{"nc.subshell → socket.failure (0.8)", "nc.subshell causes socket.failure 0.8"},
		{"disk.full → write.failure → queue.stall (0.7)", "disk.full causes write.failure 0.7; write.failure causes queue.stall 0.7"},
		{"disk.full → write.failure (0.9) → queue.stall (0.5)", "disk.full causes write.failure 0.9; write.failure causes queue.stall 0.5"},
		{"nc.subshell → socket.failure; disk.full → write.failure", "nc.subshell causes socket.failure; disk.full causes write.failure"},
		{"שרת.איטי → זמן.תגובה", "שרת.איטי causes זמן.תגובה"},
		{"speicher.voll → schreib.fehler", "speicher.voll causes schreib.fehler"},
		{"I looked into it.\n\nnc.subshell → socket.failure\n\nSo use the CLI.", "nc.subshell causes socket.failure"},
		{"We renamed a few things.\n\nSome other text.\n\n- nc.subshell → socket.failure", "nc.subshell causes socket.failure"},
		{"```go\na -> b\n```\nnc.subshell → socket.failure", "nc.subshell causes socket.failure"},
		{"It took ~20 minutes.\nnc.subshell → socket.failure", "nc.subshell causes socket.failure"},
		{"Learnt about `ch <- v` and `a->b`:\nnc.subshell → socket.failure", "nc.subshell causes socket.failure"},
		{"memory.leak → memory.exhaustion", "memory.leak causes memory.exhaustion"},
		{"disk.failure → daemon.failure", "disk.failure causes daemon.failure"},
		// kinds
		{"chitta::memory.substrate", "chitta is_a memory.substrate"},
		{"chitta :: memory.substrate", "chitta is_a memory.substrate"},
		{"- cli.direct :: workaround", "cli.direct is_a workaround"},
		{"ext4.journal :: write-ahead.log-format :: durability.mechanism", "ext4.journal is_a write-ahead.log-format; write-ahead.log-format is_a durability.mechanism"},
		// relations
		{"cli~daemon~socket", "cli related_to daemon; daemon related_to socket"},
		{"cli ~ daemon ~ socket", "cli related_to daemon; daemon related_to socket"},
		{"cli ~ daemon.socket", "cli related_to daemon.socket"},
		{"recall.latency ~ index.size (0.6)", "recall.latency related_to index.size 0.6"},
		// named, on a line
		{"cli.direct -[solves]-> socket.failure", "cli.direct solves socket.failure"},
		{"cli.direct -[solves]→ socket.failure", "cli.direct solves socket.failure"},
		{"- cli.direct -[solves]-> socket.failure (0.9)", "cli.direct solves socket.failure 0.9"},
		{"1. cli.direct -[solves]-> socket.failure", "cli.direct solves socket.failure"},
		{"restart -[fixes]-> hang", "restart solves hang"},
		{"missing index -[causes]-> slow query", "missing.index causes slow.query"},
		{"SQLite -[is a]-> embedded database", "SQLite is_a embedded.database"},
		{"socket.failure -[caused by]-> nc.subshell", "nc.subshell causes socket.failure"},
		{"a1 -[requires]-> b1 -[requires]-> c1", "a1 requires b1; b1 requires c1"},
		{"cli.direct -[solves]-> socket.failure → data.loss", "cli.direct solves socket.failure; socket.failure causes data.loss"},
		{"`cli.direct` -[solves]-> `socket.failure`", "cli.direct solves socket.failure"},
		{"**cli.direct** -[solves]-> **socket.failure**", "cli.direct solves socket.failure"},
		{"alice -[works at]-> lab", "alice works_at lab"},
		{"config.go -[imports]-> paths.go", "config.go imports paths.go"},
		{"ארי -[likes]-> קפה", "ארי likes קפה"},
		// named, in a sentence
		{"So I noted that cli.direct -[solves]-> socket.failure, and went on.", "cli.direct solves socket.failure"},
		{"Note: cli.direct -[solves]-> socket.failure (0.8) in subshells.", "cli.direct solves socket.failure 0.8"},
		{"Because a.b -[causes]-> c.d, we now use x.y -[prevents]-> c.d.", "a.b causes c.d; x.y prevents c.d"},
		{"Found (nc.subshell -[causes]-> socket.failure).", "nc.subshell causes socket.failure"},
	} {
		found, problems := Parse(tt.text)
		if got := written(found); got != tt.want || len(problems) > 0 {
			t.Errorf("%q:\ngot  %s %v\nwant %s", tt.text, got, problems, tt.want)
		}
	}
}

// notMeant is text in which nothing is notation.
var notMeant = []string{
	"", " ", "→", "->", "::", "~", "~~~", "a", "\x00→\x00", "\xff -> \xfe",
	// code
	"std::vector", "std::vector<int>", "std::cin.get", "crate::module::name", "use std::io.read", "Foo::Bar", "foo::bar",
	"a->b", "s.next->prev.value", "p->field.x", "x -> x.name", "item => item.id", "(a, b) => a.x + b.y", "fn f() -> T",
	"def parse(text: str) -> list:", "func(x int) -> error", "length :: [a] -> Int", "name :: atom", "id :: non_neg_integer",
	"x ~ y", "weight ~ height", "y ~ x + z", "HEAD~3", "~/.config", "~/.zshrc ~ ~/.bashrc", "~20 minutes", "1.0~rc1", "a ~= b",
	"```\nnc.subshell → socket.failure\n```", "~~~\nnc.subshell → socket.failure\n~~~", "```\nnc.subshell → socket.failure",
	"- item:\n  ```\n  nc.subshell → socket.failure\n  ```", "> ```\n> nc.subshell → socket.failure\n> ```",
	"    nc.subshell → socket.failure", "\tnc.subshell -[solves]-> socket.failure", "<pre>\nnc.subshell → socket.failure\n</pre>",
	"`nc.subshell → socket.failure`", "`cli.direct -[solves]-> socket.failure`", "Write `a.b -[solves]-> c.d` for that.",
	"`last_interaction_at` → `last_interaction_time`", "`a.b` → `c.d`",
	"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n- a.b → c.d\n+ a.b → e.f",
	"(a)-[:KNOWS]->(b)", "MATCH (a:Person)-[r:LIKES]->(b) RETURN a", "(a)-[knows]->(b)", "A --> B", "a.b --> c.d", "a.b -.-> c.d", "graph.a ---> graph.b",
	"os.open → os.create", "time.sleep → asyncio.sleep", "np.array → np.asarray", "fmt.println → log.print", "self.name → self.title", "console.log → logger.info",
	"user.name → string", "config.port -> int", "case a.b => c", "key.a => value",
	// files, hosts, versions, numbers
	"main.go → server.go", "config.json -> config.toml", "lib.so -> lib.so.1", "python3 -> python3.12", "current -> releases.42",
	"v1.2 -> v1.3", "1.2.3 → 1.2.4", "go1.25 → go1.26", "10 → 20", "5→6", "10.0.0.1 -> 10.0.0.2", "example.com → example.org", "www.site.io → site.app",
	"https://a.b/c → https://a.b/d", "src/a.b → src/c.d", "/etc/a.conf -> /usr/b.conf", "rename src/{a.x => b.x} (100%)",
	// prose
	"Settings → General → Privacy", "File -> Save As", "settings → general → privacy", "prompt → work → stop → commit", "local → global → system",
	"old name -> new name", "red → green → refactor", "user → server → database", "opt-in → opt-out", "read-only → read-write", "- user2 → read-only",
	"Ctrl+C → Ctrl+V", "← → ↑ ↓", "left → right", "yes → no", "true → false", "A → B", "Commit → no checkpoint",
	"1. a.b → c.d", "2) hook.fires → state.saved", "# a.b → c.d", "## cli.direct -[solves]-> x.y", "> nc.subshell → socket.failure",
	"| nc.subshell → socket.failure |", "| a.b -[solves]-> c.d | x |", "a.b -[solves]-> c.d | x",
	"The chain nc.subshell → socket.failure is known.", "reads config.toml → starts daemon", "nc.subshell → socket.failure?",
	"The fix (a.b → c.d) works:\n- nc.subshell → socket.failure", "- nc.subshell → socket.failure\n- Then it fails → we retry",
	"Renamed:\n- user.mail → user.email", "I moved these functions:\n\n- store.read → cache.read", "## Renames\n\n- user.mail → user.email",
	"Call flow:\n- handler.serve → store.write", "Navigate to:\n\nsettings.general → settings.privacy", "Replace before release: \n- a.mail → b.email",
	"la ~ la ~ la", "hi ~ you", "ready ~ set", "a ~ b ~ c", "thing.a → thing.b → thing.a", "socket → socket.failure",
	"- user.name → user.nome", "user.name → loader.user.name", "cart.items → cart", "session.id → trace.uuid", "Event flow:\n- order.created → order.paid",
	"Changed `os.Getwd()` → `paths.RepoRoot()`", "- If yes → new checkpoint", "Stop - session ends → SaveChanges()",
	"nc.subshell → socket.failure (1.5)", "nc.subshell → socket.failure (2024)", "nc.subshell → ", "→ socket.failure", "a.b → c.d, e.f",
	"nc.subshell\u202e → socket.failure", "🔥.hot → 🧊.cold", "a..b → c.d", "a.b → c.d/",
}

// TestParseLeavesAlone shows what is not.
func TestParseLeavesAlone(t *testing.T) {
	for _, text := range notMeant {
		if found, problems := Parse(text); len(found) > 0 || len(problems) > 0 {
			t.Errorf("%q: found %s, problems %v", text, written(found), problems)
		}
	}
	t.Logf("%d texts", len(notMeant))
}

// TestParseTellsProblems: only the explicit form is known to be meant.
func TestParseTellsProblems(t *testing.T) {
	for _, tt := range []struct{ text, why string }{
		{"x\nWe know that restart -[solves]-> hang for good.", "dots"},
		{"x\na.b -[so;lves]-> c.d", "not a predicate"},
		{"x\na.b -[solves]-> a_b", "both sides"},
		{"x\na.b -[]-> c.d", "no letters"},
		{"x\na.b -[solves]->", "dots"},
		{"x\nA -[solves]-> B", "dots"},
	} {
		found, problems := Parse(tt.text)
		if len(found) > 0 || len(problems) != 1 || problems[0].Line != 2 || !strings.Contains(problems[0].Reason, tt.why) {
			t.Errorf("%q: found %s, problems %v, want one about %q", tt.text, written(found), problems, tt.why)
		}
	}
}

func TestParseFile(t *testing.T) {
	found, problems := ParseFile("\ufeff# what we know\n\nnc in subshell → socket failure\n  chitta::memory # a comment\ncli~daemon~socket\n- a -> b -[fixes]-> c (0.4)\nstd::vector.growth → iterator invalid\nx ~ y; p :: q\na->b\nC# → F#\n")
	want := "nc.in.subshell causes socket.failure; chitta is_a memory; cli related_to daemon; daemon related_to socket; " +
		"a causes b 0.4; b solves c 0.4; std::vector.growth causes iterator.invalid; x related_to y; p is_a q; a causes b; C# causes F#"
	if got := written(found); got != want || len(problems) > 0 {
		t.Errorf("got  %s %v\nwant %s", got, problems, want)
	}
	if found[0].Line != 3 || found[0].Text != "nc in subshell → socket failure" || found[len(found)-1].Line != 10 {
		t.Errorf("places: %+v", found)
	}
}

func TestParseFileProblems(t *testing.T) {
	for _, tt := range []struct{ line, why string }{
		{"just words", "no operator"},
		{"→ b", "name is missing"},
		{"a →", "name is missing"},
		{"a → → b", "name is missing"},
		{"a → b, c", "several things"},
		{"a → A", "both sides"},
		{"a :: b → c", "several things"},
		{"a ~ b :: c", "several things"},
		{"a ~ b -[solves]-> c", "several things"},
		{"a → b (1.5)", "not a confidence"},
		{"a → b (0)", "not a confidence"},
		{"a → b (-0.5)", "not a confidence"},
		{"a (0.5) → b", "behind the object"},
		{"a --> b", "no operator"},
		{"a → b --> c", "-->"},
		{"a ← b → c", "←"},
		{"a -[x -> b", "-["},
		{"a -[]-> b", "no letters"},
		{"a -[" + strings.Repeat("x", 65) + "]-> b", "longer than 64"},
		{"a → b\x00", "control character"},
		{"a → \xff", "UTF-8"},
		{"a → " + strings.Repeat("x", 300), "too long"},
		{strings.Repeat("a → ", 5000), "longer than"},
		{"a → ...", "no letters"},
	} {
		found, problems := ParseFile("\n# c\n" + tt.line)
		if len(found) > 0 || len(problems) != 1 || problems[0].Line != 3 || !strings.Contains(problems[0].Reason, tt.why) {
			t.Errorf("%.40q: found %s, problems %+v, want one about %q", tt.line, written(found), problems, tt.why)
			continue
		}
		if n := utf8.RuneCountInString(problems[0].Text); n > maxShown+1 || !utf8.ValidString(problems[0].Text) {
			t.Errorf("%.40q: %d characters repeated", tt.line, n)
		}
	}
}

// TestParseFileReadsOnAfterProblems keeps what can be read.
func TestParseFileReadsOnAfterProblems(t *testing.T) {
	found, problems := ParseFile("a → b\nwhat\nc → d; oops; e → f")
	if got := written(found); got != "a causes b; c causes d; e causes f" || len(problems) != 2 || problems[1].Line != 3 {
		t.Errorf("got %s, %+v", got, problems)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range notMeant {
		f.Add(text)
	}
	f.Add("a.b → c.d (0.5)\n- x -[caused by]-> y\ncli~daemon~socket")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for _, parse := range []func(string) ([]Statement, []Problem){Parse, ParseSaid, ParseFile} {
			found, problems := parse(text)
			for _, s := range found {
				for _, name := range []string{s.Subject, s.Object} {
					if again, err := CanonicalName(name); err != nil || again != name {
						t.Fatalf("name %q: %q, %v", name, again, err)
					}
				}
				if p, swapped, err := LookupPredicate(s.Predicate); err != nil || swapped || p.Name != s.Predicate {
					t.Fatalf("predicate %q: %v", s.Predicate, err)
				}
				if s.Confidence < 0 || s.Confidence > 1 || s.Line < 1 || s.Line > lines || Key(s.Subject) == Key(s.Object) {
					t.Fatalf("statement %+v", s)
				}
			}
			for _, p := range problems {
				if p.Line < 1 || p.Line > lines || p.Reason == "" {
					t.Fatalf("problem %+v", p)
				}
			}
		}
	})
}

// costly are texts made to cost much, when repeated.
var costly = []string{"words and more words\n", "→", "`", "-[", "-[x]-> ", "a.b → ", "~", "- a.b → c.d\n", "`` ` ", "a.b -[x]-> ", "a ~ ", "(", "a → b (0.5) "}

// TestParseIsLinear reads long ones. Time that grows with the square of the
// length would be minutes.
func TestParseIsLinear(t *testing.T) {
	const size, limit = 1 << 18, 20 * time.Second
	for _, unit := range costly {
		start := time.Now()
		text := strings.Repeat(unit, size/len(unit))
		Parse(text)
		ParseFile(text)
		if took := time.Since(start); took > limit {
			t.Errorf("%q: %v for %d bytes", unit, took, size)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for _, unit := range costly {
		for _, n := range []int{1 << 12, 1 << 16, 1 << 20} {
			text := strings.Repeat(unit, n/len(unit))
			b.Run(fmt.Sprintf("%.6q/%d", unit, n), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					Parse(text)
				}
			})
		}
	}
}

// TestParseExplicitInSentences: numbers are objects, and what is meant but wrong
// is a problem.
func TestParseExplicitInSentences(t *testing.T) {
	for _, c := range []struct{ text, want, problem string }{
		{"today db.x -[has_version]-> 15.2 was found", "db.x has_version 15.2", ""},
		{"db.x -[has_version]-> 15.2", "db.x has_version 15.2", ""},
		{"db.x -[has_version]-> v15.2.", "db.x has_version v15.2", ""},
		{"we set db.pool -[has_value]-> 30 (0.7) there", "db.pool has_value 30", ""},
		{"we think 15.2 -[causes]-> db.x there", "", "cannot be told"},
		{"we saw a.b -[causes]-> c.d (1.5) there", "", "not a confidence"},
		{"a.b -[causes]-> c.d (0)", "", "not a confidence"},
		{"we saw a.b -[leads to]-> c.d there", "", "blank"},
		{"a.b -[leads to]-> c.d", "a.b causes c.d", ""},
	} {
		found, problems := Parse(c.text)
		got := ""
		for _, s := range found {
			got += s.Subject + " " + s.Predicate + " " + s.Object
		}
		if got != c.want || len(problems) > 1 || (c.problem != "") != (len(problems) == 1) || len(problems) == 1 && !strings.Contains(problems[0].Reason, c.problem) {
			t.Errorf("%q: %q %+v", c.text, got, problems)
		}
	}
}

// TestPassed: every line with the explicit form is read, a problem or passed.
func TestPassed(t *testing.T) {
	text := "a.b -[causes]-> c.d\nx.y-[causes]->z.w\nsay `p.q -[causes]-> r.s` so\nMATCH (a)-[:KNOWS]->(b)\nplain"
	found, problems := Parse(text)
	passed := Passed(text, found, problems)
	if len(found) != 1 || len(problems) != 0 || len(passed) != 2 || passed[0].Line != 2 || passed[1].Line != 3 {
		t.Errorf("%+v %+v %+v", found, problems, passed)
	}
}

// TestSaidIsExplicit: in what agents say, arrows, colons and tildes are
// something else; only the explicit form is a statement.
func TestSaidIsExplicit(t *testing.T) {
	for _, text := range []string{
		"Foreign keys\n\nposts.author_id → users.id", "Config\n\nlog.level => debug.verbose", "order.pending → order.paid → order.shipped",
		"user.click → ui.event → store.update", "k8s:\n\ningress.nginx → service.web → pod.web", "parse.input :: string.value",
		"home ~ away ~ neutral", "auth.login :: passed", "start.node -> end.node", "stale-lock → daemon.hang",
	} {
		if found, problems := ParseSaid(text); len(found)+len(problems) > 0 {
			t.Errorf("%q: %s %v", text, written(found), problems)
		}
	}
	found, problems := ParseSaid("order.pending → order.paid\n\ncli.direct -[solves]-> socket.failure\n\nSo nc.subshell -[causes]-> socket.failure, as I saw.")
	if got := written(found); got != "cli.direct solves socket.failure; nc.subshell causes socket.failure" || len(problems) > 0 {
		t.Errorf("%s %v", got, problems)
	}
}

// TestDoubtStatesNothing: who denies, doubts, asks or gives an example does not
// state it.
func TestDoubtStatesNothing(t *testing.T) {
	const fact = "cache.miss -[causes]-> slow.query"
	for _, format := range []string{
		"That was disproved: it is not true that %s.", "I am not sure whether %s, let me check.", "An example of the notation is %s, use it.",
		"Should I store %s ?", "If we do this, %s?", "no %s", "Maybe %s", "It isn't so that %s", "It isn’t so that %s", "From the docs (not ours): %s would be wrong here.",
		"%s is not true", "%s was disproved.", "We know %s?", "It is not true that\n%s", "For example:\n\n- %s\n- " + fact, "You can write facts, e.g. %s", "Es ist nicht so, dass %s",
		"I never saw " + fact + " and %s",
	} {
		found, problems := Parse(fmt.Sprintf(strings.ReplaceAll(format, "%s", "%[1]s"), fact))
		if len(found) > 0 || len(problems) == 0 || problems[0].Reason != errDoubt.Error() {
			t.Errorf("%q: %s %v", format, written(found), problems)
		}
	}
	for _, format := range []string{
		"It does not start. Now %s.", "It did not start.\n%s", "I was wrong.\n\n%s", "We saw %s, so do not cache.", "no.cache helps. %s", "Not done yet\n- %s",
		"It failed because %s; not the disk.", "%s. Should I go on?", "It is not the disk; %s",
	} {
		found, problems := Parse(fmt.Sprintf(format, fact))
		if written(found) != "cache.miss causes slow.query" || len(problems) > 0 {
			t.Errorf("%q: %s %v", format, written(found), problems)
		}
	}
}

// TestWordsBesideNames: a dotted name beside the operator is the whole name.
func TestWordsBesideNames(t *testing.T) {
	for text, want := range map[string]string{
		"Yes proxy.cache -[causes]-> stale.page":             "proxy.cache causes stale.page",
		"- Fixed proxy.cache -[causes]-> stale page":         "proxy.cache causes stale.page",
		"stale proxy -[causes]-> page.error everywhere":      "stale.proxy causes page.error",
		"db.x -[has_version]-> 15.2 today":                   "db.x has_version 15.2",
		"slow disk -[causes]-> late write -[causes]-> alarm": "slow.disk causes late.write; late.write causes alarm",
	} {
		if found, problems := Parse(text); written(found) != want || len(problems) > 0 {
			t.Errorf("%q: %s %v", text, written(found), problems)
		}
	}
}
