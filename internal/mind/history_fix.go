package mind

import (
	"bytes"
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
	// maxErrorText is how much of an error is looked at, in bytes. What tells
	// errors apart stands at their beginning or their end.
	maxErrorText = 8 << 10
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
func (m *Mind) Fix(ctx context.Context, c Caller, in FixInput) (FixOutput, error) {
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
	if out.Realm, err = m.searchRealm(ctx, c, in.Realm); err != nil {
		return out, err
	}
	wanted := newErrorText(text)
	if len(wanted.words) == 0 {
		return out, &memory.InputError{Field: "error", Problem: "has no words", Hint: "give more of what was printed"}
	}
	chunks, err := m.failing(ctx, out.Realm, wanted, &out)
	if err != nil {
		return out, err
	}
	found, err := m.occurrences(ctx, chunks, wanted)
	if err != nil {
		return out, err
	}
	roots, err := follow.RealmRoots(ctx, m.store, out.Realm)
	if err != nil {
		return out, err
	}
	stories, err := m.stories(ctx, found, wanted, roots)
	if err != nil {
		return out, err
	}
	out.Found = len(stories)
	out.Occurrences = stories[:min(len(stories), limit)]
	return out, nil
}

// errorText is an error to be found again.
type errorText struct {
	plain string // without what differs each time
	words map[string]float64
	lines []string // that tell it apart by themselves
	rare  [][]byte // its longest telling words
}

// rareWords is how many of an error's words are looked for before a text is
// read.
const rareWords = 6

func newErrorText(text string) *errorText {
	if len(text) > maxErrorText {
		text = strings.ToValidUTF8(text[:maxErrorText/2], "") + "\n" + strings.ToValidUTF8(text[len(text)-maxErrorText/2:], "")
	}
	e := &errorText{plain: plainError(text), words: errorWeights(text), lines: tellingLines(text)}
	var telling []string
	for w, weight := range e.words {
		if weight == 1 {
			telling = append(telling, w)
		}
	}
	slices.SortFunc(telling, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	for _, w := range telling[:min(len(telling), rareWords)] {
		e.rare = append(e.rare, []byte(w))
	}
	return e
}

func (e *errorText) likeness(text string) float64 { return errorLikeness(e.words, e.lines, text) }

// maybe says whether a record can hold the error, without reading it.
func (e *errorText) maybe(raw []byte) bool {
	lower := bytes.ToLower(raw)
	n := 0
	for _, w := range e.rare {
		if bytes.Contains(lower, w) {
			n++
		}
	}
	return 2*n >= len(e.rare)
}

// failing returns chunks in which the error may have come up: those the index
// finds by its words, and those of failed commands whose output has them.
func (m *Mind) failing(ctx context.Context, realm string, wanted *errorText, out *FixOutput) (map[int64]store.Chunk, error) {
	var seqs []int64
	index, err := m.chunks.Ready()
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
	runs, err := m.store.FailedRuns(ctx, realm, fixRuns)
	if err != nil {
		return nil, err
	}
	for i := range runs {
		r := &runs[i]
		if r.Result == "" {
			continue
		}
		results, err := m.store.MessageByID(ctx, r.Result, r.Session, 1)
		if err != nil {
			return nil, err
		}
		if len(results) == 0 || !wanted.maybe(results[0].Raw) {
			continue
		}
		seq, err := m.store.ChunkAt(ctx, r.Session, r.Agent, r.Position)
		if err != nil {
			return nil, err
		}
		if seq != 0 {
			seqs = append(seqs, seq)
		}
	}
	return m.store.ChunksBySeq(ctx, seqs)
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
func (m *Mind) occurrences(ctx context.Context, chunks map[int64]store.Chunk, wanted *errorText) ([]occurrence, error) {
	var sessions []int64
	for _, c := range chunks {
		sessions = append(sessions, c.Session)
	}
	known, err := m.store.SessionsBySeq(ctx, sessions)
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
		messages, err := m.store.MessagesBetween(ctx, c.Session, c.First, c.Last)
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

// stories says of each occurrence what was done until it went away. The same
// trouble that came up several times on the way is one story.
func (m *Mind) stories(ctx context.Context, found []occurrence, wanted *errorText, roots []string) ([]FixOccurrence, error) {
	type storyKey struct {
		session int64
		doing   string
		fixedBy string
	}
	at := map[storyKey]int{}
	var out []FixOccurrence
	for i := range found {
		o := &found[i]
		story, err := m.story(ctx, o, wanted, roots)
		if err != nil {
			return nil, err
		}
		key := storyKey{o.result.Session, story.Doing, story.FixedBy}
		if k, ok := at[key]; ok {
			out[k].Times++
			out[k].Likeness = max(out[k].Likeness, story.Likeness)
			continue
		}
		at[key] = len(out)
		out = append(out, story)
	}
	slices.SortStableFunc(out, func(a, b FixOccurrence) int {
		return cmp.Or(cmp.Compare(verdictRank(a.Verdict), verdictRank(b.Verdict)), b.Created.Compare(a.Created))
	})
	return out, nil
}

func verdictRank(v string) int {
	return slices.Index([]string{VerdictFixed, VerdictNotFixed, VerdictUnknown}, v)
}

func (m *Mind) story(ctx context.Context, o *occurrence, wanted *errorText, roots []string) (FixOccurrence, error) {
	out := FixOccurrence{
		ID: o.result.ID, Session: o.source, Agent: o.result.Agent, Created: o.result.Time, Likeness: o.likeness, Times: 1,
		Verdict: VerdictUnknown, Steps: []FixStep{}, Doing: doing(&o.call, roots),
	}
	out.Error, _ = shortenTo(tellingPart(o.text, wanted), errorTokens)
	runs, err := m.store.RunsAfter(ctx, o.result.Session, o.result.Agent, o.result.Position, fixAfter)
	if err != nil {
		return out, err
	}
	touches, err := m.store.ChangesAfter(ctx, o.result.Session, o.result.Agent, o.result.Position, fixAfter)
	if err != nil {
		return out, err
	}
	for len(runs) > 0 || len(touches) > 0 {
		if len(touches) == 0 || len(runs) > 0 && runs[0].Position <= touches[0].Position {
			r := runs[0]
			runs = runs[1:]
			if out.Verdict, err = m.judgeRun(ctx, o, &r, wanted, roots, out.Verdict); err != nil {
				return out, err
			}
			outcome, err := m.outcomeOf(ctx, &r)
			if err != nil {
				return out, err
			}
			out.addStep(FixStep{Action: "run", What: generalCommand(r.Command, roots), Outcome: outcome, ID: r.MessageID})
			if out.Verdict == VerdictFixed {
				out.FixedBy = r.MessageID
				break
			}
			continue
		}
		t := touches[0]
		touches = touches[1:]
		if t.Changes() && !t.Failed {
			out.addStep(FixStep{Action: t.Action, What: follow.ShownPath(roots, t.Path), Outcome: "ok", ID: t.MessageID})
		}
		if o.call.Command == "" && t.Tool == o.call.Tool && slices.Contains(o.call.Files, t.Path) {
			if t.Failed {
				out.Verdict = VerdictNotFixed
				continue
			}
			out.Verdict, out.FixedBy = VerdictFixed, t.MessageID
			break
		}
	}
	return out, nil
}

// judgeRun says what a later run tells about an error: the same command that
// succeeds, and does not print it any more, means that it is gone.
func (m *Mind) judgeRun(ctx context.Context, o *occurrence, r *store.Run, wanted *errorText, roots []string, before string) (string, error) {
	if o.call.Command == "" || !sameCommand(generalCommand(o.call.Command, roots), generalCommand(r.Command, roots)) {
		return before, nil
	}
	ok, known, err := m.succeeded(ctx, r)
	if err != nil {
		return before, err
	}
	printed, err := m.outputOf(ctx, r)
	switch {
	case err != nil:
		return before, err
	case known && !ok, r.Result != "" && wanted.likeness(printed) >= wholeLine: // a pipe may hide that it still fails
		return VerdictNotFixed, nil
	case !known:
		return before, nil
	}
	return VerdictFixed, nil
}

// addStep keeps the last few steps; the same one again is said once.
func (o *FixOccurrence) addStep(s FixStep) {
	o.Steps = slices.DeleteFunc(o.Steps, func(x FixStep) bool { return x.Action == s.Action && x.What == s.What && x.Outcome == s.Outcome })
	o.Steps = append(o.Steps, s)
	o.Steps = o.Steps[max(0, len(o.Steps)-fixSteps):]
}

// outcomeOf says in a word how a run ended, "" if that is not known.
func (m *Mind) outcomeOf(ctx context.Context, r *store.Run) (string, error) {
	switch ok, known, err := m.succeeded(ctx, r); {
	case err != nil || !known:
		return "", err
	case ok:
		return "ok", nil
	}
	return "failed", nil
}

// doing says what a call was for.
func doing(call *session.Part, roots []string) string {
	if call.Command != "" {
		return generalCommand(call.Command, roots)
	}
	var files []string
	for _, f := range call.Files {
		files = append(files, follow.ShownPath(roots, f))
	}
	return strings.TrimSpace(call.Tool + " " + strings.Join(files, ", "))
}

// tellingPart is an output from the line on that is most like the error.
func tellingPart(text string, wanted *errorText) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	best, at := 0.0, 0
	for i, line := range lines {
		if l := wanted.likeness(line); l > best {
			best, at = l, i
		}
	}
	return strings.TrimSpace(strings.Join(lines[at:], "\n"))
}
