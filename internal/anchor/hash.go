package anchor

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"chitta/internal/code"
	"chitta/internal/store"
)

// taken is what an anchor keeps of the code as it was: "VERSION:WHAT:TEXT:MARKS".
// Earlier ones have no text and no marks, those of files not even a version.
type taken struct {
	version int    // of facts: another may hash otherwise, or see other bounds
	what    string // hash of the symbol or of the file's text
	text    string // git's name of the text of the whole file, or "" if it is not known
	marks   string
	old     bool // written without marks: nothing is known of them
}

const (
	// markDoubled: other places had the same then, so what is gone from its place
	// did not move there.
	markDoubled = "d"
	// markStale: when it was last looked at it had changed. It counts for who
	// cannot compare the hash any more.
	markStale = "s"
)

func (h taken) String() string {
	return fmt.Sprintf("%d:%s:%s:%s", h.version, h.what, h.text, h.marks)
}

func takenOf(hash string) taken {
	first := taken{version: 1, old: true} // as of the first version, which wrote it so
	parts := strings.Split(hash, ":")
	if len(parts) == 1 {
		first.what = hash
		return first
	}
	n, err := strconv.Atoi(parts[0])
	if err != nil {
		n = 0 // which no version is
	}
	h := taken{version: n, what: parts[1], old: true}
	if len(parts) == 4 {
		h.text, h.marks, h.old = parts[2], parts[3], false
	}
	return h
}

// comparable says whether the hash means what one that is taken now does.
func (h taken) comparable() bool { return h.version == code.Version }

func (h taken) marked(mark string) bool { return strings.Contains(h.marks, mark) }

func (h taken) mark(mark string, on bool) taken {
	h.marks = strings.ReplaceAll(h.marks, mark, "")
	if on {
		h.marks += mark
	}
	return h
}

// sameName is the symbols of a file that have one path: overloads, accessors.
// They are anchored as one, in the order of the file.
type sameName struct {
	file    string
	symbols []store.CodeFound
}

// byFile puts symbols of one path together by their files.
func byFile(found []store.CodeFound, path string) []sameName {
	var out []sameName
	for _, s := range found {
		if s.Path != path {
			continue
		}
		i := slices.IndexFunc(out, func(g sameName) bool { return g.file == s.FilePath })
		if i < 0 {
			i, out = len(out), append(out, sameName{file: s.FilePath})
		}
		out[i].symbols = append(out[i].symbols, s)
	}
	for _, g := range out {
		slices.SortFunc(g.symbols, func(a, b store.CodeFound) int { return cmp.Compare(a.Index, b.Index) })
	}
	slices.SortFunc(out, func(a, b sameName) int { return strings.Compare(a.file, b.file) })
	return out
}

func (g sameName) hash() string {
	bodies := make([]uint64, len(g.symbols))
	for i := range g.symbols {
		bodies[i] = g.symbols[i].Body
	}
	return bodiesHash(bodies)
}

// bodiesHash is that of one body itself, or one over several.
func bodiesHash(bodies []uint64) string {
	if len(bodies) == 1 {
		return fmt.Sprintf("%016x", bodies[0])
	}
	h := fnv.New64a()
	for _, b := range bodies {
		h.Write(binary.BigEndian.AppendUint64(nil, b))
	}
	return fmt.Sprintf("%016x.%d", h.Sum64(), len(bodies))
}

func (g sameName) signature() string {
	var out []string
	for _, s := range g.symbols {
		if !slices.Contains(out, s.Signature) {
			out = append(out, s.Signature)
		}
	}
	return strings.Join(out, "; ")
}

// tinyLines is how many lines a symbol must have to be known again in another
// place: of shorter ones much is alike by chance.
const tinyLines = 3

func (g sameName) tiny() bool {
	lines := 0
	for _, s := range g.symbols {
		lines += s.EndLine - s.Line + 1
	}
	return lines < tinyLines
}
