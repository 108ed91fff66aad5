package graph

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Statement is a triple that somebody wrote down. Subject and Object are
// canonical names, Predicate is the name of one in the vocabulary or an own
// one; the ends have changed places already where the text named the inverse.
type Statement struct {
	Subject, Predicate, Object string

	Confidence float64 // 0 when the text says none
	Line       int     // counted from 1
	Text       string  // what it was read from
}

// Problem is a place in a text that was meant as notation and cannot be read.
type Problem struct {
	Line   int // counted from 1
	Text   string
	Reason string // what is wrong and what to write instead
}

const (
	// maxLine is the length of the longest line of notation, in bytes. It
	// leaves room for a chain of many names; what is longer is a text, and
	// bounding it bounds the work on one line.
	maxLine = 4096
	// maxShown is how many characters of a line a problem repeats.
	maxShown = 120
)

// ParseFile reads a text in which every line is notation, is blank, or is a
// comment that begins with #. A line may hold several statements, with
// semicolons between them. Everything else is a problem.
//
//	A → B    A -> B    A => B    A causes B; chains: A → B → C
//	A :: B                       A is a B
//	A ~ B ~ C                    A and B, and B and C, are related
//	A -[solves]-> B              any predicate; chains as well
//
// A statement may end in a confidence, as in A → B (0.8). At the end of a
// chain it holds for all of it.
//
// Where a line has operators with blanks around them, :: and ~ and -> without
// blanks are parts of names.
func ParseFile(text string) (found []Statement, problems []Problem) {
	for n := 1; text != ""; n++ {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		s, p := ParseLine(line, n)
		found, problems = append(found, s...), append(problems, p...)
	}
	return found, problems
}

// ParseLine reads one line the way of [ParseFile]. n is the number of the
// line that it notes in what it returns.
func ParseLine(line string, n int) (found []Statement, problems []Problem) {
	line = strings.TrimPrefix(line, "\ufeff")
	if len(line) > maxLine {
		return nil, []Problem{{n, shown(line), fmt.Sprintf("the line is longer than %d characters; write one statement on a line", maxLine)}}
	}
	for piece := range strings.SplitSeq(uncomment(line), ";") {
		piece = strings.TrimSpace(trimBullet(strings.TrimSpace(piece)))
		if piece == "" {
			continue
		}
		s, err := statements(piece, operators(piece))
		if err != nil {
			problems = append(problems, Problem{n, shown(piece), err.Error()})
			continue
		}
		for i := range s {
			s[i].Line = n
		}
		found = append(found, s...)
	}
	return found, problems
}

// uncomment cuts a comment off: from a # at the beginning or between blanks.
func uncomment(line string) string {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || isBlank(line[i-1])) && (i == 0 || i+1 == len(line) || isBlank(line[i+1])) {
			return line[:i]
		}
	}
	if strings.HasPrefix(strings.TrimSpace(line), "#") {
		return ""
	}
	return line
}

// trimBullet takes the mark of a list item off.
func trimBullet(s string) string {
	for _, mark := range []string{"- ", "* ", "+ ", "• "} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			return rest
		}
	}
	return s
}

// statements makes a piece of text with its operators into statements.
func statements(piece string, ops []operator) ([]Statement, error) {
	if len(ops) == 0 {
		return nil, fmt.Errorf("there is no operator in it; write A → B, A :: B, A ~ B or A -[solves]-> B")
	}
	names := make([]string, len(ops)+1)
	sure := make([]float64, len(ops)+1)
	from := 0
	for i := range names {
		to := len(piece)
		if i < len(ops) {
			to = ops[i].from
		}
		var err error
		if names[i], sure[i], err = endpoint(piece[from:to]); err != nil {
			return nil, err
		}
		if i < len(ops) {
			from = ops[i].to
		}
	}
	if sure[0] != 0 {
		return nil, fmt.Errorf("the confidence stands behind a subject; write it behind the object")
	}
	return linkNames(piece, ops, names, sure)
}

// linkNames makes a statement of each operator and the names beside it.
func linkNames(piece string, ops []operator, names []string, sure []float64) ([]Statement, error) {
	all := make([]Statement, len(ops))
	for i, op := range ops {
		if op.alone() && ops[0].kind != op.kind || ops[0].alone() && ops[0].kind != op.kind {
			return nil, fmt.Errorf("%s and %s on one line could mean several things; write them on two lines", ops[0].kind, op.kind)
		}
		p, swapped, err := LookupPredicate(op.predicate)
		if err != nil {
			return nil, err
		}
		if Key(names[i]) == Key(names[i+1]) {
			return nil, fmt.Errorf("%q stands on both sides; a statement is about two things", names[i])
		}
		s := Statement{Subject: names[i], Predicate: p.Name, Object: names[i+1], Confidence: sure[i+1], Text: piece}
		if swapped {
			s.Subject, s.Object = s.Object, s.Subject
		}
		if s.Confidence == 0 {
			s.Confidence = sure[len(ops)]
		}
		all[i] = s
	}
	return all, nil
}

// endpoint reads what stands beside an operator: a name, and perhaps a
// confidence behind it.
func endpoint(s string) (name string, sure float64, err error) {
	s, sure, err = cutConfidence(s)
	if err != nil {
		return "", 0, err
	}
	s = strings.TrimSpace(s)
	switch {
	case s == "":
		return "", 0, fmt.Errorf("a name is missing beside an operator; write both ends, as in A → B")
	case strings.Contains(s, ","):
		return "", 0, fmt.Errorf("%q names several things; write one statement for each", shown(s))
	}
	for _, wrong := range []string{"-->", "<-", "←", "↔", "<=>", "-["} {
		if strings.Contains(s, wrong) {
			return "", 0, fmt.Errorf("%s is not an operator; write A → B, A :: B, A ~ B or A -[solves]-> B", wrong)
		}
	}
	name, err = CanonicalName(s)
	return name, sure, err
}

// cutConfidence takes a number in parentheses off the end of s.
func cutConfidence(s string) (rest string, sure float64, err error) {
	t := strings.TrimSpace(s)
	open := strings.LastIndexByte(t, '(')
	if open < 0 || !strings.HasSuffix(t, ")") {
		return s, 0, nil
	}
	inner := strings.TrimSpace(t[open+1 : len(t)-1])
	if inner == "" || strings.Trim(inner, "0123456789.-+") != "" {
		return s, 0, nil
	}
	sure, err = strconv.ParseFloat(inner, 64)
	if err != nil || sure <= 0 || sure > 1 {
		return s, 0, fmt.Errorf("(%s) is not a confidence; write a number above 0 and up to 1, as in (0.8)", shown(inner))
	}
	return t[:open], sure, nil
}

// shown cuts a text to what a message should repeat of it.
func shown(s string) string {
	s = strings.ToValidUTF8(strings.TrimSpace(s[:min(len(s), maxLine)]), "\ufffd")
	if utf8.RuneCountInString(s) <= maxShown {
		return s
	}
	return string([]rune(s)[:maxShown]) + "…"
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
