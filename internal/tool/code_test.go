package tool

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"chitta/internal/capture"
	"chitta/internal/codebase"
	"chitta/internal/config"
	"chitta/internal/mind"
	"chitta/internal/moment"
	"chitta/internal/rpc"
	"chitta/internal/syntax"
)

// TestCodeNamesOfTheSeed: each capability is known by its other name too.
func TestCodeNamesOfTheSeed(t *testing.T) {
	names := map[string]bool{}
	for _, d := range All() {
		for _, n := range append(d.Aliases, d.Name) {
			if names[n] {
				t.Errorf("%s is the name of two operations", n)
			}
			names[n] = true
		}
	}
	for _, want := range []string{
		"find_symbol", "search_symbols", "read_symbol", "symbol_callers", "symbol_callees", "type_hierarchy", "file_imports", "file_dependents",
		"code_overview", "code_map", "call_path", "unused_symbols", "describe_symbol",
	} {
		if !names[want] {
			t.Errorf("%s is not known", want)
		}
	}
}

// TestCodeOfNoProject: without an index every question says how to make one, and
// without parsers that there are none.
func TestCodeOfNoProject(t *testing.T) {
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = t.TempDir(), "none"
	m, err := mind.Open(t.Context(), mind.Options{Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	registry := NewRegistry(m, moment.New(moment.Options{Mind: m}))
	ctx := rpc.WithCaller(t.Context(), rpc.Caller{Client: "mcp", Cwd: t.TempDir()})
	want := "chitta code index"
	if !syntax.Available {
		want = "cgo"
	}
	for name, params := range map[string]string{
		"code_find": `{"name":"x"}`, "search_symbols": `{"query":"x"}`, "code_read": `{"symbol":"x"}`, "code_callers": `{"symbol":"x"}`, "code_callees": `{"symbol":"x"}`,
		"call_path": `{"from":"x","to":"y"}`, "code_types": `{"symbol":"x"}`, "code_imports": `{"file":"x"}`, "code_dependents": `{"file":"x"}`,
		"code_overview": `{}`, "code_map": `{}`, "code_unused": `{}`, "code_describe": `{"symbol":"x","text":"some text"}`,
	} {
		_, err := registry.Call(ctx, name, []byte(params))
		var wire *rpc.Error
		if !errors.As(err, &wire) || !strings.Contains(wire.Hint()+wire.Message, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, params := range map[string]string{
		"code_find": `{"name":" "}`, "code_search": `{"query":""}`, "code_callers": `{"symbol":"x","depth":11}`, "code_read": `{"symbol":"x","lines":-1}`,
		"code_imports": `{"file":""}`, "code_map": `{"budget":-1}`, "code_describe": `{"symbol":"x","text":" "}`,
	} {
		var wire *rpc.Error
		if _, err := registry.Call(ctx, name, []byte(params)); !errors.As(err, &wire) || wire.Code != rpc.CodeInvalidParams {
			t.Errorf("%s %s: %v", name, params, err)
		}
	}
}

func TestCodeTexts(t *testing.T) {
	s := codebase.Symbol{ID: "s_1", Name: "Listen", Path: "Server.Listen", Kind: "method", Signature: "func (s *Server) Listen()", File: "a.go", Line: 7,
		Notes: []codebase.Note{{ID: "m_1", Text: "holds the lock"}}}
	call := codebase.Call{Symbol: s, Depth: 2, File: "b.go", Lines: []int{1, 2, 3, 4, 5, 6, 7}, Rule: "receiver", Confidence: 0.8}
	several := mind.CodeSeveral{Several: []codebase.Symbol{s, s}}
	tests := []struct{ text, want string }{
		{textSymbols(mind.CodeSymbolsOutput{Symbols: []codebase.Match{{Symbol: s, How: codebase.FoundFuzzy}}}), "fuzzy: a.go:7 method func (s *Server) Listen() [s_1] Server.Listen\n  note m_1: holds the lock"},
		{textSymbols(mind.CodeSymbolsOutput{Degraded: []string{"by words only"}}), "no symbol fits\n(not all could take part: by words only)"},
		{textCodeRead(mind.CodeReadOutput{CodeSeveral: several}), "2 symbols fit; name one by path, file:line or id"},
		{textCodeRead(mind.CodeReadOutput{Source: &codebase.Reading{Symbol: s, From: 7, Lines: []string{"func", "}"}, Left: 3}}), "7\tfunc\n8\t}"},
		{textCallers(mind.CodeCallsOutput{Symbol: &s, CallList: codebase.CallList{Calls: []codebase.Call{call}, Found: 9}}), "  a.go:7 method func (s *Server) Listen() · at b.go:1,2,3,4,5 and 2 more · receiver 0.80 [s_1]"},
		{textCallers(mind.CodeCallsOutput{Symbol: &s, CallList: codebase.CallList{Loose: []codebase.LooseCall{{From: "f", Name: "x.Listen", File: "c.go", Line: 3}}}}), "may also call it (unresolved):\n  c.go:3 x.Listen in f"},
		{textCallees(mind.CodeCallsOutput{Symbol: &s}), "it is not known to call anything of the project"},
		{textCodePath(mind.CodePathOutput{Path: &codebase.CallPath{From: s, To: codebase.Symbol{ID: "s_2", Path: "g"}}}), "no way along calls from Server.Listen to g"},
		{textCodePath(mind.CodePathOutput{Path: &codebase.CallPath{From: s, Steps: []codebase.Call{call}, Confidence: 0.5}}), "confidence of all steps together 0.50"},
		{textTypes(mind.CodeTypesOutput{Hierarchy: &codebase.Hierarchy{Type: s, Up: []codebase.TypeLink{{Text: "io.Reader", How: "embeds", Depth: 1}}}}), "  embeds io.Reader (outside)\ntaken from by: nothing known"},
		{textImports(mind.CodeImportsOutput{File: "a.go", Imports: []codebase.ImportLine{{Module: "m", Names: []string{"n"}, Depth: 1, Files: []string{"1", "2", "3", "4"}}}}), "  m (n) → 1, 2, 3 and 1 more"},
		{textDependents(mind.CodeDependentsOutput{File: "a.go", Dependents: []codebase.Dependent{{File: "b.go", How: "call", Calls: 2, Depth: 2, Via: "c.go"}}}), "    b.go by call (2) of c.go"},
		{textOverview(codebase.Overview{Root: "/p", Entries: []codebase.Symbol{{Kind: codebase.KindFile, File: "x.py", Line: 1}}, Called: []codebase.RankedUse{{Symbol: s, Count: 4}}}), "programs begin at:\n  x.py:1 file"},
		{textCodeMap(mind.CodeMapOutput{Map: codebase.Map{Files: []codebase.MapFile{{File: "a.go", Symbols: []codebase.Symbol{s}, Left: 2}}, Left: 1}}), "a.go\n  7: func (s *Server) Listen()\n  … 2 more"},
		{textUnused(mind.CodeUnusedOutput{Symbols: []codebase.Symbol{s}, Found: 2}), "1 of 2 shown; raise limit\nuse that is not written as a name"},
		{textDescribed(mind.CodeDescribeOutput{Symbol: &s, Memory: &mind.RememberOutput{ID: "m_1", Action: mind.ActionStored}}), "shown with a.go:7"},
		{strings.Join(resultItems([]mind.Result{{ID: "s_1", Kind: mind.KindSymbol, Place: "a.go:7", Text: "text", State: "active"}}), ""), "[s_1] symbol of the code · a.go:7\ntext"},
		{standing(textSymbols)(mind.CodeSymbolsOutput{Standing: codebase.Standing{Note: "not whole"}}), "no symbol fits\nnot whole\n"},
		{textSymbols(mind.CodeSymbolsOutput{Symbols: []codebase.Match{{Symbol: codebase.Symbol{ID: "s_2", Name: "F", Path: "F", Kind: "function", File: "a\nb\u202e.go", Line: 1}}}}), "a␊b\uFFFD.go:1 function F [s_2]"},
		{textCodeReport(&codebase.Report{Root: "/p", Problem: "the repository belongs to another user"}), "belongs to another user"},
	}
	for i, tt := range tests {
		if !strings.Contains(tt.text, tt.want) {
			t.Errorf("%d: %q is not in\n%s", i, tt.want, tt.text)
		}
	}
	// what others wrote is marked as such
	for _, i := range []int{0, 2, 3, 4, 13} {
		if !strings.Contains(tests[i].text, capture.EchoOpen) {
			t.Errorf("%d is not marked: %s", i, tests[i].text)
		}
	}
	offers, err := Offers(ProfileDefault)
	if err != nil || !slices.ContainsFunc(offers, func(o Offer) bool { return o.Name == "code" && len(o.actions) == 15 && !o.Destructive }) {
		t.Errorf("no tool is called code: %v", err)
	}
}
