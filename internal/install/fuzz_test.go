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
		`{"hooks":{"Stop":[{"hooks":[{"type":"http","url":"http://[::1]:1/hook/Stop","headers":{"Authorization":"Bearer ${CHITTA_HTTP_TOKEN}"}}]}]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, old []byte) {
		was := bytes.Clone(old)
		hooks := hooks
		if len(old)%2 == 1 {
			hooks = posted
		}
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

// FuzzClaudeMD puts a summary into anything at all. What could be edited is
// given back exactly, however often it was refreshed.
func FuzzClaudeMD(f *testing.F) {
	for _, seed := range [][2]string{
		{"", "- a"}, {"# Project\n", "- a\n- b"}, {"no end", ""}, {"a\r\nb\r\n", "x\r\ny"}, {"a\r", "--> <!-- /chitta:memory -->"},
		{"\ufeff", "\x00\xff"}, {"<!-- chitta:memory -->\nx\n<!-- /chitta:memory -->", "y"}, {"<!-- /chitta:memory -->", "y"}, {"a\nb\r", "z"},
	} {
		f.Add([]byte(seed[0]), seed[1])
	}
	f.Fuzz(func(t *testing.T, old []byte, summary string) {
		text, err := install.ClaudeMD(old, "first")
		if err != nil {
			return
		}
		refreshed, err := install.ClaudeMD(text, summary)
		if err != nil {
			t.Fatalf("%q cannot be refreshed: %v", text, err)
		}
		if again, err := install.ClaudeMD(refreshed, summary); err != nil || !bytes.Equal(again, refreshed) {
			t.Fatalf("%q became %q (%v)", refreshed, again, err)
		}
		if bytes.Contains(old, []byte("chitta:memory")) {
			return // there was something between marks already
		}
		if back, err := install.WithoutClaudeMD(refreshed); err != nil || !bytes.Equal(back, old) {
			t.Fatalf("%q became %q and then %q (%v)", old, refreshed, back, err)
		}
	})
}
