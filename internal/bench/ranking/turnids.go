package ranking

import "fmt"

// turnIDs gives turns ids that are unique in their corpus, and knows what the
// labels of questions mean.
type turnIDs struct {
	lines   map[[2]string]int   // by session and id
	shared  map[string][]string // by an id that several sessions use: their turns
	inWhole map[string][]string // by SESSION:ID
}

// add notes the line of a turn. One that was there before is refused: a label
// could mean either.
func (d *turnIDs) add(t Turn, number int) error {
	key := [2]string{t.Session, t.ID}
	if first, ok := d.lines[key]; ok {
		return fmt.Errorf("id %q was used on line %d already", t.ID, first)
	}
	d.lines[key] = number
	return nil
}

// settle puts the session before ids that several sessions use.
func (d *turnIDs) settle(turns []Turn) error {
	uses := make(map[string]int, len(turns))
	for _, t := range turns {
		uses[t.ID]++
	}
	d.shared, d.inWhole = map[string][]string{}, map[string][]string{}
	final := make(map[string]bool, len(turns))
	for i := range turns {
		t := &turns[i]
		id := t.ID
		whole := t.Session + ":" + id
		if uses[id] > 1 {
			if t.Session != "" {
				t.ID = whole
			}
			d.shared[id] = append(d.shared[id], t.ID)
		}
		if final[t.ID] {
			return fmt.Errorf("turn %q of session %q cannot be told from another called %q: give it another id", id, t.Session, t.ID)
		}
		final[t.ID] = true
		if t.Session != "" {
			d.inWhole[whole] = append(d.inWhole[whole], t.ID)
		}
	}
	return nil
}

// turns returns labels with those that name turns in another way replaced by
// the ids of these turns.
func (d *turnIDs) turns(labels []string, known directory) []string {
	var out []string
	for _, label := range labels {
		if shared := d.shared[label]; shared != nil {
			out = append(out, shared...)
			continue
		}
		_, isTurn := known.sessionOf[label]
		if whole := d.inWhole[label]; whole != nil && !isTurn {
			out = append(out, whole...)
			continue
		}
		out = append(out, label)
	}
	return out
}
