package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"
)

// Merged counts what became of the triples of a concept that was merged.
type Merged struct {
	Moved   int // now say of the other concept what they said of this one
	Folded  int // said the same as another at an overlapping time and became part of it
	Dropped int // were between the two, and would speak of a concept and itself
}

// MergeConcepts makes a concept part of another of its realm: names and triples
// go over. Triples that then say the same for overlapping times become one
// that holds for both times, on the evidence of both.
func (t *Tx) MergeConcepts(from, into int64) (Merged, error) {
	var done Merged
	a, err := t.standing(from)
	if err != nil {
		return done, err
	}
	b, err := t.standing(into)
	if err != nil {
		return done, err
	}
	if from == into || a.Realm != b.Realm {
		return done, refuse("%s and %s cannot be merged: they must be two concepts of one realm", a.Name, b.Name)
	}
	seqs, err := t.triplesOf(from)
	if err != nil {
		return done, err
	}
	for _, seq := range seqs {
		if err := t.moveTriple(seq, from, into, &done); err != nil {
			return done, err
		}
	}
	if err := t.exec(`UPDATE concept_name SET concept = ? WHERE concept = ?`, into, from); err != nil {
		return done, err
	}
	if err := t.moveMentions(from, into); err != nil {
		return done, err
	}
	if err := t.exec(`UPDATE concept SET rev = (SELECT max(rev) + 1 FROM concept), merged = ? WHERE seq = ?`, into, from); err != nil {
		return done, err
	}
	if err := t.exec(`UPDATE concept SET merged = ? WHERE merged = ?`, into, from); err != nil {
		return done, err
	}
	newer := b
	if a.LastActivated.After(b.LastActivated) {
		newer = a
	}
	return done, t.exec(`UPDATE concept SET rev = (SELECT max(rev) + 1 FROM concept), confidence = ?, activation = ?, last_activated = ? WHERE seq = ?`,
		max(a.Confidence, b.Confidence), newer.Activation, millis(newer.LastActivated), into)
}

func (t *Tx) moveTriple(seq, from, into int64, done *Merged) error {
	x, err := t.tripleAt(seq)
	if err != nil || x.Gone { // folded into another on the way
		return err
	}
	if x.Subject == from {
		x.Subject = into
	}
	if x.Object == from {
		x.Object = into
	}
	if x.Subject == x.Object {
		done.Dropped++
		return t.dropTriple(x, "")
	}
	if err := t.exec(`UPDATE triple SET rev = (SELECT max(rev) + 1 FROM triple), subject = ?, object = ? WHERE seq = ?`, x.Subject, x.Object, seq); err != nil {
		return err
	}
	done.Moved++
	return t.fold(x, done)
}

// fold joins triples that say the same for overlapping times.
func (t *Tx) fold(x Triple, done *Merged) error {
	list, err := t.versions(x.Subject, x.Predicate, x.Object)
	if err != nil || len(list) < 2 {
		return err
	}
	kept := list[0]
	for _, next := range list[1:] {
		if !kept.ValidUntil.IsZero() && kept.ValidUntil.Before(next.ValidFrom) {
			kept = next
			continue
		}
		if err := t.foldInto(next, &kept); err != nil {
			return err
		}
		done.Folded++
	}
	return nil
}

// foldInto makes a triple part of one that began no later.
func (t *Tx) foldInto(x Triple, kept *Triple) error {
	if !kept.ValidUntil.IsZero() && (x.ValidUntil.IsZero() || x.ValidUntil.After(kept.ValidUntil)) {
		kept.ValidUntil, kept.ClosedBy = x.ValidUntil, x.ClosedBy
	}
	if err := t.exec(`UPDATE triple_evidence SET triple = ? WHERE triple = ?`, kept.Seq, x.Seq); err != nil {
		return err
	}
	if kept.ClosedBy == x.ID || kept.ClosedBy == kept.ID {
		kept.ClosedBy = ""
	}
	err := t.exec(`UPDATE triple SET valid_until = ?, closed_by = ?, recorded = min(recorded, ?) WHERE seq = ?`,
		ended(kept.ValidUntil), kept.ClosedBy, millis(x.Recorded), kept.Seq)
	if err != nil {
		return err
	}
	if _, err := t.weigh(kept.Seq); err != nil {
		return err
	}
	return t.dropTriple(x, kept.ID)
}

// dropTriple marks a triple as gone. What it had ended is from now on ended by
// its successor; without one it ends where this triple ended, or holds again.
func (t *Tx) dropTriple(x Triple, successor string) error {
	if x.withdrawn() { // it would hold if its memory still said so
		x.ValidUntil, x.ClosedBy = time.Time{}, ""
	}
	var err error
	if successor != "" {
		err = t.exec(`UPDATE triple SET closed_by = ? WHERE closed_by = ? AND closed_by <> ''`, successor, x.ID)
	} else {
		err = t.reopen(x)
	}
	if err != nil {
		return err
	}
	return t.exec(`UPDATE triple SET rev = (SELECT max(rev) + 1 FROM triple), gone = 1, closed_by = '' WHERE seq = ?`, x.Seq)
}

func (t *Tx) reopen(x Triple) error {
	seqs, err := collect(t.ctx, t, scanSeq, `SELECT seq FROM triple WHERE closed_by = ? AND closed_by <> '' ORDER BY seq`, x.ID)
	if err != nil {
		return err
	}
	for _, seq := range seqs {
		// a triple cannot be ended by itself, as it would be where two ended each
		// other; where nothing ends it, it has the end its own evidence speaks of
		err := t.exec(`UPDATE triple SET rev = (SELECT max(rev) + 1 FROM triple),
			valid_until = CASE WHEN valid_from <= ?1 THEN ?1 ELSE (SELECT max(e.valid_until) FROM triple_evidence e WHERE e.triple = triple.seq) END,
			closed_by = CASE WHEN id = ?2 OR ?1 IS NULL OR valid_from > ?1 THEN '' ELSE ?2 END WHERE seq = ?3`, ended(x.ValidUntil), x.ClosedBy, seq)
		if err != nil {
			return err
		}
	}
	return nil
}

// memoryMark begins the ids of memories.
const memoryMark = "m_"

// withdrawn says that a triple ended because the memory it rests on ceased to
// say so.
func (x *Triple) withdrawn() bool { return strings.HasPrefix(x.ClosedBy, memoryMark) }

// Withdraw takes into account that a memory does not state a fact any more. If
// somebody else says so, the fact rests on that from now on; else it ends, what
// it had ended holds again, and it keeps its evidence so that it is the same
// fact if the memory states it again.
// One that has ended stays as it is.
func (t *Tx) Withdraw(id, memory string, at time.Time) error {
	x, err := t.Triple(id)
	if err != nil || !x.holdsAfter(at) {
		return err
	}
	var others int
	err = t.QueryRowContext(t.ctx, `SELECT count(*) FROM triple_evidence WHERE triple = ? AND memory <> ?`, x.Seq, memory).Scan(&others)
	if err != nil {
		return classify(err)
	}
	if others > 0 {
		_, err := t.EraseEvidence(EvidenceFilter{Memory: memory, Triple: id})
		return err
	}
	if err := t.reopen(x); err != nil {
		return err
	}
	return t.exec(`UPDATE triple SET rev = (SELECT max(rev) + 1 FROM triple), valid_until = ?, closed_by = ? WHERE seq = ?`,
		max(millis(at), millis(x.ValidFrom)), memory, x.Seq)
}

// resume makes a withdrawn triple hold again, until the end that its evidence
// speaks of.
func (t *Tx) resume(seq int64) error {
	return t.exec(`UPDATE triple SET rev = (SELECT max(rev) + 1 FROM triple), closed_by = '',
		valid_until = (SELECT max(e.valid_until) FROM triple_evidence e WHERE e.triple = triple.seq) WHERE seq = ?`, seq)
}

// Erased counts what was taken back.
type Erased struct {
	Evidence int
	Triples  int // gone, because no evidence was left
	Weaker   int // stand on less evidence than before
}

// EvidenceFilter chooses evidence by where it came from; all fields that are
// set have to fit, and one must be.
type EvidenceFilter struct {
	Row                          int64  // this one
	Job, Memory, Session, Triple string // Memory: read in it, or a link with it
	Message                      string // of the session that is named with it
	Realm                        string // of the fact; several projects may have a session of one id
	// Own leaves out links that another memory has with Memory.
	Own bool
	// Standing leaves out the evidence of facts that somebody ended on purpose:
	// with it they would lose that end, and come back when they are read again.
	// It does not count as a field by itself either.
	Standing bool
	// Mined narrows the others down to what some run found. It and Realm do not
	// count as fields by themselves.
	Mined bool
}

// sql says of each value that it is not empty, as the indexes do: only then are
// they used.
func (f *EvidenceFilter) sql() (string, []any) {
	var conds []string
	var args []any
	if f.Row != 0 {
		conds, args = append(conds, `seq = ?`), append(args, f.Row)
	}
	for _, c := range []struct{ cond, value string }{
		{`job = ? AND job <> ''`, f.Job}, {`session = ? AND session <> ''`, f.Session}, {`message = ?`, f.Message}, {`triple = (SELECT seq FROM triple WHERE id = ?)`, f.Triple},
	} {
		if c.value != "" {
			conds, args = append(conds, c.cond), append(args, c.value)
		}
	}
	if f.Memory != "" && f.Own {
		conds, args = append(conds, `memory = ? AND memory <> ''`), append(args, f.Memory)
	} else if f.Memory != "" { // two lookups, each by its index
		conds = append(conds, `seq IN (SELECT seq FROM triple_evidence WHERE memory = ? AND memory <> '' UNION ALL
			SELECT seq FROM triple_evidence WHERE session = ? AND session <> '' AND source = '`+LinkSource+`')`)
		args = append(args, f.Memory, f.Memory)
	}
	if f.Standing && len(conds) > 0 {
		conds = append(conds, `NOT EXISTS (SELECT 1 FROM triple t WHERE t.seq = triple_evidence.triple AND `+isRemoved+`)`)
	}
	if f.Mined && len(conds) > 0 {
		conds = append(conds, `job <> ''`)
	}
	if f.Realm != "" && len(conds) > 0 {
		conds, args = append(conds, `(SELECT realm FROM triple t WHERE t.seq = triple_evidence.triple) = ?`), append(args, f.Realm)
	}
	return strings.Join(conds, ` AND `), args
}

// EraseEvidence takes assertions back, those of a run or those read in a memory
// for example. Facts without any evidence left go, with what they had ended
// holding again; others are as sure as the rest of their evidence makes them.
// Concepts nobody speaks of any more go too.
func (t *Tx) EraseEvidence(f EvidenceFilter) (Erased, error) {
	var done Erased
	where, args := f.sql()
	if where == "" {
		return done, refuse("say which evidence is to be erased")
	}
	type counted struct {
		triple int64
		n      int
		until  sql.NullInt64 // when it said the fact ended
	}
	list, err := collect(t.ctx, t, func(row scanner) (c counted, err error) { return c, row.Scan(&c.triple, &c.n, &c.until) },
		`SELECT triple, count(*), max(valid_until) FROM triple_evidence WHERE `+where+` GROUP BY triple ORDER BY triple`, args...)
	if err != nil {
		return done, err
	}
	if err := t.exec(`DELETE FROM triple_evidence WHERE `+where, args...); err != nil {
		return done, err
	}
	var idle []int64
	for _, c := range list {
		x, err := t.tripleAt(c.triple)
		if err != nil {
			return done, err
		}
		done.Evidence += c.n
		if x.Gone { // was dropped by a merge; its evidence is all that was left
			continue
		}
		// an end that only this evidence spoke of is taken back with it
		err = t.exec(`UPDATE triple SET valid_until = NULL WHERE seq = ? AND valid_until = ? AND closed_by = ''
			AND NOT EXISTS (SELECT 1 FROM triple_evidence e WHERE e.triple = triple.seq AND e.valid_until = triple.valid_until)`, c.triple, c.until)
		if err != nil {
			return done, err
		}
		left, err := t.weigh(c.triple)
		switch {
		case err == nil && left:
			done.Weaker++
			if x.withdrawn() {
				err = t.exec(`UPDATE triple SET closed_by = '' WHERE seq = ?1 AND NOT EXISTS (SELECT 1 FROM triple_evidence WHERE triple = ?1 AND memory = ?2)`, x.Seq, x.ClosedBy)
			}
		case err == nil:
			done.Triples++
			idle = append(idle, x.Subject, x.Object)
			err = t.dropTriple(x, "")
		}
		if err != nil {
			return done, err
		}
	}
	return done, t.dropIfIdle(idle)
}

// EvidenceOf returns what standing triples rest on, by their row numbers,
// oldest first.
func (s *Store) EvidenceOf(ctx context.Context, triples []int64) (map[int64][]Evidence, error) {
	in, args, err := lists(triples)
	if err != nil || len(triples) == 0 {
		return nil, err
	}
	type of struct {
		triple int64
		Evidence
	}
	list, err := collect(ctx, s.reading, func(row scanner) (o of, err error) {
		var from, at int64
		var until sql.NullInt64
		err = row.Scan(&o.triple, &o.Confidence, &o.Source, &o.Memory, &o.Session, &o.Message, &o.Job, &from, &until, &at)
		o.ValidFrom, o.At = fromMillis(from), fromMillis(at)
		if until.Valid {
			o.ValidUntil = time.UnixMilli(until.Int64).UTC()
		}
		return o, err
	}, `SELECT triple, confidence, source, memory, session, message, job, valid_from, valid_until, at FROM triple_evidence WHERE triple IN `+in+` ORDER BY seq`, args...)
	out := map[int64][]Evidence{}
	for _, o := range list {
		out[o.triple] = append(out[o.triple], o.Evidence)
	}
	return out, err
}

// TripleFilter is a pattern that triples are held against. Fields that are
// empty do not restrict.
type TripleFilter struct {
	Realms     []string
	Subjects   []int64 // any of them
	Predicates []string
	Objects    []int64
	AsOf       time.Time // held then; zero: at any time
	Open       bool      // has no end
	HoldsAfter time.Time // has not ended then: what will end later is in; zero: whenever
	Evidence   EvidenceFilter
	After      int64 // only rows behind this one (a cursor)
	Limit      int   // 0 = no limit
}

func (f *TripleFilter) sql() (string, []any, error) {
	conds, args := []string{`t.gone = 0`}, []any{}
	add := func(cond string, a ...any) { conds, args = append(conds, cond), append(args, a...) }
	for _, l := range []struct {
		column string
		values any
		n      int
	}{{`t.realm`, f.Realms, len(f.Realms)}, {`t.subject`, f.Subjects, len(f.Subjects)}, {`t.predicate`, f.Predicates, len(f.Predicates)}, {`t.object`, f.Objects, len(f.Objects)}} {
		if l.n == 0 {
			continue
		}
		list, err := json.Marshal(l.values)
		if err != nil {
			return "", nil, err
		}
		add(l.column+` IN (SELECT value FROM json_each(?))`, string(list))
	}
	if !f.AsOf.IsZero() {
		add(`t.valid_from <= ? AND (t.valid_until IS NULL OR t.valid_until > ?)`, millis(f.AsOf), millis(f.AsOf))
	}
	if f.Open {
		add(`t.valid_until IS NULL`)
	}
	if !f.HoldsAfter.IsZero() {
		add(`(t.valid_until IS NULL OR t.valid_until > ?)`, millis(f.HoldsAfter))
	}
	if where, values := f.Evidence.sql(); where != "" {
		add(`t.seq IN (SELECT triple FROM triple_evidence WHERE `+where+`)`, values...)
	}
	if f.After > 0 {
		add(`t.seq > ?`, f.After)
	}
	out := `WHERE ` + strings.Join(conds, ` AND `) + ` ORDER BY t.seq`
	if f.Limit > 0 {
		out += ` LIMIT ?`
		args = append(args, f.Limit)
	}
	return out, args, nil
}

// Triples returns the triples that fit a pattern, in the order they were
// stored.
func (s *Store) Triples(ctx context.Context, f TripleFilter) ([]Triple, error) {
	where, args, err := f.sql()
	if err != nil {
		return nil, err
	}
	return collect(ctx, s.reading, scanTriple, `SELECT `+tripleColumns+tripleTables+where, args...)
}

// TriplesBySeq returns standing triples by row number.
func (s *Store) TriplesBySeq(ctx context.Context, seqs []int64) (map[int64]Triple, error) {
	in, args, err := lists(seqs)
	if err != nil || len(seqs) == 0 {
		return nil, err
	}
	list, err := collect(ctx, s.reading, scanTriple, `SELECT `+tripleColumns+tripleTables+`WHERE t.gone = 0 AND t.seq IN `+in, args...)
	out := make(map[int64]Triple, len(list))
	for _, x := range list {
		out[x.Seq] = x
	}
	return out, err
}

// TriplesAfter returns the next changed triples in the sequence of changes,
// those that are gone too.
func (s *Store) TriplesAfter(ctx context.Context, rev int64, limit int) ([]Triple, error) {
	return collect(ctx, s.reading, scanTriple, `SELECT `+tripleColumns+tripleTables+`WHERE t.rev > ? ORDER BY t.rev LIMIT ?`, rev, limit)
}

// LastTripleRev returns the end of the sequence of changes of triples.
func (s *Store) LastTripleRev(ctx context.Context) (int64, error) {
	return s.lastRev(ctx, `SELECT max(rev) FROM triple`)
}
