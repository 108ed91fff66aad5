package store

import (
	"context"
	"slices"
)

// Found is evidence that a run found in a conversation, and what it says.
type Found struct {
	Row                        int64
	Source, Message            string
	Subject, Predicate, Object string // keys of the concepts
}

// FoundIn returns what was found in the messages of a chunk, one that is gone
// too.
func (s *Store) FoundIn(ctx context.Context, c *Chunk) ([]Found, error) {
	return collect(ctx, s.reading, func(row scanner) (f Found, err error) {
		return f, row.Scan(&f.Row, &f.Source, &f.Message, &f.Subject, &f.Predicate, &f.Object)
	}, `SELECT e.seq, e.source, e.message, (SELECT key FROM concept c WHERE c.seq = t.subject), t.predicate, (SELECT key FROM concept c WHERE c.seq = t.object)
		FROM session s CROSS JOIN triple_evidence e ON e.session = s.id AND e.session <> '' AND e.job <> ''
		CROSS JOIN triple t ON t.seq = e.triple AND t.realm = s.realm
		WHERE s.seq = ?1 AND e.message IN (SELECT id FROM message WHERE session = ?1 AND agent = ?2 AND position BETWEEN ?3 AND ?4) ORDER BY e.seq`,
		c.Session, c.Agent, c.First, c.Last)
}

// ChunksAt returns the chunks that stand where one stood, each with the message
// it begins with.
func (s *Store) ChunksAt(ctx context.Context, c *Chunk) ([]ChunkPlace, error) {
	return collect(ctx, s.reading, func(row scanner) (p ChunkPlace, err error) {
		p.Chunk, err = scanChunk(withMore{row, []any{&p.Message}})
		return p, err
	}, `SELECT `+chunkColumns+`, (SELECT id FROM message m WHERE m.session = c.session AND m.position = c.first)
		FROM chunk c WHERE session = ? AND agent = ? AND first <= ? AND last >= ? AND gone = 0 ORDER BY first, part`, c.Session, c.Agent, c.Last, c.First)
}

// MoveEvidence lets evidence rest on another message of its conversation. It
// reports false if there is evidence of that message already, or none to move.
func (t *Tx) MoveEvidence(row int64, message string) (bool, error) {
	moved, err := collect(t.ctx, t, scanSeq, `UPDATE triple_evidence SET message = ?2 WHERE seq = ?1 AND NOT EXISTS (
		SELECT 1 FROM triple_evidence o WHERE o.triple = triple_evidence.triple AND o.memory = triple_evidence.memory AND o.session = triple_evidence.session AND o.message = ?2) RETURNING seq`, row, message)
	return len(moved) > 0, err
}

// Reassess says how sure a memory is of a fact that it states.
func (t *Tx) Reassess(triple int64, memory string, confidence float64) error {
	changed, err := collect(t.ctx, t, scanSeq, `UPDATE triple_evidence SET confidence = ?3 WHERE triple = ?1 AND memory = ?2 AND memory <> '' AND job = '' AND confidence <> ?3 RETURNING seq`,
		triple, memory, confidence)
	if err != nil || len(changed) == 0 {
		return err
	}
	_, err = t.weigh(triple)
	return err
}

// eraseMined takes back the facts that were found in a conversation. Those that
// somebody stated during it were meant to stay, and so do those that another
// conversation of the same id and project gave. Links with it are taken back as
// well.
func (t *Tx) eraseMined(session int64) error {
	s, err := t.SessionBySeq(session)
	if err != nil || s.ID == "" {
		return err
	}
	rows, err := collect(t.ctx, t, scanSeq, `SELECT e.seq FROM triple_evidence e JOIN triple t ON t.seq = e.triple
		WHERE e.session = ?1 AND e.session <> '' AND e.job <> '' AND t.realm = ?2
		AND NOT EXISTS (SELECT 1 FROM session o JOIN message m ON m.session = o.seq WHERE o.id = ?1 AND o.realm = ?2 AND o.seq <> ?3 AND m.id = e.message)
		UNION SELECT e.seq FROM triple_evidence e JOIN triple t ON t.seq = e.triple
		WHERE e.memory = ?1 AND e.memory <> '' AND e.source = '`+LinkSource+`' AND e.job <> '' AND t.realm = ?2
		ORDER BY 1`, s.ID, s.Realm, session)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if _, err := t.EraseEvidence(EvidenceFilter{Row: row}); err != nil {
			return err
		}
	}
	return nil
}

// overruled finds an ended triple that a mined assertion must not bring back:
// one that somebody ended on purpose, or that is said to have ended after the
// text was written.
func (t *Tx) overruled(a *Assertion) (Triple, error) {
	if a.Job == "" || a.AsIs {
		return Triple{}, nil
	}
	versions, err := t.allVersions(a)
	for _, v := range slices.Backward(versions) {
		if v.ValidUntil.IsZero() || v.ClosedBy != "" {
			continue
		}
		if v.holdsAfter(a.ValidFrom) {
			return v, nil
		}
		removed, err := t.removed(v.Seq)
		if removed || err != nil {
			return v, err
		}
	}
	return Triple{}, err
}

// isRemoved is true of a standing triple t that somebody ended on purpose: no
// other fact did, no memory that states it no more, and none of its evidence
// speaks of that end.
const isRemoved = `t.gone = 0 AND t.closed_by = '' AND t.valid_until IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM triple_evidence said WHERE said.triple = t.seq AND said.valid_until = t.valid_until)`

// removed says whether somebody ended a triple on purpose.
func (t *Tx) removed(seq int64) (bool, error) {
	list, err := collect(t.ctx, t, scanSeq, `SELECT t.seq FROM triple t WHERE t.seq = ? AND `+isRemoved, seq)
	return len(list) > 0, err
}
