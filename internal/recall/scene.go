package recall

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
)

// scene is everything one question has to do with: the chunks that were
// proposed, those beside them, and the conversations they stand in.
type scene struct {
	turns []turn
	talks []talk
	at    places // of turns, by chunk
	in    places // of talks, by session
	terms map[int64][]string
	heard map[int64]Tone // what the knowledge graph says of chunks
}

// turn is a chunk while it is being ranked.
type turn struct {
	*Place
	talk           int   // where it stands in
	before, after  int64 // the chunks beside it, 0 if there is none
	prev, next     int   // the same as turns, -1 if they are not in the scene
	alone          bool  // its conversation is a single message: a document
	near           bool  // its cosine came with it
	words          float64
	cosine, window float64
	own            float64 // relevance by itself
	reply          float64 // what it got from the question before it
	score          float64
	parts          [ingredients]part
}

// part is what one ingredient says of a turn.
type part struct{ score, weighted float64 }

// The ingredients of a turn's score, in the order they are explained.
const (
	byWords = iota
	byMeaning
	byWindow
	byNext
	byReply
	bySession
	byParticipant
	bySpeaker
	byDate
	byRole
	byCause
	byGraph
	byAttractor
	ingredients
)

// ingredientSources names their evidence.
var ingredientSources = [ingredients]string{
	SourceKeyword, SourceVector, SourceWindow, SourceNext, SourceReply,
	SourceSession, SourceParticipant, SourceSpeaker, SourceDate, SourceRole, SourceCausal,
	SourceGraph, SourceAttractor,
}

// talk is a conversation while its chunks are being ranked.
type talk struct {
	session int64
	people  []string  // who speak in it, by name
	words   float64   // how well all of it answers, by BM25
	best    float64   // own relevance of its best turn
	prior   float64   // what it is worth to its turns
	fit     float64   // whether someone the question names speaks in it
	from    time.Time // of its turns in the scene
	to      time.Time
	work    bool
	ranking float64 // what its words count when sessions are ranked
}

// scene gathers what was proposed and what stands beside it.
func (t *Timeline) scene(found *lists, q *Query) *scene {
	t.mu.RLock()
	defer t.mu.RUnlock()
	most := len(found.words) + len(found.meaning) + 4*neighboursPerList
	s := &scene{turns: make([]turn, 0, most), at: newPlaces(most), in: newPlaces(most), terms: map[int64][]string{}}
	for _, h := range found.words {
		if i := t.enter(s, int64(h.ID), q); i >= 0 {
			s.turns[i].words = h.Score
			if len(h.Terms) > 0 {
				s.terms[int64(h.ID)] = h.Terms
			}
		}
	}
	for _, h := range found.meaning {
		if i := t.enter(s, int64(h.ID), q); i >= 0 {
			s.turns[i].cosine, s.turns[i].near = float64(h.Score), true
		}
	}
	beside := func(id uint64) {
		if i := s.at.find(int64(id)); i >= 0 {
			before, after := s.turns[i].before, s.turns[i].after
			t.enter(s, before, q)
			t.enter(s, after, q)
		}
	}
	for _, h := range found.words[:min(len(found.words), neighboursPerList)] {
		beside(h.ID)
	}
	for _, h := range found.meaning[:min(len(found.meaning), neighboursPerList)] {
		beside(h.ID)
	}
	for _, h := range found.sessions {
		if i := s.in.find(int64(h.ID)); i >= 0 {
			s.talks[i].words = h.Score
		}
	}
	for i := range s.turns {
		x := &s.turns[i]
		x.prev, x.next = s.at.find(x.before), s.at.find(x.after)
	}
	return s
}

// enter adds a chunk to the scene and returns its index, or -1 if it does not
// belong there.
func (t *Timeline) enter(s *scene, seq int64, q *Query) int {
	if i := s.at.find(seq); i >= 0 {
		return i
	}
	spot := t.spots[seq]
	if spot == nil || !q.Since.IsZero() && spot.Time.Before(q.Since) || !q.until().IsZero() && !spot.Time.Before(q.until()) {
		return -1
	}
	in := s.in.find(spot.Session)
	if in < 0 {
		in = len(s.talks)
		s.in.put(spot.Session, in)
		s.talks = append(s.talks, talk{session: spot.Session, people: t.peopleOf(spot.Session), best: math.Inf(-1)})
	}
	s.at.put(seq, len(s.turns))
	s.turns = append(s.turns, turn{
		Place: &spot.Place, talk: in, before: spot.before, after: spot.after, prev: -1, next: -1, alone: spot.in.alone(),
	})
	return len(s.turns) - 1
}

// follow lifts what causal edges lead to.
func (t *Timeline) follow(s *scene, reached []Ranked, q *Query, weight float64) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, r := range reached {
		if i := t.enter(s, r.Seq, q); i >= 0 {
			s.turns[i].say(byCause, r.Score, weight*r.Score)
		}
	}
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
		if x.alone {
			w = alone
		}
		x.say(byWords, x.words, w.Keyword*zWords[i])
		x.say(byMeaning, x.cosine, w.Vector*zCosine[i])
		x.say(byWindow, x.window, w.Window*zWindow[i])
		x.own = x.score
	}
	s.hearNeighbours(r)
	s.weighSessions(asked, r)
	for i := range s.turns {
		x := &s.turns[i]
		talk := &s.talks[x.talk]
		if !x.alone {
			x.say(bySession, talk.words, talk.prior)
		}
		if talk.fit != 0 {
			x.say(byParticipant, talk.fit, r.Participant*talk.fit)
		}
		if fit := asked.speakerFit(personOf(x.Speaker)); fit != 0 {
			x.say(bySpeaker, fit, r.Speaker*fit)
		}
		if fit := asked.dateFit(x.Time); fit != 0 {
			x.say(byDate, fit, r.Date*fit)
		}
		if asked.about != "" && x.Role == asked.about && personOf(x.Speaker) == "" {
			x.say(byRole, 1, r.Role)
		}
	}
}

// Roles that matter to ranking.
const (
	roleUser      = "user"
	roleAssistant = "assistant"
)

// say adds to a turn's score and remembers by what.
func (x *turn) say(ingredient int, score, weighted float64) {
	x.score += weighted
	x.parts[ingredient] = part{score, weighted}
}

// evidence tells what a chunk's score is made of.
func (s *scene) evidence(seq int64) []Evidence {
	i := s.at.find(seq)
	if i < 0 {
		return nil
	}
	x := &s.turns[i]
	var out []Evidence
	for ingredient, p := range x.parts {
		if p == (part{}) {
			continue
		}
		e := Evidence{Source: ingredientSources[ingredient], Score: p.score, Weighted: p.weighted, Raw: true}
		switch ingredient {
		case byWords:
			e.Detail = strings.Join(s.terms[seq], " ")
		case bySpeaker:
			e.Detail = x.Speaker
		case byDate:
			e.Detail = x.Time.Format(time.DateOnly)
		case byRole:
			e.Detail = x.Role
		case byGraph:
			e.Detail = s.heard[seq].Concept
		case byAttractor:
			e.Detail = s.heard[seq].Attractor
		}
		out = append(out, e)
	}
	return out
}

// groups splits the turns into those whose measures can be compared.
func (s *scene) groups() [][]int {
	n := len(s.turns)
	all, user, assistant, rest := make([]int, n), make([]int, 0, n), make([]int, 0, n), []int(nil)
	for i := range s.turns {
		all[i] = i
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
	if len(user) < roleGroup || len(assistant) < roleGroup || len(rest) > 0 && len(rest) < roleGroup {
		return [][]int{all} // a few among themselves would all be average
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
		if x.alone {
			continue
		}
		if x.next >= 0 && r.Next != 0 {
			x.say(byNext, s.turns[x.next].own, r.Next*s.turns[x.next].own)
		}
		if x.prev < 0 || !s.turns[x.prev].Asks {
			continue
		}
		question := s.turns[x.prev].own
		if x.Role == roleAssistant && personOf(x.Speaker) == "" {
			x.reply = r.ReplyAssistant * max(0, question-x.own)
		} else {
			x.reply = r.Reply * max(0, question)
		}
		if x.reply > 0 {
			x.say(byReply, question, x.reply)
		}
	}
}

// weighSessions works out what standing in its conversation is worth to a
// turn. With few conversations it is worth little.
func (s *scene) weighSessions(asked *question, r Recipe) {
	order := make([]*talk, len(s.talks)) // so that sums always come out the same
	for i := range s.talks {
		order[i] = &s.talks[i]
	}
	slices.SortFunc(order, func(a, b *talk) int { return cmp.Compare(a.session, b.session) })
	for i := range s.turns {
		x := &s.turns[i]
		talk := &s.talks[x.talk]
		talk.best = max(talk.best, x.own)
		talk.work = talk.work || x.Work
		if talk.from.IsZero() || x.Time.Before(talk.from) {
			talk.from = x.Time
		}
		if x.Time.After(talk.to) {
			talk.to = x.Time
		}
	}
	words, best := make([]float64, len(order)), make([]float64, len(order))
	for i, talk := range order {
		words[i], best[i] = talk.words, talk.best
	}
	standardise(words, softSessionZ)
	standardise(best, softSessionZ)
	trust := min(1, float64(len(order)-1)/(fewSessions-1))
	for i, talk := range order {
		talk.fit = asked.participantFit(talk.people)
		talk.prior = trust * (r.SessionWords*words[i] + r.SessionBest*best[i])
		talk.ranking = r.Ranking*words[i] - r.Near*talk.away(asked.at)
	}
}

const (
	// firmCosine is the similarity from which a turn is certainly about the
	// question.
	firmCosine = 0.6
	// bestOf is how many of the best turns say how good the answer is at all.
	bestOf = 5
)

// worth says how good an answer is at all, 0 to 1: how well the best of its
// turns match by themselves. Deviations tell which turns are better than the
// others, not whether any is good.
func (s *scene) worth(chunks []Ranked) float64 {
	best := 0.0
	for _, c := range chunks[:min(len(chunks), bestOf)] {
		x := &s.turns[s.at.find(c.Seq)]
		words := x.words / (x.words + keywordHalf)
		meaning := max(0, min(1, (max(x.cosine, x.window)-minTurnCosine)/(firmCosine-minTurnCosine)))
		best = max(best, 1-(1-words)*(1-meaning)*(1-memoryLift*x.parts[byGraph].score))
	}
	return best
}

// minTurnCosine is the similarity below which a turn that shares no word with
// a question is left out. Turns are short and answer in other words: of those
// that hold an answer to LoCoMo's questions a bar of 0.25 would lose one in
// fifty, this one next to none.
const minTurnCosine = 0.15

// away is the logarithm of how many days lie between a session of work and a
// time. What was done is asked for soon after.
func (t *talk) away(at time.Time) float64 {
	if !t.work || at.IsZero() || t.from.IsZero() {
		return 0
	}
	gap := max(0, t.from.Sub(at), at.Sub(t.to))
	return math.Log1p(gap.Hours() / 24)
}

// ranked returns chunks and conversations, best first. What shares neither a
// word nor a meaning with the question is left out.
func (s *scene) ranked() (chunks, sessions []Ranked) {
	chunks = make([]Ranked, 0, len(s.turns))
	top := make([]Ranked, len(s.talks)) // chunks count from one: zero is none
	for i := range s.turns {
		x := &s.turns[i]
		if x.words == 0 && max(x.cosine, x.window) < minTurnCosine && x.parts[byCause].score == 0 && x.parts[byGraph].score == 0 {
			continue
		}
		c := Ranked{Seq: x.Seq, Session: x.Session, Score: x.score}
		chunks = append(chunks, c)
		// what a reply got from its question tells which turn of a session
		// answers, not which session
		c.Score -= x.reply
		if !x.alone || x.Work {
			c.Score += s.talks[x.talk].ranking
		}
		if best := &top[x.talk]; best.Seq == 0 || byRank(c, *best) < 0 {
			*best = c
		}
	}
	sessions = slices.DeleteFunc(top, func(r Ranked) bool { return r.Seq == 0 })
	slices.SortFunc(chunks, byRank)
	slices.SortFunc(sessions, byRank)
	return chunks, sessions
}
