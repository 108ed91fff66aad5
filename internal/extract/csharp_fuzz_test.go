package extract

import (
	"os"
	"path/filepath"
	"testing"
)

func FuzzCSharp(f *testing.F) { fuzzLang(f, "X.cs", sources(f, "testdata/csharp/*.cs")...) }

// sources are the texts of the files that a pattern names.
func sources(f *testing.F, pattern string) []string {
	f.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		f.Fatalf("no sources %s: %v", pattern, err)
	}
	var out []string
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		out = append(out, string(src))
	}
	return out
}
