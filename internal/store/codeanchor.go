package store

import "context"

// What anchors of memories are held against.

// CodeStamp is which text of a file the index holds.
type CodeStamp struct {
	Path     string
	Hash     []byte // SHA-256 of the text
	Size     int64
	Modified int64 // nanoseconds since 1970; 0: look at the text
	Stale    bool  // symbols are of an earlier text
	Skipped  string
}

// CodeStamps returns which texts of files the index of a root holds.
func (c *Code) CodeStamps(ctx context.Context, root string, paths []string) (map[string]CodeStamp, error) {
	_, args, err := lists(paths)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	list, err := collect(ctx, c.read, func(row scanner) (s CodeStamp, err error) {
		var made int64
		err = row.Scan(&s.Path, &s.Hash, &s.Size, &s.Modified, &made, &s.Skipped)
		s.Stale = made == MadeStale || made == MadeNever
		return s, err
	}, `SELECT f.path, f.hash, f.size, f.modified, f.made, f.skipped FROM project p CROSS JOIN json_each(?) w
		CROSS JOIN file f ON f.project = p.id AND f.path = w.value WHERE p.root = ?`, append(args, root)...)
	out := make(map[string]CodeStamp, len(list))
	for _, s := range list {
		out[s.Path] = s
	}
	return out, err
}

// SymbolsByPath returns the symbols of a root with one of some paths, in
// whatever file.
func (c *Code) SymbolsByPath(ctx context.Context, root string, paths []string, limit int) ([]CodeFound, error) {
	_, args, err := lists(paths)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	return collect(ctx, c.read, scanCodeFound, `SELECT `+codeFoundColumns+` FROM project p CROSS JOIN json_each(?) w
		CROSS JOIN symbol s ON s.path = w.value AND s.project = p.id CROSS JOIN file f ON f.id = s.file WHERE p.root = ? LIMIT ?`, append(args, root, limit)...)
}

// SymbolsIn returns the symbols of some files of a root that have one of some
// paths. It looks through the files, not through all of a path: some are in
// every file.
func (c *Code) SymbolsIn(ctx context.Context, root string, files, paths []string) ([]CodeFound, error) {
	_, args, err := lists(files, paths)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	return collect(ctx, c.read, scanCodeFound, `SELECT `+codeFoundColumns+` FROM project p CROSS JOIN json_each(?1) w
		CROSS JOIN file f ON f.project = p.id AND f.path = w.value CROSS JOIN symbol s ON s.file = f.id
		WHERE p.root = ?3 AND +s.path IN (SELECT value FROM json_each(?2))`, append(args, root)...)
}

// SymbolsOfBody returns the symbols of a file whose body has a hash.
func (c *Code) SymbolsOfBody(ctx context.Context, root, path string, body uint64, limit int) ([]CodeFound, error) {
	return collect(ctx, c.read, scanCodeFound, `SELECT `+codeFoundColumns+` FROM project p CROSS JOIN file f ON f.project = p.id AND f.path = ?
		CROSS JOIN symbol s ON s.file = f.id AND s.body = ? WHERE p.root = ? LIMIT ?`, path, int64(body), root, limit)
}

// SymbolAround returns the innermost symbol around a line, nil without one.
func (c *Code) SymbolAround(ctx context.Context, root, path string, line int) (*CodeFound, error) {
	list, err := collect(ctx, c.read, scanCodeFound, `SELECT `+codeFoundColumns+` FROM project p CROSS JOIN file f ON f.project = p.id AND f.path = ?
		CROSS JOIN symbol s ON s.file = f.id AND ? BETWEEN s.line AND s.end_line WHERE p.root = ? AND s.kind <> 'lambda'
		ORDER BY s.end_line - s.line, s.idx LIMIT 1`, path, line, root)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// SymbolsCalled returns the symbols of a root whose names in lower case are among
// some.
func (c *Code) SymbolsCalled(ctx context.Context, root string, folded []string, limit int) ([]CodeFound, error) {
	_, args, err := lists(folded)
	if err != nil || len(folded) == 0 {
		return nil, err
	}
	return collect(ctx, c.read, scanCodeFound, `SELECT `+codeFoundColumns+` FROM project p CROSS JOIN json_each(?) w
		CROSS JOIN symbol s ON s.folded = w.value AND s.project = p.id CROSS JOIN file f ON f.id = s.file WHERE p.root = ? LIMIT ?`, append(args, root, limit)...)
}

// CodePathsNamed returns the files of a root that have a name without folders.
func (c *Code) CodePathsNamed(ctx context.Context, root, base string, limit int) ([]string, error) {
	return collect(ctx, c.read, func(row scanner) (path string, err error) { return path, row.Scan(&path) },
		`SELECT f.path FROM project p CROSS JOIN file f ON f.project = p.id
		WHERE p.root = ?1 AND (f.path = ?2 OR substr(f.path, -length(?2) - 1) = '/' || ?2) ORDER BY f.path LIMIT ?3`, root, base, limit)
}
