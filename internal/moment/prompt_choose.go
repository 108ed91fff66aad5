package moment

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"chitta/internal/anchor"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/recall"
)

// candidate is a result that may be told.
type candidate struct {
	*mind.Result
	bearing
	text  string // what may be quoted of it
	worth float64
}

// choosing picks the few results that matter to a prompt.
type choosing struct {
	keeper *Keeper
	gauge  *gauge
	asking *asking
	near   inContext

	heard   heard
	list    []candidate
	replies []candidate // what may have been said to a question
}

// choose picks the few results that matter to an agent that has something near.
func choose(ctx context.Context, k *Keeper, g *gauge, a *asking, near inContext, results []mind.Result) (heard, error) {
	c := choosing{keeper: k, gauge: g, asking: a, near: near, heard: heard{why: Unknown}}
	for i := range results {
		if err := c.take(ctx, &results[i]); err != nil {
			return heard{}, err
		}
	}
	slices.SortStableFunc(c.list, func(a, b candidate) int { return cmp.Compare(b.worth, a.worth) })
	var err error
	if c.heard.items, err = c.few(ctx); len(c.list) > 0 && len(c.heard.items) == 0 {
		c.heard.why = OnlyAsked
	}
	if slices.Contains([]string{Unknown, FewWords, ToolsOnly}, c.heard.why) && len(c.heard.items) == 0 {
		c.heard.best, c.heard.bar = 0, 0 // not what decided
	}
	return c.heard, err
}

// take looks at a result: it is put on the list, or it is noted why not.
func (c *choosing) take(ctx context.Context, r *mind.Result) error {
	x := candidate{Result: r, bearing: c.gauge.measure(r), text: r.Text}
	if x.summed() {
		return nil // what it says was said elsewhere, and better
	}
	held, told := c.near.holds(r), c.asking.given(r.ID)
	if x.answers() && !held && !told {
		c.replies = append(c.replies, x)
	}
	why := c.gauge.verdict(&x.bearing, r)
	if why == "" && x.answers() {
		if err := c.quote(ctx, &x); err != nil {
			return err
		}
		if why = ToolsOnly; x.text != "" {
			why = c.gauge.verdict(&x.bearing, r)
		}
	}
	if r.Kind != mind.KindFact && why != FewWords && why != ToolsOnly {
		c.heard.best, c.heard.bar = max(c.heard.best, x.score()), c.gauge.bar()
	}
	switch {
	case why != "":
	case held:
		why = NothingNew
	case told:
		why = GivenAlready
	case !x.fit():
		why = Withheld
	default:
		x.worth = x.score()
		switch r.Kind {
		case mind.KindFact: // answers a question with a relation about something known
			x.worth = 2 * bar
		case mind.KindPassage:
		default:
			if x.worth += distilled; r.Freshness == anchor.Stale {
				x.worth *= recall.StaleShare
			}
		}
		c.list = append(c.list, x)
	}
	c.heard.why = moreTelling(c.heard.why, why)
	return nil
}

// quote finds what the agent itself said in a passage, and measures only that.
func (c *choosing) quote(ctx context.Context, x *candidate) error {
	said, err := c.keeper.mind.Spoken(ctx, x.Result)
	if err != nil {
		return err
	}
	if x.text = said; said != x.Text {
		x.bearing = c.gauge.within(x.bearing, said)
	}
	return nil
}

// moreTelling returns the reason that says more of why nothing is told.
func moreTelling(a, b string) string {
	order := []string{Unknown, FewWords, BelowBar, ToolsOnly, NothingNew, GivenAlready, Withheld}
	if slices.Index(order, b) > slices.Index(order, a) {
		return b
	}
	return a
}

// fit says whether it may be told at all.
func (x *candidate) fit() bool {
	return (&item{id: x.ID, text: x.text, trust: x.vouched()}).line() != ""
}

// vouched is how far it is trusted. What is left of a passage without the tools
// was said by the agent.
func (x *candidate) vouched() memory.Trust {
	if x.answers() {
		return memory.TrustAgent
	}
	return memory.Trust(x.Trust)
}

// summed says whether it is the client's summary of a conversation, or other
// text of nobody.
func (x *candidate) summed() bool { return x.Kind == mind.KindPassage && x.Speaker == "system" }

// asks says whether it is a question of a person, answers whether it may be what
// the agent said to one.
func (x *candidate) asks() bool {
	return x.Kind == mind.KindPassage && memory.Trust(x.Trust) == memory.TrustUser && strings.Contains(x.Text, "?")
}

func (x *candidate) answers() bool {
	return x.Kind == mind.KindPassage && memory.Trust(x.Trust) != memory.TrustUser && !x.summed()
}

// few keeps the best, not too many of one conversation and none that says what
// another says. In the place of a question stands what was said to it.
func (c *choosing) few(ctx context.Context) ([]item, error) {
	var out []item
	var kept []candidate
	from := map[string]int{}
	for _, x := range c.list {
		if x.asks() {
			answer, ok, err := c.answerTo(ctx, &x)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			x = answer
		}
		it := toldOf(c.keeper.mind, c.gauge, &x)
		session := x.Provenance.Session
		same := slices.IndexFunc(out, func(o item) bool { return alike(o.text, it.text) })
		switch {
		case same >= 0 && x.Kind != mind.KindPassage && kept[same].Kind == mind.KindPassage:
			out[same], kept[same] = it, x // a memory beats a passage
		case same >= 0 || len(out) == promptItems || session != "" && from[session] == perSession:
		default:
			from[session]++
			out, kept = append(out, it), append(kept, x)
		}
	}
	return out, nil
}

// sameShare is what share of the shorter text's words two texts have in common
// that say the same.
const sameShare = 0.7

// alike says whether two texts say the same: one has most of the other's words,
// and is not its opposite.
func alike(a, b string) bool {
	one, other := telling(a), telling(b)
	if len(other) < len(one) {
		one, other = other, one
	}
	shared := 0
	for w := range one {
		if other[w] {
			shared++
		}
	}
	if len(one) == 0 || len(one) == len(other) && shared == len(one) {
		return true
	}
	return len(one) >= knownWords && float64(shared) >= sameShare*float64(len(one)) && negated(one) == negated(other)
}

// answeredWithin is how long after a question something still is an answer to
// it.
const answeredWithin = 30 * time.Minute

// answerTo returns what to tell in the place of a question: the best of what
// was said in the conversation after it, or what the person stated besides. A
// question alone is no answer.
func (c *choosing) answerTo(ctx context.Context, x *candidate) (candidate, bool, error) {
	best, found := candidate{}, false
	for _, r := range c.replies {
		after := r.Created.Sub(x.Created)
		if r.Provenance.Session != x.Provenance.Session || after < 0 || after > answeredWithin {
			continue
		}
		if err := c.quote(ctx, &r); err != nil {
			return best, false, err
		}
		if r.worth = r.score(); r.text != "" && r.fit() && (!found || r.worth > best.worth) {
			best, found = r, true
		}
	}
	if found {
		return best, true, nil
	}
	x.text = stated(x.text)
	x.bearing = c.gauge.within(x.bearing, x.text)
	return *x, c.gauge.verdict(&x.bearing, x.Result) == "" && x.fit(), nil
}

// stated returns the pieces of a text that are no questions.
func stated(text string) string {
	pieces := slices.DeleteFunc(cutPieces(text), func(p string) bool { return strings.HasSuffix(p, "?") })
	return strings.Join(pieces, "\n")
}

// toldOf says a candidate in a line.
func toldOf(m *mind.Mind, g *gauge, x *candidate) item {
	const words = 3 // in common, named as the reason
	it := item{id: x.ID, label: labelOf(x.Kind), text: unlabelled(x.text), when: x.Created, source: sourceOf(x.vouched()), trust: x.vouched()}
	if x.Kind == mind.KindPassage {
		it.text = excerpt(m, x.text, g.topic.telling, itemMost)
		it.label, it.source = "said by the "+x.Speaker, "session "+x.Provenance.Session
	}
	if x.Freshness == anchor.Stale {
		it.stale = x.Changed
	}
	if len(x.shared) > 0 {
		it.why = "about " + strings.Join(x.shared[:min(words, len(x.shared))], ", ")
	}
	return it
}
