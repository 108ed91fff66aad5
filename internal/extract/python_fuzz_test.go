package extract

import (
	"os"
	"path/filepath"
	"testing"
)

func FuzzPython(f *testing.F) {
	var seeds []string
	files, err := filepath.Glob("testdata/python/*.py")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, string(src))
	}
	fuzzLang(f, "x.py", seeds...)
}
