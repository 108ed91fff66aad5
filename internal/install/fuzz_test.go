package install_test

import (
	"bytes"
	"testing"

	"chitta/internal/install"
)

// FuzzSettings edits anything at all. What can be edited can be taken back
// exactly, a second time changes nothing, and what is taken out by looking for
// it leaves no hook behind.
func FuzzSettings(f *testing.F) {
	for _, seed := range []string{
		"", "\ufeff", "{}", "{ }\n", "// c\n{/*a*/}//", `{"hooks":{"SessionStart":[{}],},}`, `{"hooks":{},"hooks":{"Stop":[]}}`,
		`{"hooks":{"SessionStart":[{"hooks":[{"command":"chitta","args":["hook","SessionStart"]}]}]}}`,
		"{\r\n\t\"a\": \"\xff\\u0000\" // x\r\n}", `{"\u0068ooks":[`, "{\"a\":1 //x\n,\"b\":2/*\n*/}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, old []byte) {
		was := bytes.Clone(old)
		text, changes, err := install.Settings(old, hooks)
		if !bytes.Equal(old, was) {
			t.Fatal("the input was written to")
		}
		if err != nil {
			return
		}
		if back := undo(t, text, changes); !bytes.Equal(back, old) {
			t.Fatalf("%q became %q", text, back)
		}
		if again, more, err := install.Settings(text, hooks); err != nil || len(more) > 0 || !bytes.Equal(again, text) {
			t.Fatalf("a second time: %q, %v", again, err)
		}
		bare, _, err := install.WithoutHooks(text, nil)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if again, more, err := install.WithoutHooks(bare, nil); err != nil || len(more) > 0 || !bytes.Equal(again, bare) {
			t.Fatalf("hooks are left in %q: %v", bare, err)
		}
		for _, c := range changes {
			c.Diff()
		}
	})
}
