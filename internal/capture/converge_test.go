package capture

import (
	"testing"
	"time"
)

func TestConverge(t *testing.T) {
	noon := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	after := func(d time.Duration) []time.Time { return []time.Time{noon.Add(d)} }
	said := Trace{Text: "Fixed authentication bug in login flow", Session: "s", Times: after(0)}
	edited := Trace{Text: "Changed src/auth.c for: “Users are thrown out after five minutes, find out why”", Files: []string{"src/auth.c"}, Session: "s", Times: after(0)}
	with := func(base Trace, fn func(*Trace)) Trace { fn(&base); return base }
	text := func(s string) func(*Trace) { return func(t *Trace) { t.Text = s } }
	for _, tt := range []struct {
		name           string
		said, happened Trace
		cosine         float64
		ground         string // "" is none
	}{
		{name: "a bug of authentication and an edit of auth.c", said: said, happened: edited, ground: ByFile},
		{name: "an unrelated edit in the same minute", said: said, happened: with(edited, func(t *Trace) {
			t.Text, t.Files = "Changed docs/install.md for: “mention the new flag”", []string{"docs/install.md"}
		}), cosine: 0.3},
		{name: "another fix of another bug", said: said, happened: with(edited, func(t *Trace) {
			t.Text, t.Files = "Changed src/parser.c for: “fix the bug with nested quotes”", []string{"src/parser.c"}
		}), cosine: 0.4},
		{name: "just within a minute", said: said, happened: with(edited, func(t *Trace) { t.Times = after(60 * time.Second) }), ground: ByFile},
		{name: "the other way round in time", said: said, happened: with(edited, func(t *Trace) { t.Times = after(-60 * time.Second) }), ground: ByFile},
		{name: "more than a minute apart", said: said, happened: with(edited, func(t *Trace) { t.Times = after(60*time.Second + time.Millisecond) }), cosine: 1},
		{name: "any of its messages counts", said: said, happened: with(edited, func(t *Trace) { t.Times = append(after(-time.Hour), after(30*time.Second)...) }), ground: ByFile},
		{name: "times that are not known", said: said, happened: with(edited, func(t *Trace) { t.Times = []time.Time{{}} }), cosine: 1},
		{name: "another session", said: said, happened: with(edited, func(t *Trace) { t.Session = "other" }), cosine: 1},
		{name: "no session at all", said: with(said, func(t *Trace) { t.Session = "" }), happened: with(edited, func(t *Trace) { t.Session = "" }), cosine: 1},
		{name: "the file is named", said: with(said, text("Retries moved into net/fetch.go")), happened: with(edited, func(t *Trace) {
			t.Text, t.Files = "Changed net/fetch.go for: “make it robust”", []string{"net/fetch.go"}
		}), ground: ByFile},
		{name: "the file is given", said: with(said, func(t *Trace) { t.Text, t.Files = "Waits double at every attempt", []string{"net/fetch.go"} }), happened: with(edited, func(t *Trace) {
			t.Text, t.Files = "Changed net/fetch.go for: “make it robust”", []string{"/home/x/net/fetch.go"}
		}), ground: ByFile},
		{name: "another file is named", said: with(said, func(t *Trace) { t.Text, t.Files = "The login check moved into token.c", []string{"src/auth.c"} }), happened: edited, cosine: 0.9},
		{name: "a file of the same name elsewhere in the words", said: with(said, text("Fixed myauth.c at last")), happened: edited, cosine: 0.9},
		{name: "three words of ten", said: with(said, text("alpha bravo delta zulu kilo lima")), happened: with(edited, func(t *Trace) {
			t.Text, t.Files = "alpha bravo delta oscar papa quebec romeo", nil
		}), ground: ByWords},
		{name: "two words of seven", said: with(said, text("alpha bravo zulu kilo")), happened: with(edited, func(t *Trace) {
			t.Text, t.Files = "alpha bravo oscar papa quebec", nil
		}), cosine: 0.59},
		{name: "words that every account of work has", said: with(said, text("fixed the failing test of the user code")), happened: with(edited, func(t *Trace) {
			t.Text, t.Files = "the user wants the failing test of the code fixed", nil
		}), cosine: 0.59},
		{name: "close enough in meaning", said: with(said, text("People could not sign in")), happened: with(edited, func(t *Trace) {
			t.Text, t.Files = "Changed web/oauth.ts for: “repair it”", []string{"web/oauth.ts"}
		}), cosine: 0.6, ground: ByMeaning},
		{name: "not close enough in meaning", said: with(said, text("People could not sign in")), happened: with(edited, func(t *Trace) {
			t.Text, t.Files = "Changed web/oauth.ts for: “repair it”", []string{"web/oauth.ts"}
		}), cosine: 0.5999},
		{name: "a file every project has", said: with(said, text("The index of the catalogue is rebuilt at night")), happened: with(edited, func(t *Trace) {
			t.Text, t.Files = "Changed web/index.ts for: “wider margins please”", []string{"web/index.ts"}
		}), cosine: 0.2},
		{name: "one file of many", said: said, happened: with(edited, func(t *Trace) {
			t.Text, t.Files = "Changed four files for: “new licence header”", []string{"a/one.c", "a/two.c", "a/three.c", "a/login.c"}
		}), cosine: 0.1},
		{name: "odd texts", said: with(said, text("\xff\x00 \u202e 🙂")), happened: with(edited, text("")), cosine: 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Converge(tt.said, tt.happened, func() (float64, bool) { return tt.cosine, true })
			if ok != (tt.ground != "") || got.Ground != tt.ground {
				t.Errorf("%+v %v, want %q", got, ok, tt.ground)
			}
		})
	}
	if _, ok := Converge(with(said, text("People could not sign in")), edited, func() (float64, bool) { return 1, false }); ok {
		t.Error("a cosine that is not known counted")
	}
}

func TestRepeats(t *testing.T) {
	const known = "Use port 5433 for the billing database, because 5432 is taken by the system service. Restart needed afterwards."
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"word for word", known, true},
		{"a sentence of it", "Use port 5433 for the billing database, because 5432 is taken by the system service.", true},
		{"fillers and marks differ", "**Use port 5433** for billing database because 5432 is just taken by system service", true},
		{"another number", "Use port 5434 for the billing database, because 5432 is taken by the system service.", false},
		{"turned around", "Use port 5433 not for the billing database, because 5432 is taken by the system service.", false},
		{"other words", "The billing database listens on port 5433 now", false},
		{"more than it says", "Use port 5433 for the billing database and 6380 for the cache of the shop", false},
		{"too short to be anybody's", "restart needed", false},
		{"nothing", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Repeats(tt.text, known); got != tt.want {
				t.Errorf("Repeats(%q) = %v", tt.text, got)
			}
		})
	}
	long := known
	for range 4 {
		long += " And here is more that was said about it at the time by those who had to know."
	}
	if !Repeats(long, "before it. "+long+" after it.") {
		t.Error("a long passage within another is not found")
	}
}
