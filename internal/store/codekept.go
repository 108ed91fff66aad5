package store

import (
	"context"
	"fmt"
)

// keptProjects reads which projects a file of another version has, as far as it
// can be read: their source is to be read again, but nobody should have to name
// them again.
func keptProjects(ctx context.Context, path string) []CodeProject {
	db, err := connect(path, true)
	if err != nil {
		return nil
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, `SELECT root, realm, begun FROM project ORDER BY root`)
	if err != nil {
		return nil
	}
	defer rows.Close()
	var out []CodeProject
	for rows.Next() {
		var p CodeProject
		var begun int64
		if rows.Scan(&p.Root, &p.Realm, &begun) != nil {
			return out
		}
		p.Begun = fromMillis(begun)
		p.Changed = p.Begun
		out = append(out, p)
	}
	return out
}

// keep stores projects without anything of their source: an index that has not
// come to its end.
func (c *Code) keep(ctx context.Context, projects []CodeProject) error {
	for _, p := range projects {
		if _, err := c.PutProject(ctx, p); err != nil {
			return fmt.Errorf("keep project: %w", err)
		}
	}
	return nil
}
