package recall

import (
	"math"
	"slices"
	"strings"
	"time"

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
	before, after  int64 // the chunks beside it, 0 if there is none
	words          float64
	terms          []string
	cosine, window float64
	own            float64 // relevance by itself
	reply          float64 // what it got from the question before it
	score          float64
	evidence       []Evidence
}

// talk is a conversation while its chunks are being ranked.
type talk struct {
	people  []string // who speak in it, by name
	words   float64  // how well all of it answers, by BM25
	best    float64  // own relevance of its best turn
	prior   float64  // what it is worth to its turns
	fit     float64  // whether someone the question names speaks in it
	ranking float64  // what its words count when sessions are ranked
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
		s.sessions[spot.Session] = &talk{people: t.peopleOf(spot.Session), best: math.Inf(-1)}
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

const (
	// softZ and softSessionZ are the deviations above which a measure counts by
	// its logarithm only: one match among zeros must not drown the rest, but
	// stays ahead.
	softZ        = 8
	softSessionZ = 5
	// fewSessions is the number of conversations below which a conversation
	// says little about its turns.
	fewSessions = 6
	// roleGroup is how many candidates of the user and of the assistant there
	// must be for each to be measured against its own: their turns differ in
	// length, and so do their scores.
	roleGroup = 30
)

// score ranks all turns.
func (s *scene) score(asked *question, r Recipe) {
	groups := s.groups()
	zWords := s.standardise(groups, func(x *turn) float64 { return x.words })
	zCosine := s.standardise(groups, func(x *turn) float64 { return x.cosine })
	zWindow := s.standardise(groups, func(x *turn) float64 { return x.window })
	alone := r.alone()
	for i := range s.turns {
		x := &s.turns[i]
		w := r
		if x.alone() {
			w = alone
		}
		x.say(SourceKeyword, x.words, w.Keyword*zWords[i], strings.Join(x.terms, " "))
		x.say(SourceVector, x.cosine, w.Vector*zCosine[i], "")
		x.say(SourceWindow, x.window, w.Window*zWindow[i], "")
		x.own = x.score
	}
	s.hearNeighbours(r)
	s.weighSessions(asked, r)
	for i := range s.turns {
		x := &s.turns[i]
		talk := s.sessions[x.Session]
		if !x.alone() {
			x.say(SourceSession, talk.words, talk.prior, "")
		}
		if talk.fit != 0 {
			x.say(SourceParticipant, talk.fit, r.Participant*talk.fit, "")
		}
		if fit := asked.speakerFit(personOf(x.Speaker)); fit != 0 {
			x.say(SourceSpeaker, fit, r.Speaker*fit, x.Speaker)
		}
		if fit := asked.dateFit(x.Time); fit != 0 {
			x.say(SourceDate, fit, r.Date*fit, x.Time.Format(time.DateOnly))
		}
		if asked.about != "" && x.Role == asked.about && personOf(x.Speaker) == "" {
			x.say(SourceRole, 1, r.Role, x.Role)
		}
	}
}

// Roles that matter to ranking.
const (
	roleUser      = "user"
	roleAssistant = "assistant"
)

// alone reports whether a turn is all of its conversation.
func (x *turn) alone() bool { return x.before == 0 && x.after == 0 }

// say adds to a turn's score and leaves the evidence.
func (x *turn) say(source string, score, weighted float64, detail string) {
	if weighted == 0 && score == 0 {
		return
	}
	x.score += weighted
	x.evidence = append(x.evidence, Evidence{Source: source, Score: score, Weighted: weighted, Detail: detail})
}

// groups splits the turns into those whose measures can be compared.
func (s *scene) groups() [][]int {
	var all, user, assistant, rest []int
	for i := range s.turns {
		all = append(all, i)
		switch x := &s.turns[i]; {
		case personOf(x.Speaker) != "":
			rest = append(rest, i)
		case x.Role == roleUser:
			user = append(user, i)
		case x.Role == roleAssistant:
			assistant = append(assistant, i)
		default:
			rest = append(rest, i)
		}
	}
	if len(user) < roleGroup || len(assistant) < roleGroup {
		return [][]int{all}
	}
	return [][]int{user, assistant, rest}
}

// standardise expresses a measure in deviations above its mean, within each
// group.
func (s *scene) standardise(groups [][]int, of func(*turn) float64) []float64 {
	z := make([]float64, len(s.turns))
	for _, group := range groups {
		values := make([]float64, len(group))
		for j, i := range group {
			values[j] = of(&s.turns[i])
		}
		standardise(values, softZ)
		for j, i := range group {
			z[i] = values[j]
		}
	}
	return z
}

// standardise replaces values by their deviations above the mean, softened
// beyond a limit.
func standardise(values []float64, soft float64) {
	if len(values) == 0 {
		return
	}
	n := float64(len(values))
	mean, square := 0.0, 0.0
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		square += (v - mean) * (v - mean) / n
	}
	deviation := math.Sqrt(square)
	for i, v := range values {
		if deviation < 1e-9 {
			values[i] = 0
			continue
		}
		if values[i] = (v - mean) / deviation; values[i] > soft {
			values[i] = soft + math.Log1p(values[i]-soft)
		}
	}
}

// hearNeighbours gives every turn its share of what stands beside it.
func (s *scene) hearNeighbours(r Recipe) {
	for i := range s.turns {
		x := &s.turns[i]
		if j, ok := s.at[x.after]; ok && x.after != 0 && r.Next != 0 {
			x.say(SourceNext, s.turns[j].own, r.Next*s.turns[j].own, "")
		}
		j, ok := s.at[x.before]
		if !ok || x.before == 0 || !s.turns[j].Asks {
			continue
		}
		question := s.turns[j].own
		if x.Role == roleAssistant && personOf(x.Speaker) == "" {
			x.reply = r.ReplyAssistant * max(0, question-x.own)
		} else {
			x.reply = r.Reply * max(0, question)
		}
		if x.reply > 0 {
			x.say(SourceReply, question, x.reply, "")
		}
	}
}

// weighSessions works out what standing in its conversation is worth to a
// turn. With few conversations it is worth little.
func (s *scene) weighSessions(asked *question, r Recipe) {
	ids := make([]int64, 0, len(s.sessions))
	for id := range s.sessions {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for i := range s.turns {
		talk := s.sessions[s.turns[i].Session]
		talk.best = max(talk.best, s.turns[i].own)
	}
	words, best := make([]float64, len(ids)), make([]float64, len(ids))
	for i, id := range ids {
		words[i], best[i] = s.sessions[id].words, s.sessions[id].best
	}
	standardise(words, softSessionZ)
	standardise(best, softSessionZ)
	trust := min(1, float64(len(ids)-1)/(fewSessions-1))
	for i, id := range ids {
		talk := s.sessions[id]
		talk.fit = asked.participantFit(talk.people)
		talk.prior = trust * (r.SessionWords*words[i] + r.SessionBest*best[i])
		talk.ranking = r.Ranking * words[i]
	}
}

// ranked returns chunks and conversations, best first. What shares neither a
// word nor a meaning with the question is left out.
func (s *scene) ranked() (chunks, sessions []Ranked) {
	top := map[int64]Ranked{}
	for i := range s.turns {
		x := &s.turns[i]
		if x.words == 0 && max(x.cosine, x.window) < minCosine {
			continue
		}
		c := Ranked{Seq: x.Seq, Session: x.Session, Score: x.score, Evidence: x.evidence}
		chunks = append(chunks, c)
		// what a reply got from its question tells which turn of a session
		// answers, not which session
		c.Score -= x.reply
		if !x.alone() {
			c.Score += s.sessions[x.Session].ranking
		}
		if best, ok := top[x.Session]; !ok || byRank(c, best) < 0 {
			top[x.Session] = c
		}
	}
	for id, best := range top {
		sessions = append(sessions, Ranked{Seq: id, Session: id, Score: best.Score, Evidence: best.Evidence})
	}
	slices.SortFunc(chunks, byRank)
	slices.SortFunc(sessions, byRank)
	return chunks, sessions
}
