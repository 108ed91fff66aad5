package store

import "context"

// What a graph asks of source code beyond what questions about code do: things
// by their exact names, and a bounded part of everything.

// CodeFilesAt returns the numbers of files of a project that are indexed, by
// their paths.
func (c *Code) CodeFilesAt(ctx context.Context, project int64, paths []string) (map[string]int64, error) {
	out := map[string]int64{}
	_, args, err := lists(paths)
	if err != nil || len(paths) == 0 {
		return out, err
	}
	_, err = collect(ctx, c.read, func(row scanner) (x struct{}, err error) {
		var path string
		var id int64
		err = row.Scan(&path, &id)
		out[path] = id
		return x, err
	}, `SELECT f.path, f.id FROM json_each(?) w CROSS JOIN file f ON f.project = ? AND f.path = w.value WHERE f.skipped = ''`, append(args, project)...)
	return out, err
}

// CallsOfFiles returns the calls of the code of files that stands outside of
// functions, at most so many.
func (c *Code) CallsOfFiles(ctx context.Context, files []int64, limit int) ([]CodeCall, error) {
	_, args, err := lists(files)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	return collect(ctx, c.read, scanCodeCall, `SELECT `+codeCallColumns+` FROM json_each(?) w
		CROSS JOIN edge e ON e.file = w.value CROSS JOIN file f ON f.id = e.file WHERE e.src = 0 LIMIT ?`, append(args, limit)...)
}

// SymbolsWithin returns the symbols of a project whose paths begin with one of
// some paths and go on behind a dot, at most so many.
func (c *Code) SymbolsWithin(ctx context.Context, project int64, paths []string, limit int) ([]CodeFound, error) {
	_, args, err := lists(paths)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	return collect(ctx, c.read, scanCodeFound, `SELECT `+codeFoundColumns+` FROM json_each(?) w
		CROSS JOIN symbol s ON s.path > w.value || '.' AND s.path < w.value || '/' AND s.project = ?
		CROSS JOIN file f ON f.id = s.file LIMIT ?`, append(args, project, limit)...)
}

// ImportsNamed returns the imports of a project that are written so, or are that
// outside of it. It looks through all of them.
func (c *Code) ImportsNamed(ctx context.Context, project int64, name string, limit int) ([]CodeLink, error) {
	return collect(ctx, c.read, scanCodeLink, `SELECT `+codeLinkColumns+` FROM (SELECT need.*, (SELECT min(target) FROM reach WHERE reach.id = need.reach) target
		FROM file CROSS JOIN need ON need.file = file.id WHERE file.project = ?1 AND (need.module = ?2 OR need.external = ?2)) i
		CROSS JOIN file f ON f.id = i.file ORDER BY f.path, i.line LIMIT ?3`, project, name, limit)
}

// InheritsNamed returns the types of a project that take from something outside
// of it which is written so. It looks through all of them.
func (c *Code) InheritsNamed(ctx context.Context, project int64, text string, limit int) ([]CodeInherit, error) {
	return collect(ctx, c.read, scanCodeInherit, `SELECT `+codeInheritColumns+` FROM file f CROSS JOIN inherit h ON h.file = f.id
		WHERE f.project = ? AND h.super IS NULL AND h.text = ? LIMIT ?`, project, text, limit)
}

const codeInheritColumns = `h.sub, coalesce(h.super, 0), h.text, h.kind`

func scanCodeInherit(row scanner) (h CodeInherit, err error) {
	return h, row.Scan(&h.Sub, &h.Super, &h.Text, &h.Kind)
}

// SomeCalls returns calls of a project that are at least so sure, by file and at
// most so many.
func (c *Code) SomeCalls(ctx context.Context, project int64, sure float64, limit int) ([]CodeCall, error) {
	return collect(ctx, c.read, scanCodeCall, `SELECT `+codeCallColumns+` FROM file f CROSS JOIN edge e ON e.file = f.id
		WHERE f.project = ? AND e.confidence >= ? LIMIT ?`, project, sure, limit)
}

// SomeInherits returns what types of a project take from, by file and at most so
// many.
func (c *Code) SomeInherits(ctx context.Context, project int64, limit int) ([]CodeInherit, error) {
	return collect(ctx, c.read, scanCodeInherit, `SELECT `+codeInheritColumns+` FROM file f CROSS JOIN inherit h ON h.file = f.id
		WHERE f.project = ? LIMIT ?`, project, limit)
}

// SomeFiles returns paths of indexed files of a project, at most so many.
func (c *Code) SomeFiles(ctx context.Context, project int64, limit int) ([]string, error) {
	return collect(ctx, c.read, func(row scanner) (path string, err error) { return path, row.Scan(&path) },
		`SELECT path FROM file WHERE project = ? AND skipped = '' ORDER BY path LIMIT ?`, project, limit)
}
