package tool

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"chitta/internal/capture"
	"chitta/internal/config"
	"chitta/internal/mind"
	"chitta/internal/moment"
	"chitta/internal/rpc"
)

// TestGraphToolOfAgents goes the way of an agent: the grouped tool, the
// operation, the words.
func TestGraphToolOfAgents(t *testing.T) {
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = t.TempDir(), "none"
	m, err := mind.Open(t.Context(), mind.Options{Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	registry := NewRegistry(m, moment.New(moment.Options{Mind: m}))
	ctx := rpc.WithCaller(t.Context(), rpc.Caller{Client: "mcp"})
	for _, c := range []struct{ args, want string }{
		{`{"action":"add","subject":"nc.subshell","predicate":"causes","object":"socket.failure"}`, "inserted: [t_"},
		{`{"action":"add","statement":"nc.subshell -[solves]-> socket.failure"}`, "contradiction (solves_and_causes)"},
		{`{"action":"add","statement":"socket.failure -> lost.data"}`, "socket.failure causes lost.data"},
		{`{"action":"add","statement":"go -[has_version]-> 1.25"}`, "go has version 1.25"},
		{`{"action":"add","statement":"go -[has_version]-> 1.26"}`, "ended: [t_"},
		{`{"action":"query","object":"socket.failure"}`, "nc.subshell causes socket.failure · confidence 0.70 · since "},
		{`{"action":"query","object":"socket.failure","limit":1}`, "there are more"},
		{`{"action":"query","predicate":"calls"}`, "no fact fits"},
		{`{"action":"neighbours","concept":"lost.data"}`, "socket.failure causes lost.data"},
		{`{"action":"paths","concept":"lost.data","to":"nc.subshell"}`, "way 1 · confidence 0.49"},
		{`{"action":"paths","concept":"go","to":"nc.subshell"}`, "no way from go to nc.subshell"},
		{`{"action":"similar","concept":"1.25"}`, "by letters only"},
		{`{"action":"activate","concept":"nc.subshell"}`, "socket.failure ← nc.subshell causes socket.failure"},
		{`{"action":"infer","subject":"nc.subshell"}`, "nc.subshell causes lost.data · confidence 0.49, because"},
		{`{"action":"infer","subject":"go"}`, "nothing follows"},
		{`{"action":"contradictions"}`, "the same cannot solve and cause something"},
		{`{"action":"timeline","concept":"go"}`, "closed: go has version 1.25"},
	} {
		text := callOffer(ctx, t, registry, "graph", c.args)
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: %s", c.args, text)
		}
		if strings.Contains(text, "t_") && !strings.Contains(text, capture.EchoOpen) {
			t.Errorf("%s: facts are not marked as reference material: %s", c.args, text)
		}
	}
}

// callOffer calls a tool of the default profile and returns its words.
func callOffer(ctx context.Context, t *testing.T, registry *Registry, name, args string) string {
	t.Helper()
	offers, err := Offers(ProfileDefault)
	if err != nil {
		t.Fatal(err)
	}
	for i := range offers {
		if offers[i].Name != name {
			continue
		}
		d, params, err := offers[i].Resolve(json.RawMessage(args))
		if err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		result, err := registry.Call(ctx, d.Name, params)
		if err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		raw, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		text, err := d.Text(raw)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	t.Fatalf("no tool is called %s", name)
	return ""
}

// TestGraphTexts covers the operations that only the full profile has.
func TestGraphTexts(t *testing.T) {
	fact := mind.FactView{ID: "t_1", Sentence: "a causes b", Confidence: 0.5, Sources: []mind.FactSource{{Source: "memory", Memory: "m_1"}}}
	read := mind.FactView{Sentence: "a calls b", Confidence: 0.8, Sources: []mind.FactSource{{Source: "code", Place: "a.go:7", Rule: "receiver"}}}
	code := &mind.GraphCode{Shown: 1, Found: 3, Cut: true, Means: []string{"x.a", "y.a"}, Others: 2}
	for want, text := range map[string]string{
		"[code] a calls b · confidence 0.80 · a.go:7 receiver":        textFacts(mind.GraphFactsOutput{Facts: []mind.FactView{read}, Code: code}),
		"any of: x.a, y.a, and 2 others, which were not":              textFacts(mind.GraphFactsOutput{Facts: []mind.FactView{read}, Code: code}),
		"of 3 or more facts from source code 1 is shown":              textConcept(mind.GraphConceptOutput{Name: "a", Facts: []mind.FactView{read}, Code: code}),
		"in code: struct x.a a.go:3 type a struct":                    textConcept(mind.GraphConceptOutput{Name: "a", Things: []mind.CodeThing{{Name: "x.a", Kind: "struct", Place: "a.go:3", Signature: "type a struct"}}}),
		"no fact fits\nthe index of source code has: calls 9;":        textFacts(mind.GraphFactsOutput{Code: &mind.GraphCode{Totals: map[string]int{"calls": 9}}}),
		"0.20 b ← a calls b [code]":                                   textActivate(mind.GraphActivateOutput{Concepts: []mind.ActiveConcept{{Name: "b", Level: 0.2, Via: &read}}}),
		"ended: [t_1] a causes b · confidence 0.50 · from memory m_1": textGraphRemove(mind.GraphFactsOutput{Facts: []mind.FactView{fact}}),
		"a · activation 0.25 · also called x, y":                      textConcept(mind.GraphConceptOutput{Name: "a", Activation: 0.25, Aliases: []string{"x", "y"}, Facts: []mind.FactView{fact}}),
		"line 2: a -[causes]-> b · inserted as t_1":                   textParse(mind.GraphParseOutput{Applied: true, Statements: []mind.StatementView{{Line: 2, Subject: "a", Predicate: "causes", Object: "b", ID: "t_1", Action: "inserted"}}}),
		"line 3 cannot be read: why":                                  textParse(mind.GraphParseOutput{Problems: []mind.ParseProblem{{Line: 3, Reason: "why"}}}),
		"nothing was stored":                                          textParse(mind.GraphParseOutput{Problems: []mind.ParseProblem{{Line: 3, Reason: "why"}}}),
		"the concept is called a, also b":                             textNames(mind.GraphNamesOutput{Name: "a", Aliases: []string{"b"}}),
		"fact inserted: a causes b (t_1)":                             textRemember(mind.RememberOutput{ID: "m_1", Stated: mind.Stated{Facts: []mind.StatedFact{{ID: "t_1", Sentence: "a causes b", Action: "inserted"}}}}),
		"not read as a fact, line 2: why":                             textCorrect(mind.CorrectOutput{Stated: mind.Stated{Unread: []mind.ParseProblem{{Line: 2, Reason: "why"}}}}),
		`"subject": "a"`:                                              textGraphExport(mind.GraphExportOutput{Records: []mind.GraphRecord{{Subject: "a"}}}),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
}
