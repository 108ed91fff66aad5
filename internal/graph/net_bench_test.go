package graph

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"
)

// Half of all triples hang on hubs of ten thousand triples each.
const (
	hubShare = 0.5
	perHub   = 10_000
)

// benchNet builds a net whose degrees have a heavy tail: half of all triples
// have one end at a hub, and the ends of the others follow a power law.
func benchNet(triples int) (*Net, []string) {
	r := rand.New(rand.NewPCG(1, 2))
	predicates := []string{"causes", "is_a", "part_of", "related_to", "requires", "used_with", "solves", "calls"}
	concepts := triples / 3
	zipf := rand.NewZipf(r, 1.3, 20, uint64(concepts-1))
	hubs := max(1, int(hubShare*float64(triples))/perHub)
	n := NewNet()
	var batch []Change
	for i := range triples {
		subject, object := int(zipf.Uint64()), r.IntN(concepts)
		if r.Float64() < hubShare {
			subject = r.IntN(hubs)
		}
		if r.IntN(2) == 0 {
			subject, object = object, subject
		}
		if subject == object {
			object = (object + 1) % concepts
		}
		batch = append(batch, Change{Triple: Triple{Seq: int64(i + 1), Realm: "p", Subject: benchKey(subject), Object: benchKey(object),
			Predicate: predicates[r.IntN(len(predicates))], Confidence: 0.3 + 0.7*r.Float64(), ValidFrom: netTime}})
		if len(batch) == 10_000 {
			n.Apply(batch...)
			batch = batch[:0]
		}
	}
	n.Apply(batch...)
	keys := make([]string, 0, 200)
	for i := range 200 { // hubs and others
		keys = append(keys, benchKey(i*i*concepts/40_000))
	}
	return n, keys
}

func benchKey(i int) string { return fmt.Sprintf("concept.number.%d", i) }

// heapInUse returns the bytes in use.
func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// report measures what a question costs, in the middle and at the tail.
func report(b *testing.B, keys []string, ask func(key string)) {
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		begin := time.Now()
		ask(keys[i%len(keys)])
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

func BenchmarkNet(b *testing.B) {
	for _, size := range []int{10_000, 100_000, 1_000_000} {
		before := heapInUse()
		begin := time.Now()
		n, keys := benchNet(size)
		took := time.Since(begin)
		bytes := heapInUse() - before
		v := View{Realms: []string{"p", "user"}, At: netTime}
		name := fmt.Sprintf("%dk", size/1000)
		b.Run(name+"/size", func(b *testing.B) {
			for b.Loop() {
			}
			b.ReportMetric(float64(bytes)/float64(size), "B/triple")
			b.ReportMetric(took.Seconds(), "s-to-load")
		})
		b.Run(name+"/pattern", func(b *testing.B) {
			report(b, keys, func(key string) { n.Match(v, Pattern{Subject: key, Predicate: "causes"}, 100) })
		})
		b.Run(name+"/pattern-hub", func(b *testing.B) {
			report(b, keys[:1], func(key string) { n.Match(v, Pattern{Object: key, Predicate: "causes"}, 100) })
		})
		b.Run(name+"/pattern-predicate", func(b *testing.B) {
			report(b, keys, func(string) { n.Match(v, Pattern{Predicate: "causes"}, 100) })
		})
		b.Run(name+"/spread", func(b *testing.B) {
			report(b, keys, func(key string) { n.Spread(v, []Seed{{Key: key}}, SpreadOptions{}) })
		})
		b.Run(name+"/spread-full", func(b *testing.B) {
			report(b, keys, func(key string) {
				n.Spread(v, []Seed{{Key: key, Strength: 1}, {Key: keys[0], Strength: 1}}, SpreadOptions{})
			})
		})
		b.Run(name+"/paths", func(b *testing.B) {
			report(b, keys, func(key string) { n.Paths(v, key, keys[len(keys)-1], PathOptions{}) })
		})
		b.Run(name+"/infer", func(b *testing.B) {
			report(b, keys, func(key string) { n.Infer(v, Pattern{Subject: key}, InferOptions{}) })
		})
		b.Run(name+"/change-of-hub", func(b *testing.B) {
			x := n.Match(v, Pattern{Subject: keys[0]}, 1)[0]
			i := 0
			report(b, keys, func(string) {
				i++
				x.Confidence = 0.3 + float64(i%1000)/2000
				n.Apply(Change{Triple: x})
			})
		})
		b.Run(name+"/attractors", func(b *testing.B) {
			report(b, keys, func(string) { n.Attractors(v) })
		})
		b.Run(name+"/contradictions", func(b *testing.B) {
			report(b, keys, func(string) {
				if _, err := n.Contradictions(b.Context(), v, 0); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}
