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
		{"turn twice in a session", `{"id":1,"session":"s","text":"x"}` + "\n" + `{"id":"1","session":"s","text":"y"}`, question, []string{"x.turns.jsonl:2:", `"1" was used on line 1`}},
		{"turns that cannot be told apart", `{"id":"c","session":"a:b","text":""}` + "\n" + `{"id":"c","session":"d","text":""}` + "\n" + `{"id":"a:b:c","text":""}`, question, []string{"x.turns.jsonl", `"a:b:c"`, "another id"}},
		{"category of another type", turn, `{"id":"q","text":"y","category":["a"]}`, []string{"x.queries.jsonl:1:", "neither a string nor a number"}},
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

// An id is unique in its session; labels may name the session too.
func TestTurnsOfSeveralSessions(t *testing.T) {
	dir := t.TempDir()
	turns := write(t, dir, "x.turns.jsonl", `{"id":1,"session":"s1","role":"user","text":"a"}
{"id":2,"session":"s1","role":"assistant","text":"b"}
{"id":1,"session":"s2","role":"user","text":"c"}
{"id":3,"session":"s2","role":"assistant","text":"d"}
{"id":1,"text":"e"}
{"id":"s1:9","text":"f"}
{"id":9,"session":"s1","text":"g"}`)
	queries := write(t, dir, "x.queries.jsonl", `{"id":"whole","text":"?","relevant":["s2:1"],"category":2}
{"id":"whole though unique","text":"?","relevant":["s2:3","3"],"category":"multi-hop"}
{"id":"shared","text":"?","relevant":[1],"category":null}
{"id":"session","text":"?","relevant":["s1"],"category":-1.5}
{"id":"an id that looks like another","text":"?","relevant":["s1:9"]}
{"id":"unknown","text":"?","relevant":["s3:1","s1:3"]}`)
	got, err := Turns(turns, queries)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, turn := range got.Turns {
		ids = append(ids, turn.ID)
	}
	if diff := cmp.Diff([]string{"s1:1", "2", "s2:1", "3", "1", "s1:9", "9"}, ids); diff != "" {
		t.Errorf("turns (-want +got)\n%s", diff)
	}
	want := []Question{
		{ID: "whole", Text: "?", Category: "2", Relevant: []string{"s2:1"}},
		{ID: "whole though unique", Text: "?", Category: "multi-hop", Relevant: []string{"3"}},
		{ID: "shared", Text: "?", Relevant: []string{"s1:1", "s2:1", "1"}},
		{ID: "session", Text: "?", Category: "-1.5", Relevant: []string{"s1"}},
		{ID: "an id that looks like another", Text: "?", Relevant: []string{"s1:9"}},
	}
	if diff := cmp.Diff(want, got.Questions); diff != "" || got.Skipped != 1 || got.Unparsed != 2 {
		t.Errorf("skipped %d, unparsed %d (-want +got)\n%s", got.Skipped, got.Unparsed, diff)
	}
}

// The shapes of public sets: sessions of people with ids like D1:3 and numbers
// for categories, and sessions of an assistant with roles and turns counted
// from 0 in each.
func TestTurnsOfPublicShapes(t *testing.T) {
	for _, tt := range []struct {
		name, turns, queries string
		want                 []Question
	}{
		{"people", `{"id":"D1:1","session":"session_1","speaker":"Caroline","time":"1:56 pm on 8 May, 2023","text":"Hey Mel!"}

{"id":"D1:2","session":"session_1","speaker":"Melanie","time":"1:56 pm on 8 May, 2023","text":"Hey Caroline!"}
{"id":"D2:1","session":"session_2","speaker":"Caroline","text":"I went hiking."}
`, `{"id":1,"text":"When did Caroline go hiking?","category":2,"relevant":["D2:1"]}

`, []Question{{ID: "1", Text: "When did Caroline go hiking?", Category: "2", Relevant: []string{"D2:1"}}}},
		{"assistant", `{"id":0,"session":"answer_280352e9","role":"user","time":"2023/05/20 (Sat) 02:21","text":"I graduated."}
{"id":1,"session":"answer_280352e9","role":"assistant","time":"2023/05/20 (Sat) 02:21","text":"Congratulations!"}
{"id":0,"session":"ultrachat_17","role":"user","text":"Hello"}
{"id":1,"session":"ultrachat_17","role":"assistant","text":"Hi"}
`, `{"id":"e47becba","text":"What did I graduate in?","time":"2023/05/30 (Tue) 23:40","category":"single-session-user","relevant":["answer_280352e9:0"]}
{"id":"e47becbb","text":"Which session?","relevant":["answer_280352e9"]}
`, []Question{
			{ID: "e47becba", Text: "What did I graduate in?", Time: time.Date(2023, 5, 30, 23, 40, 0, 0, time.UTC), Category: "single-session-user", Relevant: []string{"answer_280352e9:0"}},
			{ID: "e47becbb", Text: "Which session?", Relevant: []string{"answer_280352e9"}},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			got, err := Turns(write(t, dir, "x.turns.jsonl", tt.turns), write(t, dir, "x.queries.jsonl", tt.queries))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Questions); diff != "" || got.Skipped+got.Unparsed != 0 {
				t.Errorf("(-want +got)\n%s", diff)
			}
			answers := make([]Ranked, len(got.Questions))
			for i, q := range got.Questions { // what is asked for comes first
				answers[i] = Ranked{Turns: q.Relevant, Sessions: []string{directoryOf(got.Turns).sessionOf[q.Relevant[0]]}}
			}
			scores, err := Evaluate(got, answers)
			if err != nil || scores[0].Metrics.Turn.R5 != 100 || scores[0].Metrics.Session.Hit1 != 100 {
				t.Errorf("%+v %v", scores, err)
			}
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
