package graph

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// How activation spreads unless told otherwise.
const (
	DefaultStrength  = 0.5 // of a seed
	DefaultDecay     = 0.5
	DefaultHops      = 3
	DefaultThreshold = 0.1 // what is weaker counts as not activated
	// DefaultReverse is how much of a predicate's factor is left against its
	// direction: what causes something matters to it, but less than the
	// something to what causes it.
	DefaultReverse = 0.5
	// DefaultFan bounds how many triples are followed from a node in each
	// direction. What hangs together with everything says little, and a hub
	// with ten thousand triples must not cost as much.
	DefaultFan = 64
	// maxFactor keeps every step a loss, whatever decay is asked for.
	maxFactor = 0.95
	// activationHalfLife is how long it takes for a stored level to fall to
	// half: what one was busy with yesterday is half as present today.
	activationHalfLife = 24 * time.Hour
)

// Seed is where activation begins.
type Seed struct {
	Key      string
	Strength float64 // 0 = DefaultStrength
}

// SpreadOptions says how activation spreads. Zero values mean the defaults.
type SpreadOptions struct {
	Decay     float64
	Hops      int
	Threshold float64
	Reverse   float64
	Fan       int // negative: no bound
}

func (o *SpreadOptions) setDefaults() {
	o.Decay = cmp.Or(o.Decay, DefaultDecay)
	o.Hops = cmp.Or(o.Hops, DefaultHops)
	o.Threshold = cmp.Or(o.Threshold, DefaultThreshold)
	o.Reverse = cmp.Or(o.Reverse, DefaultReverse)
	o.Fan = cmp.Or(o.Fan, DefaultFan)
}

// factor is what is left of a level behind a triple of a predicate:
//
//	spread of the predicate × decay / 0.5 × reverse, if followed backward
//
// The spreads of the vocabulary are given for a decay of 0.5; another decay
// scales them all. A symmetric predicate has no backward.
func (o *SpreadOptions) factor(p *Predicate, forward bool) float64 {
	f := p.Spread * o.Decay / DefaultDecay
	if !forward && !p.Symmetric {
		f *= o.Reverse
	}
	return max(0, min(f, maxFactor))
}

// Activated is a node that activation reached.
type Activated struct {
	Key   string
	Level float64
	Hops  int    // from the seed it came from, 0 for a seed
	From  string // the node it came from
	Via   Triple // by this triple; zero for a seed
}

// arrival is the best way activation came to a node so far.
type arrival struct {
	level    float64
	hops     int
	from, at int32 // at < 0 for a seed
	seed     int32 // the node it began at
}

// Spread lets activation run from seeds along triples, in both directions. Over
// a triple goes
//
//	level × factor of its predicate and direction × its confidence
//
// A node has the highest level that arrives at it, not their sum: circles end,
// and many weak hints do not make a strong one. The strongest come first.
func (n *Net) Spread(v View, seeds []Seed, o SpreadOptions) []Activated {
	n.mu.RLock()
	defer n.mu.RUnlock()
	best := n.look(v).spread(seeds, o)
	out := make([]Activated, 0, len(best))
	for nd, a := range best {
		x := Activated{Key: n.nodes.at(nd).key, Level: a.level, Hops: a.hops}
		if a.at >= 0 {
			x.From, x.Via = n.nodes.at(a.from).key, n.unpack(n.triples.at(a.at))
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b Activated) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.Key, b.Key))
	})
	return out
}

func (l *lens) spread(seeds []Seed, o SpreadOptions) map[int32]arrival {
	o.setDefaults()
	best, wave := map[int32]arrival{}, []int32{}
	for _, s := range seeds {
		at, ok := l.byKey[s.Key]
		level := cmp.Or(s.Strength, DefaultStrength)
		if was, seen := best[at]; ok && level >= o.Threshold && (!seen || level > was.level) && l.shows(at) {
			best[at] = arrival{level: level, at: -1, seed: at}
			wave = append(wave, at)
		}
	}
	factors := make([][2]float64, len(l.predicates))
	for i, p := range l.predicates {
		factors[i] = [2]float64{o.factor(&p.Predicate, false), o.factor(&p.Predicate, true)}
	}
	for hop := 1; hop <= o.Hops && len(wave) > 0; hop++ {
		wave = l.wave(wave, best, factors, hop, &o)
	}
	return best
}

// wave takes activation one hop further, and returns the nodes that now have a
// higher level than before. Levels of the wave itself are those it began with.
func (l *lens) wave(from []int32, best map[int32]arrival, factors [][2]float64, hop int, o *SpreadOptions) []int32 {
	slices.Sort(from)
	from = slices.Compact(from)
	begin := make([]arrival, len(from))
	for i, nd := range from {
		begin[i] = best[nd]
	}
	var next []int32
	for i, nd := range from {
		level, seed := begin[i].level, begin[i].seed
		l.steps(nd, o.Fan, func(s step, t *triple) {
			f := factors[t.predicate][0]
			if s.forward {
				f = factors[t.predicate][1]
			}
			arriving := level * f * t.confidence
			if arriving < o.Threshold {
				return
			}
			was, seen := best[s.to]
			equal := seen && arriving == was.level && was.hops == hop && l.triples.at(was.at).seq > t.seq
			if !seen || arriving > was.level || equal {
				best[s.to] = arrival{level: arriving, hops: hop, from: nd, at: s.at, seed: seed}
				next = append(next, s.to)
			}
		})
	}
	return next
}

// Faded returns what is left of an activation level some time after it was
// stored. A clock that went back does not raise it.
func Faded(level float64, since time.Duration) float64 {
	if since <= 0 {
		return level
	}
	return level * math.Exp2(-float64(since)/float64(activationHalfLife))
}
