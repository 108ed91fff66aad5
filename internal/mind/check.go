package mind

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"chitta/internal/capture"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// CheckInput says where to go on.
type CheckInput struct {
	Cursor string `json:"cursor,omitempty" jsonschema:"next of the part before; leave it out to begin"`
}

// CheckOutput says whether the data is sound. It takes long to look at
// everything, so one call looks at a part: call again with Next until Done.
// Counts are of all parts up to this one, problems of this one alone.
type CheckOutput struct {
	OK       bool            `json:"ok"`       // everything was looked at, and in no part something is broken
	Memories int             `json:"memories"` // looked at
	Messages int             `json:"messages"` // looked at
	Problems []store.Problem `json:"problems"`
	Done     bool            `json:"done"`           // everything was looked at; otherwise call again
	Next     string          `json:"next,omitempty"` // where to go on
	Step     int             `json:"step"`           // how far it is
	Steps    int             `json:"steps"`          // of how many
}

const (
	// checkTime is how long one call goes on before it returns. The longest
	// single steps, SQLite looking at its file and the checksums of an index,
	// come on top.
	checkTime = time.Second
	// checkedAtOnce is how many memories are read at once to be checked.
	checkedAtOnce = 500
	// checkedMessages and checkedBytes bound the messages read at once.
	checkedMessages = 1000
	checkedBytes    = 8 << 20
)

// checking is how far a check is. It is handed out as the cursor.
type checking struct {
	Step     int   `json:"s"`           // those before it are done
	Of       int   `json:"o"`           // how many there are; another list has others, which would be skipped
	After    int64 `json:"a,omitempty"` // within the step
	Memories int   `json:"m,omitempty"`
	Messages int   `json:"n,omitempty"`
	Problems int   `json:"p,omitempty"`
}

func (c checking) String() string {
	text, err := json.Marshal(c)
	if err != nil {
		return "" // there is nothing in it that could fail
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

func parseChecking(cursor string, steps int) (c checking, err error) {
	if cursor == "" {
		return checking{Of: steps}, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil || c.Of != steps || c.Step < 0 || c.Step >= steps || min(c.After, int64(c.Memories), int64(c.Messages), int64(c.Problems)) < 0 {
		return c, &memory.InputError{Field: "cursor", Problem: fmt.Sprintf("%q is not one that check gave", cursor), Hint: "pass on the next of the part before, or leave it out to begin"}
	}
	return c, nil
}

// Check proves the invariants of everything stored and of what is derived
// from it, a part at a time.
func (m *Mind) Check(ctx context.Context, _ Caller, in CheckInput) (CheckOutput, error) {
	steps := m.checkSteps()
	at, err := parseChecking(in.Cursor, len(steps))
	if err != nil {
		return CheckOutput{}, err
	}
	out := CheckOutput{Problems: []store.Problem{}, Steps: len(steps)}
	for begin := time.Now(); at.Step < len(steps) && time.Since(begin) < checkTime; {
		found, done, err := steps[at.Step](ctx, &at)
		if err != nil {
			return CheckOutput{}, err
		}
		out.Problems = append(out.Problems, found...)
		if at.Problems += len(found); done {
			at.Step, at.After = at.Step+1, 0
		}
	}
	out.Memories, out.Messages, out.Step = at.Memories, at.Messages, at.Step
	if out.Done = at.Step == len(steps); out.Done {
		out.OK = at.Problems == 0
	} else {
		out.Next = at.String()
	}
	return out, nil
}

// checkFor is a check to its end, or for as long as there is time.
func (m *Mind) checkFor(ctx context.Context, c Caller, most time.Duration) (CheckOutput, error) {
	all := CheckOutput{Problems: []store.Problem{}}
	for begin := time.Now(); !all.Done && time.Since(begin) < most; {
		out, err := m.Check(ctx, c, CheckInput{Cursor: all.Next})
		if err != nil {
			return CheckOutput{}, err
		}
		out.Problems = append(all.Problems, out.Problems...)
		all = out
	}
	return all, nil
}

// checkStep does a part of a check and reports whether its step is done.
type checkStep func(context.Context, *checking) (found []store.Problem, done bool, err error)

// checkSteps lists what is looked at. The order is that of cursors, which are
// passed on at once: it may change from version to version.
func (m *Mind) checkSteps() []checkStep {
	var steps []checkStep
	for i := range m.store.CheckSteps() {
		steps = append(steps, func(ctx context.Context, _ *checking) ([]store.Problem, bool, error) {
			found, err := m.store.CheckStep(ctx, i)
			return found, true, err
		})
	}
	steps = append(steps, m.checkHashes, m.checkMessages)
	for _, x := range m.indexers() {
		steps = append(steps, func(ctx context.Context, _ *checking) ([]store.Problem, bool, error) {
			return x.Check(ctx), true, nil
		})
	}
	return append(steps, func(ctx context.Context, _ *checking) ([]store.Problem, bool, error) {
		return m.semantic.Check(ctx), true, nil
	})
}

// checkHashes verifies memories against the hash stored beside each.
func (m *Mind) checkHashes(ctx context.Context, at *checking) (out []store.Problem, done bool, err error) {
	records, err := m.store.List(ctx, store.Filter{ByRev: true, Limit: checkedAtOnce, After: at.After})
	if err != nil {
		return nil, false, err
	}
	for _, r := range records {
		if r.Hash != capture.Hash(r.Content) {
			out = append(out, store.Problem{What: "a text fits its hash", Where: r.ID, Detail: r.Hash})
		}
		at.After = r.Rev
	}
	at.Memories += len(records)
	return out, len(records) < checkedAtOnce, nil
}

// checkMessages verifies messages of conversations against the SHA-256 stored
// beside each. Those of which only the row number is left do not count.
func (m *Mind) checkMessages(ctx context.Context, at *checking) (out []store.Problem, done bool, err error) {
	rows, err := m.store.MessagesAfter(ctx, at.After, checkedMessages, checkedBytes)
	if err != nil {
		return nil, false, err
	}
	for i := range rows {
		x := &rows[i]
		if sha256.Sum256(x.Raw) != x.Hash {
			out = append(out, store.Problem{What: "a message fits its hash", Where: x.ID, Detail: fmt.Sprintf("%x", x.Hash)})
		}
		if at.After = x.Seq; !x.Gone() {
			at.Messages++
		}
	}
	return out, len(rows) == 0, nil
}
