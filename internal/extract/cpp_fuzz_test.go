package extract

import "testing"

func FuzzCPP(f *testing.F) {
	fuzzLang(f, "x.cpp", append(goldenSources(f, "cpp/*.cpp", "cpp/*.hpp", "cpp/*.c"), "auto =[&{}", "class 0A0= []000 08{}")...)
}
