package extract

import (
	"os"
	"path/filepath"
	"testing"
)

// goldenSources reads the sources that stand under testdata, by pattern.
func goldenSources(f *testing.F, patterns ...string) []string {
	f.Helper()
	var out []string
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join("testdata", pattern))
		if err != nil || len(files) == 0 {
			f.Fatalf("no sources under testdata/%s: %v", pattern, err)
		}
		for _, path := range files {
			src, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			out = append(out, string(src))
		}
	}
	return out
}

func FuzzGo(f *testing.F) {
	fuzzLang(f, "x.go", goldenSources(f, "go/*.go", "go/*.GO")...)
}
