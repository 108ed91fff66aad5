package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chitta/internal/memory"
)

// Record is a memory as stored: the memory and what the store keeps beside
// it.
type Record struct {
	memory.Memory
	Seq    int64     // row number, the id used by indexes
	Rev    int64     // position in the sequence of changes
	Hash   string    // of the normalised content
	Erased time.Time // when the text was erased for good
}

const memoryColumns = `seq, id, rev, kind, content, hash, realm, visibility, state, pinned,
	mean, variance, n, tau, decay_rate, source, trust, provenance, supersedes, superseded_by, pair,
	created, updated, observed, accessed, access_count, forgotten, erased,
	(SELECT json_group_array(tag) FROM memory_tag t WHERE t.memory = m.seq)`

type scanner interface{ Scan(dest ...any) error }

func scanMemory(row scanner) (Record, error) {
	var r Record
	var provenance, tags string
	var created, updated, observed, accessed, forgotten, erased int64
	err := row.Scan(&r.Seq, &r.ID, &r.Rev, &r.Kind, &r.Content, &r.Hash, &r.Realm, &r.Visibility, &r.State, &r.Pinned,
		&r.Confidence.Mean, &r.Confidence.Variance, &r.Confidence.N, &r.Confidence.Tau, &r.DecayRate,
		&r.Source, &r.Trust, &provenance, &r.Supersedes, &r.SupersededBy, &r.Pair,
		&created, &updated, &observed, &accessed, &r.AccessCount, &forgotten, &erased, &tags)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal([]byte(provenance), &r.Provenance); err != nil {
		return r, fmt.Errorf("provenance of %s: %w", r.ID, err)
	}
	if err := json.Unmarshal([]byte(tags), &r.Tags); err != nil {
		return r, fmt.Errorf("tags of %s: %w", r.ID, err)
	}
	slices.Sort(r.Tags)
	r.Created, r.Updated, r.Observed = fromMillis(created), fromMillis(updated), fromMillis(observed)
	r.Accessed, r.Forgotten, r.Erased = fromMillis(accessed), fromMillis(forgotten), fromMillis(erased)
	return r, nil
}

func queryMemories(ctx context.Context, q querier, where string, args ...any) ([]Record, error) {
	return collect(ctx, q, scanMemory, `SELECT `+memoryColumns+` FROM memory m `+where, args...)
}

// Get returns the memory with the given id, or the only one whose id starts
// with it.
func (s *Store) Get(ctx context.Context, id string) (Record, error) { return get(ctx, s.reading, id) }

// Get returns the memory with the given id or unique start of one, as this
// transaction sees it.
func (t *Tx) Get(id string) (Record, error) { return get(t.ctx, t, id) }

// maxAmbiguous bounds how many ids an [AmbiguousError] lists.
const maxAmbiguous = 5

func get(ctx context.Context, q querier, id string) (Record, error) {
	rs, err := queryMemories(ctx, q, `WHERE id = ?`, id)
	if err == nil && len(rs) == 0 && id != "" {
		// ids are lower-case letters and digits, so the next string after
		// every id with this prefix is the prefix followed by '~'
		rs, err = queryMemories(ctx, q, `WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`, id, id+"~", maxAmbiguous)
	}
	switch {
	case err != nil:
		return Record{}, err
	case len(rs) == 0:
		return Record{}, fmt.Errorf("memory %q: %w", id, ErrNotFound)
	case len(rs) > 1:
		e := &AmbiguousError{Prefix: id}
		for _, r := range rs {
			e.IDs = append(e.IDs, r.ID)
		}
		return Record{}, e
	}
	return rs[0], nil
}

// ByID returns the memory with exactly the given id.
func (t *Tx) ByID(id string) (Record, error) {
	r, err := scanMemory(t.QueryRowContext(t.ctx, `SELECT `+memoryColumns+` FROM memory m WHERE id = ?`, id))
	return r, classify(err)
}

// CorrectedBy returns the id of the memory that the given one corrects, as
// the corrected one tells it, or "".
func (t *Tx) CorrectedBy(id string) (string, error) {
	var corrected string
	err := t.QueryRowContext(t.ctx, `SELECT id FROM memory WHERE superseded_by = ? AND superseded_by <> ''`, id).Scan(&corrected)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return corrected, classify(err)
}

// BySeq returns the memories with the given row numbers, keyed by them. Rows
// that do not exist are left out.
func (s *Store) BySeq(ctx context.Context, seqs []int64) (map[int64]Record, error) {
	if len(seqs) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(seqs)
	if err != nil {
		return nil, err
	}
	rs, err := queryMemories(ctx, s.reading, `WHERE seq IN (SELECT value FROM json_each(?))`, string(list))
	if err != nil {
		return nil, err
	}
	out := make(map[int64]Record, len(rs))
	for _, r := range rs {
		out[r.Seq] = r
	}
	return out, nil
}

// EachMemory calls fn with the row number and the hash of every memory that is
// not erased, in order.
func (s *Store) EachMemory(ctx context.Context, fn func(seq int64, hash string) error) error {
	return s.each(ctx, `SELECT seq, hash FROM memory WHERE erased = 0 ORDER BY seq`, fn)
}

func (s *Store) each(ctx context.Context, query string, fn func(seq int64, hash string) error) error {
	rows, err := s.reading.QueryContext(ctx, query)
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		var seq int64
		var hash string
		if err := rows.Scan(&seq, &hash); err != nil {
			return classify(err)
		}
		if err := fn(seq, hash); err != nil {
			return err
		}
	}
	return classify(rows.Err())
}

// ByHash returns the memories of a realm whose normalised content has the
// given hash.
func (t *Tx) ByHash(realm, hash string) ([]Record, error) {
	return queryMemories(t.ctx, t, `WHERE hash = ? AND realm = ? ORDER BY seq`, hash, realm)
}

// BySeq returns the memory with the given row number as this transaction sees
// it.
func (t *Tx) BySeq(seq int64) (Record, error) {
	r, err := scanMemory(t.QueryRowContext(t.ctx, `SELECT `+memoryColumns+` FROM memory m WHERE seq = ?`, seq))
	return r, classify(err)
}

// Insert stores a new memory and sets its Seq and Rev.
func (t *Tx) Insert(r *Record) error {
	provenance, err := json.Marshal(r.Provenance)
	if err != nil {
		return err
	}
	err = t.QueryRowContext(t.ctx, `INSERT INTO memory (id, rev, kind, content, hash, realm, visibility, state, pinned,
		mean, variance, n, tau, decay_rate, source, trust, provenance, supersedes, superseded_by, pair,
		created, updated, observed, accessed, access_count, forgotten, erased)
		VALUES (?, (SELECT coalesce(max(rev), 0) + 1 FROM memory), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		RETURNING seq, rev`,
		r.ID, r.Kind, r.Content, r.Hash, r.Realm, r.Visibility, r.State, r.Pinned,
		r.Confidence.Mean, r.Confidence.Variance, r.Confidence.N, r.Confidence.Tau, r.DecayRate,
		r.Source, r.Trust, string(provenance), r.Supersedes, r.SupersededBy, r.Pair,
		millis(r.Created), millis(r.Updated), millis(r.Observed), millis(r.Accessed), r.AccessCount,
		millis(r.Forgotten), millis(r.Erased)).Scan(&r.Seq, &r.Rev)
	if err != nil {
		return err
	}
	return t.setTags(r.Seq, r.Tags)
}

// Update stores all of a memory's fields again and moves it to the end of the
// sequence of changes.
func (t *Tx) Update(r *Record) error {
	provenance, err := json.Marshal(r.Provenance)
	if err != nil {
		return err
	}
	err = t.QueryRowContext(t.ctx, `UPDATE memory SET rev = (SELECT max(rev) + 1 FROM memory),
		kind = ?, content = ?, hash = ?, realm = ?, visibility = ?, state = ?, pinned = ?,
		mean = ?, variance = ?, n = ?, tau = ?, decay_rate = ?, source = ?, trust = ?, provenance = ?,
		supersedes = ?, superseded_by = ?, pair = ?, created = ?, updated = ?, observed = ?, accessed = ?,
		access_count = ?, forgotten = ?, erased = ? WHERE seq = ? RETURNING rev`,
		r.Kind, r.Content, r.Hash, r.Realm, r.Visibility, r.State, r.Pinned,
		r.Confidence.Mean, r.Confidence.Variance, r.Confidence.N, r.Confidence.Tau, r.DecayRate,
		r.Source, r.Trust, string(provenance), r.Supersedes, r.SupersededBy, r.Pair,
		millis(r.Created), millis(r.Updated), millis(r.Observed), millis(r.Accessed), r.AccessCount,
		millis(r.Forgotten), millis(r.Erased), r.Seq).Scan(&r.Rev)
	if err != nil {
		return err
	}
	if err := t.exec(`DELETE FROM memory_tag WHERE memory = ?`, r.Seq); err != nil {
		return err
	}
	if !r.Erased.IsZero() {
		if err := t.exec(`DELETE FROM anchor WHERE memory = ?`, r.Seq); err != nil {
			return err
		}
	}
	return t.setTags(r.Seq, r.Tags)
}

func (t *Tx) setTags(seq int64, tags []string) error {
	for _, tag := range tags {
		if err := t.exec(`INSERT OR IGNORE INTO memory_tag (tag, memory) VALUES (?, ?)`, tag, seq); err != nil {
			return err
		}
	}
	return nil
}

// Touch adds to access counts without counting as a change of the memory.
func (t *Tx) Touch(seq int64, times int, last time.Time) error {
	return t.exec(`UPDATE memory SET access_count = access_count + ?, accessed = max(accessed, ?) WHERE seq = ?`,
		times, millis(last), seq)
}

// EraseHistory empties what the history of a memory says about its text.
func (t *Tx) EraseHistory(id string) error {
	return t.exec(`UPDATE memory_change SET detail = '{}' WHERE memory = (SELECT seq FROM memory WHERE id = ?)`, id)
}

// Filter chooses memories. Empty fields do not restrict.
type Filter struct {
	IDs          []string
	Kinds        []memory.Kind
	Tags         []string // all of them
	Realm        string   // this realm, plus what its Reach lets in
	Reach        Reach
	States       []memory.Status
	Sources      []memory.Source
	Text         string    // substring, letters compared without case
	Since, Until time.Time // by creation; Since inclusive, Until exclusive
	Pinned       bool      // only pinned ones
	Session      string    // only what was learned in this client session
	// ForgottenBefore restricts to those forgotten before this time.
	ForgottenBefore time.Time
	Erased          bool // include erased ones

	After  int64 // only rows beyond this one in the listing order (a cursor)
	Limit  int   // 0 = no limit
	Oldest bool  // oldest first instead of newest first
	ByRev  bool  // in the sequence of changes, After being a Rev
}

// Reach says what of other realms a filter lets in.
type Reach uint8

// How far a query looks beyond its realm.
const (
	ReachGlobal Reach = iota // its own and what is global
	ReachShared              // also what other realms share
	ReachOnly                // nothing but its own
)

func (f *Filter) sql() (string, []any) {
	var conds []string
	var args []any
	add := func(cond string, a ...any) { conds = append(conds, cond); args = append(args, a...) }
	in := func(column string, values any) {
		list, _ := json.Marshal(values) // slices of strings and numbers cannot fail
		add(column+` IN (SELECT value FROM json_each(?))`, string(list))
	}
	if len(f.IDs) > 0 {
		in("id", f.IDs)
	}
	if len(f.Kinds) > 0 {
		numbers := make([]int, len(f.Kinds))
		for i, k := range f.Kinds {
			numbers[i] = int(k)
		}
		in("kind", numbers)
	}
	for _, tag := range f.Tags {
		add(`EXISTS (SELECT 1 FROM memory_tag t WHERE t.memory = m.seq AND t.tag = ?)`, tag)
	}
	if f.Realm != "" {
		switch f.Reach {
		case ReachOnly:
			add(`realm = ?`, f.Realm)
		case ReachShared:
			add(`(realm = ? OR visibility IN ('global', 'shared'))`, f.Realm)
		default:
			add(`(realm = ? OR visibility = 'global')`, f.Realm)
		}
	}
	switch len(f.States) {
	case 0:
	case 1: // by the index, which has them in order of time
		add(`state = ?`, f.States[0])
	default:
		in("state", f.States)
	}
	if len(f.Sources) > 0 {
		in("source", f.Sources)
	}
	if f.Text != "" {
		add(`instr(lower(content), lower(?)) > 0`, f.Text)
	}
	if !f.Since.IsZero() {
		add(`created >= ?`, millis(f.Since))
	}
	if !f.Until.IsZero() {
		add(`created < ?`, millis(f.Until))
	}
	if f.Pinned {
		add(`pinned`)
	}
	if f.Session != "" {
		add(sessionOf+` = ?`, f.Session)
	}
	if !f.ForgottenBefore.IsZero() {
		add(`forgotten < ?`, millis(f.ForgottenBefore))
	}
	if !f.Erased {
		add(`erased = 0`)
	}
	if len(conds) == 0 {
		return "", nil
	}
	return `WHERE ` + strings.Join(conds, ` AND `), args
}

// List returns the memories a filter chooses, newest first unless it says
// otherwise.
func (s *Store) List(ctx context.Context, f Filter) ([]Record, error) {
	where, args := f.sql()
	order, compare := "created DESC, seq DESC", ""
	switch {
	case f.ByRev:
		order, compare = "rev", `rev > ?`
	case f.Oldest:
		order, compare = "created, seq", `(created, seq) > (SELECT created, seq FROM memory WHERE seq = ?)`
	default:
		compare = `(created, seq) < (SELECT created, seq FROM memory WHERE seq = ?)`
	}
	if f.After != 0 || f.ByRev {
		if where == "" {
			where = `WHERE ` + compare
		} else {
			where += ` AND ` + compare
		}
		args = append(args, f.After)
	}
	where += ` ORDER BY ` + order
	if f.Limit > 0 {
		where += ` LIMIT ?`
		args = append(args, f.Limit)
	}
	return queryMemories(ctx, s.reading, where, args...)
}

// Count returns how many memories a filter chooses, its cursor and limit left
// aside.
func (s *Store) Count(ctx context.Context, f Filter) (int, error) {
	where, args := f.sql()
	var n int
	err := s.reading.QueryRowContext(ctx, `SELECT count(*) FROM memory m `+where, args...).Scan(&n)
	return n, classify(err)
}

// LastRev returns the end of the sequence of changes.
func (s *Store) LastRev(ctx context.Context) (int64, error) {
	return s.lastRev(ctx, `SELECT max(rev) FROM memory`)
}
