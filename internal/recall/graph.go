package recall

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// Sources of evidence from the knowledge graph.
const (
	SourceGraph     = "graph"     // speaks of what the question names, or of what that leads to
	SourceAttractor = "attractor" // belongs to the region of the graph that the question is in
)

// Knowledge is the knowledge graph as recall uses it: which concepts a question
// names, what they lead to, and which texts speak of all these.
type Knowledge struct {
	Store *store.Store
	// Net returns the graph in memory, and whether it is complete.
	Net func() (*graph.Net, bool)

	mu    sync.Mutex
	basin map[string]hubs // by realms
}

// hubs are the attractors of a view, for a while.
type hubs struct {
	list []graph.Attractor
	at   time.Time
}

const (
	// questionWords is how many words of a question are looked at for names.
	questionWords = 40
	// nameWords is how many words a name has at most.
	nameWords = 4
	// maxActive is how many activated concepts are looked up, the strongest.
	maxActive = 32
	// commonMention is how many texts may speak of a concept before that says
	// nothing about any of them.
	commonMention = 64
	// attractorsFor is how long attractors are kept: they take a look at the
	// whole graph and change slowly.
	attractorsFor = 5 * time.Minute
	// maxBasin is how many members of a basin count, the nearest.
	maxBasin = 100
)

// Tone is what the graph says of a memory or a chunk.
type Tone struct {
	Level     float64 // activation of the strongest concept it speaks of
	Concept   string
	Attractor string // the hub of the question's region, if it speaks of that
}

// Resonance is what a question stirs up in the graph.
type Resonance struct {
	Active   []graph.Activated // the strongest first
	Memories map[int64]Tone    // by row
	Chunks   map[int64]Tone
}

// resonanceMemo keeps what a question stirs up, so that targets which run side
// by side ask once.
type resonanceMemo struct {
	once sync.Once
	made *Resonance
	err  error
}

// view says what of the graph a question may see: its realm and the user's own,
// as things were at the time asked for.
func (k *Knowledge) view(ctx context.Context, q *Query) (graph.View, error) {
	v := graph.View{At: q.AsOf}
	if v.At.IsZero() {
		v.At = q.Now
	}
	if q.Everywhere {
		known, err := k.Store.Realms(ctx)
		for _, r := range known {
			v.Realms = append(v.Realms, r.ID)
		}
		return v, err
	}
	if q.Realm != "" {
		v.Realms = append(v.Realms, q.Realm)
	}
	if q.Reach != store.ReachOnly && q.Realm != memory.UserRealm || q.Realm == "" {
		v.Realms = append(v.Realms, memory.UserRealm)
	}
	return v, nil
}

// Resonance returns what a question stirs up, nil if it names no concept.
func (k *Knowledge) Resonance(ctx context.Context, q *Query) (*Resonance, error) {
	q.resonance.once.Do(func() { q.resonance.made, q.resonance.err = k.stir(ctx, q) })
	return q.resonance.made, q.resonance.err
}

func (k *Knowledge) stir(ctx context.Context, q *Query) (*Resonance, error) {
	written, spoken := namesIn(q.Text)
	v, err := k.view(ctx, q)
	if err != nil || len(written)+len(spoken) == 0 {
		return nil, err
	}
	named, err := k.Store.ConceptsNamed(ctx, v.Realms, append(slices.Clone(written), spoken...)...)
	if err != nil || len(named) == 0 {
		return nil, err
	}
	net, ready := k.Net()
	if !ready {
		net = graph.NewNet() // what is named is known all the same
	}
	r := &Resonance{Memories: map[int64]Tone{}, Chunks: map[int64]Tone{}}
	r.Active = activate(net, v, named, written)
	if len(r.Active) == 0 {
		return nil, nil
	}
	return r, k.listen(ctx, q, v, net, r)
}

// activate lets activation run from the concepts that a question names. One
// that no fact speaks of counts only where it is written as a name: two plain
// words after each other may spell a symbol by chance.
func activate(net *graph.Net, v graph.View, named []store.Concept, written []string) []graph.Activated {
	var seeds []graph.Seed
	for _, c := range named {
		seeds = append(seeds, graph.Seed{Key: c.Key})
	}
	active := net.Spread(v, seeds, graph.SpreadOptions{})
	for _, c := range named {
		known := slices.ContainsFunc(active, func(a graph.Activated) bool { return a.Key == c.Key })
		if !known && slices.Contains(written, c.Key) {
			active = append(active, graph.Activated{Key: c.Key, Level: graph.DefaultStrength})
		}
	}
	slices.SortStableFunc(active, func(a, b graph.Activated) int { return cmp.Compare(b.Level, a.Level) })
	return active[:min(len(active), maxActive)]
}

// listen finds the texts that speak of activated concepts, and of those in the
// question's region.
func (k *Knowledge) listen(ctx context.Context, q *Query, v graph.View, net *graph.Net, r *Resonance) error {
	tones := map[string]Tone{}
	if q.recipe().Attractor != 0 {
		hub, members := k.region(net, v, r.Active)
		for _, key := range members {
			tones[key] = Tone{Attractor: hub}
		}
	}
	if q.recipe().Graph != 0 {
		for _, a := range r.Active {
			t := tones[a.Key]
			t.Level, t.Concept = a.Level, a.Key
			tones[a.Key] = t
		}
	}
	if len(tones) == 0 {
		return nil
	}
	concepts, err := k.Store.ConceptsNamed(ctx, v.Realms, slices.Sorted(maps.Keys(tones))...)
	if err != nil {
		return err
	}
	seqs, keys := make([]int64, len(concepts)), map[int64]string{}
	for i, c := range concepts {
		seqs[i], keys[c.Seq] = c.Seq, c.Key
	}
	mentions, err := k.Store.Mentioning(ctx, seqs, commonMention+1)
	if err != nil {
		return err
	}
	for _, same := range byConceptAndOwner(mentions) {
		if len(same) > commonMention {
			continue
		}
		for _, m := range same {
			items := r.Memories
			if m.Owner == store.OwnerChunk {
				items = r.Chunks
			}
			items[m.Item] = items[m.Item].with(tones[keys[m.Concept]])
		}
	}
	return nil
}

// with takes the stronger of two tones.
func (t Tone) with(u Tone) Tone {
	if u.Level > t.Level {
		t.Level, t.Concept = u.Level, u.Concept
	}
	t.Attractor = cmp.Or(t.Attractor, u.Attractor)
	return t
}

// byConceptAndOwner splits mentions, which stand together, by concept and owner.
func byConceptAndOwner(list []store.Mention) (out [][]store.Mention) {
	for i, m := range list {
		if i == 0 || m.Concept != list[i-1].Concept || m.Owner != list[i-1].Owner {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], m)
	}
	return out
}

// region returns the attractor in whose basin the question is, with its
// members.
func (k *Knowledge) region(net *graph.Net, v graph.View, active []graph.Activated) (hub string, members []string) {
	for _, a := range active {
		for _, x := range k.attractors(net, v) {
			if x.Key == a.Key || slices.Contains(x.Basin, a.Key) {
				return x.Key, append([]string{x.Key}, x.Basin[:min(len(x.Basin), maxBasin)]...)
			}
		}
	}
	return "", nil
}

// attractors returns the hubs of a view as of now or some minutes ago. What is
// asked about the past is asked rarely, and not kept.
func (k *Knowledge) attractors(net *graph.Net, v graph.View) []graph.Attractor {
	k.mu.Lock()
	defer k.mu.Unlock()
	name := strings.Join(v.Realms, " ")
	known, ok := k.basin[name]
	age := v.At.Sub(known.at)
	if ok && age >= 0 && age < attractorsFor {
		return known.list
	}
	made := hubs{net.Attractors(v), v.At}
	if !ok || age > 0 {
		if k.basin == nil {
			k.basin = map[string]hubs{}
		}
		k.basin[name] = made
	}
	return made.list
}

// namesIn returns the keys of what may be names in a question: words as they
// are written, and words after each other.
func namesIn(text string) (written, spoken []string) {
	var words []string
	for _, w := range strings.Fields(text) {
		w = strings.Trim(w, ".,;:!?\"'`()[]{}<>…")
		if len(words) == questionWords {
			break
		}
		if w != "" {
			words = append(words, strings.TrimSuffix(w, "()"))
		}
	}
	add := func(list []string, name string) []string {
		key := graph.Key(name)
		if key == "" || slices.Contains(list, key) {
			return list
		}
		return append(list, key)
	}
	for i := range words {
		written = add(written, words[i])
		for n := 2; n <= nameWords && i+n <= len(words); n++ {
			spoken = add(spoken, strings.Join(words[i:i+n], " "))
		}
	}
	return written, spoken
}
