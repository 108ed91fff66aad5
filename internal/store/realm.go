package store

import (
	"context"
	"encoding/json"
	"fmt"

	"chitta/internal/memory"
)

// realmIdentity is how a realm's marks of recognition are stored.
type realmIdentity struct {
	Roots   []string `json:"roots,omitempty"`
	Remotes []string `json:"remotes,omitempty"`
	Dirs    []string `json:"dirs,omitempty"`
	Paths   []string `json:"paths,omitempty"`
}

// Realms returns all realms, oldest first.
func (s *Store) Realms(ctx context.Context) ([]memory.Realm, error) { return realms(ctx, s.reading) }

// RealmNames returns the names of all realms by id.
func (s *Store) RealmNames(ctx context.Context) (map[string]string, error) {
	all, err := s.Realms(ctx)
	names := make(map[string]string, len(all))
	for _, r := range all {
		names[r.ID] = r.Name
	}
	return names, err
}

// Realms returns all realms as this transaction sees them.
func (t *Tx) Realms() ([]memory.Realm, error) { return realms(t.ctx, t) }

func realms(ctx context.Context, q querier) ([]memory.Realm, error) {
	rows, err := q.QueryContext(ctx, `SELECT id, name, kind, visibility, identity, created, updated FROM realm ORDER BY created, id`)
	if err != nil {
		return nil, classify(err)
	}
	defer rows.Close()
	var out []memory.Realm
	for rows.Next() {
		var r memory.Realm
		var identity string
		var created, updated int64
		if err := rows.Scan(&r.ID, &r.Name, &r.Kind, &r.Visibility, &identity, &created, &updated); err != nil {
			return nil, classify(err)
		}
		var id realmIdentity
		if err := json.Unmarshal([]byte(identity), &id); err != nil {
			return nil, fmt.Errorf("identity of realm %s: %w", r.ID, err)
		}
		r.Roots, r.Remotes, r.Dirs, r.Paths = id.Roots, id.Remotes, id.Dirs, id.Paths
		r.Created, r.Updated = fromMillis(created), fromMillis(updated)
		out = append(out, r)
	}
	return out, classify(rows.Err())
}

// PutRealm stores a realm, new or changed.
func (t *Tx) PutRealm(r memory.Realm) error {
	identity, err := json.Marshal(realmIdentity{Roots: r.Roots, Remotes: r.Remotes, Dirs: r.Dirs, Paths: r.Paths})
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO realm (id, name, kind, visibility, identity, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, visibility = excluded.visibility,
		identity = excluded.identity, updated = excluded.updated`,
		r.ID, r.Name, r.Kind, r.Visibility, string(identity), millis(r.Created), millis(r.Updated))
}
