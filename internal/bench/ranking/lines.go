package ranking

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	turnsSuffix   = ".turns.jsonl"
	queriesSuffix = ".queries.jsonl"
)

// Pairs reads every NAME.turns.jsonl with its NAME.queries.jsonl in a folder,
// sorted by name.
func Pairs(dir string) (Set, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return Set{}, err
	}
	has := map[string]bool{}
	var names []string
	for _, e := range entries {
		has[e.Name()] = true
		for _, suffix := range []string{turnsSuffix, queriesSuffix} {
			if name, ok := strings.CutSuffix(e.Name(), suffix); ok && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return Set{}, fmt.Errorf("%s holds no NAME%s with a NAME%s", dir, turnsSuffix, queriesSuffix)
	}
	slices.Sort(names)
	set := Set{Name: "pairs"}
	for _, name := range names {
		for _, file := range []string{name + turnsSuffix, name + queriesSuffix} {
			if !has[file] {
				return Set{}, fmt.Errorf("%s: %s is missing", dir, file)
			}
		}
		corpus, err := Turns(filepath.Join(dir, name+turnsSuffix), filepath.Join(dir, name+queriesSuffix))
		if err != nil {
			return Set{}, err
		}
		set.Corpora = append(set.Corpora, corpus)
	}
	return set, nil
}

// Turns reads a corpus from two files with one JSON object per line:
//
//	{"id": "t1", "session": "s1", "speaker": "Ann", "role": "user", "time": "2023-05-08", "text": "…"}
//	{"id": "q1", "text": "…", "time": "2023-06-01", "category": "…", "relevant": ["t1"]}
//
// Ids and categories are strings or numbers. Only id and text are required;
// other fields are ignored, blank lines skipped. Any other line that cannot be
// read is an error that names it: figures from half of a set would mislead.
//
// An id is unique within its session. Turns of several sessions that share one
// are called SESSION:ID; a label may name any turn so, and one that is just the
// shared id means all of them.
func Turns(turnsPath, queriesPath string) (Corpus, error) {
	corpus := Corpus{Name: corpusName(turnsPath)}
	ids := turnIDs{lines: map[[2]string]int{}}
	err := eachLine(turnsPath, func(number int, line []byte) error {
		turn, err := parseTurn(line)
		if err != nil {
			return err
		}
		if err := ids.add(turn, number); err != nil {
			return err
		}
		corpus.Turns = append(corpus.Turns, turn)
		return nil
	})
	if err != nil {
		return Corpus{}, err
	}
	if len(corpus.Turns) == 0 {
		return Corpus{}, fmt.Errorf("%s holds no turns", turnsPath)
	}
	if err := ids.settle(corpus.Turns); err != nil {
		return Corpus{}, fmt.Errorf("%s: %w", turnsPath, err)
	}
	known := directoryOf(corpus.Turns)
	questionLine := map[string]int{}
	err = eachLine(queriesPath, func(number int, line []byte) error {
		question, err := parseQuestion(line)
		if err != nil {
			return err
		}
		if err := once(questionLine, question.ID, number); err != nil {
			return err
		}
		question.Relevant = ids.turns(question.Relevant, known)
		corpus.ask(question, known)
		return nil
	})
	if err != nil {
		return Corpus{}, err
	}
	return corpus, nil
}

func corpusName(turnsPath string) string {
	base := filepath.Base(turnsPath)
	if name, ok := strings.CutSuffix(base, turnsSuffix); ok {
		return name
	}
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// once notes the line of an id and refuses one that was there before: a label
// could mean either.
func once(lines map[string]int, id string, number int) error {
	if first, ok := lines[id]; ok {
		return fmt.Errorf("id %q was used on line %d already", id, first)
	}
	lines[id] = number
	return nil
}

// identifier is an id or a category: a JSON string, or a number as it is written. Null is no id.
type identifier string

func (n *identifier) UnmarshalJSON(raw []byte) error {
	switch raw[0] {
	case 'n':
		*n = ""
		return nil
	case '"':
		return json.Unmarshal(raw, (*string)(n))
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		*n = identifier(raw)
		return nil
	default:
		return fmt.Errorf("%.40s is neither a string nor a number", raw)
	}
}

func parseTurn(line []byte) (Turn, error) {
	var fields struct {
		ID      identifier      `json:"id"`
		Session identifier      `json:"session"`
		Speaker string          `json:"speaker"`
		Role    string          `json:"role"`
		Time    json.RawMessage `json:"time"`
		Text    *string         `json:"text"`
	}
	if err := json.Unmarshal(line, &fields); err != nil {
		return Turn{}, err
	}
	if fields.ID == "" {
		return Turn{}, errors.New("turn without an id")
	}
	if fields.Text == nil {
		return Turn{}, fmt.Errorf("turn %q has no text", fields.ID)
	}
	at, err := parseTime(fields.Time)
	if err != nil {
		return Turn{}, fmt.Errorf("turn %q: %w", fields.ID, err)
	}
	return Turn{
		ID: string(fields.ID), Session: string(fields.Session),
		Speaker: fields.Speaker, Role: fields.Role, Text: *fields.Text, Time: at,
	}, nil
}

func parseQuestion(line []byte) (Question, error) {
	var fields struct {
		ID       identifier      `json:"id"`
		Text     string          `json:"text"`
		Category identifier      `json:"category"`
		Time     json.RawMessage `json:"time"`
		Relevant []identifier    `json:"relevant"`
	}
	if err := json.Unmarshal(line, &fields); err != nil {
		return Question{}, err
	}
	if fields.ID == "" {
		return Question{}, errors.New("question without an id")
	}
	if strings.TrimSpace(fields.Text) == "" {
		return Question{}, fmt.Errorf("question %q has no text", fields.ID)
	}
	at, err := parseTime(fields.Time)
	if err != nil {
		return Question{}, fmt.Errorf("question %q: %w", fields.ID, err)
	}
	q := Question{ID: string(fields.ID), Text: fields.Text, Category: string(fields.Category), Time: at}
	for _, id := range fields.Relevant {
		if id == "" {
			return Question{}, fmt.Errorf("question %q: empty id among the relevant ones", fields.ID)
		}
		q.Relevant = append(q.Relevant, string(id))
	}
	return q, nil
}
