package extract

import "testing"

func FuzzRust(f *testing.F) { fuzzLang(f, "x.rs", goldenSources(f, "rust/*.rs")...) }
