package extract

import (
	"os"
	"path/filepath"
	"testing"
)

// scriptSeeds are the golden sources that fit a pattern.
func scriptSeeds(f *testing.F, pattern string) []string {
	f.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds at %s: %v", pattern, err)
	}
	var out []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		out = append(out, string(text))
	}
	return out
}

func FuzzJavaScript(f *testing.F) {
	seeds := append(scriptSeeds(f, "testdata/javascript/*.js"), scriptSeeds(f, "testdata/javascript/*.jsx")...)
	fuzzLang(f, "fuzz.js", seeds...)
}

func FuzzTypeScript(f *testing.F) {
	fuzzLang(f, "fuzz.ts", scriptSeeds(f, "testdata/typescript/*.ts")...)
}

func FuzzTSX(f *testing.F) {
	fuzzLang(f, "fuzz.tsx", scriptSeeds(f, "testdata/typescript/*.tsx")...)
}
