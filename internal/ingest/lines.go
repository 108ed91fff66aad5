package ingest

import (
	"context"

	"chitta/internal/session"
	"chitta/internal/store"
)

// Lines are those of a log that comes without a file.
type Lines struct {
	Format  session.Format
	Text    []string
	Session string // what turns belong to that name no session
	Realm   string // id of where they go
}

// ReadLines takes over lines, all good ones together, and returns what became
// of them and the bad ones.
func (m *Ingester) ReadLines(ctx context.Context, in Lines) (LineCounts, []store.Quarantined, error) {
	r := m.newReader(ctx, in.Format)
	b := &batch{counts: newLineCounts()}
	for _, line := range in.Text {
		r.number++
		b.counts.Lines++
		r.record(b, []byte(line), 0)
	}
	var counts LineCounts
	err := m.store.Write(ctx, func(tx *store.Tx) error {
		counts = b.counts.clone()
		return m.storeRecords(tx, target{format: in.Format, realm: in.Realm, unnamed: in.Session}, 0, b, &counts)
	})
	if err != nil {
		return LineCounts{}, nil, err
	}
	m.stored(ctx, in.Format.Name(), b.stored)
	return counts, b.bad, m.after(ctx)
}
