package store

import "context"

// SymbolsOfProject returns those of some symbols that are of a project, by id.
func (c *Code) SymbolsOfProject(ctx context.Context, project int64, ids []int64) (map[int64]CodeFound, error) {
	found, err := c.SymbolsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	for id, s := range found {
		var of int64
		if err := c.read.QueryRowContext(ctx, `SELECT project FROM file WHERE id = ?`, s.File).Scan(&of); err != nil {
			return nil, classify(err)
		}
		if of != project {
			delete(found, id)
		}
	}
	return found, nil
}
