package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"chitta/internal/anchor"
	"chitta/internal/codebase"
	"chitta/internal/config"
	"chitta/internal/mind"
	"chitta/internal/recall"
	"chitta/internal/store"
)

const (
	// callersDeep is how many calls away callers are looked for, callersMost how
	// many of them are listed.
	callersDeep, callersMost = 3, 50
	// symbolsRead is out of how many files the names of questions are drawn.
	symbolsRead = 500
	// checkedAtOnce is how many memories an answer shows.
	checkedAtOnce = 10
	// commonWord finds all of them.
	commonWord = "lodestar"
)

// questionFigures asks for symbols of the index that lies in the home, and holds
// memories against it.
func (b *codeIndexBench) questionFigures(ctx context.Context, g *Group) (err error) {
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = b.home, "none"
	m, err := mind.Open(ctx, mind.Options{Config: cfg})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	c := mind.Caller{Actor: "bench", Cwd: b.root}
	if err := b.adopt(ctx, m, c); err != nil {
		return err
	}
	base, err := m.Code(ctx)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(1, 2))
	symbols, err := b.symbols(ctx, base, random)
	if err != nil {
		return err
	}
	if len(symbols) == 0 {
		b.Note("no symbol was found in " + b.root + ": nothing is asked")
		return nil
	}
	if err := b.askFigures(ctx, base, symbols, g); err != nil {
		return err
	}
	return b.freshnessFigures(ctx, m, c, symbols, g)
}

// adopt has the mind take over the index as that of the project's realm.
func (b *codeIndexBench) adopt(ctx context.Context, m *mind.Mind, c mind.Caller) error {
	in := mind.CodeIndexInput{Path: b.root}
	for {
		out, err := m.CodeIndex(ctx, c, in)
		if err != nil || out.Done {
			return err
		}
		in = mind.CodeIndexInput{Job: out.Job}
	}
}

// symbols draws symbols that can be called.
func (b *codeIndexBench) symbols(ctx context.Context, base *codebase.Base, random *rand.Rand) ([]store.CodeFound, error) {
	ids := make([]int64, 0, symbolsRead)
	for _, i := range random.Perm(len(b.files))[:min(symbolsRead, len(b.files))] {
		ids = append(ids, b.files[i].ID)
	}
	list, err := base.Store().SymbolsOfFiles(ctx, ids)
	if err != nil {
		return nil, err
	}
	var out []store.CodeFound
	for _, s := range list {
		if s.Kind == "function" || s.Kind == "method" {
			out = append(out, s)
		}
	}
	random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out, nil
}

func (b *codeIndexBench) askFigures(ctx context.Context, base *codebase.Base, symbols []store.CodeFound, g *Group) error {
	ask, err := base.Ask(ctx, b.root)
	if err != nil {
		return err
	}
	find, err := measure(b.runs.questions, func(i int) error {
		s := &symbols[i%len(symbols)]
		found, err := ask.Find(ctx, s.Name, codebase.Filter{}, checkedAtOnce)
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("%s is not found", s.Name)
		}
		b.Progress("looking up", int64(i+1), int64(b.runs.questions))
		return err
	})
	if err != nil {
		return err
	}
	named := make([]codebase.Symbol, 0, b.runs.questions)
	for i := range b.runs.questions {
		s := &symbols[i%len(symbols)]
		list, err := ask.Named(ctx, fmt.Sprintf("%s:%d", s.FilePath, s.Line), "")
		if err != nil {
			return err
		}
		named = append(named, list[0])
	}
	callers, err := measure(len(named), func(i int) error {
		_, err := ask.Callers(ctx, &named[i], callersDeep, callersMost)
		b.Progress("finding callers", int64(i+1), int64(len(named)))
		return err
	})
	if err != nil {
		return err
	}
	g.atMost("look up a name p50", find.ms(0.5), "ms", lookupMedian)
	g.add("look up a name p99", find.ms(0.99), "ms")
	g.atMost("callers, 3 deep p50", callers.ms(0.5), "ms", callersMedian)
	g.add("callers, 3 deep p99", callers.ms(0.99), "ms")
	return nil
}

// freshnessFigures remembers something of ten symbols and has that checked.
func (b *codeIndexBench) freshnessFigures(ctx context.Context, m *mind.Mind, c mind.Caller, symbols []store.CodeFound, g *Group) error {
	words := newCorpus(1)
	n := min(checkedAtOnce, len(symbols))
	for i := range n {
		s := &symbols[i]
		in := mind.RememberInput{Kind: "wisdom", Content: commonWord + " " + words.text(memoryWords), Symbols: []string{s.FilePath + ":" + s.Path}}
		if _, err := m.Remember(ctx, c, in); err != nil {
			return err
		}
	}
	took := make(latencies, 0, b.runs.checks)
	for i := range b.runs.checks + 1 {
		out, err := m.Recall(ctx, c, mind.RecallInput{Query: commonWord, Limit: n, Explain: true})
		if err != nil {
			return err
		}
		fresh := 0
		for _, r := range out.Results {
			if r.Freshness == anchor.Fresh {
				fresh++
			}
		}
		if fresh != n {
			return fmt.Errorf("of %d memories of code that did not change %d are fresh", n, fresh)
		}
		for _, stage := range out.Stages {
			if stage.Stage == (recall.Fresh{}).Name() && i > 0 { // the first may have to read files
				took = append(took, time.Duration(stage.Ms*float64(time.Millisecond)))
			}
		}
	}
	took.sort()
	g.add("memories held against code", float64(n), "fresh")
	g.atMost("whether ten are fresh p50", took.ms(0.5), "ms", freshnessOfTen)
	return nil
}

// saving makes a project of many files and saves one after the other.
func (o *CodeIndexOptions) saving(ctx context.Context, temp string) (g Group, err error) {
	root := temp + "/tree"
	tree := newTree(root, o.runs.files)
	if err := tree.write(); err != nil {
		return g, err
	}
	base, err := codebase.Open(ctx, codebase.Options{Path: temp + "/tree.db"})
	if err != nil {
		return g, err
	}
	defer func() { err = errors.Join(err, base.Close()) }()
	report, err := base.Index(ctx, root, "", func(p codebase.Progress) { o.Progress("generated: "+p.Phase, int64(p.Done), int64(p.Total)) })
	if err != nil {
		return g, err
	}
	g.Name = fmt.Sprintf("one file saved of %d, %d symbols, %d calls", report.Files, report.Symbols, report.Calls.Edges)
	for _, kind := range []struct {
		name string
		save func(i int) (string, error)
	}{{"body", tree.saveBody}, {"signature", tree.saveSignature}} {
		var took latencies
		before := spentSoFar()
		for i := range o.runs.saves {
			file, err := kind.save(i)
			if err != nil {
				return g, err
			}
			begun := time.Now()
			if err := base.Refresh(ctx, root, []string{file}); err != nil {
				return g, err
			}
			took = append(took, time.Since(begun))
			o.Progress("saving: "+kind.name, int64(i+1), int64(o.runs.saves))
		}
		spent := spentSoFar().since(before)
		took.sort()
		g.atMost(kind.name+" changed, p50", took.ms(0.5), "ms", saveMedian)
		g.add(kind.name+" changed, longest", took.ms(1), "ms")
		g.add(kind.name+" changed, CPU", ratio(spent.cpu()*1000, float64(o.runs.saves)), "ms each")
	}
	return g, nil
}
