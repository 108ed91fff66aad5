package anchor

import (
	"context"

	"chitta/internal/store"
)

// Taken is what accepting a memory did with one place of the code that it names.
type Taken struct {
	File   string `json:"file"`
	Symbol string `json:"symbol,omitempty"`
	Action string `json:"action"`
	Note   string `json:"note,omitempty"` // where it is followed to, or why it is not held
}

// String says in words what was done.
func (t Taken) String() string {
	name := t.File
	if t.Symbol != "" {
		name += ":" + t.Symbol
	}
	s := asCode(name) + " " + map[string]string{
		TakenNow: "is held as it is now", TakenFollowed: "is held from now on", TakenDropped: "is not held any more", TakenNot: "is left as it was",
	}[t.Action]
	if t.Note != "" {
		s += ": " + t.Note
	}
	return s
}

// What accepting does with an anchor.
const (
	TakenNow      = "taken"    // it is held against what stands there now
	TakenFollowed = "followed" // it is held against what stands where it is now
	TakenDropped  = "dropped"  // it is gone, and not held any more
	TakenNot      = "kept"     // what stands there cannot be told; it is as before
)

// Retaken is what came of taking the anchors of a memory anew. It is not written
// yet.
type Retaken struct {
	Did       []Taken // of each anchor
	Add, Drop []store.Anchor
	Changed   []string // what had changed, in words
}

// Retake takes the hashes of what a memory names as it is now, where it is now.
// What is gone is to be named no more.
func (r *Room) Retake(ctx context.Context, realm, cwd string, had []store.Anchor) (out Retaken, err error) {
	t, err := r.treeOf(ctx, realm, cwd)
	if err != nil {
		return out, err
	}
	before, err := r.check(ctx, t, had, Asked) // the index catches up
	if err != nil {
		return out, err
	}
	for i, a := range had {
		if before[i].State == Stale {
			out.Changed = append(out.Changed, before[i].Note)
		}
		now, did, err := r.retake(ctx, t, a, &before[i])
		if err != nil {
			return out, err
		}
		out.Did = append(out.Did, did)
		switch did.Action {
		case TakenFollowed:
			out.Add, out.Drop = append(out.Add, now), append(out.Drop, a)
		case TakenNow:
			out.Add = append(out.Add, now)
		case TakenDropped:
			out.Drop = append(out.Drop, a)
		}
	}
	return out, nil
}

// retake returns an anchor with the hash of now, at the place where what it is
// about is now, and what was done.
func (r *Room) retake(ctx context.Context, t tree, a store.Anchor, before *State) (store.Anchor, Taken, error) {
	did := Taken{File: a.Path, Symbol: a.Symbol, Action: TakenNot, Note: before.Note}
	if t.root == "" || a.Path == tooMuch {
		return a, did, nil
	}
	to, how := place{a.Path, a.Symbol}, a.Named
	if before.to.file != "" {
		to, how = before.to, store.NamedGiven // its text has another name for it
	}
	now, err := r.takeOne(ctx, t, to, how)
	switch {
	case err != nil:
		return a, did, err
	case now.Hash != "":
		now.Memory = a.Memory
		if did.Action, did.Note = TakenNow, ""; before.to.file != "" {
			did = Taken{File: to.file, Symbol: to.symbol, Action: TakenFollowed, Note: before.Note}
		}
		return now, did, nil
	case before.State == Stale && before.Removed:
		did.Action = TakenDropped
	}
	return a, did, nil
}
