package ranking

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// locomoCategories are the kinds of questions by their number in the data.
var locomoCategories = map[int]string{
	1: "multi-hop",
	2: "temporal",
	3: "open-domain",
	4: "single-hop",
	5: "adversarial",
}

// locomoConversation is one element of the file.
type locomoConversation struct {
	ID string `json:"sample_id"`
	// Parts holds session_N and session_N_date_time beside other keys.
	Parts     map[string]json.RawMessage `json:"conversation"`
	Questions []struct {
		Text     string   `json:"question"`
		Evidence []string `json:"evidence"`
		Category int      `json:"category"`
	} `json:"qa"`
}

// locomoTurn is one element of a session.
type locomoTurn struct {
	ID      string `json:"dia_id"`
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
	Caption string `json:"blip_caption"`
}

// LoCoMo reads the JSON file of LoCoMo, one corpus per conversation. Its
// evidence is not all clean: what can be read is used, the rest counted.
func LoCoMo(path string) (Set, error) {
	f, err := openBounded(path)
	if err != nil {
		return Set{}, err
	}
	defer f.Close()
	decoder := json.NewDecoder(withoutMark(f))
	if start, err := decoder.Token(); err != nil {
		return Set{}, fmt.Errorf("%s: %w", path, err)
	} else if start != json.Delim('[') {
		return Set{}, fmt.Errorf("%s: not a list of conversations", path)
	}
	set := Set{Name: LoCoMoName}
	for decoder.More() {
		row := len(set.Corpora) + 1
		var c locomoConversation
		if err := decoder.Decode(&c); err != nil {
			return Set{}, fmt.Errorf("%s: conversation %d: %w", path, row, err)
		}
		if c.ID == "" {
			c.ID = fmt.Sprintf("conversation-%d", row)
		}
		corpus, err := c.corpus()
		if err != nil {
			return Set{}, fmt.Errorf("%s: conversation %d (%s): %w", path, row, c.ID, err)
		}
		set.Corpora = append(set.Corpora, corpus)
	}
	if _, err := decoder.Token(); err != nil {
		return Set{}, fmt.Errorf("%s: after conversation %d: %w", path, len(set.Corpora), err)
	}
	if len(set.Corpora) == 0 {
		return Set{}, fmt.Errorf("%s holds no conversations", path)
	}
	return set, nil
}

func (c locomoConversation) corpus() (Corpus, error) {
	corpus := Corpus{Name: c.ID}
	for _, number := range c.sessions() {
		session := "session_" + strconv.Itoa(number)
		turns, err := c.turns(session)
		if err != nil {
			return Corpus{}, fmt.Errorf("%s: %w", session, err)
		}
		corpus.Turns = append(corpus.Turns, turns...)
	}
	known := directoryOf(corpus.Turns)
	if len(known.sessionOf) < len(corpus.Turns) {
		return Corpus{}, fmt.Errorf("turn id %q is used twice", repeatedID(corpus.Turns))
	}
	for i, q := range c.Questions {
		if strings.TrimSpace(q.Text) == "" {
			return Corpus{}, fmt.Errorf("question %d has no text", i+1)
		}
		category, ok := locomoCategories[q.Category]
		if !ok {
			category = "category " + strconv.Itoa(q.Category)
		}
		question := Question{ID: fmt.Sprintf("%s/%d", c.ID, i+1), Text: q.Text, Category: category}
		for _, evidence := range q.Evidence {
			ids, unreadable := readEvidence(evidence)
			question.Relevant = append(question.Relevant, ids...)
			corpus.Unparsed += unreadable
		}
		corpus.ask(question, known)
	}
	return corpus, nil
}

// sessions returns the numbers of the sessions that have turns, in order.
// Some conversations date sessions that they do not hold.
func (c locomoConversation) sessions() []int {
	var numbers []int
	for key := range c.Parts {
		digits, ok := strings.CutPrefix(key, "session_")
		if !ok {
			continue
		}
		if number, err := strconv.Atoi(digits); err == nil && strconv.Itoa(number) == digits {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// turns reads one session. Its turns are a second apart, to keep their order.
func (c locomoConversation) turns(session string) ([]Turn, error) {
	start, err := parseTime(c.Parts[session+"_date_time"])
	if err != nil {
		return nil, err
	}
	var parts []locomoTurn
	if err := json.Unmarshal(c.Parts[session], &parts); err != nil {
		return nil, err
	}
	turns := make([]Turn, 0, len(parts))
	for i, p := range parts {
		if p.ID == "" {
			return nil, errors.New("turn without a dia_id")
		}
		turn := Turn{ID: p.ID, Session: session, Speaker: p.Speaker, Text: p.Text}
		if p.Caption != "" {
			turn.Text = strings.TrimSpace(turn.Text + " [shares a photo: " + p.Caption + "]")
		}
		if !start.IsZero() {
			turn.Time = start.Add(time.Duration(i) * time.Second)
		}
		turns = append(turns, turn)
	}
	return turns, nil
}

func repeatedID(turns []Turn) string {
	seen := map[string]bool{}
	for _, t := range turns {
		if seen[t.ID] {
			return t.ID
		}
		seen[t.ID] = true
	}
	return ""
}

// reference is a turn named in evidence: D8:6, also written D:8:6 or D08:06.
// It is compiled at its first use, and not in every process.
var reference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)D:?\s*([0-9]+)\s*:\s*([0-9]+)`) })

// readEvidence returns the ids of the turns that a piece of evidence names,
// and 1 if something in it could not be read.
func readEvidence(evidence string) (ids []string, unreadable int) {
	for _, match := range reference().FindAllStringSubmatch(evidence, -1) {
		ids = append(ids, "D"+withoutZeros(match[1])+":"+withoutZeros(match[2]))
	}
	rest := reference().ReplaceAllString(evidence, "")
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	if len(ids) == 0 || strings.ContainsFunc(rest, isWord) {
		unreadable = 1
	}
	return ids, unreadable
}

func withoutZeros(digits string) string {
	if short := strings.TrimLeft(digits, "0"); short != "" {
		return short
	}
	return "0"
}
