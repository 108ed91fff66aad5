package store

import (
	"context"
	"time"
)

// Anchor says what of the code a memory speaks of.
type Anchor struct {
	Memory    int64
	Path      string    // from the project's root with slashes, or absolute outside of it
	Symbol    string    // "" is the whole file
	Hash      string    // of the symbol's body or the file's text when it was taken, or ""
	Revision  string    // the commit of then, or ""
	Signature string    // of the symbol then, or ""
	Taken     time.Time // when the hash was taken; zero is never
	Named     Naming
}

// Naming is how a memory came by an anchor.
type Naming int

// Ways to an anchor.
const (
	NamedNot   Naming = iota // the memory has to do with it
	NamedText                // its text names it
	NamedGiven               // somebody named it
)

const anchorColumns = `memory, path, symbol, hash, revision, signature, taken, named`

func scanAnchor(row scanner) (Anchor, error) {
	var a Anchor
	var taken int64
	err := row.Scan(&a.Memory, &a.Path, &a.Symbol, &a.Hash, &a.Revision, &a.Signature, &taken, &a.Named)
	a.Taken = fromMillis(taken)
	return a, err
}

// AddAnchors notes what a memory speaks of, beside what was noted before. A hash
// takes the place of an earlier one; none does not.
func (t *Tx) AddAnchors(anchors ...Anchor) error {
	for _, a := range anchors {
		if err := t.exec(`INSERT INTO anchor (`+anchorColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (memory, path, symbol) DO UPDATE SET named = max(named, excluded.named),
				hash = CASE excluded.hash WHEN '' THEN hash ELSE excluded.hash END,
				revision = CASE excluded.hash WHEN '' THEN revision ELSE excluded.revision END,
				signature = CASE excluded.hash WHEN '' THEN signature ELSE excluded.signature END,
				taken = CASE excluded.hash WHEN '' THEN taken ELSE excluded.taken END`,
			a.Memory, a.Path, a.Symbol, a.Hash, a.Revision, a.Signature, millis(a.Taken), a.Named); err != nil {
			return err
		}
	}
	return nil
}

// DropAnchors takes anchors of memories away.
func (t *Tx) DropAnchors(anchors ...Anchor) error {
	for _, a := range anchors {
		if err := t.exec(`DELETE FROM anchor WHERE memory = ? AND path = ? AND symbol = ?`, a.Memory, a.Path, a.Symbol); err != nil {
			return err
		}
	}
	return nil
}

// MarkAnchor writes the hash and the signature of an anchor another way, unless it
// was taken away or taken anew since it was read.
func (t *Tx) MarkAnchor(a Anchor, hash, signature string) error {
	return t.exec(`UPDATE anchor SET hash = ?, signature = ? WHERE memory = ? AND path = ? AND symbol = ? AND hash = ?`,
		hash, signature, a.Memory, a.Path, a.Symbol, a.Hash)
}

// AnchorsOf returns what memories speak of.
func (s *Store) AnchorsOf(ctx context.Context, memories []int64) (map[int64][]Anchor, error) {
	in, args, err := lists(memories)
	if err != nil || len(memories) == 0 {
		return nil, err
	}
	list, err := collect(ctx, s.reading, scanAnchor, `SELECT `+anchorColumns+` FROM anchor WHERE memory IN `+in+` ORDER BY memory, path, symbol`, args...)
	out := map[int64][]Anchor{}
	for _, a := range list {
		out[a.Memory] = append(out[a.Memory], a)
	}
	return out, err
}

// AnchoredMemories returns the active memories of a realm that name code, or of
// all realms for "", by row, from behind a row on.
func (s *Store) AnchoredMemories(ctx context.Context, realm string, after int64, limit int) ([]Record, error) {
	return queryMemories(ctx, s.reading, `WHERE state = 'active' AND (?1 = '' OR realm = ?1) AND seq > ?2
		AND seq IN (SELECT memory FROM anchor WHERE named > 0) ORDER BY seq LIMIT ?3`, realm, after, limit)
}

// MemoriesAbout returns the active memories of a realm, or global ones, that
// speak of one of the files; the last changed first.
func (s *Store) MemoriesAbout(ctx context.Context, realm string, paths []string, limit int) ([]Record, error) {
	in, args, err := lists(paths)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	return queryMemories(ctx, s.reading, `WHERE state = 'active' AND (realm = ? OR visibility = 'global')
		AND seq IN (SELECT memory FROM anchor WHERE path IN `+in+`) ORDER BY rev DESC LIMIT ?`,
		append(append([]any{realm}, args...), limit)...)
}
