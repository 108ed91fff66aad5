package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/config"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/moment"
	"chitta/internal/past"
	"chitta/internal/rpc"
	"chitta/internal/store"
)

// go test ./internal/tool -update writes the golden files anew.
var update = flag.Bool("update", false, "write golden files")

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is out of date; if the change is meant, run: go test ./internal/tool -update\n%s", path, diff)
	}
}

// TestSnapshot makes every change of a promise to callers a visible one.
func TestSnapshot(t *testing.T) {
	got, err := Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("testdata", "registry.json"), append(got, '\n'))
}

func TestOffersSnapshot(t *testing.T) {
	offers, err := Offers(ProfileDefault)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(offers, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("testdata", "offers.json"), append(got, '\n'))
}

func TestReferencePageIsUpToDate(t *testing.T) {
	var b bytes.Buffer
	if err := WriteReference(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("..", "..", "docs", "tools.md"), b.Bytes())
}

func TestDeclarationsAreWellFormed(t *testing.T) {
	groups := map[string]bool{}
	for _, g := range Groups() {
		groups[g[0]] = true
	}
	seen := map[string]bool{}
	name := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for _, d := range All() {
		if seen[d.Name] || !name.MatchString(d.Name) {
			t.Errorf("name %q is taken or not lower_case", d.Name)
		}
		seen[d.Name] = true
		if !groups[d.Group] {
			t.Errorf("%s: group %q is not listed", d.Name, d.Group)
		}
		if !strings.HasSuffix(d.Description, ".") || len(d.Description) > 400 {
			t.Errorf("%s: description is no sentence or too long: %q", d.Name, d.Description)
		}
		in, err := d.InputSchema()
		if err != nil {
			t.Fatal(err)
		}
		for field, s := range in.Properties {
			if s.Description == "" {
				t.Errorf("%s: field %s has no description", d.Name, field)
			}
		}
	}
}

func TestDecodeIsStrict(t *testing.T) {
	type input struct {
		Name   string   `json:"name" jsonschema:"what to call it"`
		Count  int      `json:"count,omitempty"`
		Ratio  *float64 `json:"ratio,omitempty"`
		Words  []string `json:"words,omitempty"`
		Really bool     `json:"really,omitempty"`
	}
	half := 0.5
	tests := []struct {
		name, params string
		want         input
		problem      string
	}{
		{"all fields", `{"name":"x","count":3,"ratio":0.5,"words":["a"],"really":true}`, input{"x", 3, &half, []string{"a"}, true}, ""},
		{"optional ones left out", `{"name":"x"}`, input{Name: "x"}, ""},
		{"null counts as left out", `{"name":"x","count":null}`, input{Name: "x"}, ""},
		{"nothing at all", ``, input{}, "name is missing"},
		{"required one null", `{"name":null}`, input{}, "name is missing"},
		{"not an object", `[1]`, input{}, "params must be an object"},
		{"unknown field", `{"name":"x","cuont":1}`, input{}, "cuont is not a field"},
		{"other case", `{"Name":"x"}`, input{}, "Name is not a field"},
		{"text for a number", `{"name":"x","count":"3"}`, input{}, "count is a string, not a whole number"},
		{"fraction for a whole number", `{"name":"x","count":1.5}`, input{}, "count is a number 1.5, not a whole number"},
		{"number for text", `{"name":3}`, input{}, "name is a number, not text"},
		{"text for a list", `{"name":"x","words":"a"}`, input{}, "words is a string, not a list of text"},
		{"text for yes or no", `{"name":"x","really":"yes"}`, input{}, "really is a string, not true or false"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got input
			err := decode(json.RawMessage(tt.params), &got)
			if tt.problem == "" {
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				return
			}
			var ie *memory.InputError
			if !errors.As(err, &ie) || err.Error() != tt.problem && !strings.HasPrefix(err.Error(), tt.problem) || ie.Hint == "" {
				t.Errorf("%v, want %q and a hint", err, tt.problem)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"content":"x","tags":["a"],"confidence":0.5}`))
	f.Add([]byte(`{"content":{"deep":[[[1]]]}}`))
	f.Add([]byte(`{"":0}`))
	f.Fuzz(func(t *testing.T, params []byte) {
		var in mind.RememberInput
		if err := decode(params, &in); err != nil {
			var ie *memory.InputError
			if !errors.As(err, &ie) || ie.Field == "" || ie.Problem == "" {
				t.Errorf("%v does not say what is wrong", err)
			}
		}
	})
}

func TestEveryErrorHasACodeAndAHint(t *testing.T) {
	tests := []struct {
		name string
		err  error
		code int
	}{
		{"input", &memory.InputError{Field: "x", Problem: "is odd", Hint: "h"}, rpc.CodeInvalidParams},
		{"refused", &memory.RefusedError{Reason: "no", Hint: "h"}, rpc.CodeRefused},
		{"not found", fmt.Errorf("memory: %w", store.ErrNotFound), rpc.CodeNotFound},
		{"full", fmt.Errorf("write: %w", store.ErrFull), rpc.CodeStorage},
		{"read-only", store.ErrReadOnly, rpc.CodeStorage},
		{"damaged", store.ErrDamaged, rpc.CodeDamaged},
		{"disk", &store.DiskError{Err: errors.New("io")}, rpc.CodeStorage},
		{"newer", &store.NewerSchemaError{Have: 2, Known: 1}, rpc.CodeStorage},
		{"ambiguous", &store.AmbiguousError{Prefix: "m_", IDs: []string{"m_a", "m_b"}}, rpc.CodeInvalidParams},
		{"several messages", &past.SeveralError{Field: "id", ID: "7", Fits: []past.Fit{{ID: "7", Session: "a"}, {ID: "7", Session: "b"}}}, rpc.CodeInvalidParams},
		{"deadline", context.DeadlineExceeded, rpc.CodeTimeout},
		{"cancelled", context.Canceled, rpc.CodeUnavailable},
		{"anything else", errors.New("odd"), rpc.CodeInternal},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := WireError(tt.err)
			if e.Code != tt.code || e.Hint() == "" || e.Message == "" {
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestRegistryCallsByName(t *testing.T) {
	cfg := config.Default()
	cfg.Model.Use = "none"
	cfg.Home = t.TempDir()
	m, err := mind.Open(t.Context(), mind.Options{Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	r := NewRegistry(m, moment.New(moment.Options{Mind: m}))
	ctx := rpc.WithCaller(t.Context(), rpc.Caller{Client: "test", Session: "s1"})
	out, err := r.Call(ctx, "remember", json.RawMessage(`{"content":"called by its name"}`))
	if err != nil {
		t.Fatal(err)
	}
	id := out.(mind.RememberOutput).ID
	v, err := r.Call(ctx, "get", json.RawMessage(`{"id":"`+id+`"}`))
	if err != nil || v.(mind.View).Provenance.Actor != "test" || v.(mind.View).Provenance.Session != "s1" {
		t.Errorf("%+v %v", v, err)
	}
	if _, err := r.Call(ctx, "rememver", nil); rpc.CodeOf(err) != rpc.CodeMethodNotFound {
		t.Errorf("%v", err)
	}
	// whatever an operation returns can be said in words
	for _, d := range All() {
		if len(requiredOf(t, &d)) > 0 {
			continue
		}
		result, err := r.Call(ctx, d.Name, nil)
		if err != nil {
			var e *rpc.Error
			if !errors.As(err, &e) {
				t.Errorf("%s: %v is no wire error", d.Name, err)
			}
			continue
		}
		raw, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := d.Text(raw); err != nil || text == "" {
			t.Errorf("%s in words: %q %v", d.Name, text, err)
		}
	}
}

func requiredOf(t *testing.T, d *Def) []string {
	t.Helper()
	s, err := d.InputSchema()
	if err != nil {
		t.Fatal(err)
	}
	return s.Required
}

func TestFit(t *testing.T) {
	if got := Fit("short", 100); got != "short" {
		t.Errorf("%q", got)
	}
	long := strings.Repeat("a line of text\n", 100)
	got := Fit(long, 300)
	if n := len([]rune(got)); n > 300 || !strings.Contains(got, "cut here") {
		t.Errorf("%d characters: %q", n, got)
	}
}

func TestRecallSaysHowToReadWhatDoesNotFit(t *testing.T) {
	long := strings.Repeat("words ", itemsRunes/12)
	memories := []mind.Result{{ID: "m_1", Kind: "wisdom", Text: long}, {ID: "m_2", Kind: "wisdom", Text: long}, {ID: "m_3", Kind: "wisdom", Text: long}}
	passages := []mind.Result{{ID: "u1", Kind: mind.KindPassage, Text: long}, {ID: "u2", Kind: mind.KindPassage, Text: long}, {ID: "u3", Kind: mind.KindPassage, Text: long}}
	for _, tt := range []struct {
		name      string
		out       mind.RecallOutput
		want, not string
	}{
		{"memories", mind.RecallOutput{Results: memories}, "memory get shows one", "session show"},
		{"passages", mind.RecallOutput{Results: passages}, "session show shows one", "get"},
		{"both", mind.RecallOutput{Results: append(memories[:2:2], passages...)}, "memory get shows a memory and session show a passage", "shows one"},
		{"all fit", mind.RecallOutput{Results: passages[:1]}, "words", "show"},
		{"none", mind.RecallOutput{}, "nothing is remembered", "symbol"},
		{"no symbol", mind.RecallOutput{Scope: "code"}, "no symbol of this project fits", "remembered"},
		{"conversations", mind.RecallOutput{Results: passages, Sessions: []mind.SessionResult{{ID: "s1", Passages: passages[:1]}, {ID: "s2", Passages: passages[:2]}}}, "1 of 2 conversations shown", "get"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := textRecall(tt.out)
			if !strings.Contains(got, tt.want) || strings.Contains(got, tt.not) {
				t.Errorf("want %q and not %q in …%s", tt.want, tt.not, got[max(0, len(got)-200):])
			}
			if n := utf8.RuneCountInString(got); n > 8000 {
				t.Errorf("%d characters", n)
			}
		})
	}
}

// TestIrreversibleOperationsAreForPeople holds that no profile offers an agent
// what cannot be undone, and that what a tool does not offer is refused.
func TestIrreversibleOperationsAreForPeople(t *testing.T) {
	never := []string{"session_forget", "migration_begin", "migration_finish", "migration_rollback", "rebuild", "model_use"}
	for _, profile := range Profiles() {
		offers, err := Offers(profile)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range offers {
			for action, d := range o.actions {
				if slices.Contains(never, d.Name) || d.PeopleOnly {
					t.Errorf("%s offers %s", profile, d.Name)
				}
				if d.Destructive && d.Name != "forget" { // which can be undone
					t.Errorf("%s offers %s, which is destructive", profile, d.Name)
				}
				if d.Name != "forget" {
					continue
				}
				if o.Schema.Properties["now"] != nil || slices.Contains(o.Schema.PropertyOrder, "now") {
					t.Errorf("%s offers to erase at once", profile)
				}
				for args, want := range map[string]bool{`{"id":"m_1"}`: true, `{"id":"m_1","now":true}`: false, `{"id":"m_1","Now":true}`: false} {
					if action != "" {
						args = strings.Replace(args, "{", `{"action":"`+action+`",`, 1)
					}
					if _, _, err := o.Resolve(json.RawMessage(args)); (err == nil) != want {
						t.Errorf("%s %s: %v", o.Name, args, err)
					}
				}
			}
		}
	}
	for _, name := range never {
		if !slices.ContainsFunc(All(), func(d Def) bool { return d.Name == name }) {
			t.Errorf("%s is not declared any more", name)
		}
	}
}
