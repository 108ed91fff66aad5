package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"chitta/internal/follow"
	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/recall"
	"chitta/internal/store"
)

// Targets of the knowledge graph. Activation and paths are held against theirs
// at up to graphTargetSize triples, more than years of work bring together.
const (
	graphPattern    = 1  // ms, p50
	graphActivation = 5  // ms, p50
	graphPaths      = 50 // ms, p99
	graphTargetSize = 100_000
)

const (
	graphRuns  = 400    // questions of each kind
	graphBatch = 5_000  // facts per transaction
	graphHub   = 10_000 // triples of a hub; half of all triples hang on one
	graphFew   = 100    // answers asked for
)

// Graph measures the knowledge graph at the given sizes, on a net of heavy-tailed
// degrees: storing facts, loading the net from the store, and what questions
// cost.
func Graph(ctx context.Context, sizes []int, progress func(done, total int64)) (report Report, err error) {
	home, err := os.MkdirTemp("", "chitta-bench-*")
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	report = Report{Set: "graph"}
	for i, n := range sizes {
		if i > 0 && n <= sizes[i-1] {
			return report, fmt.Errorf("sizes must grow: %d after %d", n, sizes[i-1])
		}
		g := Group{Name: fmt.Sprintf("%d triples", n)}
		if err := graphFigures(ctx, filepath.Join(home, fmt.Sprintf("%d.db", n)), n, &g, progress); err != nil {
			return report, err
		}
		report.Groups = append(report.Groups, g)
	}
	return report, nil
}

func graphFigures(ctx context.Context, path string, n int, g *Group, progress func(done, total int64)) (err error) {
	s, err := store.Open(ctx, store.Options{Path: path})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	made := newTangle(n)
	begin := time.Now()
	if err := made.store(ctx, s, n, progress); err != nil {
		return err
	}
	g.add("facts stored", float64(n)/time.Since(begin).Seconds(), "per s")
	if fi, err := os.Stat(path); err == nil {
		g.add("database per triple", float64(fi.Size())/float64(n), "B")
	}
	before := heapInUse()
	begin = time.Now()
	follower := follow.NewNet(s, make(chan struct{}, 1), slog.New(slog.DiscardHandler))
	if err := follower.Maintain(ctx); err != nil {
		return err
	}
	g.add("net loaded", time.Since(begin).Seconds(), "s")
	g.add("net per triple", float64(heapInUse()-before)/float64(n), "B")
	net, _ := follower.Net()
	return made.ask(net, n, g)
}

// ask measures questions to the net, about hubs and others in turn.
func (t *tangle) ask(net *graph.Net, n int, g *Group) error {
	view := graph.View{Realms: []string{memory.UserRealm}, At: graphTime.Add(time.Hour)}
	run := func(fn func(key string)) (latencies, error) {
		return measure(graphRuns, func(i int) error { fn(t.asked(i)); return nil })
	}
	pattern, err := run(func(key string) {
		net.Match(view, graph.Pattern{Subject: key, Predicate: "causes"}, graphFew)
	})
	if err != nil {
		return err
	}
	spread, err := run(func(key string) {
		net.Spread(view, []graph.Seed{{Key: key}}, graph.SpreadOptions{Hops: 3})
	})
	if err != nil {
		return err
	}
	cuts := 0
	paths, err := measure(graphRuns, func(i int) error {
		if _, cut := net.Paths(view, t.asked(i), t.asked(7*i+3), graph.PathOptions{}); cut {
			cuts++
		}
		return nil
	})
	if err != nil {
		return err
	}
	g.atMost("pattern p50", pattern.ms(0.5), "ms", graphPattern)
	g.add("pattern p99", pattern.ms(0.99), "ms")
	if n <= graphTargetSize {
		g.atMost("activation over 3 hops p50", spread.ms(0.5), "ms", graphActivation)
	} else {
		g.add("activation over 3 hops p50", spread.ms(0.5), "ms")
	}
	g.add("activation over 3 hops p99", spread.ms(0.99), "ms")
	g.add("paths of up to 4 hops p50", paths.ms(0.5), "ms")
	if n <= graphTargetSize {
		g.atMost("paths of up to 4 hops p99", paths.ms(0.99), "ms", graphPaths)
	} else {
		g.add("paths of up to 4 hops p99", paths.ms(0.99), "ms")
	}
	g.add("searches for paths cut short", 100*float64(cuts)/graphRuns, "%")
	return nil
}

var graphTime = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// tangle makes up facts: half of them have one end at a hub, the ends of the
// others follow a power law.
type tangle struct {
	rnd            *rand.Rand
	zipf           *rand.Zipf
	concepts, hubs int
	seqs           []int64 // rows of the concepts, 0 before they are stored
}

const (
	triplesPerConcept = 3
	tangleExponent    = 1.3 // of degrees, as among links of real graphs
)

func newTangle(triples int) *tangle {
	t := &tangle{rnd: rand.New(rand.NewPCG(1, 2)), concepts: max(triples/triplesPerConcept, 10), hubs: max(1, triples/2/graphHub)}
	t.zipf = rand.NewZipf(t.rnd, tangleExponent, 20, uint64(t.concepts-1))
	t.seqs = make([]int64, t.concepts)
	return t
}

func conceptName(i int) string { return fmt.Sprintf("concept.number.%d", i) }

// asked returns the concept of a question: every concept's turn comes, with
// hubs oftener than there are of them.
func (t *tangle) asked(i int) string {
	if i%8 == 0 {
		return conceptName(i / 8 % t.hubs)
	}
	return conceptName(i * i * 31 % t.concepts)
}

// next makes up one fact.
func (t *tangle) next() (subject, object int, predicate string) {
	predicates := []string{"causes", "is_a", "part_of", "related_to", "requires", "used_with", "solves", "calls"}
	subject, object = int(t.zipf.Uint64()), t.rnd.IntN(t.concepts)
	if t.rnd.IntN(2) == 0 {
		subject = t.rnd.IntN(t.hubs)
	}
	if subject == object {
		object = (object + 1) % t.concepts
	}
	if t.rnd.IntN(2) == 0 {
		subject, object = object, subject
	}
	return subject, object, predicates[t.rnd.IntN(len(predicates))]
}

// store puts n facts into a store.
func (t *tangle) store(ctx context.Context, s *store.Store, n int, progress func(done, total int64)) error {
	err := s.Write(ctx, func(tx *store.Tx) error {
		return tx.PutRealm(memory.Realm{ID: memory.UserRealm, Name: memory.UserRealm, Kind: memory.RealmUser, Visibility: memory.Global, Created: graphTime, Updated: graphTime})
	})
	if err != nil {
		return err
	}
	for done := 0; done < n; {
		batch := min(graphBatch, n-done)
		err := s.Write(ctx, func(tx *store.Tx) error {
			for i := range batch {
				if err := t.assert(tx, done+i); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("store facts: %w", err)
		}
		done += batch
		progress(int64(done), int64(n))
	}
	return nil
}

func (t *tangle) assert(tx *store.Tx, i int) error {
	subject, object, predicate := t.next()
	for _, c := range []int{subject, object} {
		if t.seqs[c] != 0 {
			continue
		}
		stored := store.Concept{Realm: memory.UserRealm, Name: conceptName(c), Key: graph.Key(conceptName(c)), Confidence: 1, Created: graphTime}
		if _, err := tx.EnsureConcept(&stored); err != nil {
			return err
		}
		t.seqs[c] = stored.Seq
	}
	_, _, err := tx.Assert(store.Assertion{
		ID: fmt.Sprintf("t_%08d", i), Subject: t.seqs[subject], Object: t.seqs[object], Predicate: predicate,
		Evidence: store.Evidence{Confidence: 0.3 + 0.7*t.rnd.Float64(), Source: "bench", ValidFrom: graphTime, At: graphTime},
	})
	return err
}

// heapInUse returns the bytes in use.
func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Weights at which the graph's part in ranking is measured: activation adds up
// to half a deviation, and members of the question's region gain 15 %.
const (
	measuredGraph     = 1
	measuredAttractor = 0.15
)

// withGraph adds activation to a recipe.
func withGraph(r recall.Recipe) recall.Recipe {
	r.Graph = measuredGraph
	return r
}

// withAttractor adds activation and attractors to a recipe.
func withAttractor(r recall.Recipe) recall.Recipe {
	r = withGraph(r)
	r.Attractor = measuredAttractor
	return r
}

// mined looks for facts in all that is stored.
func mined(ctx context.Context, m *mind.Mind) error {
	for {
		if out, err := m.GraphMine(ctx, benchCaller, mind.GraphMineInput{}); err != nil || out.Done {
			return err
		}
	}
}
