package store

import "context"

// Anchor says what of the code a memory speaks of.
type Anchor struct {
	Memory   int64
	Path     string // from the project's root with slashes, or absolute outside of it
	Symbol   string // "" is the whole file
	Hash     string // of the symbol's body when the memory was made, or ""
	Revision string // the commit of then, or ""
}

func scanAnchor(row scanner) (Anchor, error) {
	var a Anchor
	err := row.Scan(&a.Memory, &a.Path, &a.Symbol, &a.Hash, &a.Revision)
	return a, err
}

// AddAnchors notes what a memory speaks of, beside what was noted before.
func (t *Tx) AddAnchors(anchors ...Anchor) error {
	for _, a := range anchors {
		if err := t.exec(`INSERT INTO anchor (memory, path, symbol, hash, revision) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (memory, path, symbol) DO UPDATE SET hash = excluded.hash, revision = excluded.revision`,
			a.Memory, a.Path, a.Symbol, a.Hash, a.Revision); err != nil {
			return err
		}
	}
	return nil
}

// AnchorsOf returns what memories speak of.
func (s *Store) AnchorsOf(ctx context.Context, memories []int64) (map[int64][]Anchor, error) {
	in, args, err := lists(memories)
	if err != nil || len(memories) == 0 {
		return nil, err
	}
	list, err := collect(ctx, s.reading, scanAnchor, `SELECT memory, path, symbol, hash, revision FROM anchor WHERE memory IN `+in+` ORDER BY memory, path, symbol`, args...)
	out := map[int64][]Anchor{}
	for _, a := range list {
		out[a.Memory] = append(out[a.Memory], a)
	}
	return out, err
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
