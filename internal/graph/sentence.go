package graph

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Fact is a triple to be told.
type Fact struct {
	Subject, Predicate, Object string

	Confidence            float64   // 0 when none is known
	ValidFrom, ValidUntil time.Time // zero when open
}

const (
	// doubtBelow is the confidence below which a sentence says how sure it
	// is: what is more likely than not is told as it is.
	doubtBelow = 0.5
	// dayFormat is how exactly a sentence tells a time.
	dayFormat = "2006-01-02"
)

// Sentence tells one fact.
func Sentence(f Fact) string {
	return f.Subject + " " + predicateWords(f.Predicate).says + " " + f.Object + remark(f)
}

// Sentences tells facts in few words, one sentence for those that hang
// together: "nc.subshell causes socket.failure; cli.direct solves it". Facts
// that differ in one end are told as one, and what a sentence is about is
// called by its name once. The first fact begins the first sentence, so that
// what matters most comes first, and the same facts are always told the same
// way.
//
// budget is in characters, those between sentences counted as one each; zero
// or less is no limit. A fact that does not fit is left out whole, and so is
// one that is told already.
func Sentences(facts []Fact, budget int) []string {
	clauses := gather(facts)
	var all []string
	used := 0
	for i := range clauses {
		c := &clauses[i]
		if c.told {
			continue
		}
		c.told = true
		room := budget - used
		if len(all) > 0 {
			room-- // what stands between sentences
		}
		sentence, ok := tell(c, clauses[i+1:], room, budget > 0)
		if !ok {
			continue
		}
		if len(all) > 0 {
			used++
		}
		used += utf8.RuneCountInString(sentence)
		all = append(all, sentence)
	}
	return all
}

// clause is one or more facts that share a predicate and an end.
type clause struct {
	subjects, objects []string // one of them has one name
	subject, object   string   // the key of an end that has one name
	predicate         Predicate
	remark            string
	told              bool
}

// gather joins facts that differ in their object or, where a predicate can be
// said from its object, in their subject. What needs a remark stands alone.
func gather(facts []Fact) []clause {
	type place struct{ predicate, end, name string }
	var all []clause
	open := map[place]int{}
	seen := map[[4]string]bool{}
	for _, f := range facts {
		p := predicateWords(f.Predicate)
		id := [4]string{Key(f.Subject), p.Name, Key(f.Object), remark(f)}
		if seen[id] {
			continue
		}
		seen[id] = true
		c := clause{
			subjects: []string{f.Subject}, objects: []string{f.Object},
			subject: id[0], object: id[2], predicate: p, remark: id[3],
		}
		bySubject, byObject := place{p.Name, "subject", id[0]}, place{p.Name, "object", id[2]}
		if c.remark == "" {
			if i, ok := open[bySubject]; ok && all[i].subject != "" {
				all[i].objects, all[i].object = append(all[i].objects, f.Object), ""
				continue
			}
			if i, ok := open[byObject]; ok && all[i].object != "" && p.saysBack != "" {
				all[i].subjects, all[i].subject = append(all[i].subjects, f.Subject), ""
				continue
			}
			open[bySubject], open[byObject] = len(all), len(all)
		}
		all = append(all, c)
	}
	return all
}

// tell makes a sentence that begins with first. It goes on from there along a
// chain, and then with what else is known about the things it has named, as
// far as there is room.
func tell(first *clause, others []clause, room int, limited bool) (string, bool) {
	sentence := first.words("")
	fits := func(more string) bool {
		return !limited || utf8.RuneCountInString(sentence)+utf8.RuneCountInString(more) <= room
	}
	if !fits("") {
		return "", false
	}
	named := map[string]bool{}
	for _, name := range slices.Concat(first.subjects, first.objects) {
		named[Key(name)] = true
	}
	topic := first.topic()
	for next := first.next(others, named); next != nil; next = next.next(others, named) {
		more := ", which " + next.predicate.says + " " + next.objects[0]
		if !fits(more) {
			break
		}
		sentence += more
		next.told, topic = true, next.topic()
		named[topic] = true
	}
	// what is said of "it" comes while that is clear: before other names
	for _, plain := range []bool{true, false} {
		for i := range others {
			c := &others[i]
			if c.told || !c.about(named) || plain && !c.about(map[string]bool{topic: true}) {
				continue
			}
			if !plain {
				topic = ""
			}
			if more := "; " + c.words(topic); fits(more) {
				c.told = true
				sentence += more
			}
		}
	}
	return sentence, true
}

// next finds the clause that goes on where c ends, to something not named
// yet.
func (c *clause) next(others []clause, named map[string]bool) *clause {
	if c.subject == "" || c.object == "" || c.remark != "" {
		return nil
	}
	for i := range others {
		o := &others[i]
		if !o.told && o.remark == "" && o.subject == c.object && o.object != "" && !named[o.object] {
			return o
		}
	}
	return nil
}

// topic is what "it" means behind the clause: its object, or its subject if
// there are several objects.
func (c *clause) topic() string {
	if c.object != "" {
		return c.object
	}
	return c.subject
}

// about reports whether one of the names is an end of the clause.
func (c *clause) about(named map[string]bool) bool {
	return c.object != "" && named[c.object] || c.subject != "" && named[c.subject]
}

// words says the clause, with "it" for the topic. Several subjects are said
// from the object: "c is caused by a and b".
func (c *clause) words(topic string) string {
	subject, object := listed(c.subjects), listed(c.objects)
	switch {
	case topic == "":
	case c.subject == topic:
		subject = "it"
	case c.object == topic:
		object = "it"
	}
	if len(c.subjects) > 1 {
		return object + " " + c.predicate.saysBack + " " + subject + c.remark
	}
	return subject + " " + c.predicate.says + " " + object + c.remark
}

// listed joins names as a sentence does.
func listed(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// remark tells what limits a fact: doubt, and that it holds no more.
func remark(f Fact) string {
	var parts []string
	if f.Confidence > 0 && f.Confidence < doubtBelow {
		parts = append(parts, fmt.Sprintf("confidence %.2g", f.Confidence))
	}
	if !f.ValidUntil.IsZero() {
		if !f.ValidFrom.IsZero() {
			parts = append(parts, "from "+f.ValidFrom.UTC().Format(dayFormat))
		}
		parts = append(parts, "until "+f.ValidUntil.UTC().Format(dayFormat))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// predicateWords finds the words for a predicate as it is stored. One that
// cannot be looked up is said as it is written.
func predicateWords(name string) Predicate {
	if p, swapped, err := LookupPredicate(name); err == nil && !swapped {
		return p
	}
	return Predicate{Name: name, says: spoken(name)}
}
