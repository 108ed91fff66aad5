package session

import (
	"cmp"
	"slices"
	"strings"
)

// Strategy says how a conversation is made to fit.
type Strategy string

// The strategies.
const (
	// Relevance keeps the first request, summaries and the last request, and of
	// the rest what bears on the question or is recent. The output of tools is
	// shortened before anything is left out.
	Relevance Strategy = "relevance"
	// Truncate keeps the first message and leaves out the oldest of the others.
	Truncate Strategy = "truncate"
)

// Strategies lists the strategies.
func Strategies() []string { return []string{string(Relevance), string(Truncate)} }

// AssembleOptions says what there is room for.
type AssembleOptions struct {
	Budget   int // tokens of text
	Strategy Strategy
	// Relevant says how much a message bears on the question, 0 to 1. Nil takes
	// all alike.
	Relevant func(i int) float64
	// Tokens counts the tokens of a text. Nil estimates them by length.
	Tokens func(string) int
}

// Carried is a message that is carried over.
type Carried struct {
	Index     int // of the message
	Text      string
	Tokens    int
	Shortened bool
}

// Assembly is what is carried over, in the order it was said.
type Assembly struct {
	Carried []Carried
	Tokens  int
	Of      int // messages that say something
	All     int // tokens of them, whole
}

// Assemble chooses what to carry over of a conversation within a budget.
// Thinking, and what the client put in, is never carried.
func Assemble(messages []Message, o AssembleOptions) Assembly {
	if o.Tokens == nil {
		o.Tokens = EstimateTokens
	}
	a := assembling{AssembleOptions: o, calls: map[string][]int{}, results: map[string][]int{}}
	for i := range messages {
		if text := messages[i].Text(); text != "" && !messages[i].Meta {
			a.take(i, &messages[i], text)
		}
	}
	if o.Strategy == Truncate {
		a.truncate()
	} else {
		a.weigh(messages)
		a.shorten()
		a.leaveOut()
	}
	return a.result()
}

type assembling struct {
	AssembleOptions
	items   []item
	calls   map[string][]int // items by the calls in them
	results map[string][]int // and by the calls they answer
	tokens  int
	all     int
}

// item is a message that may be carried.
type item struct {
	Carried
	tools []string // ids of the calls whose results it holds
	calls []string // ids of the calls in it
	must  bool
	worth float64
	out   bool
}

func (a *assembling) take(i int, m *Message, text string) {
	x := item{Carried: Carried{Index: i, Text: text, Tokens: a.Tokens(text)}}
	for k := range m.Parts {
		switch p := &m.Parts[k]; p.Kind {
		case ToolResult:
			x.tools = append(x.tools, p.ToolID)
		case ToolUse:
			x.calls = append(x.calls, p.ToolID)
		}
	}
	for _, id := range x.calls {
		a.calls[id] = append(a.calls[id], len(a.items))
	}
	for _, id := range x.tools {
		a.results[id] = append(a.results[id], len(a.items))
	}
	a.items = append(a.items, x)
	a.tokens += x.Tokens
	a.all += x.Tokens
}

// recencyShare is how much being recent counts beside bearing on the question.
const recencyShare = 0.4

// weigh decides what must stay and what the rest is worth.
func (a *assembling) weigh(messages []Message) {
	first, last := -1, -1
	for i := range a.items {
		x := &a.items[i]
		m := &messages[x.Index]
		if m.Human() != "" {
			if first < 0 {
				first = i
			}
			last = i
		}
		x.must = m.Role == System || m.CompactSummary
		relevant := 0.0
		if a.Relevant != nil {
			relevant = a.Relevant(x.Index)
		}
		x.worth = (1-recencyShare)*relevant + recencyShare*float64(i+1)/float64(len(a.items))
	}
	for _, i := range []int{first, last} {
		if i >= 0 {
			a.items[i].must = true
		}
	}
}

// shortOutput is how many characters of a tool's output are kept when it is
// shortened.
const shortOutput = 400

// byWorth returns the items that are still in, the least worth first.
func (a *assembling) byWorth() []*item {
	var list []*item
	for i := range a.items {
		if !a.items[i].out {
			list = append(list, &a.items[i])
		}
	}
	slices.SortStableFunc(list, func(x, y *item) int { return cmp.Compare(x.worth, y.worth) })
	return list
}

// shorten cuts the output of tools, the least worth first, until all fits.
func (a *assembling) shorten() {
	for _, x := range a.byWorth() {
		if a.tokens <= a.Budget {
			return
		}
		if len(x.tools) > 0 {
			a.cut(x, shortOutput)
		}
	}
}

// cut shortens an item to so many characters.
func (a *assembling) cut(x *item, runes int) {
	text := []rune(x.Text)
	if len(text) <= runes {
		return
	}
	head := max(0, runes-1)
	x.Text = strings.TrimRight(string(text[:head]), " \t\n") + "…"
	a.tokens -= x.Tokens
	x.Tokens, x.Shortened = a.Tokens(x.Text), true
	a.tokens += x.Tokens
}

// leaveOut drops what is worth least, a call together with its result, until
// the rest fits. What must stay is cut only when nothing else is left.
func (a *assembling) leaveOut() {
	for _, x := range a.byWorth() {
		if a.tokens <= a.Budget {
			return
		}
		if !x.must && !x.out {
			a.drop(x)
		}
	}
	for _, x := range a.byWorth() {
		if over := a.tokens - a.Budget; over > 0 {
			a.cut(x, max(1, (x.Tokens-over)*charsPerToken))
		}
	}
	for _, x := range a.byWorth() {
		if a.tokens > a.Budget {
			a.drop(x)
		}
	}
}

func (a *assembling) drop(x *item) {
	if x.out {
		return
	}
	x.out = true
	a.tokens -= x.Tokens
	for _, id := range x.calls {
		for _, i := range a.results[id] {
			a.drop(&a.items[i])
		}
	}
	for _, id := range x.tools {
		for _, i := range a.calls[id] {
			if o := &a.items[i]; !o.must {
				a.drop(o)
			}
		}
	}
}

// truncate keeps the first message and leaves out as many of the oldest others
// as it takes.
func (a *assembling) truncate() {
	for i := 1; i < len(a.items) && a.tokens > a.Budget; i++ {
		a.drop(&a.items[i])
	}
	if len(a.items) > 0 && a.tokens > a.Budget {
		a.cut(&a.items[0], max(1, a.Budget*charsPerToken))
	}
	if len(a.items) > 0 && a.tokens > a.Budget {
		a.drop(&a.items[0])
	}
}

func (a *assembling) result() Assembly {
	out := Assembly{Of: len(a.items), All: a.all}
	for i := range a.items {
		if x := &a.items[i]; !x.out {
			out.Carried = append(out.Carried, x.Carried)
			out.Tokens += x.Tokens
		}
	}
	return out
}
