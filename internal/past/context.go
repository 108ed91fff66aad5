package past

import (
	"context"
	"fmt"
	"strings"
	"time"

	"chitta/internal/follow"
	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

// ContextInput asks what of a session to carry over within a token
// budget.
type ContextInput struct {
	ID       string `json:"id" jsonschema:"the session: its id or the unique start of it"`
	Query    string `json:"query,omitempty" jsonschema:"what the next step is about; default: the last request of the session"`
	Budget   int    `json:"budget,omitempty" jsonschema:"tokens there are, of which 4000 are left for the answer; default 32000"`
	Strategy string `json:"strategy,omitempty" jsonschema:"relevance keeps the requests and what bears on the query, truncate keeps the first message and drops the oldest; default relevance"`
}

// Carried is a message that is carried over.
type Carried struct {
	ID        string    `json:"id"`
	Role      string    `json:"role"`
	Created   time.Time `json:"created,omitzero"`
	Text      string    `json:"text"`
	Tokens    int       `json:"tokens"` // estimated
	Shortened bool      `json:"shortened,omitempty"`
}

// ContextOutput is what to carry over, in the order it was said.
type ContextOutput struct {
	Session  string    `json:"session"`
	Title    string    `json:"title,omitempty"`
	Strategy string    `json:"strategy"`
	Messages []Carried `json:"messages"`
	Tokens   int       `json:"tokens"`  // of the messages, estimated
	Budget   int       `json:"budget"`  // for them, what is left for the answer taken off
	Reserve  int       `json:"reserve"` // left for the answer
	LeftOut  int       `json:"left_out"`
	Whole    int       `json:"whole"` // tokens of all messages, estimated
	// Window is how many tokens the client last sent to the model, from its own
	// count; 0 if it did not say.
	Window   int64  `json:"window,omitempty"`
	Degraded string `json:"degraded,omitempty"`
}

const (
	contextBudget  = 32_000
	contextReserve = 4000
	// contextLeast is how many tokens there have to be beside those for the
	// answer: about one shortened message. With fewer, nothing of a session
	// would be left but dots.
	contextLeast = 100
	// contextBytes bounds how much of a session is looked at, from its end.
	contextBytes = 64 << 20
)

// Context chooses what of a session to carry over.
func (a *Archive) Context(ctx context.Context, who Reader, in ContextInput) (ContextOutput, error) {
	if in.Strategy == "" {
		in.Strategy = string(session.Relevance)
	}
	strategy, err := memory.ParseOneOf("strategy", in.Strategy, session.Strategies())
	if err != nil {
		return ContextOutput{}, err
	}
	if in.Budget == 0 {
		in.Budget = contextBudget
	}
	if left := max(0, in.Budget-contextReserve); left < contextLeast {
		tokens := "tokens"
		if left == 1 {
			tokens = "token"
		}
		return ContextOutput{}, &memory.InputError{
			Field: "budget", Problem: fmt.Sprintf("of %d leaves %d %s for the session: %d are reserved for the answer", in.Budget, left, tokens, contextReserve),
			Hint: fmt.Sprintf("give at least %d, or leave it out", contextReserve+contextLeast),
		}
	}
	if err := memory.CheckText("query", in.Query, memory.MaxTask); err != nil {
		return ContextOutput{}, err
	}
	s, err := a.Find(ctx, who, "id", in.ID)
	if err != nil {
		return ContextOutput{}, err
	}
	rows, said, err := a.mainThread(ctx, who, s)
	if err != nil {
		return ContextOutput{}, err
	}
	out := ContextOutput{
		Session: s.ID, Title: s.Title, Strategy: strategy, Messages: []Carried{},
		Budget: in.Budget - contextReserve, Reserve: contextReserve, Window: lastWindow(said),
	}
	o := session.AssembleOptions{Budget: out.Budget, Strategy: session.Strategy(strategy)}
	if o.Strategy == session.Relevance {
		query := strings.TrimSpace(in.Query)
		if query == "" {
			query = lastRequest(said)
		}
		if o.Relevant, out.Degraded, err = a.bearing(ctx, rows, memory.FirstBytes(query, memory.MaxQuery)); err != nil {
			return ContextOutput{}, err
		}
	}
	kept := session.Assemble(said, o)
	out.Tokens, out.Whole, out.LeftOut = kept.Tokens, kept.All, kept.Of-len(kept.Carried)
	for _, x := range kept.Carried {
		out.Messages = append(out.Messages, Carried{
			ID: rows[x.Index].ID, Role: rows[x.Index].Role, Created: rows[x.Index].Time,
			Text: x.Text, Tokens: x.Tokens, Shortened: x.Shortened,
		})
	}
	return out, nil
}

// mainThread reads the messages of a session's main thread, of a very long one
// the end.
func (a *Archive) mainThread(ctx context.Context, who Reader, s store.Session) ([]store.Message, []session.Message, error) {
	t, err := a.threadOf(ctx, who, s, "")
	if err != nil {
		return nil, nil, err
	}
	from := len(t.places)
	for size := 0; from > 0; from-- {
		if size += t.places[from-1].Bytes; size > contextBytes {
			break
		}
	}
	rows, err := a.messagesAt(ctx, t.places[from:], contextBytes+1)
	if err != nil {
		return nil, nil, err
	}
	var kept []store.Message
	var said []session.Message
	for _, row := range rows {
		if x, err := follow.ReadMessage(s.Source, row.Raw); err == nil {
			kept, said = append(kept, row), append(said, *x)
		}
	}
	return kept, said, nil
}

// lastWindow is what the newest record says the model was sent.
func lastWindow(said []session.Message) int64 {
	for i := len(said) - 1; i >= 0; i-- {
		if u := said[i].Usage; u != nil {
			return u.Input + u.CacheRead + u.CacheCreation
		}
	}
	return 0
}

func lastRequest(said []session.Message) string {
	for i := len(said) - 1; i >= 0; i-- {
		if text := said[i].Human(); text != "" {
			return text
		}
	}
	return ""
}

// bearing says how much each message bears on a query, by the chunks it is in.
func (a *Archive) bearing(ctx context.Context, rows []store.Message, query string) (func(int) float64, string, error) {
	if query == "" {
		return nil, "", nil
	}
	var chunks []store.Chunk
	read := map[int64]bool{}
	for i := range rows {
		if seq := rows[i].Session; !read[seq] {
			read[seq] = true
			of, err := a.store.ChunksOf(ctx, seq)
			if err != nil {
				return nil, "", err
			}
			chunks = append(chunks, of...)
		}
	}
	seqs := make([]int64, len(chunks))
	for i := range chunks {
		seqs[i] = chunks[i].Seq
	}
	similar, why := a.alike(ctx, query)
	alike, err := similar(ctx, seqs)
	if err != nil {
		return nil, "", err
	}
	type place struct{ session, position int64 }
	best := map[place]float64{}
	for i := range chunks {
		for p := chunks[i].First; p <= chunks[i].Last; p++ {
			at := place{chunks[i].Session, p}
			best[at] = max(best[at], alike[chunks[i].Seq])
		}
	}
	return func(i int) float64 { return best[place{rows[i].Session, rows[i].Position}] }, why, nil
}
