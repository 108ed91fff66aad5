package ranking

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSciFact(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "corpus_train.csv", `doc_id,title,abstract,structured
11,A title.,"['One (n = 7).\n'
 ""It's two.""
 'It\'s ""three"".']",False
12,Does it?,[],True
13,No period,"['caf\xe9' 'a\u200bb' '$\\times$']",False
`)
	write(t, dir, "claims_validation.csv", `id,claim,evidence_doc_id,evidence_label,evidence_sentences,cited_doc_ids
1,First claim.,11,SUPPORT,[0],[ 11 13]
1,First claim.,13,SUPPORT,[1],[ 11 13]
2,"Second, claim.",,,[],[12 12 99]
3,Third claim.,,,[],[99]
`)
	got, err := SciFact(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := Set{Name: "scifact", Corpora: []Corpus{{
		Name: "scifact",
		Turns: []Turn{
			{ID: "11", Session: "11", Text: `A title. One (n = 7). It's two. It's "three".`},
			{ID: "12", Session: "12", Text: "Does it?"},
			{ID: "13", Session: "13", Text: "No period. café a\u200bb $\\times$"},
		},
		Questions: []Question{
			{ID: "1", Text: "First claim.", Relevant: []string{"11", "13"}},
			{ID: "2", Text: "Second, claim.", Relevant: []string{"12"}},
		},
		Skipped:  1,
		Unparsed: 2,
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestSciFactSaysWhatIsWrong(t *testing.T) {
	const documents, claims = "doc_id,title,abstract\n1,T,\"['a'\n 'b']\"\n", "id,claim,cited_doc_ids\n1,C,[1]\n"
	tests := []struct {
		name, documents, claims string
		want                    []string
	}{
		{"column missing", "doc_id,title\n", claims, []string{"corpus_train.csv", `no column "abstract"`}},
		{"empty file", "", claims, []string{"corpus_train.csv: header"}},
		{"too few fields", documents + "2,T\n", claims, []string{"corpus_train.csv", "line 4"}},
		{"not a list", documents + "2,T,abstract\n", claims, []string{"corpus_train.csv:4: document 2:", "brackets"}},
		{"no closing quote", documents + "2,T,['abstract]\n", claims, []string{"corpus_train.csv:4: document 2:", "closing quote"}},
		{"no quotes", documents + "2,T,['a' b]\n", claims, []string{"item 2", "start with a quote"}},
		{"escape cut off", documents + `2,T,['\u20]` + "\n", claims, []string{"cut off"}},
		{"escape of other letters", documents + `2,T,['\u20zz']` + "\n", claims, []string{"hexadecimal"}},
		{"backslash at the end", documents + `2,T,['a\]` + "\n", claims, []string{"backslash at the end"}},
		{"document twice", documents + "1,T,[]\n", claims, []string{"corpus_train.csv:4:", "line 2"}},
		{"document without id", documents + ",T,[]\n", claims, []string{"corpus_train.csv:4:", "without an id"}},
		{"citation no number", documents, claims + "2,C,[x]\n", []string{"claims_validation.csv:3: claim 2:", "not a number"}},
		{"claim without text", documents, claims + "2,,[1]\n", []string{"claims_validation.csv:3:", "without an id or a text"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "corpus_train.csv", tt.documents)
			write(t, dir, "claims_validation.csv", tt.claims)
			_, err := SciFact(dir)
			wantError(t, err, tt.want...)
		})
	}
}

// FuzzQuotedList holds that whatever is read in quotes ends somewhere, and
// that a list of the simplest form comes back as it is.
func FuzzQuotedList(f *testing.F) {
	f.Add(`['a' "b's"]`)
	f.Add(`['\x94\u200b\n\\']`)
	f.Add(`['a\`)
	f.Fuzz(func(t *testing.T, s string) {
		_, _ = parseQuotedList(s)
		quoted := "['" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "' \"x\"]"
		got, err := parseQuotedList(quoted)
		if err != nil || len(got) != 2 || got[0] != s || got[1] != "x" {
			t.Errorf("%q: %q %v", quoted, got, err)
		}
	})
}
