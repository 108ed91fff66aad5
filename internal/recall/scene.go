package recall

import (
	"math"
	"slices"
	"strings"

	"chitta/internal/vector"
)

// scene is everything one question has to do with: the chunks that were
// proposed, those beside them, and the conversations they stand in.
type scene struct {
	turns    []turn
	at       map[int64]int   // by chunk
	sessions map[int64]*talk // by session
}

// turn is a chunk while it is being ranked.
type turn struct {
	Place
	before, after   int64 // the chunks beside it, 0 if there is none
	words           float64
	terms           []string
	cosine, window  float64
	embedded        bool
	zWords, zCosine float64
	zWindow         float64
	own             float64 // relevance by itself
	score           float64
	evidence        []Evidence
}

// talk is a conversation while its chunks are being ranked.
type talk struct {
	words float64 // how well all of it answers, by BM25
	best  float64 // own relevance of its best turn
	prior float64
	score float64
}

// scene gathers what was proposed and what stands beside it.
func (t *Timeline) scene(found *lists, q *Query) *scene {
	t.mu.RLock()
	defer t.mu.RUnlock()
	s := &scene{at: map[int64]int{}, sessions: map[int64]*talk{}}
	for _, h := range found.words {
		if i := t.enter(s, int64(h.ID), q); i >= 0 {
			s.turns[i].words, s.turns[i].terms = h.Score, h.Terms
		}
	}
	for _, h := range found.meaning {
		t.enter(s, int64(h.ID), q)
	}
	for i, n := 0, len(s.turns); i < n; i++ {
		before, after := s.turns[i].before, s.turns[i].after
		t.enter(s, before, q)
		t.enter(s, after, q)
	}
	for _, h := range found.sessions {
		if talk := s.sessions[int64(h.ID)]; talk != nil {
			talk.words = h.Score
		}
	}
	return s
}

// enter adds a chunk to the scene and returns its index, or -1 if it does not
// belong there.
func (t *Timeline) enter(s *scene, seq int64, q *Query) int {
	if i, ok := s.at[seq]; ok {
		return i
	}
	spot := t.spots[seq]
	if spot == nil || !q.Since.IsZero() && spot.Time.Before(q.Since) || !q.Until.IsZero() && !spot.Time.Before(q.Until) {
		return -1
	}
	in := t.streams[stream{spot.Session, spot.Agent}]
	x := turn{Place: spot.Place}
	if spot.index > 0 {
		x.before = in[spot.index-1].Seq
	}
	if spot.index+1 < len(in) {
		x.after = in[spot.index+1].Seq
	}
	if s.sessions[spot.Session] == nil {
		s.sessions[spot.Session] = &talk{}
	}
	s.at[seq] = len(s.turns)
	s.turns = append(s.turns, x)
	return len(s.turns) - 1
}

// measure finds the cosine of every turn with the question, by itself and
// together with its neighbours.
func (s *scene) measure(found *lists) {
	if found.index == nil {
		return
	}
	vectors := make(map[int64][]float32, len(s.turns))
	of := func(seq int64) []float32 {
		if seq == 0 {
			return nil
		}
		v, ok := vectors[seq]
		if !ok {
			v, _ = found.index.Vector(uint64(seq))
			vectors[seq] = v
		}
		return v
	}
	for i := range s.turns {
		x := &s.turns[i]
		v := of(x.Seq)
		if v == nil {
			continue
		}
		x.embedded = true
		x.cosine = float64(vector.Dot(v, found.vector))
		x.window = windowCosine(found.vector, v, of(x.before), of(x.after))
	}
}

// neighbourShare is how much of a neighbour's vector goes into a window's.
const neighbourShare = 0.5

// windowCosine is the cosine of a question with the mean of a turn's vector
// and, at half the weight, those of its neighbours. It is as telling as a
// vector of their joint text and need not be stored.
func windowCosine(question, v, before, after []float32) float64 {
	along := float64(vector.Dot(v, question))
	square := 1.0
	var sides [][]float32
	for _, side := range [][]float32{before, after} {
		if side != nil {
			along += neighbourShare * float64(vector.Dot(side, question))
			square += neighbourShare*neighbourShare + 2*neighbourShare*float64(vector.Dot(v, side))
			sides = append(sides, side)
		}
	}
	if len(sides) == 2 {
		square += 2 * neighbourShare * neighbourShare * float64(vector.Dot(sides[0], sides[1]))
	}
	return along / math.Sqrt(max(square, 1e-9))
}

// fewSessions is the number of conversations below which a conversation says
// little about its turns.
const fewSessions = 6

// score ranks all turns.
func (s *scene) score(asked *question, found *lists, r Recipe) {
	s.standardise(func(x *turn) float64 { return x.words }, func(x *turn, z float64) { x.zWords = z })
	s.standardise(func(x *turn) float64 { return x.cosine }, func(x *turn, z float64) { x.zCosine = z })
	s.standardise(func(x *turn) float64 { return x.window }, func(x *turn, z float64) { x.zWindow = z })
	alone := r.alone()
	for i := range s.turns {
		x := &s.turns[i]
		w := r
		if x.before == 0 && x.after == 0 {
			w = alone
		}
		x.say(SourceKeyword, x.words, w.Keyword*x.zWords, strings.Join(x.terms, " "))
		x.say(SourceVector, x.cosine, w.Vector*x.zCosine, "")
		x.say(SourceWindow, x.window, w.Window*x.zWindow, "")
		x.own = x.score
	}
	s.smooth(r.Smooth)
	s.weighSessions(r)
	for i := range s.turns {
		x := &s.turns[i]
		if talk := s.sessions[x.Session]; talk.prior != 0 {
			x.say(SourceSession, talk.words, talk.prior, "")
		}
		if fit := asked.speakerFit(x.Speaker); fit != 0 {
			x.say(SourceSpeaker, fit, r.Speaker*fit, x.Speaker)
		}
		if fit := asked.dateFit(x.Time); fit != 0 {
			x.say(SourceDate, fit, r.Date*fit, x.Time.Format("2006-01-02"))
		}
		if asked.user && x.Role == "user" && x.Speaker == "" {
			x.say(SourceFirst, 1, r.User, "")
		}
	}
}

// say adds to a turn's score and leaves the evidence.
func (x *turn) say(source string, score, weighted float64, detail string) {
	if weighted == 0 && score == 0 {
		return
	}
	x.score += weighted
	x.evidence = append(x.evidence, Evidence{Source: source, Score: score, Weighted: weighted, Detail: detail})
}

// standardise expresses a measure in deviations above its mean, within each
// role: an assistant's long turns and a user's short ones have different
// measures.
func (s *scene) standardise(of func(*turn) float64, set func(*turn, float64)) {
	type moments struct{ n, sum, squares float64 }
	byRole := map[string]*moments{}
	for i := range s.turns {
		x := &s.turns[i]
		m := byRole[x.Role]
		if m == nil {
			m = &moments{}
			byRole[x.Role] = m
		}
		v := of(x)
		m.n++
		m.sum += v
		m.squares += v * v
	}
	for i := range s.turns {
		x := &s.turns[i]
		m := byRole[x.Role]
		mean := m.sum / m.n
		deviation := math.Sqrt(max(0, m.squares/m.n-mean*mean))
		if deviation > 1e-9 {
			set(x, (of(x)-mean)/deviation)
		}
	}
}

// smooth gives every turn a share of its neighbours' relevance: an answer
// stands beside its question.
func (s *scene) smooth(share float64) {
	if share == 0 {
		return
	}
	for i := range s.turns {
		x := &s.turns[i]
		nearby := 0.0
		for _, seq := range []int64{x.before, x.after} {
			if j, ok := s.at[seq]; ok && seq != 0 {
				nearby += s.turns[j].own
			}
		}
		x.say(SourceNearby, nearby, share*nearby, "")
	}
}

// weighSessions works out what standing in its conversation is worth to a
// turn. With few conversations it is worth little.
func (s *scene) weighSessions(r Recipe) {
	for i := range s.turns {
		x := &s.turns[i]
		talk := s.sessions[x.Session]
		talk.best = max(talk.best, x.own)
	}
	trust := min(1, float64(len(s.sessions)-1)/(fewSessions-1))
	words := s.standardiseSessions(func(t *talk) float64 { return t.words })
	best := s.standardiseSessions(func(t *talk) float64 { return t.best })
	for id, talk := range s.sessions {
		talk.prior = trust * (r.SessionWords*words(talk) + r.SessionBest*best(talk))
		talk.score = r.Ranking * words(s.sessions[id])
	}
}

func (s *scene) standardiseSessions(of func(*talk) float64) func(*talk) float64 {
	n, sum, squares := float64(len(s.sessions)), 0.0, 0.0
	for _, t := range s.sessions {
		sum += of(t)
		squares += of(t) * of(t)
	}
	mean := sum / n
	deviation := math.Sqrt(max(0, squares/n-mean*mean))
	return func(t *talk) float64 {
		if deviation < 1e-9 {
			return 0
		}
		return (of(t) - mean) / deviation
	}
}

// ranked returns chunks and conversations, best first. What shares neither a
// word nor a meaning with the question is left out.
func (s *scene) ranked(r Recipe) (chunks, sessions []Ranked, found int) {
	top := map[int64]Ranked{}
	for i := range s.turns {
		x := &s.turns[i]
		if x.words == 0 && max(x.cosine, x.window) < minCosine {
			continue
		}
		c := Ranked{Seq: x.Seq, Session: x.Session, Score: x.score, Evidence: x.evidence}
		chunks = append(chunks, c)
		if best, ok := top[x.Session]; !ok || byRank(c, best) < 0 {
			top[x.Session] = c
		}
	}
	for id, best := range top {
		sessions = append(sessions, Ranked{Seq: id, Session: id, Score: best.Score + s.sessions[id].score, Evidence: best.Evidence})
	}
	slices.SortFunc(chunks, byRank)
	slices.SortFunc(sessions, byRank)
	return chunks, sessions, len(chunks)
}
