package keyword

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// reference is BM25 written the plain way: it looks at every document that is
// stored, deleted or not, and knows no segments, blocks or bounds.
type reference struct {
	fields []Field
	stored []refDoc
}

type refDoc struct {
	Doc
	deleted bool
	counts  []map[string]int // by field
	lengths []float64        // by field; 0 is a field that is not there
}

func newRefDoc(d Doc, deleted bool, fields int) refDoc {
	r := refDoc{Doc: d, deleted: deleted}
	for f := range fields {
		counts := make(map[string]int)
		var terms []string
		if f < len(d.Text) {
			terms = Analyzer{}.Terms(d.Text[f])
		}
		for _, t := range terms {
			counts[t]++
		}
		r.counts = append(r.counts, counts)
		r.lengths = append(r.lengths, float64(codedLength(lengthCode(len(terms)))))
	}
	return r
}

// idf counts over the documents that have the field, in one role or all.
func (r *reference) idf(term string, field int, role string, byRole bool) float64 {
	n, df := 0.0, 0.0
	for _, d := range r.stored {
		if d.lengths[field] > 0 && (!byRole || d.Role == role) {
			n++
			if d.counts[field][term] > 0 {
				df++
			}
		}
	}
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

func (r *reference) average(field int, role string) float64 {
	n, total := 0.0, 0.0
	for _, d := range r.stored {
		if d.lengths[field] > 0 && d.Role == role {
			n++
			total += d.lengths[field]
		}
	}
	return total / n
}

func (r *reference) search(q Query) []Hit {
	fields, err := override(r.fields, q.Fields)
	if err != nil {
		panic(err)
	}
	type key struct {
		term, role string
		field      int
	}
	idfs, averages := make(map[key]float64), make(map[key]float64)
	memo := func(m map[key]float64, k key, f func() float64) float64 {
		if _, ok := m[k]; !ok {
			m[k] = f()
		}
		return m[k]
	}
	terms := Analyzer{}.QueryTerms(q.Text)
	var hits []Hit
	for _, d := range r.stored {
		if d.deleted || !matches(q.Filter, d.Doc) {
			continue
		}
		score, found := 0.0, false
		for _, term := range terms {
			for f, field := range fields {
				tf := float64(min(d.counts[f][term.Term], maxTF))
				if tf == 0 || field.Weight == 0 {
					continue
				}
				idf := memo(idfs, key{term.Term, d.Role, f}, func() float64 { return r.idf(term.Term, f, d.Role, q.RoleIDF) })
				average := memo(averages, key{"", d.Role, f}, func() float64 { return r.average(f, d.Role) })
				norm := field.K1 * (1 - field.B + field.B*(d.lengths[f]/average))
				score += float64(term.Weight * field.Weight * idf * (field.K1 + 1) * (tf / (tf + norm)))
				found = true
			}
		}
		if found {
			hits = append(hits, Hit{ID: d.ID, Score: score})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	k := cmp.Or(max(q.K, 0), defaultK)
	return append([]Hit{}, hits[:min(k, len(hits))]...)
}

func matches(f Filter, d Doc) bool {
	for _, group := range f.All {
		if !slices.ContainsFunc(group, func(l string) bool { return slices.Contains(d.Labels, l) }) {
			return false
		}
	}
	for _, l := range f.None {
		if slices.Contains(d.Labels, l) {
			return false
		}
	}
	return (f.After == 0 || d.Time >= f.After) && (f.Before == 0 || d.Time < f.Before) &&
		(f.IDs == nil || f.IDs.Contains(d.ID))
}

// resident lists what an index stores, found by id and time in the versions
// that were ever put; the tests give every version its own time.
func resident(t interface{ Fatalf(string, ...any) }, x *Index, versions map[int64]Doc) []refDoc {
	var out []refDoc
	add := func(role string, id uint64, time int64, deleted bool) {
		d, ok := versions[time]
		if !ok || d.ID != id || d.Role != role {
			t.Fatalf("the index holds document %d of role %q with time %d, which was never put", id, role, time)
		}
		out = append(out, newRefDoc(d, deleted, len(x.opts.Fields)))
	}
	for _, p := range x.live.parts {
		for i := range p.published {
			add(p.role, p.ids[i], plainTime(p.times[i]), p.dead.has(uint32(i)))
		}
	}
	for _, v := range x.views {
		for i, l := range v.leaves {
			for o := range l.docs {
				add(l.role, l.ids.at(o), plainTime(l.times.at(o)), v.dead[i].has(uint32(o)))
			}
		}
	}
	return out
}

func plainTime(v uint64) int64 { return int64(v ^ 1<<63) }

// testFields are two fields that differ in everything.
func testFields() []Field {
	return []Field{{Name: "text", Weight: 1, K1: 0.9, B: 0.4}, {Name: "title", Weight: 2.5, K1: 1.4, B: 0.75}}
}

// corpus makes documents whose words are few, so that lists are long, ties are
// common and every block has something to bound.
type corpus struct {
	rng  *rand.Rand
	time int64
}

func newCorpus(seed uint64) *corpus {
	return &corpus{rng: rand.New(rand.NewPCG(seed, 7)), time: 1_000_000}
}

// word is skewed: word0 is in most documents, word39 in few.
func (c *corpus) word() string {
	return fmt.Sprintf("word%d", int(40*math.Pow(c.rng.Float64(), 2.5)))
}

func (c *corpus) words(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(c.word() + " ")
	}
	return b.String()
}

func (c *corpus) doc(id uint64) Doc {
	c.time++
	role := []string{"user", "assistant", "tool"}[c.rng.IntN(3)]
	length := 1 + c.rng.IntN(12)
	if role == "assistant" {
		length *= 3
	}
	d := Doc{ID: id, Role: role, Time: c.time, Text: []string{c.words(length)}}
	if c.rng.IntN(3) == 0 {
		d.Text = append(d.Text, c.words(1+c.rng.IntN(3)))
	}
	for _, l := range []string{"a", "b", "c"} {
		if c.rng.IntN(3) == 0 {
			d.Labels = append(d.Labels, "label="+l)
		}
	}
	return d
}

func (c *corpus) docs(from, to uint64) []Doc {
	var out []Doc
	for id := from; id < to; id++ {
		out = append(out, c.doc(id))
	}
	return out
}

func open(t testing.TB, dir string, o Options) *Index {
	t.Helper()
	x, err := Open(dir, o)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func apply(t testing.TB, x *Index, b Batch) {
	t.Helper()
	if err := x.Apply(b); err != nil {
		t.Fatalf("Apply: %v", err)
	}
}

func search(t testing.TB, x *Index, q Query) []Hit {
	t.Helper()
	hits, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("Search(%q): %v", q.Text, err)
	}
	return hits
}

func ids(hits []Hit) []uint64 {
	out := []uint64{}
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}
