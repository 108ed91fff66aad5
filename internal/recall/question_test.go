package recall

import (
	"slices"
	"testing"
	"time"
)

func TestNamesAreTakenOutOfQuestions(t *testing.T) {
	tests := []struct {
		text, plain string
		named       []string
	}{
		{"What did Caroline research?", "What did research?", []string{"Caroline"}},
		{"What is Caroline's identity?", "What is identity?", []string{"Caroline"}},
		{"When will Will ship it?", "When will ship it?", []string{"Will"}},
		{"what will happen", "what will happen", nil},
		{"Carolines house", "Carolines house", nil},
		{"Did Melanie and Caroline meet?", "Did and meet?", []string{"Caroline", "Melanie"}},
		{"Caroline", "Caroline", []string{"Caroline"}},
		{"", "", nil},
	}
	for _, tt := range tests {
		got := readQuestion(&Query{Text: tt.text}, []string{"Caroline", "Melanie", "Will"})
		if got.plain != tt.plain || !slices.Equal(got.named, tt.named) {
			t.Errorf("%q: %q %v, want %q %v", tt.text, got.plain, got.named, tt.plain, tt.named)
		}
	}
}

func TestSpeakerFit(t *testing.T) {
	one, two, none := question{named: []string{"Ann"}}, question{named: []string{"Ann", "Bob"}}, question{}
	for _, tt := range []struct {
		q       question
		speaker string
		want    float64
	}{{one, "Ann", 1}, {one, "Bob", -1}, {one, "", 0}, {two, "Ann", 0}, {none, "Ann", 0}} {
		if got := tt.q.speakerFit(tt.speaker); got != tt.want {
			t.Errorf("%v of %q: %v, want %v", tt.q.named, tt.speaker, got, tt.want)
		}
	}
}

func TestQuestionsAboutTheUser(t *testing.T) {
	for text, want := range map[string]bool{
		"What did I say about tests?": true, "what is my favourite editor": true, "remind me of it": true,
		"I've seen this before, where?": true, "why does the socket hang": false, "the API of i18n": false,
		"MI5": false, "which mine is it": true, "section I-4": false,
	} {
		if got := readQuestion(&Query{Text: text}, nil).user; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestReadDates(t *testing.T) {
	now := time.Date(2026, 3, 18, 15, 0, 0, 0, time.UTC) // a Wednesday
	tests := []struct {
		text string
		want []dateRange
	}{
		{"What happened on 7 May, 2023?", []dateRange{{2023, 5, 7}}},
		{"What happened on May 7th 2023?", []dateRange{{2023, 5, 7}}},
		{"on the 3rd of June", []dateRange{{0, 6, 3}}},
		{"released 2023-05-07", []dateRange{{2023, 5, 7}}},
		{"in May 2023", []dateRange{{2023, 5, 0}}},
		{"what did we do in August?", []dateRange{{0, 8, 0}}},
		{"in summer 2022", []dateRange{{2022, 0, 0}}},
		{"between Jan 3 and Feb 4", []dateRange{{0, 1, 3}, {0, 2, 4}}},
		{"May I ask?", nil},
		{"you may march on", nil},
		{"port 2023 is taken", nil},
		{"error 404 in 12 files", nil},
		{"the 32 March 2020 bug", []dateRange{{2020, 3, 0}}},
		{"what broke yesterday", []dateRange{{2026, 3, 17}}},
		{"what broke two weeks ago", []dateRange{{2026, 3, 4}}},
		{"the fix of last month", []dateRange{{2026, 2, 0}}},
		{"what did we decide last Friday", []dateRange{{2026, 3, 13}}},
		{"last year", []dateRange{{2025, 0, 0}}},
		{"3 days ago", []dateRange{{2026, 3, 15}}},
		{"", nil},
	}
	for _, tt := range tests {
		if got := readDates(tt.text, now); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
		}
	}
}

func TestDateFit(t *testing.T) {
	at := func(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 12, 0, 0, 0, time.UTC) }
	tests := []struct {
		named dateRange
		when  time.Time
		want  float64
	}{
		{dateRange{2023, 5, 0}, at(2023, 5, 20), 1},
		{dateRange{2023, 5, 0}, at(2022, 5, 20), 0},
		{dateRange{0, 5, 0}, at(2022, 5, 20), 1},
		{dateRange{2023, 0, 0}, at(2023, 9, 1), 0.3},
		{dateRange{2023, 5, 7}, at(2023, 5, 7), 2},
		{dateRange{2023, 5, 7}, at(2023, 5, 12), 1.5},
		{dateRange{2023, 5, 31}, at(2023, 6, 2), 0.8},
		{dateRange{2023, 5, 7}, at(2023, 8, 1), 0},
		{dateRange{2023, 5, 7}, time.Time{}, 0},
	}
	for _, tt := range tests {
		if got := tt.named.fit(tt.when); got < tt.want-0.01 || got > tt.want+0.01 {
			t.Errorf("%v at %v: %v, want %v", tt.named, tt.when, got, tt.want)
		}
	}
}

func FuzzReadQuestion(f *testing.F) {
	f.Add("What did Ann do on 7 May 2023?", "Ann")
	f.Add("\xff\x00May 99, 2023", "")
	f.Fuzz(func(t *testing.T, text, name string) {
		q := readQuestion(&Query{Text: text, Now: time.Unix(1e9, 0)}, []string{name})
		for _, d := range q.dates {
			if !d.valid() {
				t.Fatalf("%q: %+v", text, d)
			}
		}
	})
}
