package ranking

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// SciFact reads the documents and the validation claims of SciFact from a
// folder: corpus_train.csv and claims_validation.csv. Every document is a
// session of its own with one turn.
func SciFact(dir string) (Set, error) {
	corpus := Corpus{Name: SciFactName}
	if err := corpus.readDocuments(filepath.Join(dir, "corpus_train.csv")); err != nil {
		return Set{}, err
	}
	if err := corpus.readClaims(filepath.Join(dir, "claims_validation.csv")); err != nil {
		return Set{}, err
	}
	return Set{Name: SciFactName, Corpora: []Corpus{corpus}}, nil
}

func (c *Corpus) readDocuments(path string) error {
	lines := map[string]int{}
	return eachRow(path, []string{"doc_id", "title", "abstract"}, func(line int, row []string) error {
		id := strings.TrimSpace(row[0])
		if id == "" {
			return errors.New("document without an id")
		}
		if err := once(lines, id, line); err != nil {
			return err
		}
		sentences, err := parseQuotedList(row[2])
		if err != nil {
			return fmt.Errorf("document %s: abstract: %w", id, err)
		}
		text := documentText(row[1], sentences)
		c.Turns = append(c.Turns, Turn{ID: id, Session: id, Text: text})
		return nil
	})
}

// readClaims reads the claims. A claim has a row for each piece of evidence;
// all of them cite the same documents.
func (c *Corpus) readClaims(path string) error {
	var claims []*Question
	byID := map[string]*Question{}
	err := eachRow(path, []string{"id", "claim", "cited_doc_ids"}, func(_ int, row []string) error {
		id := strings.TrimSpace(row[0])
		cited, err := parseNumberList(row[2])
		if err != nil {
			return fmt.Errorf("claim %s: cited documents: %w", id, err)
		}
		if byID[id] == nil {
			if id == "" || strings.TrimSpace(row[1]) == "" {
				return errors.New("claim without an id or a text")
			}
			byID[id] = &Question{ID: id, Text: row[1]}
			claims = append(claims, byID[id])
		}
		for _, document := range cited {
			if !slices.Contains(byID[id].Relevant, document) {
				byID[id].Relevant = append(byID[id].Relevant, document)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	known := directoryOf(c.Turns)
	for _, claim := range claims {
		c.ask(*claim, known)
	}
	return nil
}

// eachRow calls fn with the named columns of every row of a CSV file. Errors
// name the file and the line on which the row starts.
func eachRow(path string, columns []string, fn func(line int, row []string) error) error {
	f, err := openBounded(path)
	if err != nil {
		return err
	}
	defer f.Close()
	rows := csv.NewReader(withoutMark(f))
	rows.ReuseRecord = true
	header, err := rows.Read()
	if err != nil {
		return fmt.Errorf("%s: header: %w", path, err)
	}
	places, err := findColumns(header, columns)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	picked := make([]string, len(columns))
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err) // names the line itself
		}
		for i, place := range places {
			picked[i] = row[place]
		}
		line, _ := rows.FieldPos(0)
		if err := fn(line, picked); err != nil {
			return fmt.Errorf("%s:%d: %w", path, line, err)
		}
	}
}

func findColumns(header, columns []string) ([]int, error) {
	place := map[string]int{}
	for i, name := range header {
		place[strings.TrimSpace(name)] = i
	}
	places := make([]int, len(columns))
	for i, name := range columns {
		found, ok := place[name]
		if !ok {
			return nil, fmt.Errorf("no column %q", name)
		}
		places[i] = found
	}
	return places, nil
}

// documentText puts the title before the abstract, as a sentence.
func documentText(title string, sentences []string) string {
	title = strings.TrimSpace(title)
	if title != "" && !strings.ContainsAny(title[len(title)-1:], ".?!") {
		title += "."
	}
	var parts []string
	for _, part := range append([]string{title}, sentences...) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " ")
}

// parseNumberList reads "[1 2]", as NumPy prints it.
func parseNumberList(s string) ([]string, error) {
	inner, err := insideBrackets(s)
	if err != nil {
		return nil, err
	}
	numbers := strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || isSpace(r) })
	for _, n := range numbers {
		if _, err := strconv.ParseInt(n, 10, 64); err != nil {
			return nil, fmt.Errorf("%.40q is not a number", n)
		}
	}
	return numbers, nil
}

// parseQuotedList reads a list of strings as NumPy prints it: each in the
// quotes Python would choose for it, with white space between them.
func parseQuotedList(s string) ([]string, error) {
	rest, err := insideBrackets(s)
	if err != nil {
		return nil, err
	}
	var list []string
	for {
		rest = strings.TrimLeft(rest, ", \t\r\n")
		if rest == "" {
			return list, nil
		}
		var item string
		if item, rest, err = cutQuoted(rest); err != nil {
			return nil, fmt.Errorf("item %d: %w", len(list)+1, err)
		}
		list = append(list, item)
	}
}

func insideBrackets(s string) (string, error) {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return "", fmt.Errorf("%.40q is not a list in brackets", s)
	}
	return s[1 : len(s)-1], nil
}

func isSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\r' || r == '\n' }

// cutQuoted cuts a Python string literal from the start of s.
func cutQuoted(s string) (text, rest string, err error) {
	quote := s[0]
	if quote != '\'' && quote != '"' {
		return "", "", fmt.Errorf("%.40q does not start with a quote", s)
	}
	var b strings.Builder
	for i := 1; i < len(s); {
		switch s[i] {
		case quote:
			return b.String(), s[i+1:], nil
		case '\\':
			char, length, err := unescape(s[i:])
			if err != nil {
				return "", "", err
			}
			b.WriteString(char)
			i += length
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return "", "", fmt.Errorf("%.40q has no closing quote", s)
}

// escapes are the letters after a backslash with a meaning of their own.
var escapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\'': "'", '"': `"`, '\\': `\`}

// hexDigits tells how many digits follow the letter of a character's number.
var hexDigits = map[byte]int{'x': 2, 'u': 4, 'U': 8}

// unescape reads the escape at the start of s and returns how long it is. A
// backslash without a meaning stands for itself, as in Python.
func unescape(s string) (char string, length int, err error) {
	if len(s) < 2 {
		return "", 0, errors.New("backslash at the end")
	}
	if char, ok := escapes[s[1]]; ok {
		return char, 2, nil
	}
	digits, ok := hexDigits[s[1]]
	if !ok {
		return `\`, 1, nil
	}
	length = 2 + digits
	if len(s) < length {
		return "", 0, fmt.Errorf("escape %.10q is cut off", s)
	}
	number, err := strconv.ParseUint(s[2:length], 16, 32)
	if err != nil {
		return "", 0, fmt.Errorf("escape %q is not hexadecimal", s[:length])
	}
	return string(rune(number)), length, nil
}
