package ranking

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const locomoFile = `[{
  "sample_id": "conv-1",
  "conversation": {
    "speaker_a": "Ann", "speaker_b": "Bob",
    "session_10_date_time": "12:09 am on 13 September, 2023",
    "session_10": [{"speaker": "Bob", "dia_id": "D10:1", "text": "Back again."}],
    "session_2_date_time": "1:56 pm on 8 May, 2023",
    "session_2": [
      {"speaker": "Ann", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a dog on a wall", "img_url": ["x"]},
      {"speaker": "Bob", "dia_id": "D2:2", "text": "Cute."}],
    "session_11_date_time": "1:00 pm on 1 January, 2024"
  },
  "qa": [
    {"question": "Clean?", "answer": 3, "evidence": ["D2:1"], "category": 4},
    {"question": "Joined?", "evidence": ["D2:1; D10:1", "D2:2 D2:1"], "category": 1},
    {"question": "Zeros and colons?", "evidence": ["D02:02", "D:10:1", "D"], "category": 2},
    {"question": "Gone?", "evidence": ["D10:19"], "category": 3},
    {"question": "None?", "evidence": [], "category": 5},
    {"question": "New kind?", "evidence": ["(D10:1)", "D2:2 or so"], "category": 9}
  ],
  "session_summary": {}
}]`

func TestLoCoMo(t *testing.T) {
	got, err := LoCoMo(write(t, t.TempDir(), "locomo.json", locomoFile))
	if err != nil {
		t.Fatal(err)
	}
	first := time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC)
	want := Set{Name: "locomo", Corpora: []Corpus{{
		Name: "conv-1",
		Turns: []Turn{
			{ID: "D2:1", Session: "session_2", Speaker: "Ann", Text: "Look! [shares a photo: a dog on a wall]", Time: first},
			{ID: "D2:2", Session: "session_2", Speaker: "Bob", Text: "Cute.", Time: first.Add(time.Second)},
			{ID: "D10:1", Session: "session_10", Speaker: "Bob", Text: "Back again.", Time: time.Date(2023, 9, 13, 0, 9, 0, 0, time.UTC)},
		},
		Questions: []Question{
			{ID: "conv-1/1", Text: "Clean?", Category: "single-hop", Relevant: []string{"D2:1"}},
			{ID: "conv-1/2", Text: "Joined?", Category: "multi-hop", Relevant: []string{"D2:1", "D10:1", "D2:2"}},
			{ID: "conv-1/3", Text: "Zeros and colons?", Category: "temporal", Relevant: []string{"D2:2", "D10:1"}},
			{ID: "conv-1/6", Text: "New kind?", Category: "category 9", Relevant: []string{"D10:1", "D2:2"}},
		},
		Skipped:  2,
		Unparsed: 3, // "D", the absent D10:19, "or so"
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestLoCoMoSaysWhatIsWrong(t *testing.T) {
	tests := []struct {
		name, content string
		want          []string
	}{
		{"not a list", `{}`, []string{"not a list"}},
		{"empty file", ``, []string{"locomo.json: EOF"}},
		{"empty list", `[]`, []string{"no conversations"}},
		{"cut off", locomoFile[:len(locomoFile)-1], []string{"after conversation 1"}},
		{"cut off inside", locomoFile[:300], []string{"conversation 1"}},
		{"strange date", strings.Replace(locomoFile, "8 May, 2023", "8.5.", 1), []string{"conversation 1 (conv-1): session_2:", "8.5."}},
		{"turn twice", strings.Replace(locomoFile, `"D2:2", "text"`, `"D2:1", "text"`, 1), []string{`"D2:1" is used twice`}},
		{"turn without id", strings.Replace(locomoFile, `"dia_id": "D2:2", `, "", 1), []string{"session_2: turn without a dia_id"}},
		{"question without text", strings.Replace(locomoFile, "Joined?", "", 1), []string{"(conv-1): question 2"}},
		{"evidence of another type", strings.Replace(locomoFile, `["D2:1"]`, `"D2:1"`, 1), []string{"conversation 1", "evidence"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := LoCoMo(write(t, t.TempDir(), "locomo.json", tt.content))
			wantError(t, err, append(tt.want, "locomo.json")...)
		})
	}
}
