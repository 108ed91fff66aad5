package ranking

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTurns(t *testing.T) {
	dir := t.TempDir()
	turns := write(t, dir, "talk.turns.jsonl", "\ufeff"+`{"id":"a","session":"s1","speaker":"Ann","role":"user","time":"2023-05-08T13:56:00Z","text":"I moved to Delft."}

{"id":2,"session":7,"role":"assistant","time":1683554160,"text":"Nice!"}
{"id":"c","text":"","extra":[1,2]}
`)
	queries := write(t, dir, "talk.queries.jsonl", `{"id":1,"text":"Where does Ann live?","time":"2023/05/20 (Sat) 02:21","relevant":["a",2,"a","gone"],"category":"place"}
{"id":"q2","text":"Which session?","relevant":[7]}
  {"id":"q3","text":"Nothing known?","relevant":["gone"]}
{"id":"q4","text":"Nothing said?"}`)
	got, err := Turns(turns, queries)
	if err != nil {
		t.Fatal(err)
	}
	afternoon := time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC)
	want := Corpus{
		Name: "talk",
		Turns: []Turn{
			{ID: "a", Session: "s1", Speaker: "Ann", Role: "user", Text: "I moved to Delft.", Time: afternoon},
			{ID: "2", Session: "7", Role: "assistant", Text: "Nice!", Time: afternoon},
			{ID: "c"},
		},
		Questions: []Question{
			{ID: "1", Text: "Where does Ann live?", Category: "place", Time: time.Date(2023, 5, 20, 2, 21, 0, 0, time.UTC), Relevant: []string{"a", "2"}},
			{ID: "q2", Text: "Which session?", Relevant: []string{"7"}},
		},
		Skipped:  2,
		Unparsed: 2,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTurnsNamesTheLine(t *testing.T) {
	const turn, question = `{"id":"a","text":"x"}`, `{"id":"q","text":"y","relevant":["a"]}`
	tests := []struct {
		name, turns, queries string
		want                 []string
	}{
		{"no JSON", turn + "\n\nnot JSON", question, []string{"x.turns.jsonl:3:"}},
		{"cut off", turn, question[:20], []string{"x.queries.jsonl:1:"}},
		{"trailing text", turn + "}", question, []string{"x.turns.jsonl:1:"}},
		{"turn without id", `{"text":"x"}`, question, []string{"x.turns.jsonl:1:", "without an id"}},
		{"turn without text", `{"id":"a"}`, question, []string{"x.turns.jsonl:1:", "no text"}},
		{"turn id of another type", `{"id":["a"],"text":"x"}`, question, []string{"x.turns.jsonl:1:", "neither a string nor a number"}},
		{"turn twice", turn + "\n" + turn, question, []string{"x.turns.jsonl:2:", `"a" was used on line 1`}},
		{"strange time", `{"id":"a","text":"x","time":"soon"}`, question, []string{"x.turns.jsonl:1:", `"soon"`}},
		{"no turns", "\n", question, []string{"x.turns.jsonl", "no turns"}},
		{"question without id", turn, `{"text":"y"}`, []string{"x.queries.jsonl:1:", "without an id"}},
		{"question without text", turn, question + "\n" + `{"id":"r","text":" "}`, []string{"x.queries.jsonl:2:", "no text"}},
		{"question twice", turn, question + "\n" + question, []string{"x.queries.jsonl:2:", "line 1"}},
		{"empty label", turn, `{"id":"q","text":"y","relevant":[null]}`, []string{"x.queries.jsonl:1:", "empty id"}},
		{"labels not in a list", turn, `{"id":"q","text":"y","relevant":"a"}`, []string{"x.queries.jsonl:1:"}},
		{"line too long", turn + "\n" + strings.Repeat(" ", maxLineBytes+1), question, []string{"x.turns.jsonl:2:", "longer than 16 MiB"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			_, err := Turns(write(t, dir, "x.turns.jsonl", tt.turns), write(t, dir, "x.queries.jsonl", tt.queries))
			wantError(t, err, tt.want...)
		})
	}
}

func TestPairs(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b", "a"} {
		write(t, dir, name+".turns.jsonl", `{"id":"1","text":"x"}`)
		write(t, dir, name+".queries.jsonl", `{"id":"q","text":"y","relevant":[1]}`)
	}
	write(t, dir, "README.md", "not data")
	set, err := Pairs(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Corpora) != 2 || set.Corpora[0].Name != "a" || set.Corpora[1].Name != "b" || len(set.Corpora[0].Questions) != 1 {
		t.Errorf("%+v", set)
	}
	write(t, dir, "c.turns.jsonl", `{"id":"1","text":"x"}`)
	_, err = Pairs(dir)
	wantError(t, err, "c.queries.jsonl is missing")
	if err := os.Rename(filepath.Join(dir, "c.turns.jsonl"), filepath.Join(dir, "c.queries.jsonl")); err != nil {
		t.Fatal(err)
	}
	_, err = Pairs(dir)
	wantError(t, err, "c.turns.jsonl is missing")
	_, err = Pairs(t.TempDir())
	wantError(t, err, "holds no NAME.turns.jsonl")
}

func TestParseTime(t *testing.T) {
	day := time.Date(2023, 5, 8, 0, 0, 0, 0, time.UTC)
	afternoon := day.Add(13*time.Hour + 56*time.Minute)
	tests := []struct {
		raw  string
		want time.Time
	}{
		{``, time.Time{}},
		{`null`, time.Time{}},
		{`" "`, time.Time{}},
		{`"2023-05-08T13:56:00Z"`, afternoon},
		{`"2023-05-08T15:56:00.5+02:00"`, afternoon.Add(500 * time.Millisecond)},
		{`"2023-05-08T13:56:00"`, afternoon},
		{`"2023-05-08 13:56"`, afternoon},
		{`"2023-05-08"`, day},
		{`"1:56 pm on 8 May, 2023"`, afternoon},
		{`"12:00 am on 8 May, 2023"`, day},
		{`"2023/05/08 (Mon) 13:56"`, afternoon},
		{`1683554160`, afternoon},
		{`1683554160000`, afternoon},
		{`1683554160.25`, afternoon.Add(250 * time.Millisecond)},
		{`"1683554160"`, afternoon},
		{`-1`, time.Unix(-1, 0)},
	}
	for _, tt := range tests {
		got, err := parseTime(json.RawMessage(tt.raw))
		if err != nil || !got.Equal(tt.want) {
			t.Errorf("%s: %v %v, want %v", tt.raw, got, err, tt.want)
		}
	}
	for _, raw := range []string{`"soon"`, `"2023"`, `"20230508"`, `1e300`, `true`, `{}`, `"8 May"`} {
		if got, err := parseTime(json.RawMessage(raw)); err == nil {
			t.Errorf("%s: read as %v", raw, got)
		}
	}
}

// FuzzLines holds that what was read from a line can be written and read again.
func FuzzLines(f *testing.F) {
	f.Add([]byte(`{"id":"a","session":"s1","speaker":"Ann","role":"user","time":"2023-05-08T13:56:00Z","text":"x"}`))
	f.Add([]byte(`{"id":-2.5e3,"session":7,"time":1683554160,"text":""}`))
	f.Add([]byte(`{"id":1,"text":"Where?","time":"2023/05/20 (Sat) 02:21","relevant":["a",2],"category":"place"}`))
	f.Add([]byte(`{"id":null,"text":"1:56 pm on 8 May, 2023"}`))
	f.Add([]byte(`{"id":"a","text":"x","time":"1:56 pm on 8 May, 2023"}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if turn, err := parseTurn(line); err == nil {
			again, err := parseTurn(rewrite(t, turn.Time, map[string]any{
				"id": turn.ID, "session": turn.Session, "speaker": turn.Speaker, "role": turn.Role, "text": turn.Text,
			}))
			if diff := cmp.Diff(turn, again); err != nil || diff != "" {
				t.Errorf("turn: %v %s", err, diff)
			}
		}
		if q, err := parseQuestion(line); err == nil {
			again, err := parseQuestion(rewrite(t, q.Time, map[string]any{
				"id": q.ID, "text": q.Text, "category": q.Category, "relevant": q.Relevant,
			}))
			if diff := cmp.Diff(q, again); err != nil || diff != "" {
				t.Errorf("question: %v %s", err, diff)
			}
		}
	})
}

func rewrite(t *testing.T, at time.Time, fields map[string]any) []byte {
	t.Helper()
	if !at.IsZero() {
		fields["time"] = at.Format(time.RFC3339Nano)
	}
	line, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return line
}
