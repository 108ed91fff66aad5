package recall

import (
	"slices"
	"testing"
	"time"
)

func TestQuestionsAreToldInTheFirstPerson(t *testing.T) {
	people := []string{"caroline", "melanie", "will", "jon smith", "王", "bill", "customer", "王小明", "小明", "田中", "민수", "ann"}
	tests := []struct {
		text, told string
		named      []string
	}{
		{"What did Caroline research?", "What did I research?", []string{"caroline"}},
		{"What is Caroline's identity?", "What is my identity?", []string{"caroline"}},
		{"what does melanie like", "what does I like", []string{"melanie"}}, // hers and no other word
		{"what is melanie's and caroline’s plan", "what is our plan", []string{"melanie", "caroline"}},
		{"melanie likes what", "I likes what", []string{"melanie"}},
		{"what did mel paint", "what did mel paint", nil}, // not all of the name
		{"where is jon smith's dog", "where is my dog", []string{"jon smith"}},
		{"where is jon's dog", "where is jon's dog", nil},
		{"which customer paid the bill", "which customer paid the bill", nil}, // more often words than names
		{"what did Bill pay", "what did I pay", []string{"bill"}},
		{"annual planning", "annual planning", nil},
		{"王小明喜欢什么？", "王小明喜欢什么？", []string{"王小明"}}, // and not the shorter name in it
		{"王小明 said what?", "I said what?", []string{"王小明"}},
		{"昨天小明说了什么", "昨天小明说了什么", []string{"小明"}},
		{"国王喜欢什么", "国王喜欢什么", nil}, // one character is a part of many words
		{"王 said what?", "I said what?", []string{"王"}},
		{"田中さんは何が好きですか", "田中さんは何が好きですか", []string{"田中"}},
		{"어제 민수는 뭐라고 했어", "어제 민수는 뭐라고 했어", []string{"민수"}},
		{"국민수는 얼마야", "국민수는 얼마야", nil}, // inside of another word
		{"how high was the will power bill", "how high was the will power bill", nil},
		{"Melanie likes what?", "I likes what?", []string{"melanie"}},
		{"What did Mel paint?", "What did I paint?", []string{"melanie"}},
		{"Mel paints", "Mel paints", nil}, // begins the question: may be any word
		{"When did Will ship it?", "When did I ship it?", []string{"will"}},
		{"Will it rain?", "Will it rain?", nil},
		{"what will happen", "what will happen", nil},
		{"Did Melanie and Caroline meet?", "Did we meet?", []string{"melanie", "caroline"}},
		{"Where is Jon Smith's dog?", "Where is my dog?", []string{"jon smith"}},
		{"Carolines house", "Carolines house", nil},
		{"", "", nil},
	}
	for _, tt := range tests {
		got := readQuestion(&Query{Text: tt.text}, people)
		if got.told != tt.told || !slices.Equal(got.named, tt.named) {
			t.Errorf("%q: %q %v, want %q %v", tt.text, got.told, got.named, tt.told, tt.named)
		}
	}
}

func TestSpeakerFit(t *testing.T) {
	one, two, none := question{named: []string{"ann"}}, question{named: []string{"ann", "bob"}}, question{}
	for _, tt := range []struct {
		q       question
		speaker string
		want    float64
	}{{one, "ann", 0.5}, {one, "bob", -0.5}, {one, "", 0}, {two, "ann", 0}, {none, "ann", 0}} {
		if got := tt.q.speakerFit(tt.speaker); got != tt.want {
			t.Errorf("%v of %q: %v, want %v", tt.q.named, tt.speaker, got, tt.want)
		}
	}
	if one.participantFit([]string{"cy", "ann"}) != 0.5 || one.participantFit([]string{"cy"}) != -0.5 || none.participantFit(nil) != 0 {
		t.Error("participants")
	}
}

func TestWhoIsAskedAbout(t *testing.T) {
	for text, want := range map[string]string{
		"What did I say about tests?": roleUser, "what is my favourite editor": roleUser, "what did Ann tell me": roleUser,
		"Remind me of it": "", "remind me what Ann said": "", "Please tell me about the cache": "", "OK, could you show me the plan": "",
		"Remind me what I said": roleUser, "remind me of my plan": roleUser, "did it remind me": roleUser,
		"why is I/O slow": "", "I/O of the disk": "", "how fast is async i/o?": "", "what did I/we decide": "", "I'll need it": roleUser,
		"I've seen this before, where?": roleUser, "why does the socket hang": "", "the API of i18n": "",
		"MI5": "", "which mine is it": roleUser, "section I-4": "",
		"Remind me what you recommended for the backup": roleAssistant, "the library you had suggested": roleAssistant,
		"What was your advice on caching?": roleAssistant, "can you find the bug": "", "did you know": "",
	} {
		if got := readQuestion(&Query{Text: text}, nil).about; got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestReadDates(t *testing.T) {
	now := time.Date(2026, 3, 18, 15, 0, 0, 0, time.UTC) // a Wednesday
	on := func(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }
	span := func(from, to time.Time) []namedTime { return []namedTime{{from: from, to: to}} }
	tests := []struct {
		text string
		want []namedTime
	}{
		{"What happened on 7 May, 2023?", []namedTime{dateOf(2023, 5, 7)}},
		{"What happened on May 7th 2023?", []namedTime{dateOf(2023, 5, 7)}},
		{"on the 3rd of June", []namedTime{dateOf(0, 6, 3)}},
		{"released 2023-05-07", []namedTime{dateOf(2023, 5, 7)}},
		{"in May 2023", []namedTime{dateOf(2023, 5, 0)}},
		{"what did we do in August?", []namedTime{dateOf(0, 8, 0)}},
		{"in summer 2022", []namedTime{dateOf(2022, 0, 0)}},
		{"In 2023 what broke?", []namedTime{dateOf(2023, 0, 0)}},
		{"Python 3 may break the build", nil},
		{"does 3 march count", nil},
		{"on 3rd may", []namedTime{dateOf(0, 5, 3)}},
		{"What does April have on the canvas?", nil},
		{"between Jan 3 and Feb 4", []namedTime{dateOf(0, 1, 3), dateOf(0, 2, 4)}},
		{"May I ask?", nil},
		{"you may march on", nil},
		{"port 2023 is taken", nil},
		{"error 404 in 12 files", nil},
		{"the 32 March 2020 bug", []namedTime{dateOf(2020, 3, 0)}},
		{"what broke yesterday", span(on(2026, 3, 17), on(2026, 3, 18))},
		{"what broke two weeks ago", span(on(2026, 3, 1), on(2026, 3, 8))},
		{"the fix of last month", span(on(2026, 2, 1), on(2026, 3, 1))},
		{"what did we decide last Friday", span(on(2026, 3, 13), on(2026, 3, 14))},
		{"last Wednesday", span(on(2026, 3, 11), on(2026, 3, 12))},
		{"last weekend", span(on(2026, 3, 14), on(2026, 3, 16))},
		{"last year", span(on(2025, 1, 1), on(2026, 1, 1))},
		{"3 days ago", span(on(2026, 3, 15), on(2026, 3, 16))},
		{"yesterday, on 7 May 2023", []namedTime{dateOf(2023, 5, 7)}},
		{"", nil},
	}
	for _, tt := range tests {
		if got := readDates(tt.text, now); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
		}
	}
	if got := readDates("yesterday", time.Time{}); got != nil {
		t.Errorf("without a now: %v", got)
	}
}

func TestDateFit(t *testing.T) {
	at := func(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 12, 0, 0, 0, time.UTC) }
	tests := []struct {
		named namedTime
		when  time.Time
		want  float64
	}{
		{dateOf(2023, 5, 0), at(2023, 5, 20), 1},
		{dateOf(2023, 5, 0), at(2022, 5, 20), 0},
		{dateOf(0, 5, 0), at(2022, 5, 20), 1},
		{dateOf(2023, 0, 0), at(2023, 9, 1), 0.3},
		{dateOf(2023, 5, 7), at(2023, 5, 7), 2},
		{dateOf(2023, 5, 7), at(2023, 5, 12), 1.5},
		{dateOf(2023, 5, 31), at(2023, 6, 2), 0.8},
		{dateOf(2023, 5, 7), at(2023, 8, 1), 0},
		{dateOf(0, 1, 1), at(2022, 12, 31), 0.9},
		{dateOf(2023, 5, 7), time.Time{}, 0},
		{namedTime{from: at(2023, 5, 1), to: at(2023, 5, 8)}, at(2023, 5, 3), 0.5},
		{namedTime{from: at(2023, 5, 1), to: at(2023, 5, 8)}, at(2023, 6, 3), 0},
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
	f.Add("王小明\xff喜欢", "王小明")
	f.Add("where is jon smith's dog", "jon  smith ")
	f.Fuzz(func(t *testing.T, text, name string) {
		q := readQuestion(&Query{Text: text, Now: time.Unix(1e9, 0)}, []string{name})
		for _, d := range q.dates {
			if !d.valid() {
				t.Fatalf("%q: %+v", text, d)
			}
		}
	})
}
