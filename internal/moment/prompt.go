package moment

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/store"
)

// Why nothing was handed over.
const (
	NothingAsked = "nothing asked" // no prompt of a person
	Vague        = "too vague"     // about nothing in particular
	Unknown      = "nothing known" // nothing was found
	BelowBar     = "below the bar" // what was found has too little to do with it
	FewWords     = "too few words in common"
	ToolsOnly    = "only output of tools" // nobody said it
	OnlyAsked    = "only asked before"    // and not answered
	GivenAlready = "given already"        // the agent has it before it
	TooLate      = "no time"              // the moment was over
	NothingNew   = "nothing new"          // the agent still knows what there is
	Withheld     = "not fit to quote"     // it reads like orders to the agent
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
	best  float64 // how much the best of what was found has to do with the prompt
	bar   float64 // what that is compared with; 0 if nothing was
}

// clientCommand is a prompt that is a command of the client: one word behind a
// slash. A path has more of them.
var clientCommand = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^/[\w:.-]+(?:\s|$)`) })

// notAsked says whether a prompt is none of a person's: a command of the client
// or of the shell, a note, or what the client says itself.
func notAsked(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	if prompt == "" || prompt[0] == '!' || clientCommand().MatchString(prompt) {
		return true
	}
	if rest, ok := strings.CutPrefix(prompt, "#"); ok { // a heading or a number is none
		first, _ := utf8.DecodeRuneInString(rest)
		return unicode.IsLetter(first)
	}
	return strings.HasPrefix(prompt, "<task-notification>") || strings.HasPrefix(prompt, "<command-") || strings.HasPrefix(prompt, "<local-command-")
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
	g := gauge{terms: k.termsOf, topic: topicOf(k.mind, text)}
	if g.topic.vague() && !g.topic.brief() {
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
	var near inContext
	var beside errgroup.Group // what is to be known of what is found, while it is looked for
	beside.Go(func() (err error) {
		if g.memories, g.passages, err = k.mind.RareWord(ctx); err == nil {
			near, err = k.context(ctx, &a)
		}
		return err
	})
	out, err := k.mind.Recall(ctx, c, in)
	if err := errors.Join(err, beside.Wait()); err != nil {
		return heard{}, err
	}
	g.meaning = sawMeaning(out.Results)
	return choose(ctx, k, &g, &a, near, out.Results)
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
	out.since, err = k.compactedAt(ctx, a.session, a.at)
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
