package recall

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"
)

// Place says where a chunk stands in which conversation, who speaks and when.
type Place struct {
	Seq                  int64 // of the chunk
	Session              int64
	First                int64 // position of its first message
	Part                 int   // which piece of a long message
	Role, Speaker, Agent string
	Time                 time.Time
	Asks                 bool // it ends with a question to whoever speaks next
	Work                 bool // its conversation is an agent's work, not only talk
	Realm                string
}

// Timeline knows the order of all chunks, so that a search can look at what
// was said before and after without asking the database. It is safe for
// concurrent use.
type Timeline struct {
	mu      sync.RWMutex
	spots   map[int64]*spot // by chunk
	streams map[stream]*thread
	threads map[int64]*int            // by conversation, how many streams it has
	people  map[string]map[string]int // by realm: how many chunks each has who speaks by name
	talks   map[int64]map[string]int  // the same by conversation
}

// stream is one thread of a conversation: the main one or a subagent's.
type stream struct {
	session int64
	agent   string
}

// thread is the chunks of a stream in their order.
type thread struct {
	spots    []*spot
	single   bool // all of it is one message
	siblings *int // streams of its conversation, itself included
}

// alone reports whether a whole conversation is one message: a document. A
// subagent that said one thing is not.
func (t *thread) alone() bool { return t.single && *t.siblings == 1 }

// spot is a place and where it is in its stream. Chunks beside it are named
// here too: a question looks at some hundreds of spots all over memory, and
// going to their neighbours for a number would triple that.
type spot struct {
	Place
	in            *thread
	index         int
	before, after int64 // the chunks beside it, 0 if there is none
}

// beside returns the chunk so many places further, or nil.
func (s *spot) beside(n int) *spot {
	if i := s.index + n; i >= 0 && i < len(s.in.spots) {
		return s.in.spots[i]
	}
	return nil
}

// NewTimeline returns an empty timeline.
func NewTimeline() *Timeline {
	return &Timeline{spots: map[int64]*spot{}, streams: map[stream]*thread{}, threads: map[int64]*int{}, people: map[string]map[string]int{}, talks: map[int64]map[string]int{}}
}

// Apply puts places and removes others.
func (t *Timeline) Apply(put []Place, remove []int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	touched := map[stream]bool{}
	for _, seq := range remove {
		t.remove(seq, touched)
	}
	for _, p := range put {
		t.remove(p.Seq, touched)
		key := stream{p.Session, p.Agent}
		in := t.streams[key]
		if in == nil {
			in = &thread{siblings: t.threadsOf(p.Session)}
			*in.siblings++
			t.streams[key] = in
		}
		s := &spot{Place: p, in: in, index: len(in.spots)}
		if last := s.beside(-1); last != nil && beforeInStream(s, last) < 0 {
			touched[key] = true // not at the end
		}
		t.spots[p.Seq] = s
		in.spots = append(in.spots, s)
		in.link(len(in.spots) - 1)
		t.hear(p, 1)
	}
	for key := range touched {
		t.order(key)
	}
}

// threadsOf returns the count of a conversation's streams.
func (t *Timeline) threadsOf(session int64) *int {
	n := t.threads[session]
	if n == nil {
		n = new(int)
		t.threads[session] = n
	}
	return n
}

func (t *Timeline) remove(seq int64, touched map[stream]bool) {
	s := t.spots[seq]
	if s == nil {
		return
	}
	delete(t.spots, seq)
	key := stream{s.Session, s.Agent}
	s.in.spots = slices.DeleteFunc(s.in.spots, func(o *spot) bool { return o == s })
	touched[key] = true
	t.hear(s.Place, -1)
}

// hear counts who speaks.
func (t *Timeline) hear(p Place, n int) {
	person := personOf(p.Speaker)
	if person == "" {
		return
	}
	if t.talks[p.Session] == nil {
		t.talks[p.Session] = map[string]int{}
	}
	if t.people[p.Realm] == nil {
		t.people[p.Realm] = map[string]int{}
	}
	for _, counts := range []map[string]int{t.people[p.Realm], t.talks[p.Session]} {
		if counts[person] += n; counts[person] == 0 {
			delete(counts, person)
		}
	}
	if len(t.talks[p.Session]) == 0 {
		delete(t.talks, p.Session)
	}
}

func (t *Timeline) order(key stream) {
	in := t.streams[key]
	if len(in.spots) == 0 {
		delete(t.streams, key)
		if *in.siblings--; *in.siblings == 0 {
			delete(t.threads, key.session)
		}
		return
	}
	slices.SortFunc(in.spots, beforeInStream)
	for i, s := range in.spots {
		s.index, s.before, s.after = i, 0, 0
		in.link(i)
	}
}

// link notes what stands beside whom, up to a spot.
func (t *thread) link(i int) {
	s := t.spots[i]
	if i > 0 {
		last := t.spots[i-1]
		s.before, last.after = last.Seq, s.Seq
	}
	t.single = t.spots[0].First == s.First
}

func beforeInStream(a, b *spot) int {
	return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Part, b.Part), cmp.Compare(a.Seq, b.Seq))
}

// Len returns how many chunks it knows.
func (t *Timeline) Len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.spots)
}

// People returns the names, in lower case, of all who speak by name in a
// realm, or in every one.
func (t *Timeline) People(realm string, everywhere bool) []string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !everywhere {
		return slices.Sorted(maps.Keys(t.people[realm]))
	}
	all := map[string]bool{}
	for _, names := range t.people {
		for name := range names {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// peopleOf returns those of one conversation.
func (t *Timeline) peopleOf(session int64) []string {
	if len(t.talks[session]) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(t.talks[session]))
}
