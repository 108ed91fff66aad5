package mind

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"chitta/internal/anchor"
	"chitta/internal/memory"
	"chitta/internal/recall"
	"chitta/internal/store"
)

// RecallInput is a question to memory.
type RecallInput struct {
	Query   string   `json:"query" jsonschema:"what to look for, in plain words or exact identifiers"`
	Limit   int      `json:"limit,omitempty" jsonschema:"most results, 1 to 100; default 8"`
	Budget  int      `json:"budget,omitempty" jsonschema:"most tokens of text, estimated; default 2000"`
	Realm   string   `json:"realm,omitempty" jsonschema:"project: id or name; all for what every project shares and for the conversations of every project; default: that of the working directory"`
	Kinds   []string `json:"kinds,omitempty" jsonschema:"only these kinds of memory" words:"kind"`
	Tags    []string `json:"tags,omitempty" jsonschema:"only with all of these tags"`
	States  []string `json:"states,omitempty" jsonschema:"active, superseded, rejected, forgotten or all; default active" words:"state"`
	Since   string   `json:"since,omitempty" jsonschema:"only from this time on: a date, a time or a span such as 3d"`
	Until   string   `json:"until,omitempty" jsonschema:"only before this time"`
	Scope   string   `json:"scope,omitempty" jsonschema:"where to look: all, memories, sessions (what was said in conversations), graph (facts) or code (symbols of the indexed project); default all"`
	AsOf    string   `json:"as_of,omitempty" jsonschema:"answer as memory was at this time"`
	At      string   `json:"at,omitempty" jsonschema:"when the question is asked, for words like yesterday; default now"`
	Explain bool     `json:"explain,omitempty" jsonschema:"say also how long each stage took and what was left out and why"`
	// Quiet asks without being counted as a use of what is found: hooks look at
	// much more than they hand over.
	Quiet bool `json:"-"`
}

// KindPassage is the kind of a result that is a piece of a conversation.
const KindPassage = "passage"

// Result is one memory in an answer, or one passage of a conversation.
type Result struct {
	ID         string            `json:"id"`
	Kind       string            `json:"kind"`
	Text       string            `json:"text"`
	Score      float64           `json:"score"`
	Evidence   []recall.Evidence `json:"evidence"`
	Realm      string            `json:"realm"`
	Tags       []string          `json:"tags"`
	State      string            `json:"state"`
	Confidence float64           `json:"confidence"`
	Trust      string            `json:"trust"`
	Speaker    string            `json:"speaker,omitempty"`   // of a passage: name or role
	Freshness  string            `json:"freshness"`           // against the code it names; unverifiable if it names none
	Changed    string            `json:"changed,omitempty"`   // what of that changed, or where it is now
	Place      string            `json:"place,omitempty"`     // of a symbol: file:line
	Shortened  bool              `json:"shortened,omitempty"` // cut to fit the budget; get shows all
	Created    time.Time         `json:"created"`
	Provenance memory.Provenance `json:"provenance"`
	// Passage is the piece of a conversation that it is, nil for others.
	Passage *recall.Passage `json:"-"`
}

// RecallOutput is an answer.
type RecallOutput struct {
	Results    []Result            `json:"results"`
	Found      int                 `json:"found"`  // candidates before limit and budget
	Tokens     int                 `json:"tokens"` // estimated
	Realm      string              `json:"realm"`
	Scope      string              `json:"scope,omitempty"`    // where it was looked, if not everywhere
	Degraded   []string            `json:"degraded,omitempty"` // what could not take part, and why
	Off        []string            `json:"off,omitempty"`      // what is not in use, and why
	Stages     []recall.StageTime  `json:"stages,omitempty"`
	Suppressed []recall.Suppressed `json:"suppressed,omitempty"` // some of what was left out
	Held       []recall.Held       `json:"held,omitempty"`       // how many were held back, and why
	Bars       []recall.Bar        `json:"bars,omitempty"`       // below which nothing was proposed
	Sessions   []SessionResult     `json:"sessions,omitempty"`   // best first, where only conversations were asked
}

// SessionResult is a conversation in an answer, with what in it answers best.
type SessionResult struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"`
	Realm    string    `json:"realm"`
	Started  time.Time `json:"started,omitzero"`
	Ended    time.Time `json:"ended,omitzero"`
	Messages int       `json:"messages"`
	Score    float64   `json:"score"`
	Passages []Result  `json:"passages"`
}

const recallMost = 100

// Recall finds the memories that answer a question best.
func (m *Mind) Recall(ctx context.Context, c Caller, in RecallInput) (RecallOutput, error) {
	q, err := m.recallQuery(ctx, c, in)
	if err != nil {
		return RecallOutput{}, err
	}
	lost, err := m.remembersPast(ctx, q)
	if err != nil {
		return RecallOutput{}, err
	}
	a, err := m.pipeline.Run(ctx, q)
	if err != nil {
		return RecallOutput{}, err
	}
	out := RecallOutput{Results: make([]Result, len(a.Candidates)), Found: a.Found, Tokens: a.Tokens, Realm: q.Realm, Degraded: a.Degraded, Off: a.Off}
	if len(q.Targets) > 0 {
		out.Scope = in.Scope
	}
	out.Degraded = append(out.Degraded, m.catchingUp(q.Targets)...)
	if lost != "" {
		out.Degraded = append(out.Degraded, lost)
	}
	var seqs []int64
	for i := range a.Candidates {
		c := &a.Candidates[i]
		var r Result
		switch {
		case c.Memory != nil:
			r = resultOf(c.Memory, q.Now)
			r.Freshness, r.Changed = c.Fresh.State, c.Fresh.Note
			seqs = append(seqs, c.Memory.Seq)
		case c.Fact != nil:
			if r, err = m.factResult(ctx, c.Fact); err != nil {
				return RecallOutput{}, err
			}
		case c.Symbol != nil:
			r = symbolResult(c.Symbol, q.Realm)
		default:
			r = passageResult(c.Passage)
		}
		r.Text, r.Score, r.Evidence, r.Shortened = c.Text, c.Score, c.Evidence, c.Shortened
		out.Results[i] = r
	}
	if !in.Quiet {
		m.noteAccess(seqs)
	}
	if in.Scope == recall.TargetSessions && a.Ranking != nil {
		if out.Sessions, err = m.rankedSessions(ctx, q, a.Ranking); err != nil {
			return RecallOutput{}, err
		}
	}
	if in.Explain {
		out.Stages, out.Suppressed, out.Held, out.Bars = a.Stages, a.Suppressed, a.Held, a.Bars
	}
	if q.AsOf.IsZero() && !in.Quiet {
		if err := m.checkPassages(ctx, c.Cwd, out.Results); err != nil {
			return RecallOutput{}, err
		}
	}
	for i := range out.Results {
		out.Results[i].stand()
	}
	err = m.tellResultsApart(ctx, &out)
	return out, err
}

// stand says of a result that was held against nothing that it cannot be.
func (r *Result) stand() {
	if r.Freshness == "" {
		r.Freshness = anchor.Unknown
	}
}

const (
	sessionPassages = 3   // shown of each conversation
	passageRunes    = 300 // of each of them
)

// rankedSessions is the answer as a ranking of conversations.
func (m *Mind) rankedSessions(ctx context.Context, q *recall.Query, r *recall.Ranking) ([]SessionResult, error) {
	ranked := r.BySession(q.Limit, sessionPassages)
	var seqs []int64
	for _, s := range ranked {
		for _, c := range s.Chunks {
			seqs = append(seqs, c.Seq)
		}
	}
	passages, err := m.passages(ctx, seqs)
	if err != nil {
		return nil, err
	}
	tokens := 0
	out := make([]SessionResult, 0, len(ranked))
	for _, s := range ranked {
		x := SessionResult{Score: r.Relevance(s.Score), Passages: []Result{}}
		for _, c := range s.Chunks {
			p, ok := passages[c.Seq]
			if !ok {
				continue // gone since
			}
			x.ID, x.Title, x.Realm, x.Messages = p.Session.ID, p.Session.Title, p.Session.Realm, p.Session.Messages
			x.Started, x.Ended = p.Session.Started, p.Session.Ended
			res := passageResult(&p)
			res.Text, res.Score, res.Evidence = firstRunes(p.Chunk.Text, passageRunes), r.Relevance(c.Score), r.Evidence(c)
			if cost := recall.EstimateTokens(res.Text); tokens+cost <= q.Budget {
				tokens += cost
				x.Passages = append(x.Passages, res)
			}
		}
		if x.ID != "" {
			out = append(out, x)
		}
	}
	return out, nil
}

// firstRunes cuts a text to so many characters and says so.
func firstRunes(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return string(runes[:n-1]) + "…"
}

func (m *Mind) recallQuery(ctx context.Context, c Caller, in RecallInput) (*recall.Query, error) {
	q := &recall.Query{Text: strings.TrimSpace(in.Query), Now: m.now(), Cwd: c.Cwd, Budget: in.Budget, Explain: in.Explain, Outside: c.Person(), Everywhere: strings.EqualFold(in.Realm, realmAll) && c.Person()}
	if q.Text == "" {
		return nil, &memory.InputError{Field: "query", Problem: "is empty", Hint: "say what to look for; to see everything use list"}
	}
	if err := memory.CheckText("query", q.Text, memory.MaxQuery); err != nil {
		return nil, err
	}
	if in.Budget < 0 {
		return nil, &memory.InputError{Field: "budget", Problem: fmt.Sprintf("is %d", in.Budget), Hint: "use a number of tokens above 0, or leave it out"}
	}
	if q.Budget == 0 {
		q.Budget = m.opts.Config.Recall.Budget
	}
	var err error
	if q.Limit, err = memory.CheckLimit(in.Limit, m.opts.Config.Recall.Limit, recallMost, "ask for less"); err != nil {
		return nil, err
	}
	if q.Kinds, err = parseKinds(in.Kinds); err != nil {
		return nil, err
	}
	if q.Tags, err = cleanTags(in.Tags); err != nil {
		return nil, err
	}
	if q.States, err = parseStates(in.States); err != nil {
		return nil, err
	}
	if q.Realm, q.Reach, err = m.scope(ctx, c, in.Realm); err != nil {
		return nil, err
	}
	if q.Since, err = memory.ParseTime("since", in.Since, m.opts.Now()); err != nil {
		return nil, err
	}
	if q.Until, err = memory.ParseTime("until", in.Until, m.opts.Now()); err != nil {
		return nil, err
	}
	if q.AsOf, err = memory.ParseTime("as_of", in.AsOf, m.opts.Now()); err != nil {
		return nil, err
	}
	if q.At, err = memory.ParseTime("at", in.At, m.opts.Now()); err != nil {
		return nil, err
	}
	q.NoFacts = m.hidesFacts(ctx, c, in.Realm)
	q.NoCode = in.Quiet || in.Realm != "" // hooks hand over memories; another project's code is another's
	q.Targets, err = scopeTargets(in.Scope)
	return q, err
}

// scopeTargets says what a scope asks.
func scopeTargets(scope string) ([]string, error) {
	switch scope {
	case "", "all":
		return nil, nil
	case recall.TargetMemories, recall.TargetSessions, recall.TargetGraph, recall.TargetCode:
		return []string{scope}, nil
	}
	return nil, &memory.InputError{Field: "scope", Problem: fmt.Sprintf("%q is not known", scope), Hint: "use all, memories, sessions, graph or code"}
}

func passageResult(p *recall.Passage) Result {
	speaker := p.Chunk.Speaker
	if speaker == "" {
		speaker = p.Chunk.Role
	}
	return Result{
		ID: p.ID(), Kind: KindPassage, Realm: p.Session.Realm, Tags: []string{}, State: string(memory.Active),
		Confidence: 1, Trust: string(passageTrust(p.Chunk.Role, p.Chunk.Text)), Speaker: plainName(speaker),
		Created: p.Chunk.Time, Provenance: memory.Provenance{Session: p.Session.ID, Message: p.Message}, Passage: p,
	}
}

// plainName makes a name that came from outside one line without control
// characters.
func plainName(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}), " ")
}

func resultOf(r *store.Record, now time.Time) Result {
	tags := r.Tags
	if tags == nil {
		tags = []string{}
	}
	return Result{
		ID: r.ID, Kind: r.Kind.String(), Text: r.Content, Evidence: []recall.Evidence{}, Realm: r.Realm, Tags: tags,
		State: string(r.State), Confidence: r.ConfidenceAt(now).Mean, Trust: string(r.Trust),
		Created: r.Created, Provenance: r.Provenance,
	}
}

// ContextInput asks what is worth knowing before a task.
type ContextInput struct {
	Task   string `json:"task,omitempty" jsonschema:"what is about to be done; without it, what holds here in general"`
	Budget int    `json:"budget,omitempty" jsonschema:"most tokens of text, estimated; default 2000"`
	Realm  string `json:"realm,omitempty" jsonschema:"project: id or name; default: that of the working directory"`
}

// ContextSection is one part of a context.
type ContextSection struct {
	Title   string   `json:"title"`
	Results []Result `json:"results"`
}

// ContextOutput is what is worth knowing, by section.
type ContextOutput struct {
	Sections []ContextSection `json:"sections"`
	Tokens   int              `json:"tokens"` // estimated
	Realm    string           `json:"realm"`
	Degraded []string         `json:"degraded,omitempty"`
}

// contextParts are the standing sections of a context: what holds whatever
// the task is. Each gets at most its share of the budget.
var contextParts = []struct {
	title string
	kinds []memory.Kind
	share float64
	most  int
}{
	{"How the user wants things done", []memory.Kind{memory.Preference}, 0.25, 10},
	{"Open intentions", []memory.Kind{memory.Intention}, 0.15, 5},
}

// Context assembles what is worth knowing before a task: pinned memories,
// standing preferences, open intentions, and what answers to the task itself,
// within a token budget.
func (m *Mind) Context(ctx context.Context, c Caller, in ContextInput) (ContextOutput, error) {
	if in.Budget < 0 {
		return ContextOutput{}, &memory.InputError{Field: "budget", Problem: fmt.Sprintf("is %d", in.Budget), Hint: "use a number of tokens above 0, or leave it out"}
	}
	if err := memory.CheckText("task", in.Task, memory.MaxTask); err != nil {
		return ContextOutput{}, err
	}
	budget := in.Budget
	if budget == 0 {
		budget = m.opts.Config.Recall.Budget
	}
	realm, reach, err := m.scope(ctx, c, in.Realm)
	if err != nil {
		return ContextOutput{}, err
	}
	out := ContextOutput{Sections: []ContextSection{}, Realm: realm}
	seen := map[string]bool{}
	add := func(title string, results []Result, most int) {
		section := ContextSection{Title: title}
		used := 0
		for _, r := range results {
			cost := recall.EstimateTokens(r.Text)
			// ids of messages are only unique within their session
			key := r.ID
			if r.Kind == KindPassage {
				key = r.Provenance.Session + " " + r.ID + " " + r.Text
			}
			if seen[key] || used+cost > most || out.Tokens+cost > budget {
				continue
			}
			seen[key] = true
			used += cost
			out.Tokens += cost
			section.Results = append(section.Results, r)
		}
		if len(section.Results) > 0 {
			out.Sections = append(out.Sections, section)
		}
	}
	base := store.Filter{Realm: realm, Reach: reach, States: []memory.Status{memory.Active}}
	pinned := base
	pinned.Pinned, pinned.Limit = true, 10
	if err := m.addListed(ctx, c.Cwd, pinned, "Pinned", budget/4, add); err != nil {
		return out, err
	}
	for _, p := range contextParts {
		f := base
		f.Kinds, f.Limit = p.kinds, p.most
		if err := m.addListed(ctx, c.Cwd, f, p.title, int(p.share*float64(budget)), add); err != nil {
			return out, err
		}
	}
	if strings.TrimSpace(in.Task) == "" {
		base.Limit = 10
		return out, m.addListed(ctx, c.Cwd, base, "Most recent", budget, add)
	}
	answer, err := m.Recall(ctx, c, RecallInput{Query: memory.FirstBytes(in.Task, memory.MaxQuery), Budget: max(1, budget-out.Tokens), Realm: in.Realm, Limit: 20})
	if err != nil {
		return out, err
	}
	out.Degraded = answer.Degraded
	var remembered, said []Result
	for _, r := range answer.Results {
		switch {
		case r.Kind != KindPassage:
			remembered = append(remembered, r)
		case r.Score >= worthCarrying:
			said = append(said, r)
		}
	}
	add("About the task", remembered, budget)
	add("Said about it before", said, budget/2)
	return out, nil
}

// worthCarrying is the relevance from which a passage of a conversation is part
// of a context.
const worthCarrying = 0.35

// staleLast puts what may have become wrong behind what has not.
func staleLast(r Result) int {
	if r.Freshness == anchor.Stale {
		return 1
	}
	return 0
}

func (m *Mind) addListed(ctx context.Context, cwd string, f store.Filter, title string, most int, add func(string, []Result, int)) error {
	records, err := m.store.List(ctx, f)
	if err != nil {
		return err
	}
	fresh, err := m.freshCandidates(ctx, &recall.Query{Cwd: cwd}, records)
	if err != nil {
		return err
	}
	results := make([]Result, len(records))
	for i := range records {
		f := fresh[records[i].Seq]
		results[i] = resultOf(&records[i], m.now())
		results[i].Freshness, results[i].Changed = f.State, f.Note
		results[i].stand()
	}
	slices.SortStableFunc(results, func(a, b Result) int { return staleLast(a) - staleLast(b) })
	add(title, results, most)
	return nil
}
