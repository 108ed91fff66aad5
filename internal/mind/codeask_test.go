package mind

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chitta/internal/memory"
	"chitta/internal/recall"
	"chitta/internal/syntax"
)

// TestSymbolNotes: a note is a memory that is anchored to its symbol.
func TestSymbolNotes(t *testing.T) {
	g := newGround(t, map[string]string{"go.mod": "module shop\n", "config.go": configGo})
	in := CodeDescribeInput{CodeSymbolInput: CodeSymbolInput{Symbol: "Server.Listen"}, Text: "Port 0 means that the system chooses one."}
	if !syntax.Available {
		var refused *memory.RefusedError
		if _, err := g.m.CodeDescribe(g.Context(), g.who, in); !errors.As(err, &refused) {
			t.Error(err)
		}
		return
	}
	g.index()
	out, err := g.m.CodeDescribe(g.Context(), g.who, in)
	if err != nil || out.Memory == nil || out.Memory.Kind != memory.Symbol.String() || len(out.Symbol.Notes) != 1 || out.Symbol.Notes[0].ID != out.Memory.ID {
		t.Fatalf("%+v %v", out, err)
	}
	found, err := g.m.CodeFind(g.Context(), g.who, CodeFindInput{Name: "Listen"})
	if err != nil || len(found.Symbols) != 1 || len(found.Symbols[0].Notes) != 1 {
		t.Fatalf("%+v %v", found, err)
	}
	if state, _ := g.verify(out.Memory.ID); state != "fresh" {
		t.Errorf("the note is %s", state)
	}
	if _, err := g.m.Forget(g.Context(), g.who, ForgetInput{ID: out.Memory.ID}); err != nil {
		t.Fatal(err)
	}
	read, err := g.m.CodeRead(g.Context(), g.who, CodeReadInput{CodeSymbolInput: in.CodeSymbolInput})
	if err != nil || len(read.Source.Symbol.Notes) != 0 || read.Source.From != 13 {
		t.Errorf("after it is forgotten: %+v %v", read.Source, err)
	}
	var missing *memory.NotFoundError
	if _, err := g.m.CodeRead(g.Context(), g.who, CodeReadInput{CodeSymbolInput: CodeSymbolInput{Symbol: "Lisstn"}}); !errors.As(err, &missing) || !strings.Contains(missing.Hint, "Server.Listen (config.go:13)") {
		t.Errorf("a name that is not there: %v %+v", err, missing)
	}
}

// TestRecallWithAndWithoutIndex: an index adds symbols to questions that look
// like code, and changes no answer to one in plain words.
func TestRecallWithAndWithoutIndex(t *testing.T) {
	g := newGround(t, map[string]string{"go.mod": "module shop\n", "config.go": configGo})
	for _, text := range []string{"The socket hangs when the pool is full.", "Lines without an equals sign have no value.", "The server listens on port 80 in tests."} {
		g.remember(text)
	}
	ask := func(q RecallInput) RecallOutput {
		t.Helper()
		out, err := g.m.Recall(g.Context(), g.who, q)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	plain := []string{"why does the socket hang", "what does the server listen on", "lines without a value"}
	var before []RecallOutput
	for _, q := range plain {
		before = append(before, ask(RecallInput{Query: q}))
	}
	off := ask(RecallInput{Query: "Server.Listen", Explain: true})
	if !slices.ContainsFunc(off.Off, func(s string) bool { return strings.HasPrefix(s, recall.TargetCode+": ") }) {
		t.Errorf("nothing says that the stage is off: %v", off.Off)
	}
	if _, err := g.m.Recall(g.Context(), g.who, RecallInput{Query: "Listen", Scope: "code"}); err == nil {
		t.Error("code was asked for alone, and there is none")
	}
	if !syntax.Available {
		return
	}
	g.index()
	for i, q := range plain {
		if after := ask(RecallInput{Query: q}); !reflect.DeepEqual(before[i], after) {
			t.Errorf("%s: %+v\nbefore %+v", q, after, before[i])
		}
	}
	places := func(out RecallOutput) (list []string) {
		for _, r := range out.Results {
			if r.Place != "" {
				list = append(list, r.Place)
			}
		}
		return list
	}
	for query, want := range map[string][]string{"Server.Listen": {"config.go:13"}, "why does parse fail": nil, "parse": {"config.go:6"}, "Lissten": nil} {
		if got := places(ask(RecallInput{Query: query})); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	if got := places(ask(RecallInput{Query: "Server.Listen", Quiet: true})); got != nil {
		t.Errorf("a hook is told of %v", got)
	}
	only := ask(RecallInput{Query: "reads a line", Scope: "code"})
	if len(only.Results) == 0 || only.Results[0].Place != "config.go:6" || len(places(only)) != len(only.Results) {
		t.Errorf("code alone: %+v", only.Results)
	}
}

// TestCodeOfAnotherProject: an agent may look at the code of another project, and
// not at what was learned there; an id of one means nothing in the other.
func TestCodeOfAnotherProject(t *testing.T) {
	if !syntax.Available {
		return
	}
	g := newGround(t, map[string]string{"go.mod": "module shop\n", "config.go": configGo})
	g.index()
	note := CodeDescribeInput{CodeSymbolInput: CodeSymbolInput{Symbol: "Server.Listen"}, Text: "Port 0 means that the system chooses one."}
	if _, err := g.m.CodeDescribe(g.Context(), g.who, note); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "other.go"), []byte("package other\n\nfunc Mine() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for in := (CodeIndexInput{}); ; {
		out, err := g.m.CodeIndex(g.Context(), Caller{Actor: ActorCLI, Cwd: other}, in)
		if err != nil {
			t.Fatal(err)
		}
		if in.Job = out.Job; out.Done {
			break
		}
	}
	stranger := Caller{Actor: actorMCP, Session: "s", Cwd: other}
	found, err := g.m.CodeFind(g.Context(), stranger, CodeFindInput{Name: "Listen", Project: g.dir})
	if err != nil || len(found.Symbols) != 1 || len(found.Symbols[0].Notes) != 0 {
		t.Fatalf("%+v %v", found, err)
	}
	var refused *memory.InputError
	note.Project = g.dir
	if _, err := g.m.CodeDescribe(g.Context(), stranger, note); !errors.As(err, &refused) {
		t.Errorf("a note in another project: %v", err)
	}
	var missing *memory.NotFoundError
	id := found.Symbols[0].ID
	if _, err := g.m.CodeRead(g.Context(), stranger, CodeReadInput{CodeSymbolInput: CodeSymbolInput{Symbol: id}}); !errors.As(err, &missing) {
		t.Errorf("an id of another project: %v", err)
	}
	person := Caller{Actor: ActorCLI, Cwd: other}
	if found, err = g.m.CodeFind(g.Context(), person, CodeFindInput{Name: "Listen", Project: g.dir}); err != nil || len(found.Symbols[0].Notes) != 1 {
		t.Errorf("a person: %+v %v", found, err)
	}
}

// TestCodeQuestionsSayWhatIsWrong: a file, a folder or a file that was left out
// is no symbol, and the answer says which of them it is.
func TestCodeQuestionsSayWhatIsWrong(t *testing.T) {
	if !syntax.Available {
		return
	}
	g := newGround(t, map[string]string{
		"app/main.py": "from app.store import make\n\nprint(make())\n", "app/store.py": "def make():\n    return 1\n\n\ndef gone():\n    return 2\n", "app/__init__.py": "",
		"app/gen.py": "# Code generated by tool. DO NOT EDIT.\nimport os\n",
	})
	g.index()
	symbol := func(ref string) CodeSymbolInput { return CodeSymbolInput{Symbol: ref} }
	own, err := g.m.CodeCallees(g.Context(), g.who, CodeCallsInput{CodeSymbolInput: symbol("app/main.py")})
	if err != nil || own.Symbol == nil || own.Symbol.File != "app/main.py" || len(own.Calls) != 1 || own.Calls[0].Symbol.Path != "make" {
		t.Errorf("what a file calls: %+v %v", own, err)
	}
	g.remove("app/store.py")
	for hint, ask := range map[string]func() error{
		"app/main.py is a file": func() error {
			_, err := g.m.CodeCallers(g.Context(), g.who, CodeCallsInput{CodeSymbolInput: symbol("app/main.py")})
			return err
		},
		"no symbol stands at line 3 of app/main.py": func() error {
			_, err := g.m.CodeRead(g.Context(), g.who, CodeReadInput{CodeSymbolInput: symbol("app/main.py:3")})
			return err
		},
		"its file is gone": func() error {
			_, err := g.m.CodeRead(g.Context(), g.who, CodeReadInput{CodeSymbolInput: symbol("gone")})
			return err
		},
		"it is a folder": func() error {
			_, err := g.m.CodeMap(g.Context(), g.who, CodeMapInput{Files: []string{"app"}})
			return err
		},
		"the file was left out: generated": func() error {
			_, err := g.m.CodeImports(g.Context(), g.who, CodeFileInput{File: "app/gen.py"})
			return err
		},
		"left out: generated": func() error {
			_, err := g.m.CodeCallees(g.Context(), g.who, CodeCallsInput{CodeSymbolInput: symbol("app/gen.py")})
			return err
		},
	} {
		var missing *memory.NotFoundError
		if err := ask(); !errors.As(err, &missing) || !strings.Contains(missing.Hint, hint) {
			t.Errorf("%s: %v %+v", hint, err, missing)
		}
	}
}
