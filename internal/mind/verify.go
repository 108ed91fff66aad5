package mind

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chitta/internal/anchor"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// VerifyInput says which memories to hold against the code they name.
type VerifyInput struct {
	ID     string `json:"id,omitempty" jsonschema:"one memory: its id or the unique start of it; without it all of the project"`
	Realm  string `json:"realm,omitempty" jsonschema:"project: id or name; default: that of the working directory"`
	All    bool   `json:"all,omitempty" jsonschema:"memories of every project"`
	Accept bool   `json:"accept,omitempty" jsonschema:"with id: it was looked at and still holds; from now on it is held against the code of now"`
}

// Verified is a memory held against the code it names.
type Verified struct {
	ID        string         `json:"id"`
	Kind      string         `json:"kind"`
	Text      string         `json:"text"`
	Realm     string         `json:"realm"`
	Freshness string         `json:"freshness,omitempty"` // "" if it names no code
	Changed   string         `json:"changed,omitempty"`
	Anchors   []anchor.State `json:"anchors"`
}

// VerifiedOutput is what was found: of one memory how it stands, of several those
// that are stale.
type VerifiedOutput struct {
	Memories     []Verified `json:"memories"`
	Fresh        int        `json:"fresh"`
	Stale        int        `json:"stale"`
	Unverifiable int        `json:"unverifiable"`
	More         bool       `json:"more,omitempty"`     // there are more stale ones than are listed
	Accepted     bool       `json:"accepted,omitempty"` // it is held against the code of now
	// Taken says of a memory that was accepted what became of each of its anchors.
	Taken []anchor.Taken `json:"taken,omitempty"`
}

const (
	// verifyBatch is how many memories are held against code at once, verifyMost
	// how many stale ones are listed.
	verifyBatch = 200
	verifyMost  = 100
)

// Verify holds memories against the code they name and lists those whose code
// changed, or accepts one as it is.
func (m *Mind) Verify(ctx context.Context, c Caller, in VerifyInput) (VerifiedOutput, error) {
	switch {
	case in.ID != "" && (in.All || in.Realm != ""):
		return VerifiedOutput{}, &memory.InputError{Field: "id", Problem: "does not go with all or realm", Hint: "give one of them"}
	case in.ID != "":
		return m.verifyOne(ctx, c, in)
	case in.Accept:
		return VerifiedOutput{}, &memory.InputError{Field: "accept", Problem: "needs an id", Hint: "look at each memory, then accept it by its id"}
	case in.All && in.Realm != "":
		return VerifiedOutput{}, &memory.InputError{Field: "all", Problem: "does not go with realm", Hint: "give one of them"}
	}
	realm := ""
	if !in.All {
		var err error
		if realm, _, err = m.scope(ctx, c, in.Realm); err != nil {
			return VerifiedOutput{}, err
		}
	} else if !c.Person() {
		return VerifiedOutput{}, &memory.RefusedError{Reason: "memories of other projects are for people to look through", Hint: "leave all out"}
	}
	out := VerifiedOutput{Memories: []Verified{}}
	for after := int64(0); ; {
		list, err := m.store.AnchoredMemories(ctx, realm, after, verifyBatch)
		if err != nil || len(list) == 0 {
			return out, err
		}
		if err := m.verifySome(ctx, c, list, &out); err != nil {
			return out, err
		}
		after = list[len(list)-1].Seq
	}
}

func (m *Mind) verifySome(ctx context.Context, c Caller, list []store.Record, out *VerifiedOutput) error {
	seqs := make([]int64, len(list))
	for i := range list {
		seqs[i] = list[i].Seq
	}
	anchors, err := m.store.AnchorsOf(ctx, seqs)
	if err != nil {
		return err
	}
	states, err := m.anchors.Check(ctx, c.Cwd, list, anchors, anchor.Asked)
	if err != nil {
		return err
	}
	for i := range list {
		r := &list[i]
		f := states[r.Seq]
		switch f.State {
		case anchor.Fresh:
			out.Fresh++
		case anchor.Unknown:
			out.Unverifiable++
		case anchor.Stale:
			if out.Stale++; len(out.Memories) < verifyMost {
				out.Memories = append(out.Memories, verified(r, &f))
			} else {
				out.More = true
			}
		}
	}
	return nil
}

func verified(r *store.Record, f *anchor.Freshness) Verified {
	v := Verified{ID: r.ID, Kind: r.Kind.String(), Text: r.Content, Realm: r.Realm, Freshness: f.State, Changed: f.Note, Anchors: f.Anchors}
	if v.Anchors == nil {
		v.Anchors = []anchor.State{}
	}
	return v
}

func (m *Mind) verifyOne(ctx context.Context, c Caller, in VerifyInput) (VerifiedOutput, error) {
	if err := checkID(in.ID); err != nil {
		return VerifiedOutput{}, err
	}
	r, err := m.store.Get(ctx, in.ID)
	if err != nil {
		return VerifiedOutput{}, err
	}
	var accepted []anchor.Taken
	if in.Accept {
		if accepted, err = m.accept(ctx, c, &r); err != nil {
			return VerifiedOutput{}, err
		}
	}
	anchors, err := m.store.AnchorsOf(ctx, []int64{r.Seq})
	if err != nil {
		return VerifiedOutput{}, err
	}
	states, err := m.anchors.Check(ctx, c.Cwd, []store.Record{r}, anchors, anchor.Asked)
	f := states[r.Seq]
	out := VerifiedOutput{Memories: []Verified{verified(&r, &f)}, Accepted: in.Accept, Taken: accepted}
	switch f.State {
	case anchor.Fresh:
		out.Fresh++
	case anchor.Stale:
		out.Stale++
	case anchor.Unknown:
		out.Unverifiable++
	}
	return out, err
}

// accept takes the hashes of what a memory names as it is now, where it is now.
// What is gone is not named any more. It is refused where nothing of that can be
// done.
func (m *Mind) accept(ctx context.Context, c Caller, r *store.Record) ([]anchor.Taken, error) {
	if r.State != memory.Active {
		return nil, &memory.RefusedError{Reason: fmt.Sprintf("%s is %s", r.ID, r.State), Hint: "only a memory that stands can still be true"}
	}
	all, err := m.store.AnchorsOf(ctx, []int64{r.Seq})
	if err != nil {
		return nil, err
	}
	had := slices.DeleteFunc(all[r.Seq], func(a store.Anchor) bool { return a.Named == store.NamedNot })
	if len(had) == 0 {
		return nil, &memory.RefusedError{Reason: r.ID + " names no code", Hint: "there is nothing to hold it against; to confirm it use strengthen"}
	}
	now, err := m.anchors.Retake(ctx, r.Realm, c.Cwd, had)
	if err != nil {
		return nil, err
	}
	if len(now.Add)+len(now.Drop) == 0 {
		return nil, &memory.RefusedError{Reason: "nothing of what " + r.ID + " names can be held against code: " + now.Did[0].Note,
			Hint: "to confirm it all the same use strengthen; if its project is not indexed: chitta code index"}
	}
	return now.Did, m.store.Write(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.DropAnchors(now.Drop...), tx.AddAnchors(now.Add...),
			tx.AddChange(m.accountFor(c, r, "accept", map[string][2]any{"code": {strings.Join(now.Changed, "; "), nil}})))
	})
}
