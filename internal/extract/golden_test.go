package extract

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

var update = flag.Bool("update", false, "write the facts that are found as those that are expected")

func facts(t *testing.T, path string, src []byte) *code.File {
	t.Helper()
	if !syntax.Available {
		t.Skip("this build has no parsers")
	}
	p := syntax.New()
	defer p.Close()
	tree, err := p.Parse(syntax.LangOf(path), src)
	if err != nil {
		t.Fatal(err)
	}
	return Facts(path, tree)
}

// TestFactsOfALanguage reads every source under testdata and expects the facts
// that stand beside it, in the form of [code.File.String].
func TestFactsOfALanguage(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	for _, path := range files {
		if syntax.LangOf(path) == "" {
			continue // facts, and what fuzzing found
		}
		t.Run(filepath.ToSlash(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := []byte(facts(t, filepath.Base(path), src).String())
			if *update {
				if err := os.WriteFile(path+".facts", got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path + ".facts")
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("facts differ (go test ./internal/extract -update writes them):\n%s", got)
			}
			if e := code.Bare(code.OtherExpr, code.None, ""); e.Text != "" || len(e.Args)+len(e.Keys) > 0 || e.Ref != code.None {
				t.Fatalf("what bare expressions share was set: %+v", *e.More)
			}
		})
	}
}
