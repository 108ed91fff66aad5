package codebase

import (
	"context"
	"fmt"
	"slices"

	"chitta/internal/store"
)

// What is asked of the relations of everything: some of them, how many there are,
// and the way along calls from one symbol to another.

// Some returns some relations of a kind between anything, at most so many, and
// says whether there may be more.
func (a *Ask) Some(ctx context.Context, kind string, most int) (Related, error) {
	r := &reading{Ask: a, symbols: map[int64]store.CodeFound{}}
	var err error
	switch kind {
	case RelatesCalls:
		err = r.someCalls(ctx, most)
	case RelatesInherits:
		var list []store.CodeInherit
		list, err = a.base.db.SomeInherits(ctx, a.project.ID, most)
		r.cut = len(list) >= most
		for i := range list {
			r.inherit(&list[i], false)
		}
	default:
		const least = 64 // files, as many import and declare nothing
		var files []string
		if files, err = a.base.db.SomeFiles(ctx, a.project.ID, max(most, least)); err == nil {
			r.cut = len(files) >= max(most, least)
			err = r.someOf(ctx, kind, files, most)
		}
	}
	if err != nil {
		return Related{}, fmt.Errorf("what %s what: %w", kind, err)
	}
	out, err := r.related(ctx, most)
	out.Cut = out.Cut || out.Found > most
	out.List = out.List[:min(len(out.List), most)]
	return out, err
}

func (r *reading) someCalls(ctx context.Context, most int) error {
	const written = 4 // calls between the same two, for each that is shown
	list, err := r.base.db.SomeCalls(ctx, r.project.ID, plainly, written*most)
	r.cut = true
	if err == nil && len(list) < written*most {
		list, err = r.base.db.SomeCalls(ctx, r.project.ID, 0, relationsRead)
		r.cut = len(list) >= relationsRead
	}
	for i := range list {
		r.call(&list[i], false)
	}
	return err
}

// someOf reads what the first files import or contain, until it is enough.
func (r *reading) someOf(ctx context.Context, kind string, files []string, most int) error {
	const atOnce = 8 // files; a few have more than is asked for
	for part := range slices.Chunk(files, atOnce) {
		if len(r.list) >= most {
			r.cut = true
			return nil
		}
		var err error
		if kind == RelatesImports {
			err = r.imports(ctx, part, nil, false)
		} else {
			var at map[string]int64
			if at, err = r.base.db.CodeFilesAt(ctx, r.project.ID, part); err == nil {
				err = r.contains(ctx, nil, at, false)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// CountRelations says how many relations of each kind the index has: calls by
// the places they are written in, imports by the files they reach, and as many
// symbols as something contains.
func (a *Ask) CountRelations(ctx context.Context) (map[string]int, error) {
	n, err := a.base.db.CodeCounts(ctx, a.project.ID)
	if err != nil {
		return nil, fmt.Errorf("count relations: %w", err)
	}
	return map[string]int{RelatesCalls: n.Edges, RelatesImports: n.Imports, RelatesInherits: n.Inherits, RelatesContains: n.Symbols}, nil
}

// CallWay returns the calls on the shortest way from one symbol to another, none
// if there is no way.
func (a *Ask) CallWay(ctx context.Context, from, to *Thing) ([]Relation, error) {
	path, err := a.Path(ctx, from.Symbol, to.Symbol)
	if err != nil || len(path.Steps) == 0 {
		return nil, err
	}
	r := &reading{Ask: a, symbols: map[int64]store.CodeFound{}}
	at := from.end
	for _, s := range path.Steps {
		next := thingEnd{symbol: s.Symbol.id}
		r.add(relation{kind: RelatesCalls, from: at, to: next, file: s.File, line: s.Lines[0], rule: s.Rule, sure: s.Confidence})
		at = next
	}
	out, err := r.related(ctx, len(path.Steps))
	return out.List, err
}
