package past

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"chitta/internal/follow"
	"chitta/internal/keyword"
	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

// FixInput asks what was done about an error before.
type FixInput struct {
	Error string `json:"error" jsonschema:"the error as it was printed; numbers, paths and times in it do not matter"`
	Limit int    `json:"limit,omitempty" jsonschema:"most occurrences, 1 to 50; default 5"`
	Realm string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory"`
}

// What came of an error.
const (
	VerdictFixed    = "fixed"
	VerdictNotFixed = "not fixed"
	VerdictUnknown  = "unknown"
)

// FixStep is something that was done after an error.
type FixStep struct {
	Action  string `json:"action"`            // run, edit, write
	What    string `json:"what"`              // the command or the file
	Outcome string `json:"outcome,omitempty"` // ok or failed, if known
	ID      string `json:"id"`                // of the message with the call
}

// FixOccurrence is one time an error came up, and what was done until it went
// away.
type FixOccurrence struct {
	ID       string    `json:"id"` // of the message with the error
	Session  string    `json:"session"`
	Agent    string    `json:"agent,omitempty"`
	Created  time.Time `json:"created,omitzero"`
	Doing    string    `json:"doing"` // the command or the tool and its file
	Error    string    `json:"error"`
	Likeness float64   `json:"likeness"` // to what was asked, 0 to 1
	Times    int       `json:"times"`    // how often it came up in the session on the way
	Verdict  string    `json:"verdict"`
	FixedBy  string    `json:"fixed_by,omitempty"` // message with the call that no longer failed
	Steps    []FixStep `json:"steps"`              // oldest first; the last ones
}

// FixOutput is earlier occurrences of an error: those that were fixed first,
// newest first.
type FixOutput struct {
	Occurrences []FixOccurrence `json:"occurrences"`
	Found       int             `json:"found"`
	Realm       string          `json:"realm"`
	Degraded    []string        `json:"degraded,omitempty"`
}

const (
	fixLimit = 5
	fixMost  = 50
	// fixLikeness is how much of what tells an error apart another one has to
	// have to be the same.
	fixLikeness = 0.6
	// fixChunks is how many passages the index proposes, fixRuns how many failed
	// commands are looked at, newest first.
	fixChunks = 60
	fixRuns   = 1000
	// fixAfter is how many calls after an error are looked at.
	fixAfter = 200
	fixSteps = 8
	// errorTokens is how much of an error is shown.
	errorTokens = 80
)

// Fix finds earlier occurrences of an error and what was done until it went
// away.
func (a *Archive) Fix(ctx context.Context, who Reader, in FixInput) (FixOutput, error) {
	out := FixOutput{Occurrences: []FixOccurrence{}}
	text := strings.TrimSpace(in.Error)
	if text == "" {
		return out, &memory.InputError{Field: "error", Problem: "is empty", Hint: "give the error as it was printed"}
	}
	if err := memory.CheckText("error", text, memory.MaxTask); err != nil {
		return out, err
	}
	limit, err := memory.CheckLimit(in.Limit, fixLimit, fixMost, "ask for less")
	if err != nil {
		return out, err
	}
	if out.Realm, err = a.Scope(ctx, who, in.Realm); err != nil {
		return out, err
	}
	wanted := newErrorText(text)
	if len(wanted.words) == 0 {
		return out, &memory.InputError{Field: "error", Problem: "has no words", Hint: "give more of what was printed"}
	}
	chunks, err := a.failing(ctx, out.Realm, wanted, &out)
	if err != nil {
		return out, err
	}
	found, err := a.occurrences(ctx, chunks, wanted)
	if err != nil {
		return out, err
	}
	roots, err := follow.RealmRoots(ctx, a.store, out.Realm)
	if err != nil {
		return out, err
	}
	stories, err := a.stories(ctx, found, wanted, roots)
	if err != nil {
		return out, err
	}
	out.Found = len(stories)
	out.Occurrences = stories[:min(len(stories), limit)]
	return out, nil
}

// failing returns chunks in which the error may have come up: those the index
// finds by its words, and those of failed commands whose output has them.
func (a *Archive) failing(ctx context.Context, realm string, wanted *errorText, out *FixOutput) (map[int64]store.Chunk, error) {
	var seqs []int64
	index, err := a.chunks.Ready()
	if err == nil {
		var hits []keyword.Hit
		filter := keyword.Filter{}
		if realm != "" {
			filter.All = [][]string{{"realm=" + realm}}
		}
		hits, err = index.Search(ctx, keyword.Query{Text: wanted.plain, K: fixChunks, Filter: filter})
		for _, h := range hits {
			seqs = append(seqs, int64(h.ID))
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		out.Degraded = append(out.Degraded, "keyword: "+err.Error())
	}
	runs, err := a.store.FailedRuns(ctx, realm, fixRuns)
	if err != nil {
		return nil, err
	}
	for i := range runs {
		r := &runs[i]
		if r.Result == "" {
			continue
		}
		results, err := a.store.MessageByID(ctx, r.Result, r.Session, 1)
		if err != nil {
			return nil, err
		}
		if len(results) == 0 || !wanted.maybe(results[0].Raw) {
			continue
		}
		seq, err := a.store.ChunkAt(ctx, r.Session, r.Agent, r.Position)
		if err != nil {
			return nil, err
		}
		if seq != 0 {
			seqs = append(seqs, seq)
		}
	}
	return a.store.ChunksBySeq(ctx, seqs)
}

// occurrence is a call that ended with the error.
type occurrence struct {
	result   store.Message // with the error
	source   string        // session as its source names it
	call     session.Part
	text     string
	likeness float64
}

// occurrences reads the messages of chunks and returns the calls that ended
// with the error, oldest first.
func (a *Archive) occurrences(ctx context.Context, chunks map[int64]store.Chunk, wanted *errorText) ([]occurrence, error) {
	var sessions []int64
	for _, c := range chunks {
		sessions = append(sessions, c.Session)
	}
	known, err := a.store.SessionsBySeq(ctx, sessions)
	if err != nil {
		return nil, err
	}
	type resultKey struct {
		message int64
		call    string
	}
	seen := map[resultKey]bool{}
	var out []occurrence
	for _, c := range chunks {
		if c.Gone {
			continue
		}
		messages, err := a.store.MessagesBetween(ctx, c.Session, c.First, c.Last)
		if err != nil {
			return nil, err
		}
		calls := map[string]session.Part{}
		for _, x := range messages {
			if x.Agent != c.Agent {
				continue
			}
			said, err := follow.ReadMessage(known[c.Session].Source, x.Raw)
			if err != nil {
				continue // no longer readable: nothing to be found in it
			}
			for _, p := range said.Parts {
				key := resultKey{x.Seq, p.ToolID}
				switch {
				case p.Kind == session.ToolUse:
					calls[p.ToolID] = p
				case p.Kind == session.ToolResult && !seen[key]:
					seen[key] = true
					call, told := calls[p.ToolID]
					// what came out of a pipe may be an error that nobody noticed
					if l := wanted.likeness(p.Text); l >= fixLikeness && (p.Failed || call.Command != "" && l >= wholeLine) && told {
						out = append(out, occurrence{result: x, source: known[c.Session].ID, call: call, text: p.Text, likeness: l})
					}
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b occurrence) int {
		return cmp.Or(a.result.Time.Compare(b.result.Time), cmp.Compare(a.result.Seq, b.result.Seq))
	})
	return out, nil
}
