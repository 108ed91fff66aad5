package store

import (
	"context"
	"fmt"
	"time"
)

// Questions about source code. Joins are written as CROSS JOIN to keep the order
// they have: tables are never analysed, and the best order is known.

// CodeFound is a symbol with the file that it stands in.
type CodeFound struct {
	CodeSymbol
	File     int64
	FilePath string
	Lang     string
}

const codeFoundColumns = `s.id, s.idx, s.name, s.folded, s.path, s.qualified, s.kind, s.signature, s.doc, s.line, s.end_line,
	coalesce(s.parent, 0), s.exported, s.body, s.file, f.path, f.lang`

func scanCodeFound(row scanner) (s CodeFound, err error) {
	var body int64
	err = row.Scan(&s.ID, &s.Index, &s.Name, &s.Folded, &s.Path, &s.Qualified, &s.Kind, &s.Signature, &s.Doc, &s.Line, &s.EndLine,
		&s.Parent, &s.Exported, &body, &s.File, &s.FilePath, &s.Lang)
	s.Body = uint64(body)
	return s, err
}

// SymbolsNamed returns the symbols of a project with a name, in lower case.
func (c *Code) SymbolsNamed(ctx context.Context, project int64, folded string, limit int) ([]CodeFound, error) {
	return collect(ctx, c.read, scanCodeFound, `SELECT `+codeFoundColumns+` FROM symbol s CROSS JOIN file f ON f.id = s.file
		WHERE s.folded = ? AND s.project = ? LIMIT ?`, folded, project, limit)
}

// afterAll sorts behind every text that begins with what it is put behind.
const afterAll = "\U0010FFFF"

// SymbolsBeginning returns symbols whose names in lower case begin with a text
// and go on, in the order of names.
func (c *Code) SymbolsBeginning(ctx context.Context, project int64, prefix string, limit int) ([]CodeFound, error) {
	return collect(ctx, c.read, scanCodeFound, `SELECT `+codeFoundColumns+` FROM symbol s CROSS JOIN file f ON f.id = s.file
		WHERE s.folded > ?1 AND s.folded < ?1 || ?2 AND s.project = ?3 ORDER BY s.folded LIMIT ?4`, prefix, afterAll, project, limit)
}

// SymbolsByID returns symbols by their ids.
func (c *Code) SymbolsByID(ctx context.Context, ids []int64) (map[int64]CodeFound, error) {
	out := make(map[int64]CodeFound, len(ids))
	_, args, err := lists(ids)
	if err != nil || len(ids) == 0 {
		return out, err
	}
	list, err := collect(ctx, c.read, scanCodeFound, `SELECT `+codeFoundColumns+` FROM json_each(?) w
		CROSS JOIN symbol s ON s.id = w.value CROSS JOIN file f ON f.id = s.file`, args...)
	for _, s := range list {
		out[s.ID] = s
	}
	return out, err
}

// SymbolOf returns a symbol of a project by its id, nil if it has none.
func (c *Code) SymbolOf(ctx context.Context, project, id int64) (*CodeFound, error) {
	list, err := collect(ctx, c.read, scanCodeFound, `SELECT `+codeFoundColumns+` FROM symbol s CROSS JOIN file f ON f.id = s.file
		WHERE s.id = ? AND s.project = ?`, id, project)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// SymbolsOfFiles returns the symbols of files in the order of the text.
func (c *Code) SymbolsOfFiles(ctx context.Context, files []int64) ([]CodeFound, error) {
	_, args, err := lists(files)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	return collect(ctx, c.read, scanCodeFound, `SELECT `+codeFoundColumns+` FROM json_each(?) w
		CROSS JOIN symbol s ON s.file = w.value CROSS JOIN file f ON f.id = s.file`, args...)
}

// CodeFilesNamed returns the files of a project whose path is a text or ends
// with it behind a slash, without their facts.
func (c *Code) CodeFilesNamed(ctx context.Context, project int64, path string, limit int) ([]CodeFile, error) {
	return collect(ctx, c.read, func(row scanner) (f CodeFile, err error) {
		return f, row.Scan(&f.ID, &f.Path, &f.Lang, &f.Hash, &f.Size, &f.Modified, &f.Skipped)
	}, `SELECT id, path, lang, hash, size, modified, skipped FROM file WHERE project = ?1 AND (path = ?2 OR substr(path, -length(?2) - 1) = '/' || ?2)
		ORDER BY path <> ?2, length(path), path LIMIT ?3`, project, path, limit)
}

// CodeFilesIn returns paths of files of a project in a folder, at most so many.
func (c *Code) CodeFilesIn(ctx context.Context, project int64, folder string, limit int) ([]string, error) {
	return collect(ctx, c.read, func(row scanner) (path string, err error) { return path, row.Scan(&path) },
		`SELECT path FROM file WHERE project = ?1 AND path > ?2 || '/' AND path < ?2 || '0' AND skipped = '' ORDER BY path LIMIT ?3`, project, folder, limit)
}

// FactsOf returns the facts of a file, nil if it has none.
func (c *Code) FactsOf(ctx context.Context, file int64) ([]byte, error) {
	list, err := collect(ctx, c.read, func(row scanner) (data []byte, err error) { return data, row.Scan(&data) },
		`SELECT data FROM facts WHERE file = ?`, file)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list[0], nil
}

// CodeCall is a call with its target, as asked for.
type CodeCall struct {
	CodeEdge
	File     int64
	FilePath string
}

const codeCallColumns = `e.src, e.dst, e.line, e.rule, e.confidence, e.kind, e.file, f.path`

func scanCodeCall(row scanner) (x CodeCall, err error) {
	return x, row.Scan(&x.Src, &x.Dst, &x.Line, &x.Rule, &x.Confidence, &x.Kind, &x.File, &x.FilePath)
}

// CallsTo returns calls of symbols, at most so many.
func (c *Code) CallsTo(ctx context.Context, ids []int64, limit int) ([]CodeCall, error) {
	return c.codeCalls(ctx, `edge e ON e.dst = w.value`, ids, limit)
}

// CallsFrom returns calls that symbols make, at most so many.
func (c *Code) CallsFrom(ctx context.Context, ids []int64, limit int) ([]CodeCall, error) {
	return c.codeCalls(ctx, `symbol s ON s.id = w.value CROSS JOIN edge e ON e.file = s.file AND e.src = s.id`, ids, limit)
}

// codeCalls returns the calls that a join finds for ids.
func (c *Code) codeCalls(ctx context.Context, join string, ids []int64, limit int) ([]CodeCall, error) {
	_, args, err := lists(ids)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return collect(ctx, c.read, scanCodeCall, `SELECT `+codeCallColumns+` FROM json_each(?) w
		CROSS JOIN `+join+` CROSS JOIN file f ON f.id = e.file LIMIT ?`, append(args, limit)...)
}

// CodeWithin is the rule of a function without a name that is taken to be called
// by what it stands in, and codeWithinSure how sure that is: nearly always it is
// handed to who calls it.
const (
	CodeWithin     = "within"
	codeWithinSure = 0.9
)

// LambdasIn returns functions without a name as calls from what they stand in:
// those in some symbols, or (up) those that some symbols are.
func (c *Code) LambdasIn(ctx context.Context, ids []int64, up bool) ([]CodeCall, error) {
	_, args, err := lists(ids)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	join := `s.parent = w.value AND s.kind = 'lambda'`
	if up {
		join = `s.id = w.value AND s.kind = 'lambda' AND s.parent IS NOT NULL`
	}
	return collect(ctx, c.read, scanCodeCall, `SELECT s.parent, s.id, s.line, ?2, ?3, '', s.file, f.path FROM json_each(?1) w
		CROSS JOIN symbol s ON `+join+` CROSS JOIN file f ON f.id = s.file`, append(args, CodeWithin, codeWithinSure)...)
}

// CallsAcross calls fn with every pair of symbols of a project of which one calls
// the other, src 0 being the code of the file, and how sure the surest call is.
func (c *Code) CallsAcross(ctx context.Context, project int64, fn func(file, src, dst int64, confidence float64)) error {
	rows, err := c.read.QueryContext(ctx, `SELECT e.file, e.src, e.dst, e.confidence FROM file f CROSS JOIN edge e ON e.file = f.id WHERE f.project = ?`, project)
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		var file, src, dst int64
		var confidence float64
		if err := rows.Scan(&file, &src, &dst, &confidence); err != nil {
			return classify(err)
		}
		fn(file, src, dst, confidence)
	}
	return classify(rows.Err())
}

// CodeLoosely is a call without a target, as asked for.
type CodeLoosely struct {
	CodeLoose
	File     int64
	FilePath string
}

const codeLooseColumns = `l.src, l.name, l.target, l.external, l.line, l.kind, l.file, f.path`

func scanCodeLoose(row scanner) (x CodeLoosely, err error) {
	return x, row.Scan(&x.Src, &x.Name, &x.Target, &x.External, &x.Line, &x.Kind, &x.File, &x.FilePath)
}

// LooseNamed returns the calls of a project that have no target and call
// something of a name that is not known to be elsewhere.
func (c *Code) LooseNamed(ctx context.Context, project int64, name string, limit int) ([]CodeLoosely, error) {
	return collect(ctx, c.read, scanCodeLoose, `SELECT `+codeLooseColumns+` FROM loose l CROSS JOIN file f ON f.id = l.file
		WHERE l.name = ? AND NOT l.external AND f.project = ? LIMIT ?`, name, project, limit)
}

// LooseFrom returns the calls without a target that symbols make.
func (c *Code) LooseFrom(ctx context.Context, ids []int64, limit int) ([]CodeLoosely, error) {
	_, args, err := lists(ids)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return collect(ctx, c.read, scanCodeLoose, `SELECT `+codeLooseColumns+` FROM json_each(?) w
		CROSS JOIN symbol s ON s.id = w.value CROSS JOIN loose l ON l.file = s.file AND l.src = s.id CROSS JOIN file f ON f.id = l.file LIMIT ?`, append(args, limit)...)
}

// LooseOfFile returns the calls without a target that the code of a file makes
// outside of functions.
func (c *Code) LooseOfFile(ctx context.Context, file int64, limit int) ([]CodeLoosely, error) {
	return collect(ctx, c.read, scanCodeLoose, `SELECT `+codeLooseColumns+` FROM loose l CROSS JOIN file f ON f.id = l.file
		WHERE l.file = ? AND l.src = 0 LIMIT ?`, file, limit)
}

// LooseNames returns the names that calls without a target in a project call.
func (c *Code) LooseNames(ctx context.Context, project int64) (map[string]bool, error) {
	list, err := collect(ctx, c.read, func(row scanner) (name string, err error) {
		return name, row.Scan(&name)
	}, `SELECT DISTINCT l.name FROM file f CROSS JOIN loose l ON l.file = f.id WHERE f.project = ?`, project)
	out := make(map[string]bool, len(list))
	for _, name := range list {
		out[name] = true
	}
	return out, err
}

// Inherited returns what types take from (up) or which types take from them.
func (c *Code) Inherited(ctx context.Context, ids []int64, up bool) ([]CodeInherit, error) {
	_, args, err := lists(ids)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	end := "super"
	if up {
		end = "sub"
	}
	return collect(ctx, c.read, func(row scanner) (h CodeInherit, err error) {
		return h, row.Scan(&h.Sub, &h.Super, &h.Text, &h.Kind)
	}, `SELECT h.sub, coalesce(h.super, 0), h.text, h.kind FROM json_each(?) w CROSS JOIN inherit h ON h.`+end+` = w.value ORDER BY h.rowid`, args...)
}

// CodeLink is an import, as asked for.
type CodeLink struct {
	Line                int
	Module, Name, Alias string
	Target, External    string // a file of the project or what it is outside of it
	File                int64
	FilePath            string
}

func scanCodeLink(row scanner) (x CodeLink, err error) {
	return x, row.Scan(&x.Line, &x.Module, &x.Name, &x.Alias, &x.Target, &x.External, &x.File, &x.FilePath)
}

const codeLinkColumns = `i.line, i.module, i.name, i.alias, i.target, i.external, i.file, f.path`

// ImportsOf returns what files of a project, by their paths, import.
func (c *Code) ImportsOf(ctx context.Context, project int64, paths []string) ([]CodeLink, error) {
	_, args, err := lists(paths)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	return collect(ctx, c.read, scanCodeLink, `SELECT `+codeLinkColumns+` FROM json_each(?) w
		CROSS JOIN file f ON f.project = ? AND f.path = w.value CROSS JOIN import i ON i.file = f.id ORDER BY f.path, i.line, i.module, i.name, i.target`, append(args, project)...)
}

// ImportersOf returns the imports of a project that reach files by their paths.
func (c *Code) ImportersOf(ctx context.Context, project int64, paths []string) ([]CodeLink, error) {
	_, args, err := lists(paths)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	return collect(ctx, c.read, scanCodeLink, `SELECT `+codeLinkColumns+` FROM json_each(?) w
		CROSS JOIN import i ON i.target = w.value CROSS JOIN file f ON f.id = i.file WHERE f.project = ? ORDER BY f.path, i.line`, append(args, project)...)
}

// CallersInFiles returns for files which other files of their project call what
// stands in them, and how often: a call with several possible targets of a name
// counts once.
func (c *Code) CallersInFiles(ctx context.Context, files []int64) (map[string]int, error) {
	_, args, err := lists(files)
	out := map[string]int{}
	if err != nil || len(files) == 0 {
		return out, err
	}
	_, err = collect(ctx, c.read, func(row scanner) (x struct{}, err error) {
		var path string
		var n int
		err = row.Scan(&path, &n)
		out[path] = n
		return x, err
	}, `SELECT f.path, count(DISTINCT e.src || ' ' || e.line || ' ' || s.name) FROM json_each(?) w CROSS JOIN symbol s ON s.file = w.value CROSS JOIN call e ON e.dst = s.id
		CROSS JOIN file f ON f.id = e.file WHERE e.file <> s.file GROUP BY f.path`, args...)
	return out, err
}

// CodeRank is a symbol and a number that it is ranked by.
type CodeRank struct {
	ID    int64
	Count int
}

// CodeMarks returns for each file of a project what its rows are made from, by
// number, to tell which of them are others than before.
func (c *Code) CodeMarks(ctx context.Context, project int64) (map[int64]int64, error) {
	out := map[int64]int64{}
	_, err := collect(ctx, c.read, func(row scanner) (x struct{}, err error) {
		var id, made int64
		err = row.Scan(&id, &made)
		out[id] = made
		return x, err
	}, `SELECT id, made FROM file WHERE project = ? AND skipped = ''`, project)
	return out, err
}

// CodeRecent is a file and when it was changed.
type CodeRecent struct {
	Path string
	At   time.Time
}

// RecentFiles returns the files of a project, those that were changed last first.
func (c *Code) RecentFiles(ctx context.Context, project int64) ([]CodeRecent, error) {
	return collect(ctx, c.read, func(row scanner) (r CodeRecent, err error) {
		var at int64
		err = row.Scan(&r.Path, &at)
		r.At = time.Unix(0, at)
		return r, err
	}, `SELECT path, CASE modified WHEN 0 THEN at * 1000000 ELSE modified END t FROM file WHERE project = ? AND skipped = '' ORDER BY t DESC, path`, project)
}

// Called returns which symbols of a project something calls.
func (c *Code) Called(ctx context.Context, project int64) (map[int64]bool, error) {
	out := map[int64]bool{}
	err := c.CallsAcross(ctx, project, func(_, src, dst int64, _ float64) {
		if src != dst { // what only calls itself is not called
			out[dst] = true
		}
	})
	if err != nil {
		return nil, fmt.Errorf("calls: %w", err)
	}
	return out, nil
}
