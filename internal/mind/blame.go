package mind

import (
	"context"
	"path"
	"strings"

	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/store"
)

// BlameOutput is who touched a file, sessions that changed it first, newest
// first, and what was decided about it.
type BlameOutput struct {
	Files    []string            `json:"files"` // which files were meant
	Sessions []past.BlameSession `json:"sessions"`
	Changed  int                 `json:"changed"` // sessions that changed it
	Read     int                 `json:"read"`    // sessions that only read it
	Memories []Result            `json:"memories"`
	Realm    string              `json:"realm"`
}

// decisionKinds are the kinds of memory that say how something is to be done.
var decisionKinds = []memory.Kind{memory.Approach, memory.Correction, memory.Failure, memory.Insight, memory.Wisdom, memory.Preference, memory.Outcome}

const (
	// decidedFiles is for how many of the files that were meant memories are
	// looked for, decidedRead how many memories of each are read and
	// decidedMost how many are shown.
	decidedFiles = 3
	decidedRead  = 100
	decidedMost  = 5
)

// Blame says which sessions touched a file, what they were asked for, what came
// of it, and what is remembered of how things are to be done there.
func (m *Mind) Blame(ctx context.Context, c Caller, in past.BlameInput) (BlameOutput, error) {
	b, err := m.past.Blame(ctx, c.reader(), in)
	out := BlameOutput{Files: b.Files, Sessions: b.Sessions, Changed: b.Changed, Read: b.Read, Memories: []Result{}, Realm: b.Realm}
	if err != nil {
		return out, err
	}
	f := store.Filter{Kinds: decisionKinds, States: []memory.Status{memory.Active}}
	if f.Realm, f.Reach, err = m.scope(ctx, c, in.Realm); err != nil {
		return out, err
	}
	out.Memories, err = m.decidedAbout(ctx, f, out.Files)
	return out, err
}

// decidedAbout returns memories that speak of files.
func (m *Mind) decidedAbout(ctx context.Context, f store.Filter, files []string) ([]Result, error) {
	out := []Result{}
	seen := map[string]bool{}
	for _, file := range files[:min(len(files), decidedFiles)] {
		f.Text, f.Limit = path.Base(file), decidedRead
		records, err := m.store.List(ctx, f)
		if err != nil {
			return nil, err
		}
		for i := range records {
			if r := &records[i]; !seen[r.ID] && mentions(r.Content, file) && len(out) < decidedMost {
				seen[r.ID] = true
				out = append(out, resultOf(r, m.now()))
			}
		}
	}
	return out, nil
}

// mentions says whether a text names a file: by its path or the end of it,
// not as a part of another name.
func mentions(text, file string) bool {
	base := path.Base(file)
	for at := 0; ; {
		i := strings.Index(text[at:], base)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(base)
		at = end
		if end < len(text) && nameByte(text[end]) && !(text[end] == '.' && (end+1 == len(text) || !nameByte(text[end+1]))) {
			continue
		}
		for begin > 0 && (nameByte(text[begin-1]) || text[begin-1] == '/') {
			begin--
		}
		named := strings.TrimLeft(text[begin:end], "./")
		if named == file || strings.HasSuffix(file, "/"+named) || strings.HasSuffix(named, "/"+file) {
			return true
		}
	}
}

func nameByte(b byte) bool {
	return b == '_' || b == '-' || b == '.' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= 0x80
}
