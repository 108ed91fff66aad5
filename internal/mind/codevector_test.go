package mind

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/codebase"
	"chitta/internal/embed"
	"chitta/internal/recall"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// senseFiles are a small program whose words are not those it is asked for with.
var senseFiles = map[string]string{
	"go.mod": "module sense\n",
	"net.go": `package sense

// attemptAgain calls a function until it succeeds, and waits longer after every failure.
func attemptAgain(call func() error) error { return call() }

// Letter is what is sent to somebody by post over the network.
type Letter struct{ To string }

// SendLetter hands electronic post over to the machine that delivers it.
func SendLetter(l Letter) error { return nil }

// wipe overwrites what somebody typed to log in, so that it is not in memory any more.
func wipe(secret []byte) {}

// biggest finds the highest number of a list.
func biggest(list []int) int { return func() int { return 0 }() }

func sum(list []int) int { return 0 }
`,
	"draw.py": `class Canvas:
    """A surface to paint on."""

    def circle(self, x, y, r):
        """Paint a round shape."""
`,
}

// senseGround is a project that is indexed and embedded by the built-in model.
func senseGround(t *testing.T) *ground {
	t.Helper()
	if !syntax.Available {
		t.Skip("skipped: this build has no parsers")
	}
	m, when := openSemantic(t, semanticConfig(t))
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &ground{T: t, m: m, dir: dir, who: Caller{Actor: ActorCLI, Cwd: dir}, when: when}
	g.git("init", "-q")
	for name, text := range senseFiles {
		g.write(name, text)
	}
	g.git("add", "-A")
	g.index()
	return g
}

// embedded lets the background embed all symbols.
func (g *ground) embedded() CodeMeaning {
	g.Helper()
	for more := true; more; more = g.m.senses.behind.Load() {
		if err := g.m.Maintain(g.Context()); err != nil {
			g.Fatal(err)
		}
	}
	return g.meaning()
}

// meaning says how far the project's symbols can be found by meaning.
func (g *ground) meaning() CodeMeaning {
	g.Helper()
	stats, err := g.m.CodeStats(g.Context(), g.who, CodeStatsInput{})
	if err != nil {
		g.Fatal(err)
	}
	return stats.Meaning[g.dir]
}

func (g *ground) search(query string) CodeSymbolsOutput {
	g.Helper()
	out, err := g.m.CodeSearch(g.Context(), g.who, CodeSearchInput{Query: query})
	if err != nil {
		g.Fatal(err)
	}
	return out
}

func embeddedTexts(g *ground) int64 {
	_, encoder, err := g.m.semantic.Ready(store.OwnerMemory)
	if err != nil {
		g.Fatal(err)
	}
	return encoder.(*embed.Embedder).Stats().Texts
}

func TestSymbolsAreFoundByMeaning(t *testing.T) {
	g := senseGround(t)
	before := g.search("retry with backoff")
	if len(before.Degraded) != 1 || !strings.HasPrefix(before.Degraded[0], "by words alone: ") {
		t.Errorf("before anything is embedded: %q", before.Degraded)
	}
	if c := g.embedded(); c.Have != c.Want || c.Want < 9 || c.Beyond != 0 {
		t.Fatalf("%+v", c)
	}
	ask, err := g.m.askCode(t.Context(), g.who, "")
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"retry with backoff": "attemptAgain", "mail an email": "SendLetter", "erase a password from RAM": "wipe",
		"maximum": "biggest", "graphics": "Canvas",
	} {
		if words, err := ask.Search(t.Context(), query, codebase.Filter{}, 20); err != nil || slices.ContainsFunc(words, func(m codebase.Match) bool { return m.Path == want }) {
			t.Errorf("%s: words find %s (%v): the question is too easy", query, want, err)
		}
		out := g.search(query)
		at := slices.IndexFunc(out.Symbols, func(m codebase.Match) bool { return m.Path == want })
		if at < 0 || at > 2 || len(out.Degraded) != 0 {
			t.Errorf("%s: %s is number %d of %v %q", query, want, at, symbolNamesOf(out.Symbols), out.Degraded)
			continue
		}
		s := out.Symbols[at]
		if s.How != FoundMeaning || len(s.Evidence) != 1 || s.Evidence[0].Source != recall.SourceVector || s.Score <= 0 || s.Score > 1 {
			t.Errorf("%s: %+v", query, s)
		}
	}
	both := g.search("highest number").Symbols
	if len(both) == 0 || both[0].Path != "biggest" || both[0].How != codebase.FoundText || len(both[0].Evidence) != 2 || both[0].Evidence[0].Source != recall.SourceKeyword {
		t.Errorf("by both: %+v", both)
	}
	narrow, err := g.m.CodeSearch(t.Context(), g.who, CodeSearchInput{Query: "retry with backoff", Langs: []string{"python"}, Kinds: []string{"class"}})
	if err != nil || slices.ContainsFunc(narrow.Symbols, func(m codebase.Match) bool { return m.Lang != "python" || m.Kind != "class" }) {
		t.Errorf("narrowed: %v %v", symbolNamesOf(narrow.Symbols), err)
	}
	recalled, err := g.m.Recall(t.Context(), g.who, RecallInput{Query: "retry with backoff", Scope: "code"})
	if err != nil || len(recalled.Results) == 0 || !strings.Contains(recalled.Results[0].Text, "attemptAgain") {
		t.Errorf("recall of code: %+v %v", recalled.Results, err)
	}
	if out := g.search("zzqx 日本 \u202e"); len(out.Symbols) > codeLimit {
		t.Errorf("%d symbols", len(out.Symbols))
	}
}

func symbolNamesOf(list []codebase.Match) (out []string) {
	for _, m := range list {
		out = append(out, m.Path)
	}
	return out
}

// TestSymbolsAreEmbeddedOnce: what was embedded is not embedded again, what
// changed is, and what is gone is not found.
func TestSymbolsAreEmbeddedOnce(t *testing.T) {
	g := senseGround(t)
	all := g.embedded()
	g.search("retry with backoff") // loads them into memory
	had := embeddedTexts(g)
	g.write("net.go", strings.Replace(strings.Replace(senseFiles["net.go"], "package sense\n", "package sense\n\n// moved by some lines\n", 1),
		"// wipe overwrites what somebody typed to log in, so that it is not in memory any more.\nfunc wipe(secret []byte) {}\n",
		"// planets lists what circles around the sun.\nfunc planets() []string { return nil }\n", 1))
	g.when.advance(time.Minute)
	g.index()
	if c := g.embedded(); c != all {
		t.Errorf("%+v, before %+v", c, all)
	}
	if n := embeddedTexts(g) - had; n != 1 {
		t.Errorf("%d texts were embedded for one new symbol", n)
	}
	if out := g.search("astronomy"); len(out.Symbols) == 0 || out.Symbols[0].Path != "planets" {
		t.Errorf("what is new: %v", symbolNamesOf(out.Symbols))
	}
	if out := g.search("erase a password from RAM"); slices.Contains(symbolNamesOf(out.Symbols), "wipe") {
		t.Error("what is gone is found")
	}
	// what is kept survives the index: made anew, nothing is embedded
	base, err := g.m.Code(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := base.Clear(t.Context(), g.dir); err != nil {
		t.Fatal(err)
	}
	had = embeddedTexts(g)
	g.when.advance(time.Minute)
	g.index()
	if c := g.embedded(); c != all || embeddedTexts(g) != had {
		t.Errorf("indexed anew: %+v, %d texts embedded", c, embeddedTexts(g)-had)
	}
	stats, err := g.m.CodeStats(t.Context(), g.who, CodeStatsInput{})
	if err != nil || stats.Meaning[g.dir] != all {
		t.Errorf("%+v %v", stats.Meaning, err)
	}
	if _, err := g.m.CodeClear(t.Context(), g.who, CodeClearInput{}); err != nil {
		t.Fatal(err)
	}
	if c, err := g.m.CodeMeaningOf(t.Context(), g.dir, time.Time{}); err != nil || c.Want != 0 || c.Have != 0 {
		t.Errorf("cleared: %+v %v", c, err)
	}
}

// TestSymbolsVectorsAreMadeAnew: a file that is gone is filled again.
func TestSymbolsVectorsAreMadeAnew(t *testing.T) {
	g := senseGround(t)
	all := g.embedded()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(g.m.Paths().CodeVectors() + suffix); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if c := g.embedded(); c != all {
		t.Errorf("%+v, before %+v", c, all)
	}
	if out := g.search("retry with backoff"); len(out.Symbols) == 0 || out.Symbols[0].Path != "attemptAgain" {
		t.Errorf("%v", symbolNamesOf(out.Symbols))
	}
	if err := g.m.rebuildMeant(); err != nil {
		t.Fatal(err)
	}
	if c := g.embedded(); c != all {
		t.Errorf("rebuilt: %+v, before %+v", c, all)
	}
}

func TestMeaningIsTold(t *testing.T) {
	for c, want := range map[CodeMeaning]string{
		{Have: 3120, Want: 9870, Most: mostMeant}:                   "3,120 of 9,870 symbols so far",
		{Have: 17, Want: 17, Most: mostMeant}:                       "17 of 17 symbols",
		{Most: mostMeant, Behind: true}:                             "not begun; the background does it",
		{Most: mostMeant, Behind: true, Off: "no model"}:            "off: no model",
		{Most: mostMeant}:                                           "0 of 0 symbols",
		{Have: 20_033, Want: 20_033, Behind: true}:                  "20,033 of 20,033 symbols before the last change, which is not counted yet",
		{Have: 3, Want: 9, Off: "no model"}:                         "3 of 9 symbols so far; no more are made: no model",
		{Have: 50_000, Want: 50_000, Beyond: 1234, Most: mostMeant}: "50,000 of 50,000 symbols, 1,234 by words alone: more than 50,000 have no room",
	} {
		if got := c.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestMeaningIsOfNow: what is told of an index that just ended, or of code that
// just changed, is not taken for what will be.
func TestMeaningIsOfNow(t *testing.T) {
	g := senseGround(t)
	var out CodeIndexOutput
	var err error
	for !out.Done && err == nil {
		out, err = g.m.CodeIndex(t.Context(), g.who, CodeIndexInput{Job: out.Job})
	}
	if err != nil || out.Meaning == nil || !strings.HasPrefix(out.Meaning.String(), "not begun") {
		t.Fatalf("at once: %+v %v", out, err)
	}
	all := g.embedded()
	if all.Behind || all.Have != all.Want || all.Have == 0 {
		t.Fatalf("embedded: %+v", all)
	}
	g.remove("draw.py")
	g.when.advance(time.Minute)
	g.index()
	if c := g.meaning(); !c.Behind || c.Have != all.Have || !strings.Contains(c.String(), "before the last change") {
		t.Errorf("after a file left: %+v", c)
	}
	select {
	case <-g.m.Due():
	default:
		t.Error("the background is not told")
	}
	if c := g.embedded(); c.Behind || c.Have >= all.Have || c.Have != c.Want {
		t.Errorf("in the end: %+v, before %+v", c, all)
	}
}

// TestSearchWithoutAModel: words answer, and it is said that they do so alone.
func TestSearchWithoutAModel(t *testing.T) {
	g := newGround(t, senseFiles)
	g.index()
	if !syntax.Available {
		return
	}
	out := g.search("highest number")
	if len(out.Symbols) == 0 || out.Symbols[0].Path != "biggest" || len(out.Degraded) != 1 || !strings.HasPrefix(out.Degraded[0], "by words alone: ") {
		t.Errorf("%v %q", symbolNamesOf(out.Symbols), out.Degraded)
	}
}
