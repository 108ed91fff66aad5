package mind

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chitta/internal/causal"
	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/recall"
	"chitta/internal/store"
)

// ExplainInput asks how something came about.
type ExplainInput struct {
	Query  string `json:"query" jsonschema:"what to explain: a question in plain words, or the id of a passage or a memory"`
	Steps  int    `json:"steps,omitempty" jsonschema:"most links of the chain before it, 1 to 20; default 8"`
	Budget int    `json:"budget,omitempty" jsonschema:"most tokens of text, estimated; default 2000"`
	Realm  string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory"`
}

// Passage is a piece of a conversation as answers about history show it.
type Passage struct {
	ID        string    `json:"id"`      // of its first message, and which of several that begin with it
	Speaker   string    `json:"speaker"` // name or role
	Session   string    `json:"session"`
	Agent     string    `json:"agent,omitempty"` // the subagent whose thread it is in
	Created   time.Time `json:"created,omitzero"`
	Text      string    `json:"text"`
	Shortened bool      `json:"shortened,omitempty"`
}

// ChainLink is one passage of a chain, and how it leads to the next.
type ChainLink struct {
	Passage
	Asked      string  `json:"asked,omitempty"` // what a person had asked for then, unless that is the passage or the one before
	AskedID    string  `json:"asked_id,omitempty"`
	Edge       string  `json:"edge,omitempty"`   // to the next; empty for the last
	Weight     float64 `json:"weight,omitempty"` // of that edge
	Hops       int     `json:"hops"`             // from here to the passage explained
	Decay      float64 `json:"decay"`            // what is left at that distance
	Similarity float64 `json:"similarity"`       // to what was asked
	Score      float64 `json:"score"`
}

// ExplainOutput is the chain of what led to a passage, oldest first; the
// passage itself is the last.
type ExplainOutput struct {
	Chain    []ChainLink `json:"chain"`
	Tokens   int         `json:"tokens"` // estimated
	Realm    string      `json:"realm"`
	Degraded []string    `json:"degraded,omitempty"` // what could not take part, and why
}

const (
	explainSteps = 8
	explainMost  = 20
	explainBeam  = 4
	// likeText is how much of a passage stands for it when others are compared
	// with it, in bytes: what is embedded is not longer.
	likeText = 2000
	// askedTokens is how much is shown of what a person had asked for.
	askedTokens = 40
	// leastShown is how many tokens of a passage are worth showing.
	leastShown = 24
)

// Explain finds the passage a question is about and walks back along what led
// to it.
func (m *Mind) Explain(ctx context.Context, c Caller, in ExplainInput) (ExplainOutput, error) {
	q, err := m.recallQuery(ctx, c, RecallInput{Query: in.Query, Budget: in.Budget, Realm: in.Realm, Scope: recall.TargetSessions})
	if err != nil {
		return ExplainOutput{}, err
	}
	if in.Steps < 0 || in.Steps > explainMost {
		return ExplainOutput{}, &memory.InputError{Field: "steps", Problem: fmt.Sprintf("is %d", in.Steps), Hint: fmt.Sprintf("use a number from 1 to %d, or leave it out", explainMost)}
	}
	steps := in.Steps
	if steps == 0 {
		steps = explainSteps
	}
	out := ExplainOutput{Chain: []ChainLink{}, Realm: q.Realm}
	text, seed, err := m.meant(ctx, c, q)
	if err != nil {
		return out, err
	}
	named := seed == 0 && formOfID(q.Text)
	if seed == 0 {
		q.Text = text
		ranking, err := m.conversations.Rank(ctx, q)
		if err != nil {
			return out, err
		}
		out.Degraded = append(ranking.Degraded, m.catchingUp(q.Targets)...)
		if named {
			out.Degraded = append(out.Degraded, "id: no passage here is called "+strconv.Quote(q.Text)+", so it was looked for as text")
		}
		if len(ranking.Chunks) == 0 {
			return out, nil
		}
		seed = ranking.Chunks[0].Seq
	}
	if m.linker.Behind() {
		out.Degraded = append(out.Degraded, "edges: passages are still being linked")
	}
	similar, _ := m.Resemblance(ctx, text)
	reached, err := causal.Walk(ctx, m.Causes(), []causal.Seed{{Chunk: seed}}, causal.Back, similar, causal.Options{Beam: explainBeam, Steps: steps})
	if err != nil {
		return out, err
	}
	own, err := similar(ctx, []int64{seed})
	if err != nil {
		return out, err
	}
	chain := append([]causal.Reached{{Chunk: seed, Decay: 1, Similar: min(1, max(0, own[seed])), Score: 1}}, causal.Chain(reached)...)
	if out.Chain, out.Tokens, err = m.chainLinks(ctx, chain, q.Budget); err != nil {
		return out, err
	}
	return out, m.past.TellApart(ctx, refsOf(out.Chain))
}

// chainLinks loads the passages of a chain, which begins with the latest, and
// fits them into a budget: the latest first, as much of each as its share.
func (m *Mind) chainLinks(ctx context.Context, chain []causal.Reached, budget int) ([]ChainLink, int, error) {
	seqs := make([]int64, len(chain))
	for i, r := range chain {
		seqs[i] = r.Chunk
	}
	loaded, err := m.passages(ctx, seqs)
	if err != nil {
		return nil, 0, err
	}
	share := max(leastShown, budget/len(chain))
	links, used := []ChainLink{}, 0
	for _, r := range chain {
		p, ok := loaded[r.Chunk]
		if !ok {
			break // gone since; what came before it hangs in the air
		}
		room := min(share, budget-used)
		if room < leastShown && len(links) > 0 {
			break
		}
		l := ChainLink{Passage: passageOf(&p, room), Edge: string(r.Kind), Weight: r.Weight, Hops: r.Hops, Decay: r.Decay, Similarity: r.Similar, Score: r.Score}
		used += recall.EstimateTokens(l.Text)
		links = append(links, l)
	}
	for i := range links {
		p := loaded[chain[i].Chunk]
		if links[i].Asked, links[i].AskedID, err = m.askedFor(ctx, &p.Chunk, chain[:len(links)]); err != nil {
			return nil, 0, err
		}
		if cost := recall.EstimateTokens(links[i].Asked); used+cost <= budget {
			used += cost
		} else {
			links[i].Asked = ""
		}
	}
	slices.Reverse(links)
	return links, used, nil
}

// askedFor returns what a person had asked for when an agent said or did
// something, and the message, unless that is part of the chain itself.
func (m *Mind) askedFor(ctx context.Context, c *store.Chunk, chain []causal.Reached) (text, id string, err error) {
	if c.Role == "user" && c.Agent == "" {
		return "", "", nil
	}
	request, err := m.store.RequestBefore(ctx, c.Session, c.Time)
	if err != nil || request.Seq == 0 || slices.ContainsFunc(chain, func(r causal.Reached) bool { return r.Chunk == request.Seq }) {
		return "", "", err
	}
	ids, err := m.store.ChunkMessages(ctx, []int64{request.Seq})
	if err != nil || len(ids[request.Seq]) == 0 {
		return "", "", err
	}
	return past.Beginning(request.Text, askedTokens), ids[request.Seq][0], nil
}

func passageOf(p *recall.Passage, tokens int) Passage {
	text, cut := past.Shorten(p.Chunk.Text, tokens)
	speaker := p.Chunk.Speaker
	if speaker == "" {
		speaker = p.Chunk.Role
	}
	return Passage{ID: p.ID(), Speaker: speaker, Session: p.Session.ID, Agent: p.Chunk.Agent, Created: p.Chunk.Time, Text: text, Shortened: cut}
}

// meant says what a query stands for: the chunk of a passage or memory whose
// id it is, or a text to look for.
func (m *Mind) meant(ctx context.Context, c Caller, q *recall.Query) (text string, chunk int64, err error) {
	text, chunk, err = m.meantWhole(ctx, c, q)
	id, nth, ok := past.CutPassage(q.Text)
	if chunk != 0 || !ok {
		return text, chunk, err
	}
	if _, first, firstErr := m.meantWhole(ctx, c, &recall.Query{Text: id, Realm: q.Realm}); firstErr == nil && first != 0 {
		return m.meantPassage(ctx, first, nth, q.Text)
	}
	return text, chunk, err
}

// meantPassage returns the nth of the chunks that begin where one does.
func (m *Mind) meantPassage(ctx context.Context, first int64, nth int, name string) (string, int64, error) {
	chunks, err := m.store.ChunksBySeq(ctx, []int64{first})
	if err != nil {
		return "", 0, err
	}
	c := chunks[first]
	all, err := m.store.ChunksBeginning(ctx, c.Session, c.Agent, c.First)
	if err == nil && nth > len(all) {
		err = past.NoPassage(name, len(all))
	}
	if err != nil {
		return "", 0, err
	}
	return memory.FirstBytes(all[nth-1].Text, likeText), all[nth-1].Seq, nil
}

// meantWhole is [Mind.meant] for ids of messages and memories.
func (m *Mind) meantWhole(ctx context.Context, c Caller, q *recall.Query) (text string, chunk int64, err error) {
	if strings.ContainsAny(q.Text, " \t\n") || len(q.Text) > maxIDBytes {
		return q.Text, 0, nil
	}
	if strings.HasPrefix(q.Text, "m_") {
		return m.meantMemory(ctx, q.Text)
	}
	found, err := m.store.MessageByID(ctx, q.Text, 0, fewMessages)
	if err != nil {
		return q.Text, 0, err
	}
	isID := past.LooksLikeID(q.Text)
	elsewhere := m.idElsewhere(c, q, found)
	found = slices.DeleteFunc(found, func(s store.Said) bool {
		// a word may happen to be the id of something elsewhere
		return !isID && (s.Realm != q.Realm || s.ID != q.Text) || !c.Person() && s.Realm != q.Realm
	})
	if len(found) == 0 && strings.Contains(q.Text, ":") {
		within, err := m.past.MessageWithin(ctx, c.reader(), q.Text)
		if err != nil {
			return q.Text, 0, err
		}
		if within != nil {
			found = append(found, *within)
		}
	}
	ids := map[string]bool{}
	for _, f := range found {
		ids[f.ID] = true
	}
	switch {
	case len(ids) > 1:
		return "", 0, &store.AmbiguousError{Prefix: q.Text, IDs: slices.Sorted(func(yield func(string) bool) {
			for id := range ids {
				if !yield(id) {
					return
				}
			}
		})}
	case len(found) > 0:
		return m.meantMessage(ctx, &found[0].Message)
	case isID:
		return "", 0, m.unknownMessage(ctx, c, q)
	case elsewhere != "":
		return "", 0, m.notHere(ctx, q.Text, elsewhere)
	}
	return q.Text, 0, nil
}

const (
	maxIDBytes = 128
	// fewMessages is how many messages are looked at when the start of an id is
	// given.
	fewMessages = 8
)

func (m *Mind) meantMemory(ctx context.Context, id string) (string, int64, error) {
	r, err := m.store.Get(ctx, id)
	if err != nil {
		return "", 0, err
	}
	if r.Provenance.Message != "" {
		found, err := m.store.MessageByID(ctx, r.Provenance.Message, 0, 1)
		if err != nil {
			return "", 0, err
		}
		if len(found) == 1 && found[0].ID == r.Provenance.Message {
			_, chunk, err := m.meantMessage(ctx, &found[0].Message)
			if chunk != 0 || err != nil {
				return r.Content, chunk, err
			}
		}
	}
	return memory.FirstBytes(r.Content, memory.MaxQuery), 0, nil
}

// meantMessage returns the chunk a message is part of and its text.
func (m *Mind) meantMessage(ctx context.Context, x *store.Message) (string, int64, error) {
	seq, err := m.store.ChunkAt(ctx, x.Session, x.Agent, x.Position)
	if err != nil {
		return "", 0, err
	}
	chunks, err := m.store.ChunksBySeq(ctx, []int64{seq})
	if err != nil {
		return "", 0, err
	}
	c, ok := chunks[seq]
	if !ok {
		return "", 0, &memory.NotFoundError{What: "passage of message", ID: x.ID, Hint: "name a message in which something was said or done"}
	}
	return memory.FirstBytes(c.Text, likeText), seq, nil
}

// unknownMessage says that there is no such message, and which is like it where
// it was looked for.
func (m *Mind) unknownMessage(ctx context.Context, c Caller, q *recall.Query) error {
	id := q.Text
	hint := "chitta recall shows ids of passages"
	const start = 4
	near, err := m.store.MessageByID(ctx, id[:start], 0, 100)
	if err != nil {
		return err
	}
	var ids []string
	for _, n := range near {
		if n.Realm == q.Realm || q.Realm == "" && c.Person() {
			ids = append(ids, n.ID)
		}
	}
	if best := memory.Nearest(id, ids); best != "" {
		hint = fmt.Sprintf("did you mean %s? %s", best, hint)
	}
	return &memory.NotFoundError{What: "message", ID: id, Hint: hint}
}
