package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// facts is a store with a way to state facts in a line.
type facts struct {
	testing.TB
	*Store
	realm string
	ids   int
}

func newFacts(t *testing.T) *facts { return &facts{TB: t, Store: openTest(t), realm: "p_1"} }

func (f *facts) write(fn func(*Tx) error) {
	f.Helper()
	if err := f.Write(context.Background(), fn); err != nil {
		f.Fatal(err)
	}
}

func (f *facts) concept(name string) (c Concept) {
	f.Helper()
	f.write(func(tx *Tx) error {
		c = Concept{Realm: f.realm, Name: name, Key: strings.ToLower(name), Confidence: 0.5, Created: testTime}
		_, err := tx.EnsureConcept(&c)
		return err
	})
	return c
}

// day is a moment to begin or end at.
func day(n int) time.Time { return testTime.AddDate(0, 0, n) }

// say asserts a fact from a day on.
func (f *facts) say(subject, predicate, object string, from int, edit ...func(*Assertion)) (x Triple, o Outcome) {
	f.Helper()
	f.ids++
	a := Assertion{ID: fmt.Sprintf("t_%04d", f.ids), Subject: f.concept(subject).Seq, Object: f.concept(object).Seq, Predicate: predicate,
		Evidence: Evidence{Confidence: 0.5, Source: "test", ValidFrom: day(from), At: day(from)}}
	for _, e := range edit {
		e(&a)
	}
	f.write(func(tx *Tx) (err error) {
		x, o, err = tx.Assert(a)
		return err
	})
	return x, o
}

func functional(a *Assertion) { a.Functional = true }

// shown returns triples as lines, with the days they hold for.
func shown(list []Triple) []string {
	out := []string{}
	for _, x := range list {
		until := ""
		if !x.ValidUntil.IsZero() {
			until = fmt.Sprint(int(x.ValidUntil.Sub(testTime).Hours() / 24))
		}
		out = append(out, fmt.Sprintf("%s %s %s [%d,%s)", x.SubjectName, x.Predicate, x.ObjectName, int(x.ValidFrom.Sub(testTime).Hours()/24), until))
	}
	return out
}

func (f *facts) expect(what string, filter TripleFilter, want ...string) {
	f.Helper()
	list, err := f.Triples(context.Background(), filter)
	if err != nil {
		f.Fatal(err)
	}
	if diff := cmp.Diff(append([]string{}, want...), shown(list)); diff != "" {
		f.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// TestAssert shows normal use: facts are stored, strengthened, ended and asked
// for as of a time.
func TestAssert(t *testing.T) {
	f := newFacts(t)
	x, o := f.say("nc", "causes", "failure", 0)
	if o != Inserted || x.Confidence != 0.5 || x.SubjectKey != "nc" || x.Realm != "p_1" || !x.ValidUntil.IsZero() {
		t.Errorf("%+v %s", x, o)
	}
	x, o = f.say("NC", "causes", "failure", -2)
	if o != Strengthened || x.ID != "t_0001" || math.Abs(x.Confidence-0.625) > 1e-12 || x.Strengthened != 1 || !x.ValidFrom.Equal(day(-2)) {
		t.Errorf("said again: %+v %s", x, o)
	}
	for range 50 {
		x, _ = f.say("nc", "causes", "failure", 0)
	}
	if x.Confidence != confidenceCap {
		t.Errorf("confidence %v after many", x.Confidence)
	}
	f.say("cli", "solves", "failure", 1)
	f.write(func(tx *Tx) error { return tx.CloseTriple("t_0001", day(5)) })
	f.expect("all", TripleFilter{Realms: []string{"p_1"}}, "nc causes failure [-2,5)", "cli solves failure [1,)")
	f.expect("open", TripleFilter{Open: true}, "cli solves failure [1,)")
	f.expect("of no realm of ours", TripleFilter{Realms: []string{"p_2"}})
	for _, c := range []struct {
		at   int
		want []string
	}{{-3, nil}, {-2, []string{"nc causes failure [-2,5)"}}, {4, []string{"nc causes failure [-2,5)", "cli solves failure [1,)"}}, {5, []string{"cli solves failure [1,)"}}} {
		f.expect(fmt.Sprint("as of ", c.at), TripleFilter{AsOf: day(c.at)}, c.want...)
	}
	if _, o := f.say("nc", "causes", "failure", 7); o != Inserted {
		t.Errorf("what ended and begins again is another triple: %s", o)
	}
}

func TestSameEvidenceCountsOnce(t *testing.T) {
	f := newFacts(t)
	from := func(memory, job string) func(*Assertion) {
		return func(a *Assertion) { a.Memory, a.Job = memory, job }
	}
	f.say("a", "causes", "b", 0, from("m_1", "j1"))
	if x, o := f.say("a", "causes", "b", 0, from("m_1", "j2")); o != Known || x.Strengthened != 0 {
		t.Errorf("the same memory mined twice: %+v %s", x, o)
	}
	if _, o := f.say("a", "causes", "b", 0, from("m_2", "j2")); o != Strengthened {
		t.Errorf("another memory: %s", o)
	}
	if _, o := f.say("a", "causes", "b", 0, func(a *Assertion) { a.ID = "t_0001" }); o != Known {
		t.Errorf("the same triple imported: %s", o)
	}
	x, o := f.say("b", "related_to", "a", 0, func(a *Assertion) { a.Symmetric = true })
	if o != Inserted {
		t.Error(o)
	}
	if y, o := f.say("a", "related_to", "b", 0, func(a *Assertion) { a.Symmetric = true }); o != Strengthened || y.ID != x.ID {
		t.Errorf("the same from its other end: %+v %s", y, o)
	}
	if e, err := f.EvidenceOf(t.Context(), []int64{x.Seq}); err != nil || len(e[x.Seq]) != 2 || e[x.Seq][0].Source != "test" {
		t.Errorf("%+v %v", e, err)
	}
}

func TestFunctional(t *testing.T) {
	f := newFacts(t)
	f.say("go", "has_version", "1", 0, functional)
	f.say("go", "has_version", "3", 20, functional)
	f.say("rust", "has_version", "1", 0, functional)
	f.say("go", "has_version", "2", 10, functional) // learned late
	f.expect("each until the next", TripleFilter{Subjects: []int64{f.concept("go").Seq}},
		"go has_version 1 [0,10)", "go has_version 3 [20,)", "go has_version 2 [10,20)")
	f.expect("others untouched", TripleFilter{Subjects: []int64{f.concept("rust").Seq}}, "rust has_version 1 [0,)")
	x, _ := f.say("go", "has_version", "3", 5, functional)
	if !x.ValidFrom.Equal(day(20)) {
		t.Errorf("a value does not begin before another ended: %s", shown([]Triple{x}))
	}
}

func TestSupersedes(t *testing.T) {
	f := newFacts(t)
	old, _ := f.say("deploy", "requires", "ftp", 0)
	f.say("rsync", "supersedes", "ftp", 1)
	f.expect("concepts superseding each other end nothing", TripleFilter{Open: true}, "deploy requires ftp [0,)", "rsync supersedes ftp [1,)")
	f.say("deploy", "requires", "rsync", 3, func(a *Assertion) { a.Supersedes = old.ID })
	f.expect("the triple named ends", TripleFilter{Predicates: []string{"requires"}}, "deploy requires ftp [0,3)", "deploy requires rsync [3,)")
}

func TestAssertRefuses(t *testing.T) {
	f := newFacts(t)
	a, b := f.concept("a").Seq, f.concept("b").Seq
	other := Concept{Realm: "p_2", Name: "x", Key: "x"}
	putRealm(t, f.Store, "p_2")
	f.write(func(tx *Tx) error { _, err := tx.EnsureConcept(&other); return err })
	good := Assertion{ID: "t_1", Subject: a, Object: b, Predicate: "causes", Evidence: Evidence{Confidence: 0.5, ValidFrom: day(1), At: day(1)}}
	for _, c := range []struct {
		name  string
		edit  func(*Assertion)
		words string
	}{
		{"ends before it begins", func(a *Assertion) { a.ValidUntil = day(0) }, "before it begins"},
		{"itself", func(x *Assertion) { x.Object = a }, "itself"},
		{"unknown concept", func(x *Assertion) { x.Object = 999 }, "not found"},
		{"two realms", func(x *Assertion) { x.Object = other.Seq }, "different realms"},
		{"no predicate", func(x *Assertion) { x.Predicate = "" }, "predicate"},
		{"NUL", func(x *Assertion) { x.Predicate = "a\x00" }, "predicate"},
		{"no id", func(x *Assertion) { x.ID = "" }, "id"},
		{"confidence", func(x *Assertion) { x.Confidence = math.NaN() }, "between 0 and 1"},
		{"unknown triple superseded", func(x *Assertion) { x.Supersedes = "t_none" }, "not found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := good
			c.edit(&bad)
			err := f.Write(t.Context(), func(tx *Tx) error { _, _, err := tx.Assert(bad); return err })
			if err == nil || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%v", err)
			}
		})
	}
	f.expect("nothing was stored", TripleFilter{})
	f.say("a", "causes", "b", 0)
	for at, words := range map[int]string{-1: "cannot end before", 3: ""} {
		err := f.Write(t.Context(), func(tx *Tx) error {
			err := tx.CloseTriple("t_0001", day(at))
			if err == nil {
				err = tx.CloseTriple("t_0001", day(at))
				words = "ended already"
			}
			return err
		})
		var refused *FactError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), words) {
			t.Errorf("close at %d: %v", at, err)
		}
	}
}

func TestNames(t *testing.T) {
	f := newFacts(t)
	f.say("netcat", "causes", "failure", 0)
	netcat, failure := f.concept("netcat"), f.concept("failure")
	before, err := f.LastTripleRev(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.write(func(tx *Tx) error {
		if err := tx.AddAlias(netcat.Seq, "NC", "nc"); err != nil {
			return err
		}
		return tx.RenameConcept(netcat.Seq, "ncat", "ncat")
	})
	for _, name := range []string{"nc", "netcat", "ncat"} {
		if c := f.concept(name); c.Seq != netcat.Seq || c.Name != "ncat" {
			t.Errorf("%s is %+v", name, c)
		}
	}
	if a, err := f.Aliases(t.Context(), []int64{netcat.Seq}); err != nil || !cmp.Equal(a[netcat.Seq], []string{"NC", "netcat"}) {
		t.Errorf("%v %v", a, err)
	}
	if changed, err := f.TriplesAfter(t.Context(), before, 10); err != nil || len(changed) != 1 || changed[0].SubjectKey != "ncat" {
		t.Errorf("followers hear of the new key: %+v %v", changed, err)
	}
	err = f.Write(t.Context(), func(tx *Tx) error { return tx.AddAlias(failure.Seq, "nc", "nc") })
	if err == nil || !strings.Contains(err.Error(), "merge") {
		t.Errorf("a name taken: %v", err)
	}
	for _, bad := range []string{"", "a\x00b", "\xff"} {
		if err := f.Write(t.Context(), func(tx *Tx) error { return tx.RenameConcept(failure.Seq, bad, bad) }); err == nil {
			t.Errorf("%q is a name", bad)
		}
	}
	var names []string
	err = f.EachConceptName(t.Context(), []string{"p_1"}, func(name, key string, concept int64) error {
		names = append(names, key)
		return nil
	})
	if err != nil || !cmp.Equal(names, []string{"failure", "nc", "ncat", "netcat"}) {
		t.Errorf("%v %v", names, err)
	}
	found, err := f.ConceptsNamed(t.Context(), []string{"p_1", "user"}, "nc", "failure", "none")
	if err != nil || len(found) != 2 {
		t.Errorf("%v %v", found, err)
	}
	f.write(func(tx *Tx) error { return tx.ActivateConcept(netcat.Seq, 0.4, day(1)) })
	if c := f.concept("nc"); c.Activation != 0.4 || !c.LastActivated.Equal(day(1)) {
		t.Errorf("%+v", c)
	}
}

func TestMerge(t *testing.T) {
	f := newFacts(t)
	f.say("a", "causes", "x", 0)
	f.say("b", "causes", "x", 5)
	f.say("b", "requires", "y", 0, func(a *Assertion) { a.ValidUntil = day(2) })
	f.say("a", "requires", "y", 8)
	f.say("a", "related_to", "b", 0)
	f.say("z", "calls", "b", 0)
	var done Merged
	f.write(func(tx *Tx) (err error) {
		done, err = tx.MergeConcepts(f.in(tx, "b"), f.in(tx, "a"))
		return err
	})
	if done != (Merged{Moved: 3, Folded: 1, Dropped: 1}) {
		t.Errorf("%+v", done)
	}
	f.expect("one concept", TripleFilter{}, "a causes x [0,)", "a requires y [0,2)", "a requires y [8,)", "z calls a [0,)")
	list, _ := f.Triples(t.Context(), TripleFilter{Predicates: []string{"causes"}})
	if math.Abs(list[0].Confidence-0.625) > 1e-12 || list[0].Strengthened != 1 {
		t.Errorf("both confidences count: %+v", list[0])
	}
	if c := f.concept("b"); c.Name != "a" {
		t.Errorf("the old name leads to %+v", c)
	}
	if n, err := f.CountGraph(t.Context(), []string{"p_1"}); err != nil || n.Concepts != 4 || n.Aliases != 1 || n.Triples != 4 || n.Open != 3 || n.ByPredicate["requires"] != 2 {
		t.Errorf("%+v %v", n, err)
	}
	err := f.Write(t.Context(), func(tx *Tx) error { _, err := tx.MergeConcepts(1, 1); return err })
	if err == nil {
		t.Error("merged with itself")
	}
}

// in finds a concept inside a transaction.
func (f *facts) in(tx *Tx, key string) int64 {
	f.Helper()
	c, err := tx.Concept(f.realm, key)
	if err != nil {
		f.Fatal(err)
	}
	return c.Seq
}

// TestEraseUndoesARun: after a run is taken back, everything is as before it.
func TestEraseUndoesARun(t *testing.T) {
	f := newFacts(t)
	job := func(a *Assertion) { a.Job = "j1" }
	f.say("a", "causes", "b", 3)
	f.say("go", "has_version", "1", 0, functional)
	f.say("x", "requires", "y", 0)
	state := func() string {
		list, err := f.Triples(t.Context(), TripleFilter{})
		if err != nil {
			t.Fatal(err)
		}
		n, err := f.CountGraph(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(shown(list), list[0].Confidence, n)
	}
	before := state()
	f.say("a", "causes", "b", 1, job)                     // strengthens
	f.say("a", "causes", "c", 1, job)                     // new, with a new concept
	f.say("go", "has_version", "2", 5, functional, job)   // ends another
	f.say("go", "has_version", "1.5", 2, functional, job) // and is ended itself
	f.say("x", "requires", "y", 1, job, func(a *Assertion) { a.ValidUntil = day(4) })
	f.expect("it says that this has ended", TripleFilter{Predicates: []string{"requires"}}, "x requires y [0,4)")
	if list, err := f.Triples(t.Context(), TripleFilter{Evidence: EvidenceFilter{Job: "j1"}}); err != nil || len(list) != 5 {
		t.Errorf("%v %v", shown(list), err)
	}
	var done Erased
	f.write(func(tx *Tx) (err error) {
		done, err = tx.EraseEvidence(EvidenceFilter{Job: "j1"})
		return err
	})
	if done != (Erased{Evidence: 5, Triples: 3, Weaker: 2}) {
		t.Errorf("%+v", done)
	}
	if diff := cmp.Diff(before, state()); diff != "" {
		t.Error(diff)
	}
	if gone, err := f.ConceptsBySeq(t.Context(), []int64{7}); err != nil || !gone[7].Gone || gone[7].Name != "" {
		t.Errorf("a concept nobody speaks of: %+v %v", gone, err)
	}
	if err := f.Write(t.Context(), func(tx *Tx) error { _, err := tx.EraseEvidence(EvidenceFilter{}); return err }); err == nil {
		t.Error("everything erased")
	}
	f.say("a", "causes", "c", 1)
	f.write(func(tx *Tx) error { _, err := tx.EraseEvidence(EvidenceFilter{Triple: "t_0001"}); return err })
	f.expect("a single triple", TripleFilter{Predicates: []string{"causes"}}, "a causes c [1,)")
}

// TestGraphAgainstModel holds assertions, closings, merges and as-of queries
// against a list in memory. The model speaks of moments instead of intervals:
// for each it knows which facts hold.
func TestGraphAgainstModel(t *testing.T) {
	const days, names = 8, 4
	predicates := []string{"causes", "requires"}
	f := newFacts(t)
	s := f.Store
	checkLess(t, func(rt *rapid.T) {
		f.realm = fmt.Sprint("p_", f.ids+2) // a clean slate; opening a database each time would take longer than the rest
		f.ids++
		putRealm(t, s, f.realm)
		type fact struct {
			s, p, o string
			at      int
		}
		holds := map[fact]bool{}
		into := map[string]string{}
		name := func(label string) string {
			n := string(rune('a' + rapid.IntRange(0, names-1).Draw(rt, label)))
			for into[n] != "" {
				n = into[n]
			}
			return n
		}
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			a, b := name("subject"), name("object")
			p := rapid.SampledFrom(predicates).Draw(rt, "predicate")
			if a == b {
				continue
			}
			switch rapid.IntRange(0, 5).Draw(rt, "op") {
			case 0: // merge
				f.write(func(tx *Tx) error {
					for _, n := range []string{a, b} {
						if _, err := tx.EnsureConcept(&Concept{Realm: f.realm, Name: n, Key: n}); err != nil {
							return err
						}
					}
					_, err := tx.MergeConcepts(f.in(tx, a), f.in(tx, b))
					return err
				})
				into[a] = b
				for k := range holds {
					moved := k
					if k.s == a {
						moved.s = b
					}
					if k.o == a {
						moved.o = b
					}
					if moved != k {
						delete(holds, k)
						if moved.s != moved.o {
							holds[moved] = true
						}
					}
				}
			default: // a fact that held for a while; closed ones only, whose union is plain
				from := rapid.IntRange(0, days-1).Draw(rt, "from")
				until := rapid.IntRange(from, days).Draw(rt, "until")
				f.say(a, p, b, from, func(x *Assertion) { x.ValidUntil, x.At = day(until), day(days) })
				for d := from; d < until; d++ {
					holds[fact{a, p, b, d}] = true
				}
			}
		}
		for d := range days {
			want := map[fact]bool{}
			for k := range holds {
				if k.at == d {
					want[k] = true
				}
			}
			list, err := s.Triples(context.Background(), TripleFilter{Realms: []string{f.realm}, AsOf: day(d)})
			if err != nil {
				rt.Fatal(err)
			}
			got := map[fact]bool{}
			for _, x := range list {
				got[fact{x.SubjectKey, x.Predicate, x.ObjectKey, d}] = true
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(fact{})); diff != "" {
				rt.Fatalf("day %d: %s", d, diff)
			}
			f.checkPatterns(rt, list, day(d))
		}
		if problems, err := s.Check(context.Background()); err != nil || len(problems) > 0 {
			rt.Fatalf("%v %v", problems, err)
		}
	})
}

// checkPatterns holds every pattern of two triples' parts against a plain walk
// through the list.
func (f *facts) checkPatterns(rt *rapid.T, all []Triple, at time.Time) {
	if len(all) == 0 {
		return
	}
	like := rapid.SampledFrom(all).Draw(rt, "like")
	for mask := range 8 {
		p := TripleFilter{AsOf: at, Realms: []string{f.realm}}
		if mask&1 != 0 {
			p.Subjects = []int64{like.Subject}
		}
		if mask&2 != 0 {
			p.Predicates = []string{like.Predicate}
		}
		if mask&4 != 0 {
			p.Objects = []int64{like.Object}
		}
		var want []Triple
		for _, x := range all {
			if (mask&1 == 0 || x.Subject == like.Subject) && (mask&2 == 0 || x.Predicate == like.Predicate) && (mask&4 == 0 || x.Object == like.Object) {
				want = append(want, x)
			}
		}
		got, err := f.Triples(context.Background(), p)
		if err != nil || !cmp.Equal(want, got) {
			rt.Fatalf("pattern %d: %v %s", mask, err, cmp.Diff(want, got))
		}
	}
}

// TestPatternsUseIndexes: no pattern reads the whole table.
func TestPatternsUseIndexes(t *testing.T) {
	f := newFacts(t)
	for name, filter := range map[string]TripleFilter{
		"subject":   {Subjects: []int64{1}, Realms: []string{"p_1"}, AsOf: testTime},
		"object":    {Objects: []int64{1}, Realms: []string{"p_1", "user"}},
		"predicate": {Predicates: []string{"causes"}, Realms: []string{"p_1"}, Limit: 10},
		"realm":     {Realms: []string{"p_1"}, Limit: 10},
		"both":      {Subjects: []int64{1}, Objects: []int64{2}},
		"job":       {Evidence: EvidenceFilter{Job: "j"}},
		"memory":    {Evidence: EvidenceFilter{Memory: "m"}},
	} {
		where, args, err := filter.sql()
		if err != nil {
			t.Fatal(err)
		}
		rows, err := f.reading.QueryContext(t.Context(), `EXPLAIN QUERY PLAN SELECT `+tripleColumns+tripleTables+where, args...)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(step, "SCAN") && !strings.Contains(step, "json_each") {
				t.Errorf("%s: %s", name, step)
			}
		}
		rows.Close()
	}
}

// BenchmarkAssert measures facts that are stored in transactions of a thousand,
// and how quickly they are followed.
func BenchmarkAssert(b *testing.B) {
	s, err := Open(b.Context(), Options{Path: b.TempDir() + "/chitta.db"})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	n := 0
	for b.Loop() {
		err := s.Write(b.Context(), func(tx *Tx) error {
			if err := tx.exec(`INSERT OR IGNORE INTO realm VALUES ('p', 'p', 'project', 'private', '{}', 0, 0)`); err != nil {
				return err
			}
			for range 1000 {
				n++
				a, c := Concept{Realm: "p", Name: "x", Key: fmt.Sprint("a", n%5000)}, Concept{Realm: "p", Name: "x", Key: fmt.Sprint("b", n%777)}
				if _, err := tx.EnsureConcept(&a); err != nil {
					return err
				}
				if _, err := tx.EnsureConcept(&c); err != nil {
					return err
				}
				if _, _, err := tx.Assert(Assertion{ID: fmt.Sprint("t_", n), Subject: a.Seq, Object: c.Seq, Predicate: "causes", Evidence: Evidence{Confidence: 0.5, At: testTime}}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "triples/s")
	begin := time.Now()
	list, err := s.TriplesAfter(b.Context(), 0, n)
	if err != nil || len(list) == 0 {
		b.Fatal(len(list), err)
	}
	b.ReportMetric(float64(len(list))/time.Since(begin).Seconds(), "followed/s")
}
