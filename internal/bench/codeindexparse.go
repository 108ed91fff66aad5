package bench

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"chitta/internal/extract"
	"chitta/internal/mind"
	"chitta/internal/syntax"
)

// newParser makes a parser that has time: the machine may be busy.
func newParser() *syntax.Parser {
	p := syntax.New()
	p.Limit = time.Minute
	return p
}

// turn is how many files are parsed one way before they are parsed the other:
// few enough that both meet the same machine.
const turn = 20

// parseFigures compares parsing with the C library alone.
func (b *codeIndexBench) parseFigures(ctx context.Context, g *Group) error {
	p := newParser()
	defer p.Close()
	sample := b.sample()
	var bytes int64
	for i := range sample {
		if err := b.read(&sample[i]); err != nil {
			return err
		}
		bytes += int64(len(sample[i].text))
	}
	var ours, plain, against []float64
	for round := range b.runs.rounds {
		o, c, err := inTurn(ctx, p, sample)
		if err != nil {
			return err
		}
		ours, plain, against = append(ours, o), append(plain, c), append(against, ratio(c, o))
		b.Progress("comparing with C", int64(round+1), int64(b.runs.rounds))
	}
	files, mb := float64(len(sample)), float64(bytes)/1e6
	g.add("sample", mb, "MB")
	g.atLeast("parse against the C library alone, rate", median(against), "×", parseRate)
	g.add("parse", ratio(mb, median(ours)), "MB per CPU-second")
	g.add("parse, files", ratio(files, median(ours)), "files per CPU-second")
	g.add("C library alone", ratio(mb, median(plain)), "MB per CPU-second")
	g.add("C library alone, files", ratio(files, median(plain)), "files per CPU-second")
	return nil
}

// parseAll parses every file once, and returns the CPU seconds of that.
func (b *codeIndexBench) parseAll(ctx context.Context) (all float64, err error) {
	p := newParser()
	defer p.Close()
	for i := range b.files {
		f := b.files[i] // its text is dropped again
		if err := b.read(&f); err != nil {
			return 0, err
		}
		before := cpuSelf()
		if err := parseOne(p, &f); err != nil {
			return 0, err
		}
		all += cpuSelf() - before
		b.Progress("parsing alone", int64(i+1), int64(len(b.files)))
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	return all, nil
}

// sample is every so many'th file: as much as is parsed again and again.
func (b *codeIndexBench) sample() []sourceFile {
	step := max(1, int(b.bytes/b.runs.sample))
	var out []sourceFile
	for i := 0; i < len(b.files); i += step {
		out = append(out, b.files[i])
	}
	return out
}

func (b *codeIndexBench) read(f *sourceFile) (err error) {
	f.text, err = os.ReadFile(filepath.Join(b.root, filepath.FromSlash(f.Path)))
	return err
}

// inTurn parses a few files, then the same by the C library alone, and so on,
// and returns the CPU seconds of both.
func inTurn(ctx context.Context, p *syntax.Parser, files []sourceFile) (ours, plain float64, err error) {
	for some := range slices.Chunk(files, turn) {
		before := cpuSelf()
		for i := range some {
			if err := parseOne(p, &some[i]); err != nil {
				return 0, 0, err
			}
		}
		between := cpuSelf()
		for i := range some {
			if err := p.ParseAlone(some[i].lang, some[i].text); err != nil {
				return 0, 0, err
			}
		}
		ours, plain = ours+between-before, plain+cpuSelf()-between
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
	}
	return ours, plain, nil
}

// parseOne parses as a worker does.
func parseOne(p *syntax.Parser, f *sourceFile) error {
	tree, err := p.Parse(f.lang, f.text)
	if err != nil {
		return err
	}
	p.Reuse(tree)
	return nil
}

const (
	// repetitions is how often the sample is read for its facts, settledAfter
	// after how many of them everything that is kept is there.
	repetitions, settledAfter = 10, 2
)

// memoryFigures reads the facts of the sample again and again: memory that is not
// given back would add up.
func (b *codeIndexBench) memoryFigures(g *Group) error {
	sample := b.sample()
	var first int64
	for n := 1; n <= repetitions; n++ {
		p := newParser()
		for i := range sample {
			f := sample[i]
			if err := b.read(&f); err != nil {
				return err
			}
			tree, err := p.Parse(f.lang, f.text)
			if err != nil {
				return err
			}
			extract.Facts(f.Path, tree)
			p.Reuse(tree)
		}
		p.Close()
		b.Progress("parsing again and again", int64(n), repetitions)
		if n == settledAfter {
			first = residentNow()
		}
	}
	if last := residentNow(); last > 0 { // some systems do not tell
		g.atMost("memory after ten times against two", float64(last)/float64(first), "×", memoryGrowth)
	}
	return nil
}

// residentNow is what the process takes without what can be collected.
func residentNow() int64 {
	runtime.GC()
	debug.FreeOSMemory()
	return mind.Process().RSS
}

// median of a list that is not empty.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
