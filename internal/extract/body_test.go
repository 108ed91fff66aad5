package extract

import "testing"

// TestBodyHash: the hash of a function says whether it does the same, whatever
// it looks like and is called.
func TestBodyHash(t *testing.T) {
	const src = "package x\n\nfunc fall(n int) int {\n\tif n == 0 {\n\t\treturn fallback\n\t}\n\treturn fall(n - 1)\n}\n"
	hash := func(src string) uint64 {
		t.Helper()
		f := facts(t, "x.go", []byte(src))
		if len(f.Symbols) != 1 {
			t.Fatalf("%d symbols in %s", len(f.Symbols), src)
		}
		return f.Symbols[0].Body
	}
	for _, c := range []struct {
		name, src string
		same      bool
	}{
		{"reformatted", "package x\nfunc fall( n int ) int { if n == 0 {\nreturn fallback }\n\n return fall(n-1) }\n", true},
		{"commented", "package x\n\n// fall falls.\nfunc fall(n int) int {\n\tif n == 0 { // the end\n\t\treturn fallback\n\t}\n\t/* again */\n\treturn fall(n - 1)\n}\n", true},
		{"renamed", "package x\n\nfunc drop(n int) int {\n\tif n == 0 {\n\t\treturn fallback\n\t}\n\treturn drop(n - 1)\n}\n", true},
		{"renamed in part", "package x\n\nfunc drop(n int) int {\n\tif n == 0 {\n\t\treturn fallback\n\t}\n\treturn fall(n - 1)\n}\n", false},
		{"a name that begins with it", "package x\n\nfunc drop(n int) int {\n\tif n == 0 {\n\t\treturn dropback\n\t}\n\treturn drop(n - 1)\n}\n", false},
		{"changed", "package x\n\nfunc fall(n int) int {\n\tif n == 0 {\n\t\treturn fallback\n\t}\n\treturn fall(n - 2)\n}\n", false},
	} {
		if same := hash(c.src) == hash(src); same != c.same {
			t.Errorf("%s: the same is %v", c.name, same)
		}
	}
}
