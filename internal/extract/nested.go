package extract

import "chitta/internal/code"

// maxPath, in bytes, and maxNesting bound what a symbol repeats of those around
// it: text nested a thousand times would else give a million names.
const (
	maxPath    = 1 << 10
	maxNesting = 32
)

// parent is what a symbol belongs to that is defined here: the enclosing one, or
// the innermost around it that is not too deep to have any.
func (b *builder) parent() int32 {
	if b.depth(b.owner) < maxNesting {
		return b.owner
	}
	return b.file.Symbols[b.owner].Parent
}

func (b *builder) depth(symbol int32) uint8 {
	if symbol == code.None {
		return 0
	}
	return b.depths[symbol]
}

// fitting is a symbol's path, without those nearest around it if it is too long.
func (b *builder) fitting(s *code.Symbol) string {
	path := s.Path
	for at := s.Parent; len(path) > maxPath; at = b.file.Symbols[at].Parent {
		if at == code.None {
			return clip(s.Name, maxPath)
		}
		path = b.file.Symbols[at].Path + "." + s.Name
	}
	return path
}
