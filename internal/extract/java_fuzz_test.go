package extract

import "testing"

func FuzzJava(f *testing.F) { fuzzLang(f, "X.java", sources(f, "testdata/java/*.java")...) }
