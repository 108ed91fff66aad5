package codebase

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"chitta/internal/code"
	"chitta/internal/store"
)

const (
	// MaxDepth is how many calls after another are followed.
	MaxDepth = 10
	// mostReached bounds how many symbols a walk visits; beyond, the answer says
	// that it is cut.
	mostReached = 5000
	// mostCalls bounds how many calls one step reads.
	mostCalls = 20_000
	// mostLoose bounds how many calls without a target are listed.
	mostLoose = 50
)

// Call says that one symbol calls another, and where.
type Call struct {
	// Symbol is who calls, or what is called. The code of a file outside of
	// functions has no name, the kind "file", and the file.
	Symbol     Symbol  `json:"symbol"`
	Depth      int     `json:"depth"`
	Via        string  `json:"via,omitempty"` // id of the symbol on the way; empty at depth 1
	File       string  `json:"file"`          // where the call stands
	Lines      []int   `json:"lines"`
	Rule       string  `json:"rule"` // how the target was found
	Confidence float64 `json:"confidence"`
}

const (
	// KindFile is the kind of the code of a file that stands outside of
	// functions.
	KindFile = "file"
	// KindLambda is the kind of a function without a name of its own.
	KindLambda = string(code.Lambda)
)

// LooseCall is a call whose target is not known.
type LooseCall struct {
	From     string `json:"from"` // path of who calls; "" for the file's own code
	Name     string `json:"name"` // as far as it is known: os.path.join
	File     string `json:"file"`
	Line     int    `json:"line"`
	External bool   `json:"external,omitempty"` // it is known to be outside of the project
}

// CallList is what calls a symbol, or what it calls.
type CallList struct {
	Calls []Call `json:"calls"`
	// Loose are calls of the same name whose target is not known: they may be
	// meant as well. Of callees, calls that leave the project or are not known.
	Loose []LooseCall `json:"loose"`
	Found int         `json:"found"`         // before the limit
	Cut   bool        `json:"cut,omitempty"` // there are more than were walked
}

// Callers returns who calls a symbol, up to depth calls away, each behind who it
// was reached by. Who makes a value of a type calls it, and who calls through an
// interface calls its method. Tests come last.
func (a *Ask) Callers(ctx context.Context, s *Symbol, depth, limit int) (CallList, error) {
	from, first, err := a.calledAs(ctx, s)
	if err != nil {
		return CallList{}, err
	}
	out, err := a.walk(ctx, beginning{from, first}, depth, limit, true)
	if err != nil {
		return out, err
	}
	loose, err := a.base.db.LooseNamed(ctx, a.project.ID, s.Name, mostLoose)
	if err != nil {
		return out, fmt.Errorf("calls of the same name: %w", err)
	}
	out.Loose, err = a.loose(ctx, loose)
	return out, err
}

// Callees returns what a symbol or the code of a file calls, up to depth calls
// away, each behind what it was reached by.
func (a *Ask) Callees(ctx context.Context, s *Symbol, depth, limit int) (CallList, error) {
	if s.Kind == KindFile {
		return a.calleesOfFile(ctx, s, depth, limit)
	}
	out, err := a.walk(ctx, beginning{from: []int64{s.id}}, depth, limit, false)
	if err != nil {
		return out, err
	}
	loose, err := a.base.db.LooseFrom(ctx, []int64{s.id}, mostLoose)
	if err != nil {
		return out, fmt.Errorf("calls without a target: %w", err)
	}
	out.Loose, err = a.loose(ctx, loose)
	return out, err
}

func (a *Ask) calleesOfFile(ctx context.Context, s *Symbol, depth, limit int) (CallList, error) {
	calls, err := a.base.db.CallsOfFiles(ctx, []int64{s.file}, mostCalls)
	if err != nil {
		return CallList{}, fmt.Errorf("calls of %s: %w", s.File, err)
	}
	out, err := a.walk(ctx, beginning{first: calls}, depth, limit, false)
	if err != nil {
		return out, err
	}
	loose, err := a.base.db.LooseOfFile(ctx, s.file, mostLoose)
	if err != nil {
		return out, fmt.Errorf("calls without a target: %w", err)
	}
	out.Loose, err = a.loose(ctx, loose)
	return out, err
}

// beginning is where a walk begins: at symbols that stand for one, and with calls
// that are known already.
type beginning struct {
	from  []int64
	first []store.CodeCall
}

// end is one end of a call: a symbol, or the code of a file.
type end struct{ symbol, file int64 }

// step is how a walk came to an end of a call.
type step struct {
	at    end
	depth int
	via   int64
	calls []store.CodeCall
	best  *store.CodeCall // the surest
	test  bool            // who calls is a test, or was reached by one
}

// reach follows calls level by level; each end is visited once, by the shortest
// way.
func (a *Ask) reach(ctx context.Context, at beginning, depth int, up bool, visit func(*step) bool) (cut bool, err error) {
	seen := map[end]*step{}
	for _, id := range at.from {
		seen[end{symbol: id}] = &step{}
	}
	level := at.from
	for d := 1; d <= depth && (d == 1 || len(level) > 0); d++ {
		calls, err := a.nextCalls(ctx, level, up)
		if err != nil {
			return cut, err
		}
		if d == 1 {
			calls = append(calls, at.first...)
		}
		cut = cut || len(calls) >= mostCalls
		level = level[:0:0]
		var order []*step
		for i := range calls {
			c := &calls[i]
			at, via := end{symbol: c.Dst}, c.Src
			if up {
				at, via = end{symbol: c.Src}, c.Dst
				if c.Src == 0 {
					at.file = c.File
				}
			}
			if d == 1 {
				via = 0 // whichever of the beginning it is
			}
			st := seen[at]
			switch {
			case st == nil && len(seen) > mostReached:
				cut = true
				continue
			case st == nil:
				st = &step{at: at, depth: d, via: via}
				seen[at] = st
				order = append(order, st)
				if at.symbol != 0 {
					level = append(level, at.symbol)
				}
			case st.depth != d || st.via != via:
				continue // known by a shorter way, or another of the same length
			}
			st.calls = append(st.calls, *c)
			if st.best == nil || c.Confidence > st.best.Confidence {
				st.best = c
			}
		}
		for _, st := range order {
			if !visit(st) {
				return cut, nil
			}
		}
	}
	return cut, nil
}

// nextCalls returns the calls to (up) or from symbols.
func (a *Ask) nextCalls(ctx context.Context, level []int64, up bool) ([]store.CodeCall, error) {
	of := a.base.db.CallsFrom
	if up {
		of = a.base.db.CallsTo
	}
	calls, err := of(ctx, level, mostCalls)
	if err != nil {
		return nil, fmt.Errorf("calls: %w", err)
	}
	lambdas, err := a.base.db.LambdasIn(ctx, level, up)
	if err != nil {
		return nil, fmt.Errorf("functions within: %w", err)
	}
	return append(calls, lambdas...), nil
}

// inTreeOrder keeps the first of the steps, tests last, and puts each behind the
// one that it was reached by.
func inTreeOrder(steps []*step, limit int, up bool) []*step {
	by := map[int64]*step{}
	for _, st := range steps { // who was reached before comes before
		by[st.at.symbol] = st
		if up {
			st.test = isTest(st.best.FilePath) || st.depth > 1 && by[st.via].test
		}
	}
	slices.SortStableFunc(steps, func(a, b *step) int {
		if a.test != b.test {
			if b.test {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(b.best.Confidence, a.best.Confidence),
			cmp.Compare(a.best.FilePath, b.best.FilePath), cmp.Compare(a.best.Line, b.best.Line))
	})
	steps = steps[:min(len(steps), limit)]
	below := map[int64][]*step{}
	for _, st := range steps {
		below[st.via] = append(below[st.via], st)
	}
	out := make([]*step, 0, len(steps))
	var tree func(at int64)
	tree = func(at int64) {
		for _, st := range below[at] {
			out = append(out, st)
			if st.at.symbol != 0 {
				tree(st.at.symbol)
			}
		}
	}
	tree(0)
	return out
}

func (a *Ask) walk(ctx context.Context, from beginning, depth, limit int, up bool) (CallList, error) {
	out := CallList{Calls: []Call{}, Loose: []LooseCall{}}
	var steps []*step
	var err error
	out.Cut, err = a.reach(ctx, from, depth, up, func(st *step) bool { steps = append(steps, st); return true })
	if err != nil {
		return out, err
	}
	out.Found = len(steps)
	steps = inTreeOrder(steps, limit, up)
	ids := make([]int64, 0, len(steps))
	for _, st := range steps {
		ids = append(ids, st.at.symbol)
	}
	symbols, err := a.base.db.SymbolsByID(ctx, ids)
	if err != nil {
		return out, fmt.Errorf("load symbols: %w", err)
	}
	for _, st := range steps {
		c := Call{Depth: st.depth, File: st.best.FilePath, Rule: st.best.Rule, Confidence: st.best.Confidence}
		if f, ok := symbols[st.at.symbol]; ok {
			c.Symbol = symbolOf(&f)
		} else if st.at.symbol == 0 {
			c.Symbol = Symbol{Kind: KindFile, File: st.best.FilePath, Line: st.best.Line}
		} else {
			continue // gone since
		}
		if st.depth > 1 {
			c.Via = symbolName(st.via)
		}
		for i := range st.calls {
			c.Lines = append(c.Lines, st.calls[i].Line)
		}
		slices.Sort(c.Lines)
		c.Lines = slices.Compact(c.Lines)
		out.Calls = append(out.Calls, c)
	}
	return out, nil
}

// loose puts calls without a target into words.
func (a *Ask) loose(ctx context.Context, list []store.CodeLoosely) ([]LooseCall, error) {
	ids := make([]int64, 0, len(list))
	for _, l := range list {
		if l.Src != 0 {
			ids = append(ids, l.Src)
		}
	}
	symbols, err := a.base.db.SymbolsByID(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("load symbols: %w", err)
	}
	out := []LooseCall{}
	for _, l := range list {
		f := symbols[l.Src]
		out = append(out, LooseCall{From: f.Path, Name: cmp.Or(l.Target, l.Name), File: l.FilePath, Line: l.Line, External: l.External})
	}
	slices.SortStableFunc(out, func(a, b LooseCall) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return out, nil
}

// CallPath is the shortest way along calls from one symbol to another. Steps is
// empty if there is none; each step is what the one before calls.
type CallPath struct {
	From       Symbol  `json:"from"`
	To         Symbol  `json:"to"`
	Steps      []Call  `json:"steps"`
	Confidence float64 `json:"confidence"` // of all steps together
	Cut        bool    `json:"cut,omitempty"`
}

// Path finds the shortest way along calls from one symbol to another.
func (a *Ask) Path(ctx context.Context, from, to *Symbol) (CallPath, error) {
	out := CallPath{From: *from, To: *to, Steps: []Call{}}
	if from.id == to.id {
		return out, nil
	}
	steps := map[int64]*step{}
	var err error
	out.Cut, err = a.reach(ctx, beginning{from: []int64{from.id}}, mostReached, false, func(st *step) bool {
		steps[st.at.symbol] = st
		return st.at.symbol != to.id
	})
	if err != nil {
		return out, err
	}
	var ids []int64
	for at := to.id; at != 0; at = steps[at].via { // none before the first
		if steps[at] == nil {
			return out, nil
		}
		ids = append(ids, at)
	}
	slices.Reverse(ids)
	symbols, err := a.base.db.SymbolsByID(ctx, ids)
	if err != nil {
		return out, fmt.Errorf("load symbols: %w", err)
	}
	out.Confidence = 1
	for _, id := range ids {
		st, f := steps[id], symbols[id]
		out.Confidence *= st.best.Confidence
		out.Steps = append(out.Steps, Call{
			Symbol: symbolOf(&f), Depth: st.depth, Via: symbolName(cmp.Or(st.via, from.id)), File: st.best.FilePath, Lines: []int{st.best.Line}, Rule: st.best.Rule, Confidence: st.best.Confidence,
		})
	}
	return out, nil
}
