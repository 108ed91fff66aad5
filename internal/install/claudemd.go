package install

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// claudeMDName is the file that the client reads at the start of every session
// in a project.
const claudeMDName = "CLAUDE.md"

// Marks around the summary. What stands between them is chitta's, and nothing
// else in the file is.
const (
	summaryOpen  = "<!-- chitta:memory -->"
	summaryClose = "<!-- /chitta:memory -->"
)

// noSummaryYet stands between the marks until the first session.
func noSummaryYet(scope string) string {
	return "chitta fills this in when a session starts; `" + UninstallLine(scope, false) + "` takes it out."
}

// ErrMarks is a file in which the marks around the summary are not as they were
// written: where chitta's part begins and ends is not certain, and the file is
// left alone.
var ErrMarks = errors.New("the marks around chitta's summary are damaged: there must be one line " +
	summaryOpen + " and after it one line " + summaryClose + ", or neither")

// ClaudeMD puts a summary between the marks in the text of a CLAUDE.md, at its
// end if there are none. Everything outside of them stays byte for byte, and
// [WithoutClaudeMD] gives back what there was.
func ClaudeMD(old []byte, summary string) ([]byte, error) {
	at, end, err := findSummary(old)
	if err != nil {
		return nil, err
	}
	eol := lineEnd(old)
	block := summaryBlock(summary, eol)
	switch {
	case at >= 0:
		return bytes.Join([][]byte{old[:at], block, old[end:]}, nil), nil
	case len(old) == 0:
		return append(block, eol...), nil
	case bytes.HasSuffix(old, []byte("\n")):
		return bytes.Join([][]byte{old, []byte(eol), block, []byte(eol)}, nil), nil
	}
	// the last line has no end before, and has none afterwards: that is how
	// taking it out tells the two apart
	return bytes.Join([][]byte{old, []byte(eol), []byte(eol), block}, nil), nil
}

// WithoutClaudeMD takes the summary out of a CLAUDE.md, with the line ends that
// were put around it.
func WithoutClaudeMD(old []byte) ([]byte, error) {
	at, end, err := findSummary(old)
	if err != nil || at < 0 {
		return old, err
	}
	before, after := old[:at], old[end:]
	eol := []byte(lineEnd(before))
	switch {
	case len(before) == 0:
		after = withoutLineEnd(after)
	case len(after) == 0:
		before = bytes.TrimSuffix(bytes.TrimSuffix(before, eol), eol)
	default:
		before, after = bytes.TrimSuffix(before, eol), withoutLineEnd(after)
	}
	return bytes.Join([][]byte{before, after}, nil), nil
}

// findSummary returns where the summary with its marks begins and ends, or a
// negative number if there is none.
func findSummary(text []byte) (at, end int, err error) {
	opened, closed := []byte(summaryOpen), []byte(summaryClose)
	switch n, m := bytes.Count(text, opened), bytes.Count(text, closed); {
	case n == 0 && m == 0:
		return -1, -1, nil
	case n != 1 || m != 1:
		return 0, 0, ErrMarks
	}
	at, end = bytes.Index(text, opened), bytes.Index(text, closed)
	if at > end || !ownLine(text, at, at+len(opened)) || !ownLine(text, end, end+len(closed)) {
		return 0, 0, ErrMarks
	}
	return at, end + len(closed), nil
}

// ownLine reports whether a part of a text is a line of its own.
func ownLine(text []byte, from, to int) bool {
	begins := from == 0 || text[from-1] == '\n'
	return begins && (to == len(text) || len(withoutLineEnd(text[to:])) < len(text)-to)
}

// lineEnd returns how lines end in a text, by its first.
func lineEnd(text []byte) string {
	first := bytes.IndexByte(text, '\n')
	switch {
	case first < 0 && bytes.HasSuffix(text, []byte("\r")), first > 0 && text[first-1] == '\r':
		return "\r\n"
	}
	return "\n"
}

func withoutLineEnd(text []byte) []byte {
	if rest, ok := bytes.CutPrefix(text, []byte("\r\n")); ok {
		return rest
	}
	return bytes.TrimPrefix(text, []byte("\n"))
}

// summaryBlock is a summary between marks. Comments in it are defused, so that
// no text can end it early or begin another.
func summaryBlock(summary, eol string) []byte {
	summary = strings.ToValidUTF8(summary, "\ufffd")
	summary = strings.NewReplacer("<!--", "<! --", "-->", "-- >", "\r\n", "\n", "\r", "\n", "\x00", "").Replace(summary)
	lines := append([]string{summaryOpen}, strings.Split(strings.Trim(summary, "\n"), "\n")...)
	return []byte(strings.Join(append(lines, summaryClose), eol))
}

// claudeMD is the CLAUDE.md of the project that a folder is in.
func claudeMD(dir string) string { return filepath.Join(repositoryTop(dir), claudeMDName) }

// claudeMDKey ends the key of a CLAUDE.md in the record.
const claudeMDKey = "#claude-md"

// claudeMDTarget is a CLAUDE.md as a file to put something into.
func claudeMDTarget(path, scope string) target {
	return target{
		scope: scope, path: path, key: path + claudeMDKey, file: sharedFile, folder: sharedFolder, noted: true, inProject: true,
		guard: func() error { return writable(path) },
		edit: func(old []byte) ([]byte, []Change, error) {
			if at, _, err := findSummary(old); err != nil || at >= 0 {
				return old, nil, err // what is in it is the daemon's to write
			}
			text, err := ClaudeMD(old, noSummaryYet(scope))
			return text, spliced(old, text), err
		},
		without: func(old []byte, _ []string) ([]byte, []Change, error) {
			text, err := WithoutClaudeMD(old)
			if errors.Is(err, ErrMarks) {
				return old, nil, nil // left alone, which is said in a note
			}
			return text, spliced(old, text), err
		},
		empty: func(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 },
		notes: func(s step) []string {
			_, _, err := findSummary(s.old)
			if err = cmp.Or(s.refused, err); err != nil {
				return []string{fmt.Sprintf("%s was left alone: %v", s.path, err)}
			}
			return nil
		},
	}
}

// summaryName is what a change in a CLAUDE.md is about.
const summaryName = "the summary"

// spliced is the one change that made a text out of another.
func spliced(old, text []byte) []Change {
	if bytes.Equal(old, text) {
		return nil
	}
	at := 0
	for at < min(len(old), len(text)) && old[at] == text[at] {
		at++
	}
	same := 0
	for same < min(len(old), len(text))-at && old[len(old)-1-same] == text[len(text)-1-same] {
		same++
	}
	c := Change{
		At: summaryName, Kind: Updated, Line: 1 + bytes.Count(old[:at], []byte("\n")), Offset: at,
		Old: string(old[at : len(old)-same]), New: string(text[at : len(text)-same]),
	}
	switch {
	case c.Old == "":
		c.Kind = Added
	case c.New == "":
		c.Kind = Removed
	}
	return []Change{c}
}

// States of a CLAUDE.md that is to hold a summary.
const (
	SummaryThere   = "there"
	SummaryMissing = "missing" // the file, or the marks, were taken out
	SummaryDamaged = "damaged" // see [ErrMarks]
	SummaryRefused = "refused" // it is a file that chitta does not write
)

// Summarised is a CLAUDE.md that is to hold a summary.
type Summarised struct {
	State string
	Scope string // it was asked for in, and goes with
	Why   error  // it was refused
}

// Summaries tells for each CLAUDE.md that is to hold a summary how it stands,
// by its path. record is the file of [Installer.Record].
func Summaries(record string) (map[string]Summarised, error) {
	rec, err := (&Installer{Record: record}).readRecord()
	if err != nil {
		return nil, err
	}
	states := map[string]Summarised{}
	for key, e := range rec.Files {
		path, ok := strings.CutSuffix(key, claudeMDKey)
		if !ok {
			continue
		}
		text, _, err := readFile(path)
		if err != nil {
			return nil, err
		}
		state, why := SummaryThere, writable(path)
		switch at, _, err := findSummary(text); {
		case err != nil:
			state = SummaryDamaged
		case at < 0:
			state = SummaryMissing
		case why != nil:
			state = SummaryRefused
		}
		states[path] = Summarised{state, e.Scope, why}
	}
	return states, nil
}

// SummaryWanted returns the CLAUDE.md of the project that a folder is in, or ""
// if its user has not asked for a summary there.
func SummaryWanted(record, dir string) (string, error) {
	rec, err := (&Installer{Record: record}).readRecord()
	if err != nil {
		return "", err
	}
	path := claudeMD(dir)
	if _, ok := rec.Files[path+claudeMDKey]; !ok {
		return "", nil
	}
	return path, nil
}

// WriteSummary puts a summary where a CLAUDE.md has marks for it, and reports
// whether that changed the file. A file without marks, or none, is left as it
// is: somebody took them out.
func WriteSummary(path, summary string) (changed bool, err error) {
	old, exists, err := readFile(path)
	if err != nil || !exists {
		return false, err
	}
	if at, _, err := findSummary(old); err != nil || at < 0 {
		return false, err
	}
	text, err := ClaudeMD(old, summary)
	if err != nil || bytes.Equal(old, text) {
		return false, err
	}
	if err := writable(path); err != nil {
		return false, err
	}
	return true, writeFile(path, text, old, sharedFile)
}
