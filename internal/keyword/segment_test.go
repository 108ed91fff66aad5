package keyword

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestPostingsRoundTrip: a list of any shape reads back as it was.
func TestPostingsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		df := rapid.SampledFrom([]int{1, 2, 127, 128, 129, 256, 700}).Draw(t, "df")
		gap := rapid.SampledFrom([]int{1, 2, 100, 1 << 20}).Draw(t, "largest gap")
		high := rapid.SampledFrom([]int{1, 2, 255}).Draw(t, "highest tf")
		var want []posting
		doc := uint32(rng.IntN(gap))
		for range df {
			want = append(want, newPosting(doc, uint8(1+rng.IntN(high))))
			doc += uint32(1 + rng.IntN(gap))
		}
		lengths := make([]byte, doc)
		for _, p := range want {
			lengths[p.doc()] = byte(1 + rng.IntN(255))
		}
		var enc postingsEncoder
		enc.encode(nil, want[:1], lengths) // scratch memory must not leak over
		b := enc.encode(nil, want, lengths)
		l, ok := parseList(append(b, make([]byte, postingsPad)...), len(b), df, doc)
		if !ok {
			t.Fatal("parseList failed")
		}
		got, ok := l.decode(nil)
		if !ok {
			t.Fatal("decode failed")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if err := l.verifyImpacts(want, lengths); err != nil {
			t.Fatal(err)
		}
		checkSeeks(t, rng, l, want, lengths)
	})
}

// checkSeeks: a cursor lands on the first posting at or after its target.
func checkSeeks(t *rapid.T, rng *rand.Rand, l postingList, want []posting, lengths []byte) {
	var c cursor
	shares := newSaturation(Field{K1: 1.2, B: 0.7}, fieldStats{docs: 10, total: 500})
	c.reset(l, scoring{factor: 2, saturation: shares}, lengths, 0)
	for target := uint32(rng.IntN(int(l.docs))); ; target += uint32(rng.IntN(int(l.docs))/9 + 1) {
		i, _ := slices.BinarySearch(want, newPosting(target, 0))
		c.seek(target)
		if i == len(want) {
			if !c.done() {
				t.Fatalf("seek(%d) is at %d, want the end", target, c.doc)
			}
			return
		}
		if c.doc != want[i].doc() {
			t.Fatalf("seek(%d) is at %d, want %d", target, c.doc, want[i].doc())
		}
		score := c.score()
		if exact := c.scoring.score(uint32(want[i].tf()), lengths[c.doc]); score != exact {
			t.Fatalf("score of %d is %v, want %v", c.doc, score, exact)
		}
		if score > c.bound*boundSlack || c.bound > c.max*boundSlack {
			t.Fatalf("score %v, block bound %v, list bound %v", score, c.bound, c.max)
		}
		target = c.doc
	}
}

func TestColumnRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Uint64(), 1, 400).Draw(t, "values")
		if rapid.Bool().Draw(t, "narrow") {
			for i := range values {
				values[i] = 1<<40 + values[i]%1000
			}
		}
		c, ok := parseColumn(appendColumn(nil, values), len(values))
		if !ok {
			t.Fatal("parseColumn failed")
		}
		for i, v := range values {
			if c.at(i) != v {
				t.Fatalf("value %d is %d, want %d", i, c.at(i), v)
			}
		}
		from, to := rapid.SampledFrom(values).Draw(t, "from"), rapid.SampledFrom(values).Draw(t, "to")
		s := newBitset(len(values))
		s.fill(len(values))
		c.keepRange(s, from, to)
		for i, v := range values {
			if s.has(uint32(i)) != (v >= from && v <= to) {
				t.Fatalf("%d in %d … %d: %v", v, from, to, s.has(uint32(i)))
			}
		}
		slices.Sort(values)
		sorted, _ := parseColumn(appendColumn(nil, values), len(values))
		if i, ok := sorted.find(from); !ok || values[i] != from {
			t.Fatalf("find(%d) is %d, %v", from, i, ok)
		}
	})
}

func TestSetRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 500).Draw(t, "documents")
		want := rapid.SliceOfDistinct(rapid.Uint32Range(0, uint32(n-1)), func(v uint32) uint32 { return v }).Draw(t, "members")
		slices.Sort(want)
		d := decoder{b: appendSet(nil, want, n)}
		s := newBitset(n)
		if !addSet(&d, s, n) || len(d.b) > 0 {
			t.Fatal("addSet failed")
		}
		if diff := cmp.Diff(append([]uint32{}, want...), append([]uint32{}, s.members()...)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

func TestLengthCodes(t *testing.T) {
	for code := range 256 {
		if got := lengthCode(int(codedLength(uint8(code)))); int(got) != code {
			t.Errorf("code %d stands for %d, which has the code %d", code, codedLength(uint8(code)), got)
		}
	}
	for n, last := 0, uint8(0); n < 1<<24; n += 1 + n/50 {
		code := lengthCode(n)
		if code < last || codedLength(code) > uint32(n) {
			t.Fatalf("length %d has the code %d for %d", n, code, codedLength(code))
		}
		last = code
	}
}

// fuzzBase is a small index with full blocks, labels, roles and deletions.
func fuzzBase(tb testing.TB) (manifest, segment []byte) {
	dir := tb.TempDir()
	x, err := Open(dir, Options{Fields: testFields()})
	check(tb, err)
	c := newCorpus(4)
	check(tb, x.Apply(Batch{Seq: 1, Put: c.docs(0, 600)}))
	check(tb, x.Flush())
	check(tb, x.Apply(Batch{Seq: 2, Delete: []uint64{1, 2, 3, 77}}))
	check(tb, x.Close())
	manifest, err = os.ReadFile(filepath.Join(dir, manifestName))
	check(tb, err)
	segment, err = os.ReadFile(filepath.Join(dir, segmentName(0)))
	check(tb, err)
	return manifest, segment
}

// FuzzDamagedFiles changes files. As they are, the change must be noticed or
// harmless. With checksums made to fit, reading must still end without a panic.
func FuzzDamagedFiles(f *testing.F) {
	manifestBytes, segmentBytes := fuzzBase(f)
	q := Query{Text: "word0 word1 word5 word30", K: 20, Explain: true, Filter: Filter{All: [][]string{{"label=a", "label=b"}}, After: 1}}
	dir := f.TempDir()
	check(f, os.WriteFile(filepath.Join(dir, manifestName), manifestBytes, 0o600))
	check(f, os.WriteFile(filepath.Join(dir, segmentName(0)), segmentBytes, 0o600))
	x, err := Open(dir, Options{Fields: testFields()})
	check(f, err)
	want, err := x.Search(context.Background(), q)
	check(f, err)
	check(f, x.Close())

	f.Add(uint32(100), byte(1), uint32(0), false, false)
	f.Add(uint32(5000), byte(0x80), uint32(0), true, false)
	f.Add(uint32(20), byte(0xff), uint32(0), true, true)
	f.Add(uint32(0), byte(0), uint32(50), false, true)
	f.Fuzz(func(t *testing.T, at uint32, xor byte, cut uint32, repair, inManifest bool) {
		m, s := slices.Clone(manifestBytes), slices.Clone(segmentBytes)
		target := &s
		if inManifest {
			target = &m
		}
		(*target)[int(at)%len(*target)] ^= xor
		*target = (*target)[:len(*target)-int(cut)%len(*target)]
		if repair {
			repairSegment(s)
			repairManifest(m, s)
		}
		dir := t.TempDir()
		check(t, os.WriteFile(filepath.Join(dir, manifestName), m, 0o600))
		check(t, os.WriteFile(filepath.Join(dir, segmentName(0)), s, 0o600))
		x, err := Open(dir, Options{Fields: testFields()})
		if err != nil {
			if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrOptionsChanged) {
				t.Fatalf("Open: %v", err)
			}
			return
		}
		defer func() { _ = x.Close() }()
		for _, exhaustive := range []bool{false, true} {
			q := q
			q.Exhaustive = exhaustive
			got, err := x.Search(context.Background(), q)
			if err != nil && !errors.Is(err, ErrDamaged) {
				t.Fatalf("Search: %v", err)
			}
			if diff := cmp.Diff(want, got); err == nil && !repair && diff != "" {
				t.Fatalf("damage went unnoticed (-want +got):\n%s", diff)
			}
		}
		_ = x.Verify()
		_ = x.Apply(Batch{Put: []Doc{{ID: 5, Text: []string{"word1"}}}})
		_ = x.Compact(context.Background())
	})
}

// repairSegment makes all checksums of a segment fit, if it still has a table.
func repairSegment(b []byte) {
	if len(b) < segmentHead+segmentFoot {
		return
	}
	foot := len(b) - segmentFoot
	offset, size := binary.LittleEndian.Uint64(b[foot:]), uint64(binary.LittleEndian.Uint32(b[foot+8:]))
	if offset > uint64(foot) || size > uint64(foot)-offset {
		return
	}
	table := b[offset : offset+size]
	for e := table; len(e) >= sectionEntry; e = e[sectionEntry:] {
		off, n := binary.LittleEndian.Uint64(e[8:]), binary.LittleEndian.Uint64(e[16:])
		if off <= uint64(len(b)) && n <= uint64(len(b))-off {
			binary.LittleEndian.PutUint32(e[24:], checksum(b[off:off+n]))
		}
	}
	binary.LittleEndian.PutUint32(b[foot+12:], checksum(table))
}

// repairManifest makes a manifest of one segment fit the segment's table.
func repairManifest(m, s []byte) {
	const sizeAt = len(manifestMagic) + 4 + 3*8 + 1 + 8
	if len(m) < sizeAt+16 || len(s) < segmentFoot {
		return
	}
	binary.LittleEndian.PutUint64(m[sizeAt:], uint64(len(s)))
	copy(m[sizeAt+8:], s[len(s)-segmentFoot+12:][:4])
	binary.LittleEndian.PutUint32(m[len(m)-4:], checksum(m[:len(m)-4]))
}
