package store

import (
	"context"
	"os"
	"time"

	"chitta/internal/memory"
)

// Stats counts what is stored.
type Stats struct {
	ByState      map[memory.Status]int
	ByKind       map[memory.Kind]int // active ones
	ByRealm      map[string]int      // active ones
	BySource     map[memory.Source]int
	Pinned       int
	Tags         int // distinct
	Changes      int
	TextBytes    int64
	FileBytes    int64
	LogBytes     int64 // of the write-ahead log
	Oldest       time.Time
	Newest       time.Time
	SchemaLatest int64
}

// Stats counts what is stored.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	st := Stats{
		ByState: map[memory.Status]int{}, ByKind: map[memory.Kind]int{},
		ByRealm: map[string]int{}, BySource: map[memory.Source]int{},
	}
	rows, err := s.reading.QueryContext(ctx, `SELECT state, kind, realm, source, count(*), sum(pinned), sum(octet_length(content)),
		min(created), max(created) FROM memory WHERE erased = 0 GROUP BY state, kind, realm, source`)
	if err != nil {
		return st, classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		var state memory.Status
		var kind memory.Kind
		var realm string
		var source memory.Source
		var n, pinned int
		var text, oldest, newest int64
		if err := rows.Scan(&state, &kind, &realm, &source, &n, &pinned, &text, &oldest, &newest); err != nil {
			return st, classify(err)
		}
		st.ByState[state] += n
		st.TextBytes += text
		if state != memory.Active {
			continue
		}
		st.ByKind[kind] += n
		st.ByRealm[realm] += n
		st.BySource[source] += n
		st.Pinned += pinned
		if t := fromMillis(oldest); st.Oldest.IsZero() || t.Before(st.Oldest) {
			st.Oldest = t
		}
		if t := fromMillis(newest); t.After(st.Newest) {
			st.Newest = t
		}
	}
	if err := rows.Err(); err != nil {
		return st, classify(err)
	}
	err = s.reading.QueryRowContext(ctx, `SELECT (SELECT count(DISTINCT tag) FROM memory_tag), (SELECT count(*) FROM memory_change),
		(SELECT max(version_id) FROM goose_db_version)`).Scan(&st.Tags, &st.Changes, &st.SchemaLatest)
	if err != nil {
		return st, classify(err)
	}
	for suffix, size := range map[string]*int64{"": &st.FileBytes, "-wal": &st.LogBytes} {
		if fi, err := os.Stat(s.opts.Path + suffix); err == nil {
			*size = fi.Size()
		}
	}
	return st, nil
}

// Captured counts what was learned without anybody saying so in one session.
type Captured struct {
	Session   string
	Kind      memory.Kind
	Memories  int
	Converged int // of them, those that somebody also said
}

// Captured counts what was learned without anybody saying so, by session and
// kind.
func (s *Store) Captured(ctx context.Context) ([]Captured, error) {
	scan := func(row scanner) (c Captured, err error) {
		err = row.Scan(&c.Session, &c.Kind, &c.Memories, &c.Converged)
		return c, err
	}
	return collect(ctx, s.reading, scan, `SELECT coalesce(json_extract(provenance, '$.session'), ''), kind, count(*), sum(pair <> '')
		FROM memory WHERE source = ? AND erased = 0 GROUP BY 1, 2 ORDER BY 1, 2`, memory.Subconscious)
}
