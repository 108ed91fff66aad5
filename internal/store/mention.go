package store

import (
	"context"
	"slices"
)

// Mention says that a memory or a chunk names a concept.
type Mention struct {
	Concept int64
	Owner   Owner
	Item    int64 // row number of the memory or the chunk
}

// SetMentions says which concepts a memory or a chunk names, instead of those
// noted before. Concepts that nothing speaks of any more go.
func (t *Tx) SetMentions(owner Owner, item int64, concepts []int64) error {
	before, err := collect(t.ctx, t, scanSeq, `SELECT concept FROM mention WHERE owner = ? AND item = ? ORDER BY concept`, owner, item)
	if err != nil {
		return err
	}
	var idle []int64
	for _, c := range before {
		if slices.Contains(concepts, c) {
			continue
		}
		if err := t.exec(`DELETE FROM mention WHERE concept = ? AND owner = ? AND item = ?`, c, owner, item); err != nil {
			return err
		}
		idle = append(idle, c)
	}
	if err := t.AddMentions(owner, item, concepts); err != nil {
		return err
	}
	return t.dropIfIdle(idle)
}

// AddMentions notes concepts that a memory or a chunk names, beside those noted
// before.
func (t *Tx) AddMentions(owner Owner, item int64, concepts []int64) error {
	in, args, err := lists(concepts)
	if err != nil || len(concepts) == 0 {
		return err
	}
	return t.exec(`INSERT OR IGNORE INTO mention (concept, owner, item) SELECT value, ?, ? FROM `+in, append([]any{owner, item}, args...)...)
}

// ClearMentions forgets all mentions, to be noted anew, and the concepts that
// only they spoke of.
func (t *Tx) ClearMentions() error {
	concepts, err := collect(t.ctx, t, scanSeq, `SELECT DISTINCT concept FROM mention`)
	if err != nil {
		return err
	}
	if err := t.exec(`DELETE FROM mention`); err != nil {
		return err
	}
	return t.dropIfIdle(concepts)
}

// Standing returns which of the given chunks are still there, as this
// transaction sees them.
func (t *Tx) Standing(chunks []int64) (map[int64]bool, error) {
	in, args, err := lists(chunks)
	if err != nil || len(chunks) == 0 {
		return nil, err
	}
	list, err := collect(t.ctx, t, scanSeq, `SELECT seq FROM chunk WHERE gone = 0 AND seq IN `+in, args...)
	out := make(map[int64]bool, len(list))
	for _, seq := range list {
		out[seq] = true
	}
	return out, err
}

// moveMentions lets what named one concept name another.
func (t *Tx) moveMentions(from, into int64) error {
	if err := t.exec(`UPDATE OR IGNORE mention SET concept = ? WHERE concept = ?`, into, from); err != nil {
		return err
	}
	return t.exec(`DELETE FROM mention WHERE concept = ?`, from)
}

// MentionsOf returns the concepts that memories or chunks name, by row.
func (s *Store) MentionsOf(ctx context.Context, owner Owner, items []int64) (map[int64][]int64, error) {
	in, args, err := lists(items)
	if err != nil || len(items) == 0 {
		return nil, err
	}
	list, err := collect(ctx, s.reading, scanMention, `SELECT concept, owner, item FROM mention WHERE owner = ? AND item IN `+in+` ORDER BY item, concept`, append([]any{owner}, args...)...)
	out := map[int64][]int64{}
	for _, m := range list {
		out[m.Item] = append(out[m.Item], m.Concept)
	}
	return out, err
}

func scanMention(row scanner) (m Mention, err error) {
	return m, row.Scan(&m.Concept, &m.Owner, &m.Item)
}

// Mentioning returns what names concepts, the newest of each concept and owner
// first and at most so many.
func (s *Store) Mentioning(ctx context.Context, concepts []int64, most int) ([]Mention, error) {
	var out []Mention
	for _, c := range concepts {
		for _, owner := range []Owner{OwnerMemory, OwnerChunk} {
			list, err := collect(ctx, s.reading, scanMention,
				`SELECT concept, owner, item FROM mention WHERE concept = ? AND owner = ? ORDER BY item DESC LIMIT 0 + ?`, c, owner, most)
			if err != nil {
				return nil, err
			}
			out = append(out, list...)
		}
	}
	return out, nil
}

// CountMentions returns how many mentions there are, by what holds them.
func (s *Store) CountMentions(ctx context.Context) (map[Owner]int, error) {
	type counted struct {
		owner Owner
		n     int
	}
	list, err := collect(ctx, s.reading, func(row scanner) (c counted, err error) { return c, row.Scan(&c.owner, &c.n) },
		`SELECT owner, count(*) FROM mention GROUP BY owner`)
	out := map[Owner]int{}
	for _, c := range list {
		out[c.owner] = c.n
	}
	return out, err
}

// LinksAfter returns edges of a kind that weigh enough, in the order of the
// chunks they lead to, behind one of these.
func (s *Store) LinksAfter(ctx context.Context, kind string, weight float64, target int64, limit int) ([]Edge, error) {
	return collect(ctx, s.reading, scanEdge, `SELECT source, target, kind, weight FROM edge WHERE target > ? AND kind = ? AND weight >= 0 + ? ORDER BY target, source LIMIT 0 + ?`,
		target, kind, weight, limit)
}

// mentionInvariants are statements about mentions that no operation may break.
func mentionInvariants() []invariant {
	return []invariant{
		{"what is mentioned stands", `SELECT 'concept ' || x.concept, x.owner || ' ' || x.item FROM mention x JOIN concept c ON c.seq = x.concept WHERE c.gone <> 0 OR c.merged <> 0`},
		{"what mentions a concept is there", `SELECT 'concept ' || x.concept, x.owner || ' ' || x.item FROM mention x
			WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE x.owner = 1 AND m.seq = x.item) AND NOT EXISTS (SELECT 1 FROM chunk k WHERE x.owner = 2 AND k.seq = x.item AND k.gone = 0)`},
	}
}
