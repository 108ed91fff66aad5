package graph

import (
	"fmt"
	"strings"
)

// Parse finds notation in free text: what agents and people write about their
// work. There almost every arrow is something else: code, a rename, a menu, a
// step of a procedure. So it takes only what is plainly meant:
//
//   - A -[solves]-> B with blanks around the operator, also inside a sentence.
//     It is the one form that nothing else looks like. A sentence that denies
//     it, doubts it, asks for it or gives an example does not state it.
//   - The other forms when a line or list item holds nothing else, and its
//     names are written the canonical way: lower case, one word each, with a
//     dot in at least one of two neighbours; in both for -> and =>, which are
//     code more often than not. Three or more names may do without a dot
//     between tildes.
//
// Not read at all: code blocks, inline code, diffs, tables, quotations,
// headings and numbered steps. Names of files, hosts, types and versions are
// not taken for concepts. If one arrow of a paragraph or list is prose, all of
// them are, and a list that is introduced as renames, menus or calls holds no
// causes.
//
// Problems are uses of the explicit form that cannot be read; of the others it
// cannot be told that they were meant.
//
// It reads each line once, in time linear in the text.
func Parse(text string) (found []Statement, problems []Problem) { return parse(text, reader{}) }

// ParseSaid finds notation in what an agent says while it works. There an arrow
// is a foreign key, a call, a state that follows another, hardly ever a cause:
// only the explicit form counts.
func ParseSaid(text string) (found []Statement, problems []Problem) {
	if !strings.Contains(text, "-[") {
		return nil, nil
	}
	return parse(text, reader{said: true})
}

func parse(text string, r reader) (found []Statement, problems []Problem) {
	if !maybeNotation(text) {
		return nil, nil
	}
	for n := 1; text != ""; n++ {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		r.line(strings.TrimRight(line, " \t\r"), n)
	}
	r.endBlock()
	return r.found, r.problems
}

// Passed returns the lines of a text that have the explicit form in them and
// that [Parse] neither read, or not all of, nor found a problem in: somebody who
// meant them should hear that they are text only.
func Passed(text string, found []Statement, problems []Problem) []Problem {
	if !strings.Contains(text, "-[") {
		return nil
	}
	read, told := map[int]int{}, map[int]bool{}
	for _, s := range found {
		read[s.Line]++
	}
	for _, p := range problems {
		told[p.Line] = true
	}
	var out []Problem
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		if n++; told[n] || !strings.Contains(line, "-[") {
			continue
		}
		meant := 0
		for _, o := range scanOperators(line) {
			if _, _, err := LookupPredicate(o.predicate); o.kind == named && err == nil {
				meant++
			}
		}
		switch {
		case meant == 0 || meant <= read[n]:
		case read[n] == 0:
			out = append(out, Problem{n, shown(line), "it has no blanks around the operator, or stands in code, a quotation or a table"})
		default:
			out = append(out, Problem{n, shown(line), fmt.Sprintf("%d of its %d statements were read; the rest has no blanks around the operator, or stands in code", read[n], meant)})
		}
	}
	return out
}

// maybeNotation reports whether a text has a sign of notation in it. Most have
// none, and need not be read line by line.
func maybeNotation(text string) bool {
	for _, f := range fixed {
		if strings.Contains(text, f.sign) {
			return true
		}
	}
	return strings.Contains(text, "-[")
}

// codeIndent is how many blanks make a line of Markdown a line of code.
const codeIndent = 4

// reader goes through a text line by line and knows what the lines before
// mean for the one at hand.
type reader struct {
	found    []Statement
	problems []Problem

	said bool // only the explicit form counts

	fence string // what closes the code block at hand
	html  string // the same for code in HTML
	diff  bool
	list  bool // a list is open, so that indented items are no code

	// a block is what stands between blank lines
	waiting []Statement // of the block, by a bare operator
	prose   bool        // an arrow or colon of the block is no notation
	intro   string      // the last line that was no candidate
	lead    string      // the same, until a statement follows that it does not announce
	apart   bool        // a blank line came since
}

func (r *reader) line(line string, n int) {
	if r.inCode(line) {
		r.endBlock()
		return
	}
	text := strings.TrimSpace(line)
	if text == "" {
		r.endBlock()
		return
	}
	item := trimBullet(text)
	bulleted := len(item) < len(text)
	indent := indentation(line)
	if indent >= codeIndent && !(r.list && bulleted) {
		return
	}
	r.list = bulleted || r.list && indent > 0
	switch {
	case text[0] == '|' || text[0] == '>':
		return
	case text[0] == '#':
	case strings.Contains(text, "-[") && r.explicit(text, n):
		return
	case !r.said && r.bare(item, n):
		return
	}
	r.intro, r.lead, r.apart = text, text, false
}

// endBlock takes over what the block at hand holds, unless it turned out to
// be prose with arrows.
func (r *reader) endBlock() {
	if !r.prose {
		r.found = append(r.found, r.waiting...)
	}
	r.waiting, r.prose, r.apart = r.waiting[:0], false, true
}

// inCode follows the blocks of code and reports whether line is part of one.
func (r *reader) inCode(line string) bool {
	mark := fenceMark(line)
	switch {
	case r.fence != "":
		if strings.HasPrefix(mark, r.fence) && strings.Trim(line, " \t>"+r.fence[:1]) == "" {
			r.fence = ""
		}
		return true
	case mark != "":
		r.fence, r.diff = mark, false
		return true
	case r.html != "":
		if strings.Contains(line, r.html) {
			r.html = ""
		}
		return true
	}
	if r.html = openTag(line); r.html != "" {
		return true
	}
	r.diff = startsDiff(line) || r.diff && continuesDiff(line)
	return r.diff
}

// openTag returns the tag that closes the code in HTML that line opens.
func openTag(line string) string {
	if strings.IndexByte(line, '<') < 0 {
		return ""
	}
	for _, tag := range []string{"pre>", "code>", "script>"} {
		if _, after, ok := strings.Cut(line, "<"+tag); ok && !strings.Contains(after, "</"+tag) {
			return "</" + tag
		}
	}
	return ""
}

// fenceMark returns the run of backticks or tildes that a line begins with,
// if it makes a fence.
func fenceMark(line string) string {
	const least = 3
	line = trimBullet(strings.TrimLeft(line, " \t>"))
	for _, c := range []string{"`", "~"} {
		n := len(line) - len(strings.TrimLeft(line, c))
		if n >= least && !strings.Contains(line[n:], "`") {
			return line[:n]
		}
	}
	return ""
}

func startsDiff(line string) bool {
	for _, start := range []string{"diff --git ", "@@ -", "--- a/", "+++ b/", "Index: "} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}

func continuesDiff(line string) bool {
	return line != "" && strings.IndexByte(" +-@\\", line[0]) >= 0 ||
		strings.HasPrefix(line, "index ") || strings.HasPrefix(line, "new file ") ||
		strings.HasPrefix(line, "deleted file ") || strings.HasPrefix(line, "rename ")
}

// indentation counts the blanks before a line, a tab as four.
func indentation(line string) int {
	n := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
			n++
		case '\t':
			n += codeIndent
		default:
			return n
		}
	}
	return n
}
