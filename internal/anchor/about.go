package anchor

import (
	"slices"

	"chitta/internal/store"
)

// On returns anchors as those of a memory that was just given its row.
func On(memory int64, anchors []store.Anchor) []store.Anchor {
	out := slices.Clone(anchors)
	for i := range out {
		out[i].Memory = memory
	}
	return out
}

// ToFiles returns anchors that only say which files something has to do with.
func ToFiles(paths []string) []store.Anchor {
	out := make([]store.Anchor, len(paths))
	for i, p := range paths {
		out[i] = store.Anchor{Path: p}
	}
	return out
}

// About names what of the code a memory is held against, for who stores it: a
// name that was taken for another, or for none, is seen at once.
func About(anchors []store.Anchor) (out []string) {
	for _, a := range anchors {
		switch {
		case a.Named == store.NamedNot || a.Path == tooMuch:
		case a.Symbol != "":
			out = append(out, a.Path+":"+a.Symbol)
		default:
			out = append(out, a.Path)
		}
	}
	return out
}

// Files returns the files of anchors, each once.
func Files(anchors []store.Anchor) (out []string) {
	for _, a := range anchors {
		if a.Path != tooMuch && !slices.Contains(out, a.Path) { // several symbols may be of one file
			out = append(out, a.Path)
		}
	}
	return out
}

// SameSymbols says whether the symbols that somebody named outright for two
// memories have one in common, or there are none.
func SameSymbols(a, b []store.Anchor) bool {
	mine, theirs := givenSymbols(a), givenSymbols(b)
	return len(mine) == 0 && len(theirs) == 0 || slices.ContainsFunc(mine, func(p place) bool { return slices.Contains(theirs, p) })
}

func givenSymbols(anchors []store.Anchor) (out []place) {
	for _, a := range anchors {
		if a.Symbol != "" && a.Named == store.NamedGiven {
			out = append(out, place{a.Path, a.Symbol})
		}
	}
	return out
}
