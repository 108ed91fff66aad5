package extract

import "testing"

func FuzzCPP(f *testing.F) {
	fuzzLang(f, "x.cpp", goldenSources(f, "cpp/*.cpp", "cpp/*.hpp", "cpp/*.c")...)
}
