package capture

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNearDuplicate(t *testing.T) {
	const long = "The daemon owns the data directory and serves requests over a Unix socket that only the owner of the machine can open"
	tests := []struct {
		name, a, b string
		want       bool
	}{
		{"equal", "use sqlite", "use sqlite", true},
		{"form only", "Use SQLite!", "use *sqlite*", true},
		{"articles", "The daemon owns a socket", "daemon owns the socket", true},
		{"fillers", "Please just use tabs, really.", "use tabs", true},
		{"more fillers", "So now we also keep that file", "we keep file", true},
		{"emphasised filler", "it is *very* slow", "it is slow", true},
		{"contraction", "Don't retry; it can't work", "do not retry, it cannot work", true},
		{"contracted verb", "we’ll keep it, they've left", "we will keep it, they have left", true},
		{"both empty", "", "...", true},
		{"one empty", "", "text", false},
		{"only fillers", "so now", "just please", false},

		{"one word of many", long, strings.Replace(long, "requests", "calls", 1), false},
		{"one word more", long, long + " today", false},
		{"number", "the server listens on port 8080", "the server listens on port 8081", false},
		{"number added", long, long + " 8081", false},
		{"number twice", long + " 3 of 3", long + " 3 of 4", false},
		{"version", long + " since v1.2.3", long + " since v1.2.4", false},
		{"identifier", long + " in store.go", long + " in index.go", false},
		{"option", long + " with a-b", long + " with a-c", false},
		{"negation", long, strings.Replace(long, "can open", "can not open", 1), false},
		{"contracted negation", strings.Replace(long, "owns", "does own", 1), strings.Replace(long, "owns", "doesn't own", 1), false},
		{"switch", long + " on", long + " off", false},
		{"order of files", long + " from a.go to b.go", long + " from b.go to a.go", false},
		{"languages with names that end in signs", long + " in C++", long + " in C", false},
		{"chinese", "数据库使用预写日志模式", "数据库使用回滚日志模式", false},
		{"roles", "the client waits for the server before it sends", "the server waits for the client before it sends", false},
		{"names", "alice reports directly to bob in the platform team", "bob reports directly to alice in the platform team", false},
		{"opposite in a long text", long + " so increase the memory limit", long + " so decrease the memory limit", false},
		{"allow and deny", "the firewall must allow traffic from the office", "the firewall must deny traffic from the office", false},
		{"modal", "tests must pass", "tests may pass", false},
		{"quantity", "all tests pass", "tests pass", false},
		{"preposition", "copy to the server", "copy from the server", false},
		{"conjunction", "deploy before the tests", "deploy after the tests", false},
		{"unless", "retry if it fails", "retry unless it fails", false},
		{"not just", "the cache is not just for reads", "the cache is not for reads", false},
		{"don't just", "don't just retry", "don't retry", false},
		{"plural is another name", "the table user has an index", "the table users has an index", false},
		{"option named like a filler", "systemctl enable --now web", "systemctl enable web", false},
		{"program named like a filler", "run `just` in the root", "run in the root", false},
		{"letters as names", "priority: a, b, c", "priority: b, a, c", false},
		{"a letter at the end", "b waits for a", "a waits for b", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := NearDuplicate(tt.a, tt.b); got != tt.want {
				t.Errorf("got %v: %q, %q", got, tellingWords(tt.a), tellingWords(tt.b))
			}
			if back := NearDuplicate(tt.b, tt.a); back != tt.want {
				t.Error("not symmetric")
			}
		})
	}
}

// sayings are words that say something, each different from the others.
func sayings() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"alice", "bob", "client", "server", "waits", "increase", "decrease", "allow", "deny", "limit", "traffic", "user", "users",
		"not", "never", "without", "unless", "before", "after", "only", "all", "any", "must", "may", "if", "to", "from", "on", "off",
		"8080", "8081", "1.5", "15", "-3", "3", "store.go", "index.go", "a-b", "max_conns", "min_conns", "C++", "C", "端口", "密码",
	})
}

func TestNearDuplicateProperties(t *testing.T) {
	fillers := rapid.SampledFrom([]string{"the", "please", "also", "really", "**just**"})
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(sayings(), 2, 30).Draw(t, "words")
		text := strings.Join(words, " ")
		if !NearDuplicate(text, text) || !SameParticulars(text, text) {
			t.Fatalf("%q is not itself", text)
		}
		check := func(what string, other []string) {
			t.Helper()
			b := strings.Join(other, " ")
			same := slices.Equal(words, other)
			if NearDuplicate(text, b) != same || NearDuplicate(b, text) != same {
				t.Fatalf("%s: %q and %q", what, text, b)
			}
			if SameParticulars(text, b) != SameParticulars(b, text) {
				t.Fatalf("%s: particulars of %q and %q are not symmetric", what, text, b)
			}
		}
		i := rapid.IntRange(0, len(words)-1).Draw(t, "i")
		j := rapid.IntRange(0, len(words)-1).Draw(t, "j")

		replaced := slices.Clone(words)
		replaced[i] = sayings().Draw(t, "other")
		check("a word replaced", replaced)
		check("a word added", slices.Insert(slices.Clone(words), i, sayings().Draw(t, "more")))
		check("a word removed", slices.Delete(slices.Clone(words), i, i+1))
		swapped := slices.Clone(words)
		swapped[i], swapped[j] = swapped[j], swapped[i]
		check("two words exchanged", swapped)

		if i > 0 && isNegation(words[i-1]) {
			return
		}
		filled := strings.Join(slices.Insert(slices.Clone(words), i, fillers.Draw(t, "filler")), " ")
		if !NearDuplicate(text, filled) || !NearDuplicate(filled, text) {
			t.Fatalf("a filler decides: %q and %q", text, filled)
		}
	})
}

func TestSameParticulars(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       bool
	}{
		{"equal", "use sqlite", "Use **SQLite**.", true},
		{"both empty", "", "", true},
		{"synonym", "The daemon serves requests over a socket", "the daemon answers requests over a socket", true},
		{"contraction", "it doesn't retry", "it does not retry", true},
		{"clause moved to the front", "The database must be backed up before every migration", "Before every migration the database must be backed up", true},
		{"condition moved", "the cache is cleared when the server restarts", "When the server restarts, the cache is cleared.", true},
		{"phrase moved", "we run all tests in the staging cluster", "In the staging cluster we run all tests", true},
		{"phrase moved, other words", "Use tabs for indentation in this repository", "Code in this repository is indented with tabs", true},
		{"phrase moved, repeated words", "before the release of the app the owner of the repository signs it", "the owner of the repository signs it before the release of the app", true},
		{"one side of a pair in other words", "increase the memory limit", "raise the memory limit", true},
		{"inflection", "the job stops at night", "the job stopped at night", true},
		{"name at the start", "Postgres keeps the events", "we let Postgres keep the events", true},

		{"number", "port 8080 is used", "port 8081 is used", false},
		{"number as often", "3 of 3 nodes", "3 of 4 nodes", false},
		{"identifier", "see store.go for it", "see index.go for it", false},
		{"negation", "the hook may block", "the hook may not block", false},
		{"name", "we store events in Postgres", "we store events in Redis", false},
		{"name in camel case", "call useState in the view", "call useEffect in the view", false},
		{"reports", "alice reports to bob", "bob reports to alice", false},
		{"reports directly", "alice reports directly to bob", "bob reports directly to alice", false},
		{"reports, inflected", "alice reports to bob", "bob is reporting to alice", false},
		{"client and server", "the client waits for the server", "the server waits for the client", false},
		{"longer names", "the red gateway waits for the blue gateway", "the blue gateway waits for the red gateway", false},
		{"from and to", "deploy from staging to production", "deploy from production to staging", false},
		{"over", "prefer composition over inheritance", "prefer inheritance over composition", false},
		{"arguments", "mv old new", "mv new old", false},
		{"what depends on what", "the cache is cleared when the server restarts", "the server restarts when the cache is cleared", false},
		{"condition on the other part", "the cache is cleared when the server restarts", "when the cache is cleared the server restarts", false},
		{"condition on the other part, other words", "the cache is cleared when the server restarts", "when the cache is cleared the daemon reboots", false},
		{"condition turned around", "tests run if the build works", "if tests run the build works", false},
		{"depends in other words", "the api relies on the store", "the store depends on the api", false},
		{"roles without the verb", "the red gateway drives the blue proxy", "the blue proxy controls the red gateway", false},
		{"passive is not understood", "alice calls bob", "bob is called by alice", false},
		{"scope of only", "only admins can delete users", "users can delete only admins", false},
		{"steps", "Run the tests. Build the image.", "Build the image. Run the tests.", false},
		{"steps on lines", "in the root run make\nin the web run npm", "in the web run npm\nin the root run make", false},
		{"increase", "increase the memory limit for the worker", "decrease the memory limit for the worker", false},
		{"increase, other words", "raise the memory limit", "we reduced the memory limit", false},
		{"allow", "the firewall must allow traffic", "the firewall must deny traffic", false},
		{"enable", "it enables the cache", "it disables the cache", false},
		{"before", "deploy before the tests ran", "deploy after the tests ran", false},
		{"add", "adding the index was right", "removing the index was right", false},
		{"open", "opens the port", "closes the port", false},
		{"start", "started the job", "stopped the job", false},
		{"on", "keep it on", "keep it off", false},
		{"true", "set it to true", "set it to false", false},
		{"left", "align it left", "align it right", false},
		{"up", "scale up the pool", "scale down the pool", false},
		{"first", "take the first entry", "take the last entry", false},
		{"min", "the minimum is used", "the maximum is used", false},
		{"push", "pushes to the mirror", "pulls to the mirror", false},
		{"read", "the worker reads the log", "the worker writes the log", false},
		{"deny", "requests are denied there", "requests are allowed there", false},
		{"prefix", "the call is safe here", "the call is unsafe here", false},
		{"negated verb", "mount the volume", "unmount the volume", false},
		{"pass", "the build passes with it", "the build fails with it", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := SameParticulars(tt.a, tt.b); got != tt.want {
				t.Errorf("got %v: %q, %q", got, stems(tellingWords(tt.a)), stems(tellingWords(tt.b)))
			}
			if back := SameParticulars(tt.b, tt.a); back != tt.want {
				t.Error("not symmetric")
			}
		})
	}
}

// No word may be on two sides, or the later one would hide the other.
func TestOpposites(t *testing.T) {
	seen := map[string]string{}
	for _, pair := range opposites {
		for _, words := range pair {
			for w := range strings.FieldsSeq(words) {
				if before, twice := seen[stem(w)]; twice && before != words {
					t.Errorf("%q is in %q and in %q", w, before, words)
				}
				seen[stem(w)] = words
			}
		}
		for one := range strings.FieldsSeq(pair[0]) {
			for other := range strings.FieldsSeq(pair[1]) {
				if a, b := "we "+one+" it", "we "+other+" it"; SameParticulars(a, b) || NearDuplicate(a, b) {
					t.Errorf("%q is %q", a, b)
				}
			}
		}
	}
}

func TestStem(t *testing.T) {
	for _, forms := range [][]string{
		{"stop", "stops", "stopped", "stopping"},
		{"deny", "denies", "denied"},
		{"increase", "increases", "increased", "increasing"},
		{"pass", "passes", "passed", "passing"},
		{"pull", "pulls", "pulled", "pulling"},
		{"add", "adds", "added", "adding"},
	} {
		for _, f := range forms {
			if stem(f) != stem(forms[0]) {
				t.Errorf("%s: %s, %s: %s", f, stem(f), forms[0], stem(forms[0]))
			}
		}
	}
	for _, w := range []string{"", "on", "off", "store.go", "v1.2.3s", "端口"} {
		if stem(w) != w {
			t.Errorf("%s became %s", w, stem(w))
		}
	}
}
