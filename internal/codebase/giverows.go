package codebase

import "errors"

// giveRows gives the rows of a file, or as many as there is room for: one file
// must not keep those of others from being given.
func giveRows(a *solved, give func(*solved) error) error {
	err := give(a)
	for m := &a.Made; errors.Is(err, errLarge); err = give(a) {
		if len(m.Edges)+len(m.Loose)+len(m.Inherits)+len(m.Imports) == 0 {
			if len(m.Symbols) == 0 {
				return err
			}
			m.Symbols = m.Symbols[:len(m.Symbols)/2]
		}
		a.Cut = true
		m.Edges, m.Loose = m.Edges[:len(m.Edges)/2], m.Loose[:len(m.Loose)/2]
		m.Inherits, m.Imports = m.Inherits[:len(m.Inherits)/2], m.Imports[:len(m.Imports)/2]
	}
	return err
}
