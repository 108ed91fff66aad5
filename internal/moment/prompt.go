package moment

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/store"
)

// Why nothing was handed over.
const (
	NothingAsked = "nothing asked"    // no prompt of a person
	Vague        = "too vague"        // about nothing in particular
	Unknown      = "nothing known"    // nothing was found
	BelowBar     = "below the bar"    // what was found has too little to do with it
	GivenAlready = "given already"    // the agent has it before it
	TooLate      = "no time"          // the moment was over
	NothingNew   = "nothing new"      // the agent still knows what there is
	Withheld     = "not fit to quote" // it reads like orders to the agent
)

const (
	// promptItems is how many things a prompt is answered with at most.
	promptItems = 3
	// perSession is how many of them may come from one conversation.
	perSession = 2
	// promptFound is how many candidates are measured.
	promptFound = 16
	// promptTokens bounds their text; passages have about 500 each.
	promptTokens = 16 * 600
	// askHead and askTail are how many characters of a long prompt are looked
	// for: what is asked stands before or behind what is pasted.
	askHead = 600
	askTail = 400
	// distilled is what a memory counts more than a passage that says the same:
	// it was found worth keeping.
	distilled = 0.05
)

// prompt tells what is known of what a person asks, if that is something. The
// caller's deadline is how long that may take; when it is over, silence is the
// answer.
func (k *Keeper) prompt(ctx context.Context, c mind.Caller, e *Event) (Answer, error) {
	heard, err := k.resonate(ctx, c, asking{
		session: e.Session, prompt: e.Prompt, given: func(id string) bool { return k.wasGiven(e.Session, id) },
	})
	if err != nil && ctx.Err() != nil {
		return Answer{Outcome: TooLate}, nil
	}
	if err != nil || len(heard.items) == 0 {
		return Answer{Outcome: heard.why}, err
	}
	text, ids := fence([]section{{title: promptTitle, items: heard.items}}, promptMost)
	if text == "" {
		return Answer{Outcome: Withheld}, nil
	}
	k.give(e.Session, ids, false)
	return Answer{Context: text, Items: ids, Outcome: Injected}, nil
}

// promptTitle stands above what a prompt is answered with.
const promptTitle = "From earlier work on this project"

// asking is a prompt and who asks.
type asking struct {
	session string
	prompt  string
	at      time.Time // as of when; zero is now
	given   func(id string) bool

	// realm is asked by its id if the caller is elsewhere.
	realm     string
	elsewhere bool
}

// heard is what comes to mind, or why nothing does.
type heard struct {
	items []item
	why   string
	best  float64 // of all that was found, how much it has to do with the prompt
}

// notAsked says whether a prompt is none of a person's.
func notAsked(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	if prompt == "" {
		return true
	}
	// commands of the client, of the shell, notes, and what the client says itself
	return strings.ContainsRune("/!#", rune(prompt[0])) && !strings.HasPrefix(prompt, "#!") ||
		strings.HasPrefix(prompt, "<task-notification>") || strings.HasPrefix(prompt, "<command-") || strings.HasPrefix(prompt, "<local-command-")
}

// question is the part of a prompt that is looked for.
func question(prompt string) string {
	prompt = strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(prompt, "\x00", ""), ""))
	if utf8.RuneCountInString(prompt) <= askHead+askTail {
		return prompt
	}
	runes := []rune(prompt)
	return string(runes[:askHead]) + "\n" + string(runes[len(runes)-askTail:])
}

// resonate finds what bears on a prompt.
func (k *Keeper) resonate(ctx context.Context, c mind.Caller, a asking) (heard, error) {
	text := question(k.mind.Clean(a.prompt))
	if text == "" || notAsked(a.prompt) {
		return heard{why: NothingAsked}, nil
	}
	g := gauge{mind: k.mind, topic: topicOf(k.mind, text)}
	if g.topic.vague() {
		return heard{why: Vague}, nil
	}
	c.Actor = actorHook
	in := mind.RecallInput{Query: text, Limit: promptFound, Budget: promptTokens, Quiet: true}
	if !a.at.IsZero() {
		in.AsOf, in.At = a.at.Format(time.RFC3339Nano), a.at.Format(time.RFC3339Nano)
	}
	if a.elsewhere {
		in.Realm = a.realm
	}
	out, err := k.mind.Recall(ctx, c, in)
	if err != nil {
		return heard{}, err
	}
	if g.memories, g.passages, err = k.mind.RareWord(ctx); err != nil {
		return heard{}, err
	}
	g.meaning = sawMeaning(out.Results)
	return k.choose(ctx, &g, &a, out.Results)
}

// candidate is a result that may be told.
type candidate struct {
	*mind.Result
	bearing
	worth float64
}

// choose picks the few results that matter.
func (k *Keeper) choose(ctx context.Context, g *gauge, a *asking, results []mind.Result) (heard, error) {
	near, err := k.context(ctx, a)
	if err != nil {
		return heard{}, err
	}
	h := heard{why: Unknown}
	var list, replies []candidate
	for i := range results {
		r := &results[i]
		x := candidate{Result: r, bearing: g.measure(r)}
		x.worth = x.score()
		fits := g.passes(&x.bearing)
		switch {
		case r.Kind == mind.KindFact: // answers a question with a relation about something known
			x.worth, fits = 2*bar, true
		case r.Kind != mind.KindPassage:
			x.worth += distilled
		}
		h.best = max(h.best, x.worth)
		told := a.given(r.ID)
		if x.answers() && !near.holds(r) && !told && x.fit() {
			replies = append(replies, x)
		}
		switch {
		case !fits || x.summed():
			h.why = moreTelling(h.why, BelowBar)
		case near.holds(r):
			h.why = moreTelling(h.why, NothingNew)
		case told:
			h.why = moreTelling(h.why, GivenAlready)
		case !x.fit():
			h.why = moreTelling(h.why, Withheld)
		default:
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.worth, a.worth) })
	h.items = few(k.mind, g, list, replies)
	return h, nil
}

// moreTelling returns the reason that says more of why nothing is told.
func moreTelling(a, b string) string {
	order := []string{Unknown, BelowBar, NothingNew, GivenAlready, Withheld}
	if slices.Index(order, b) > slices.Index(order, a) {
		return b
	}
	return a
}

// fit says whether it may be told at all.
func (x *candidate) fit() bool {
	return (&item{id: x.ID, text: x.Text, trust: memory.Trust(x.Trust)}).line() != ""
}

// summed says whether it is the client's summary of a conversation, or other
// text of nobody: what it says was said elsewhere, and better.
func (x *candidate) summed() bool { return x.Kind == mind.KindPassage && x.Speaker == "system" }

// asks says whether it is a question of a person, answers whether it may be what
// the agent said to one.
func (x *candidate) asks() bool {
	return x.Kind == mind.KindPassage && memory.Trust(x.Trust) == memory.TrustUser && strings.Contains(x.Text, "?")
}

func (x *candidate) answers() bool {
	return x.Kind == mind.KindPassage && memory.Trust(x.Trust) != memory.TrustUser && !x.summed()
}

// few keeps the best, not too many of one conversation. In the place of a
// question stands what was said to it.
func few(m *mind.Mind, g *gauge, list, replies []candidate) []item {
	var out []item
	from, told := map[string]int{}, map[string]bool{}
	for _, x := range list {
		if x.asks() {
			if reply, ok := replyTo(&x, replies); ok {
				x = reply
			}
		}
		session := x.Provenance.Session
		if len(out) == promptItems || session != "" && from[session] == perSession {
			continue
		}
		it := toldOf(m, g, &x)
		if told[it.text] {
			continue
		}
		from[session]++
		told[it.text] = true
		out = append(out, it)
	}
	return out
}

// answeredWithin is how long after a question something still is an answer to
// it.
const answeredWithin = 30 * time.Minute

// replyTo returns the best of what was said in a conversation after a question.
func replyTo(x *candidate, replies []candidate) (candidate, bool) {
	best, found := candidate{}, false
	for _, r := range replies {
		after := r.Created.Sub(x.Created)
		if r.Provenance.Session == x.Provenance.Session && after >= 0 && after <= answeredWithin && (!found || r.worth > best.worth) {
			best, found = r, true
		}
	}
	return best, found
}

// toldOf says a candidate in a line.
func toldOf(m *mind.Mind, g *gauge, x *candidate) item {
	const words = 3 // in common, named as the reason
	it := item{id: x.ID, label: labelOf(x.Kind), text: x.Text, when: x.Created, source: sourceOf(memory.Trust(x.Trust)), trust: memory.Trust(x.Trust)}
	if x.Kind == mind.KindPassage {
		it.text = excerpt(m, x.Text, g.topic.telling, itemMost)
		it.label, it.source = "said by the "+x.Speaker, "session "+x.Provenance.Session
	}
	if len(x.shared) > 0 {
		it.why = "about " + strings.Join(x.shared[:min(words, len(x.shared))], ", ")
	}
	return it
}

// labelOf names a kind for a reader who knows nothing of kinds.
func labelOf(kind string) string {
	switch kind {
	case memory.Approach.String():
		return "decision"
	case memory.Outcome.String():
		return "fix"
	case memory.Intention.String():
		return "todo"
	}
	return kind
}

// sourceOf says who vouches for something.
func sourceOf(t memory.Trust) string {
	switch t {
	case memory.TrustUser:
		return "said by the user"
	case memory.TrustOutcome:
		return "seen to work"
	case memory.TrustAgent:
		return "noted by an agent"
	case memory.TrustTool:
		return "output of a tool"
	}
	return "from the web"
}

// inContext is what an agent has in its context by itself.
type inContext struct {
	sessions map[string]bool
	since    time.Time // when it was compacted; what is older is gone from it
}

// holds says whether an agent has something in its context.
func (n *inContext) holds(r *mind.Result) bool {
	return n.sessions[r.Provenance.Session] && !r.Created.Before(n.since)
}

// context says what the agent of a session has in its context: its own
// conversation and those it was forked from, since it was last compacted.
func (k *Keeper) context(ctx context.Context, a *asking) (inContext, error) {
	out := inContext{sessions: map[string]bool{a.session: true}}
	if a.session == "" {
		return inContext{}, nil
	}
	kin, err := k.kin(ctx, a.session)
	if err != nil {
		return out, err
	}
	for _, s := range kin {
		out.sessions[s.ID] = true
	}
	calls, err := k.store.HookCalls(ctx, store.HookCallFilter{Session: a.session, Limit: maxGivenCalls})
	for _, c := range calls {
		if c.Event == PreCompact && (a.at.IsZero() || c.At.Before(a.at)) {
			out.since = c.At
			break
		}
	}
	return out, err
}

// maxForks bounds how far back forks are followed.
const maxForks = 20

// kin returns a session as stored and those it was forked from.
func (k *Keeper) kin(ctx context.Context, session string) ([]store.Session, error) {
	found, err := k.store.SessionByID(ctx, session, 1)
	if err != nil || len(found) == 0 || found[0].ID != session {
		return nil, err
	}
	out := found
	for from := out[0].ForkedFrom; from != 0 && len(out) < maxForks; from = out[len(out)-1].ForkedFrom {
		origin, err := k.store.SessionsBySeq(ctx, []int64{from})
		if err != nil {
			return nil, err
		}
		if _, ok := origin[from]; !ok {
			break
		}
		out = append(out, origin[from])
	}
	return out, nil
}
