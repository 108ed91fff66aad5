package ranking

import (
	"context"
	"time"
)

// The names of the sets that have targets.
const (
	LoCoMoName  = "locomo"
	SciFactName = "scifact"
)

// Turn is one turn of a conversation, or a document that stands alone as its
// own session. A zero time means that it is not known.
type Turn struct {
	ID      string
	Session string
	Speaker string
	Role    string
	Text    string
	Time    time.Time
}

// Question is what is asked and what answers it. Relevant holds ids of turns
// or of sessions; an id that could be either is a turn's.
type Question struct {
	ID       string
	Text     string
	Category string
	Time     time.Time
	Relevant []string
}

// Corpus is one store's worth of turns and the questions put to it.
type Corpus struct {
	Name      string
	Turns     []Turn
	Questions []Question
	Skipped   int // questions without usable evidence, left out of Questions
	Unparsed  int // pieces of evidence that name neither a turn nor a session
}

// Set is a named list of corpora.
type Set struct {
	Name    string
	Corpora []Corpus
}

// Ranked is an answer: ids of turns and of sessions, best first. Elapsed is
// how long it took; when zero, [Run] fills in its own measurement.
type Ranked struct {
	Turns    []string
	Sessions []string
	Elapsed  time.Duration
}

// Ranker answers a question put to one corpus.
type Ranker func(ctx context.Context, q Question) (Ranked, error)

// directory knows which turns and sessions a corpus holds.
type directory struct {
	sessionOf map[string]string // by turn
	sessions  map[string]bool
}

func directoryOf(turns []Turn) directory {
	d := directory{sessionOf: make(map[string]string, len(turns)), sessions: map[string]bool{}}
	for _, t := range turns {
		d.sessionOf[t.ID] = t.Session
		d.sessions[t.Session] = true
	}
	return d
}

// resolve splits relevant ids into turns and sessions. The sessions of the
// turns count as relevant, too.
func (d directory) resolve(relevant []string) (turns, sessions map[string]bool) {
	turns, sessions = map[string]bool{}, map[string]bool{}
	for _, id := range relevant {
		if session, ok := d.sessionOf[id]; ok {
			turns[id] = true
			sessions[session] = true
		} else if d.sessions[id] {
			sessions[id] = true
		}
	}
	return turns, sessions
}

// ask adds a question with the labels that name something in the corpus, each
// once, and counts the rest.
func (c *Corpus) ask(q Question, known directory) {
	var usable []string
	seen := map[string]bool{}
	for _, id := range q.Relevant {
		_, isTurn := known.sessionOf[id]
		if !isTurn && !known.sessions[id] {
			c.Unparsed++
			continue
		}
		if !seen[id] {
			seen[id] = true
			usable = append(usable, id)
		}
	}
	if len(usable) == 0 {
		c.Skipped++
		return
	}
	q.Relevant = usable
	c.Questions = append(c.Questions, q)
}
