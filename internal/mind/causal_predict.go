package mind

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chitta/internal/causal"
	"chitta/internal/follow"
	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/recall"
	"chitta/internal/store"
)

// PredictInput asks what is likely to matter next.
type PredictInput struct {
	Query string `json:"query,omitempty" jsonschema:"what is being done; default: what was asked for last in this project"`
	Limit int    `json:"limit,omitempty" jsonschema:"most files, commands and requests of each, 1 to 50; default 5"`
	Realm string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory"`
}

// PredictedFile is a file that was touched after similar work.
type PredictedFile struct {
	Path     string   `json:"path"` // below the top of the project where that is known
	Count    int      `json:"count"`
	Changed  int      `json:"changed"` // how often it was edited or written
	Score    float64  `json:"score"`
	Evidence []string `json:"evidence"` // ids of messages

	in []int64 // the sessions they are in
}

// PredictedCommand is a command that was run after similar work.
type PredictedCommand struct {
	Command     string   `json:"command"` // with … for what varies
	Count       int      `json:"count"`
	Succeeded   int      `json:"succeeded"`
	Known       int      `json:"known"`                  // runs whose outcome is known
	SuccessRate *float64 `json:"success_rate,omitempty"` // of those
	Score       float64  `json:"score"`
	Evidence    []string `json:"evidence"`

	in []int64
}

// PredictedRequest is something a person asked for after similar work.
type PredictedRequest struct {
	Passage
	Count int     `json:"count"` // how often, in the same words
	Score float64 `json:"score"`
}

// PredictOutput is what was seen after similar work, the likeliest first.
type PredictOutput struct {
	About    string             `json:"about,omitempty"` // what it goes by
	Similar  []Passage          `json:"similar"`         // the work it was seen after
	Files    []PredictedFile    `json:"files"`
	Commands []PredictedCommand `json:"commands"`
	Requests []PredictedRequest `json:"requests"`
	Realm    string             `json:"realm"`
	Degraded []string           `json:"degraded,omitempty"`
}

const (
	predictLimit = 5
	predictMost  = 50
	predictSeeds = 5
	predictBeam  = 8
	mostEvidence = 3 // ids per thing predicted
	// readShare is what reading a file counts against changing it.
	readShare = 0.3
	// requestTokens and similarTokens are how much of a passage is shown.
	requestTokens = 60
	similarTokens = 40
)

// Predict walks ahead from the passages most like what is being done and
// gathers what was touched, run and asked for there.
func (m *Mind) Predict(ctx context.Context, c Caller, in PredictInput) (PredictOutput, error) {
	out := PredictOutput{Similar: []Passage{}, Files: []PredictedFile{}, Commands: []PredictedCommand{}, Requests: []PredictedRequest{}}
	limit, err := memory.CheckLimit(in.Limit, predictLimit, predictMost, "ask for less")
	if err != nil {
		return out, err
	}
	text, skip, realm, err := m.underWay(ctx, c, in)
	if err != nil || text == "" {
		out.Realm = realm
		return out, err
	}
	q, err := m.recallQuery(ctx, c, RecallInput{Query: text, Realm: in.Realm, Scope: recall.TargetSessions})
	if err != nil {
		return out, err
	}
	out.Realm = q.Realm
	out.About = past.Beginning(text, requestTokens)
	ranking, err := m.conversations.Rank(ctx, q)
	if err != nil {
		return out, err
	}
	out.Degraded = append(ranking.Degraded, m.catchingUp(q.Targets)...)
	if m.linker.Behind() {
		out.Degraded = append(out.Degraded, "edges: passages are still being linked")
	}
	seeds, err := m.predictFrom(ctx, ranking.Chunks, skip)
	if err != nil || len(seeds) == 0 {
		return out, err
	}
	similar, _ := m.Resemblance(ctx, text)
	reached, err := causal.Walk(ctx, m.Causes(), seeds, causal.Ahead, similar, causal.Options{Beam: predictBeam})
	if err != nil {
		return out, err
	}
	if err := m.gather(ctx, &out, seeds, reached, skip, limit); err != nil {
		return out, err
	}
	return out, m.tellPredictedApart(ctx, &out)
}

// tellPredictedApart makes the ids of an answer lead to the messages they stand
// for.
func (m *Mind) tellPredictedApart(ctx context.Context, out *PredictOutput) error {
	var sessions []int64
	for i := range out.Files {
		sessions = append(sessions, out.Files[i].in...)
	}
	for i := range out.Commands {
		sessions = append(sessions, out.Commands[i].in...)
	}
	bySeq, err := m.store.SessionsBySeq(ctx, sessions)
	if err != nil {
		return err
	}
	var refs []past.Ref
	take := func(ids []string, in []int64) {
		for i := range ids {
			refs = append(refs, past.Ref{ID: &ids[i], Session: bySeq[in[i]].ID})
		}
	}
	for i := range out.Files {
		take(out.Files[i].Evidence, out.Files[i].in)
	}
	for i := range out.Commands {
		take(out.Commands[i].Evidence, out.Commands[i].in)
	}
	for i := range out.Similar {
		refs = append(refs, out.Similar[i].ref())
	}
	for i := range out.Requests {
		refs = append(refs, out.Requests[i].ref())
	}
	return m.past.TellApart(ctx, refs)
}

// predictFrom returns where to go ahead from: what was asked for in the turns
// that are most like what is being done, one of each conversation.
func (m *Mind) predictFrom(ctx context.Context, ranked []recall.Ranked, skip int64) ([]causal.Seed, error) {
	var seeds []causal.Seed
	taken := map[int64]bool{skip: true}
	for _, r := range ranked {
		if taken[r.Session] {
			continue
		}
		if taken[r.Session] = true; len(seeds) == predictSeeds {
			break
		}
		chunks, err := m.store.ChunksBySeq(ctx, []int64{r.Seq})
		if err != nil {
			return nil, err
		}
		seed := causal.Seed{Chunk: r.Seq, Score: 1 / float64(1+len(seeds))}
		request, err := m.store.RequestBefore(ctx, r.Session, chunks[r.Seq].Time)
		if err != nil {
			return nil, err
		}
		if request.Seq != 0 {
			seed.Chunk = request.Seq
		}
		seeds = append(seeds, seed)
	}
	return seeds, nil
}

// underWay returns what a prediction goes by: the query, or what was asked for
// last in the project, whose own conversation then has nothing to tell.
func (m *Mind) underWay(ctx context.Context, c Caller, in PredictInput) (text string, skip int64, realm string, err error) {
	realm, err = m.past.Scope(ctx, c.reader(), in.Realm)
	if err != nil {
		return "", 0, realm, err
	}
	if text = strings.TrimSpace(in.Query); text != "" {
		return text, 0, realm, memory.CheckText("query", in.Query, memory.MaxQuery)
	}
	latest, err := m.store.LatestRequest(ctx, realm)
	return memory.FirstBytes(strings.TrimSpace(latest.Text), likeText), latest.Session, realm, err
}

// gather adds up what was touched, run and asked for in the chunks reached.
func (m *Mind) gather(ctx context.Context, out *PredictOutput, seeds []causal.Seed, reached []causal.Reached, skip int64, limit int) error {
	score := map[int64]float64{}
	var chunks, all []int64
	for _, s := range seeds {
		all = append(all, s.Chunk)
	}
	for _, r := range reached {
		score[r.Chunk] = r.Score
		chunks = append(chunks, r.Chunk)
	}
	loaded, err := m.passages(ctx, slices.Concat(all, chunks))
	if err != nil {
		return err
	}
	for _, s := range seeds {
		if p, ok := loaded[s.Chunk]; ok {
			out.Similar = append(out.Similar, passageOf(&p, similarTokens))
		}
	}
	chunks = slices.DeleteFunc(chunks, func(seq int64) bool { p, ok := loaded[seq]; return !ok || p.Session.Seq == skip })
	touched, err := m.store.TouchesOf(ctx, chunks)
	if err != nil {
		return err
	}
	runs, err := m.store.RunsOf(ctx, chunks)
	if err != nil {
		return err
	}
	roots, err := follow.RealmRoots(ctx, m.store, out.Realm)
	if err != nil {
		return err
	}
	files, commands, requests := map[string]*PredictedFile{}, map[string]*PredictedCommand{}, map[string]*PredictedRequest{}
	for _, seq := range chunks {
		addFiles(files, roots, touched[seq], score[seq])
		if err := m.addCommands(ctx, commands, roots, runs[seq], score[seq]); err != nil {
			return err
		}
		if p := loaded[seq]; p.Chunk.Role == "user" && p.Chunk.Agent == "" && p.Chunk.Part == 0 {
			key := strings.Join(strings.Fields(strings.ToLower(p.Chunk.Text)), " ")
			r := requests[key]
			if r == nil {
				r = &PredictedRequest{Passage: passageOf(&p, requestTokens)}
				requests[key] = r
			}
			r.Count++
			r.Score += score[seq]
		}
	}
	out.Files = topOf(files, limit, func(f *PredictedFile) (float64, string) { return f.Score, f.Path })
	out.Commands = topOf(commands, limit, func(c *PredictedCommand) (float64, string) { return c.Score, c.Command })
	out.Requests = topOf(requests, limit, func(r *PredictedRequest) (float64, string) { return r.Score, r.ID })
	return nil
}

func addFiles(files map[string]*PredictedFile, roots []string, touched []store.Touch, score float64) {
	seen := map[string]bool{}
	for i := range touched {
		t := &touched[i]
		if !follow.Counted(t) {
			continue
		}
		name := follow.ShownPath(roots, t.Path)
		f := files[name]
		if f == nil {
			f = &PredictedFile{Path: name}
			files[name] = f
		}
		changed := t.Changes()
		if changed {
			f.Changed++
		}
		f.Count++
		f.Evidence, f.in = evidenceIn(f.Evidence, f.in, t.MessageID, t.Session)
		if key := name + string(t.Action); !seen[key] {
			seen[key] = true
			if !changed {
				f.Score += score * readShare
			} else {
				f.Score += score
			}
		}
	}
}

func (m *Mind) addCommands(ctx context.Context, commands map[string]*PredictedCommand, roots []string, runs []store.Run, score float64) error {
	for i := range runs {
		r := &runs[i]
		name := past.GeneralCommand(r.Command, roots)
		if name == "" {
			continue
		}
		c := commands[name]
		if c == nil {
			c = &PredictedCommand{Command: name}
			commands[name] = c
		}
		c.Count++
		c.Score += score
		ok, known, err := m.past.Succeeded(ctx, r)
		if err != nil {
			return err
		}
		if known {
			c.Known++
			if ok {
				c.Succeeded++
			}
			rate := float64(c.Succeeded) / float64(c.Known)
			c.SuccessRate = &rate
		}
		c.Evidence, c.in = evidenceIn(c.Evidence, c.in, r.MessageID, r.Session)
	}
	return nil
}

// topOf returns the best of what was added up.
func topOf[T any](all map[string]*T, limit int, rank func(*T) (float64, string)) []T {
	list := make([]T, 0, len(all))
	for _, x := range all {
		list = append(list, *x)
	}
	slices.SortFunc(list, func(a, b T) int {
		as, an := rank(&a)
		bs, bn := rank(&b)
		return cmp.Or(cmp.Compare(bs, as), cmp.Compare(an, bn))
	})
	return list[:min(len(list), limit)]
}

// evidenceIn adds the id of a message to a few, and the session it is in: the
// same id may stand for messages of several.
func evidenceIn(ids []string, in []int64, id string, session int64) ([]string, []int64) {
	for i := range ids {
		if ids[i] == id && in[i] == session {
			return ids, in
		}
	}
	if len(ids) == mostEvidence {
		return ids, in
	}
	return append(ids, id), append(in, session)
}
