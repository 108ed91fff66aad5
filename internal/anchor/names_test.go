package anchor

import (
	"slices"
	"strings"
	"testing"

	"chitta/internal/memory"
	"chitta/internal/store"
)

func TestNames(t *testing.T) {
	needsParsers(t)
	g := newGround(t, map[string]string{
		"config.go":       configGo,
		"deep/util.go":    "package deep\n\nfunc ReadAll() {}\n\nfunc read_all() {}\n\nvar timeout = 3\n",
		"a/same.go":       "package a\n\nfunc twice() {}\n\nfunc Open() {}\n",
		"b/same.go":       "package b\n\nfunc twice() {}\n\nfunc Open() {}\n",
		"c/x.go":          "package c\n\nfunc Open() {}\n",
		"d/x.go":          "package d\n\nfunc Open() {}\n",
		"notes/readme.md": "hello\n",
	})
	g.index()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"`parse` gives empty names for lines without =", []string{"config.go:parse"}},
		{"parse is a plain word and means nothing here", []string{}},
		{"the function parse() cuts at the first =", []string{"config.go:parse"}},
		{"parse(line, which) cuts at the first =", []string{"config.go:parse"}},
		{"what config.go says of `parse` is short", []string{"config.go", "config.go:parse"}},
		{"config.go reads lines, and nothing else does", []string{"config.go"}},
		{"see config.go:7 for how lines are cut", []string{"config.go:parse"}},
		{"see config.go:1 for the name of the package", []string{"config.go"}},
		{"see config.go#L14-L16 about port zero", []string{"config.go:Server.Listen"}},
		{"Server.Listen ignores the port zero", []string{"config.go:Server.Listen"}},
		{"Server::Listen ignores the port zero", []string{"config.go:Server.Listen"}},
		{"`Server` has a name and no address", []string{"config.go:Server"}},
		{"ReadAll and read_all are not the same", []string{"deep/util.go:ReadAll", "deep/util.go:read_all"}},
		{"readAll and readall do not exist at all", []string{}},
		{"`timeout` is a plain word that happens to be a variable", []string{}},
		{"util.go is the only file of that name", []string{"deep/util.go"}},
		{"same.go is ambiguous, nobody can tell which", []string{}},
		{"`twice` is in two files, so both count", []string{"a/same.go:twice", "b/same.go:twice"}},
		{"`twice` in a/same.go is the one that counts", []string{"a/same.go:twice"}},
		{"`Open` is in four files, so none counts", []string{}},
		{"`Open` of c/x.go does nothing whatever", []string{"c/x.go:Open"}},
		{"notes/readme.md greets whoever reads it", []string{"notes/readme.md"}},
		{"missing.go and gone/away.go do not exist here", []string{}},
		{"../../etc/passwd and /etc/passwd are none of ours", []string{}},
		{g.dir + "/config.go is named from the root", []string{"config.go"}},
		{"https://example.org/config.go is elsewhere", []string{}},
		{"`par\u202ese` and `\x01` and `` ` `` and ` are nonsense", []string{}},
		{strings.Repeat("`x_", 200) + " is a hostile run of quotes", []string{}},
	} {
		id := g.remember(c.text)
		if got := g.anchors(id); !slices.Equal(got, c.want) {
			t.Errorf("%.60q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestFileAndSymbol: a file is not held only where the text names it as the place
// of a symbol.
func TestFileAndSymbol(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo})
	g.index()
	symbol, both := []string{"config.go:parse"}, []string{"config.go", "config.go:parse"}
	for text, want := range map[string][]string{
		"config.go sets the port to 8080; parse() reads it":   both,
		"`parse` in config.go cuts lines":                     symbol,
		"`parse` in `config.go` cuts lines":                   symbol,
		"`parse` (config.go) cuts lines":                      symbol,
		"parse() of the file config.go cuts lines":            symbol,
		"config.go: parse() cuts lines":                       symbol,
		"config.go:parse cuts lines":                          symbol,
		"`config.go:parse` cuts lines":                        symbol,
		"`config.go::parse` cuts lines":                       symbol,
		"config.go's `parse` cuts lines":                      symbol,
		"config.go has a port, `parse` in config.go cuts it":  both,
		"config.go is short. `parse` is what cuts lines":      both,
		"what parse() gives is what config.go says of colons": both,
	} {
		id := g.remember(text)
		if got := g.anchors(id); !slices.Equal(got, want) {
			t.Errorf("%s: %q", text, got)
		}
	}
	given := g.remember("`parse` in config.go, said with the file", Given{Files: []string{"config.go"}})
	if got := g.anchors(given); !slices.Equal(got, both) {
		t.Error(got)
	}
}

// TestClaims: what only tells what happened is not held against code.
func TestClaims(t *testing.T) {
	for _, c := range []struct {
		kind   memory.Kind
		source memory.Source
		want   bool
	}{
		{memory.Wisdom, memory.Subconscious, true}, {memory.Episode, memory.Conscious, true}, {memory.Episode, memory.Subconscious, false},
		{memory.Milestone, memory.Subconscious, false}, {memory.Summary, memory.Conscious, false}, {memory.Failure, memory.Subconscious, true},
	} {
		r := &store.Record{}
		r.Kind, r.Source = c.kind, c.source
		if got := claims(r); got != c.want {
			t.Errorf("%s, %s: %v", c.kind, c.source, got)
		}
	}
}

// FuzzNames holds that names lie within the text, whatever that is.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"AAAAAAAA/(", "`parse` in a/b.go:12, Server.Listen()", "a.go#L3-L9 x::y()`", "(((.:)))`a`", "é.py:ü`\xff", "C:\\a\\b.cs(12"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		names, _ := calledIn(text)
		for _, c := range names {
			if c.at < 0 || c.at > c.end || c.end > len(text) || c.name == "" {
				t.Fatalf("%q: %q at %d to %d", text, c.name, c.at, c.end)
			}
		}
		for i := range names {
			joined(text, &names[i], &names[len(names)-1-i])
		}
	})
}
