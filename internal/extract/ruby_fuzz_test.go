package extract

import "testing"

func FuzzRuby(f *testing.F) { fuzzLang(f, "x.rb", goldenSources(f, "ruby/*.rb")...) }
