package resolve

import (
	"fmt"
	"path"
	"slices"
	"testing"

	"chitta/internal/code"
	"chitta/internal/extract"
	"chitta/internal/syntax"
)

// load parses and resolves the files of a program, by path.
func load(t *testing.T, files map[string]string) *Project {
	t.Helper()
	if !syntax.Available {
		t.Skip("this build has no parsers")
	}
	p := New()
	for name, src := range files {
		put(t, p, name, src)
	}
	p.Resolve()
	return p
}

// put parses one file into a project.
func put(t *testing.T, p *Project, name, src string) {
	t.Helper()
	if slices.ContainsFunc(ManifestNames, func(pattern string) bool { ok, _ := path.Match(pattern, path.Base(name)); return ok }) {
		p.Manifest(name, []byte(src))
		return
	}
	parser := syntax.New()
	defer parser.Close()
	tree, err := parser.Parse(syntax.LangOf(name), []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	p.Put(extract.Facts(name, tree))
}

// program resolves a program and lists its calls in order: "caller -> callee
// [rule]" with names within their files, "caller -> name (outside)" for what is
// known to be outside, "caller -> name (loose)" for the rest.
func program(t *testing.T, files map[string]string) []string {
	t.Helper()
	return calls(load(t, files))
}

func calls(p *Project) []string {
	name := func(r Ref) string {
		if r.Symbol == code.None {
			return "<module>"
		}
		return p.files[r.File].Symbols[r.Symbol].Path
	}
	var out []string
	for _, path := range p.paths() {
		for _, e := range p.Edges(path) {
			out = append(out, fmt.Sprintf("%s -> %s [%s]", name(e.From), name(e.To), e.Rule))
		}
		for _, l := range p.Loose(path) {
			kind := "loose"
			if l.External {
				kind = "outside"
			}
			out = append(out, fmt.Sprintf("%s -> %s (%s)", name(l.From), l.Name, kind))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// wantCalls fails unless exactly these calls are there.
func wantCalls(t *testing.T, got []string, want ...string) {
	t.Helper()
	slices.Sort(want)
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("missing: %s", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("too much: %s", g)
		}
	}
}
