package store

import (
	"context"
	"errors"
	"fmt"
)

// Questions that look at all symbols or calls of a project. Rows are read in the
// order in which they lie, whatever project they are of: to follow an index is
// dearer for every row. Values are taken as the driver gives them, which for
// hundreds of thousands of rows is less than half of what converting them costs.

// CodeListed is a file as a catalogue of symbols lists it.
type CodeListed struct {
	ID   int64
	Path string
	Lang string
	Size int64
	Made int64
}

// CodeListing returns the files of a project that were read, by path.
func (c *Code) CodeListing(ctx context.Context, project int64) ([]CodeListed, error) {
	return collect(ctx, c.read, func(row scanner) (f CodeListed, err error) {
		return f, row.Scan(&f.ID, &f.Path, &f.Lang, &f.Size, &f.Made)
	}, `SELECT id, path, lang, size, made FROM file WHERE project = ? AND skipped = '' ORDER BY path`, project)
}

// CodeName is what a catalogue holds of a symbol.
type CodeName struct {
	ID, File       int64
	Index          int32
	Name, Kind     string
	Line, EndLine  int32
	Path, Sig, Doc string // only where asked for
}

// docPart is how many characters of a comment are read for its words: what it is
// about is said first.
const docPart = 400

// pairs of small numbers are read as one: a row costs by its columns
const codeNameColumns = `s.id, s.file << 32 | s.idx, s.name, s.kind, s.line << 32 | s.end_line`

var codeTextColumns = fmt.Sprintf(`%s, s.path, s.signature, substr(s.doc, 1, %d)`, codeNameColumns, docPart)

// EachName calls fn with all symbols of a project, or with those of some files,
// in no order; with their texts, if asked for.
func (c *Code) EachName(ctx context.Context, project int64, files []int64, texts bool, fn func(*CodeName)) error {
	columns := codeNameColumns
	if texts {
		columns = codeTextColumns
	}
	query, args := `SELECT `+columns+` FROM symbol s NOT INDEXED WHERE s.project = ?`, []any{project}
	if files != nil {
		_, list, err := lists(files)
		if err != nil {
			return err
		}
		query, args = `SELECT `+columns+` FROM json_each(?) w CROSS JOIN symbol s ON s.file = w.value`, list
	}
	var n CodeName
	return c.each(ctx, func(row []any) error {
		var place, lines int64
		err := take(row, &n.ID, &place, &n.Name, &n.Kind, &lines)
		if err == nil && texts {
			err = take(row[5:], &n.Path, &n.Sig, &n.Doc)
		}
		n.File, n.Index, n.Line, n.EndLine = place>>32, int32(place), int32(lines>>32), int32(lines)
		fn(&n)
		return err
	}, query, args...)
}

// EachCall calls fn with every call of a project whose target is known, file by
// file: src is 0 for the code of the file.
func (c *Code) EachCall(ctx context.Context, project int64, fn func(file, src, dst int64, confidence float64)) error {
	sure := map[int64]float64{}
	err := c.each(ctx, func(row []any) error {
		var id int64
		var confidence float64
		err := take(row, &id, &confidence)
		sure[id] = confidence
		return err
	}, `SELECT id, confidence FROM how`)
	if err != nil {
		return err
	}
	return c.each(ctx, func(row []any) error {
		var file, src, dst, how int64
		err := take(row, &file, &src, &dst, &how)
		fn(file, src, dst, sure[how])
		return err
	}, `SELECT e.file, e.src, e.dst, e.how FROM file f CROSS JOIN call e ON e.file = f.id WHERE f.project = ?`, project)
}

// EachCalled calls fn with symbols of all projects and how often each is called,
// those called most first, until it returns false.
func (c *Code) EachCalled(ctx context.Context, fn func(id int64, times int) bool) error {
	err := c.each(ctx, func(row []any) error {
		var id, times int64
		if err := take(row, &id, &times); err != nil {
			return err
		}
		if !fn(id, int(times)) {
			return errEnough
		}
		return nil
	}, `SELECT dst, count(*) n FROM call GROUP BY dst ORDER BY n DESC, dst`)
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// CodeOwnCalls returns how many calls the code of the files of a project makes
// outside of functions, by file. Files without are left out.
func (c *Code) CodeOwnCalls(ctx context.Context, project int64) (map[int64]int, error) {
	out := map[int64]int{}
	err := c.each(ctx, func(row []any) error {
		var file, n int64
		err := take(row, &file, &n)
		if n > 0 {
			out[file] = int(n)
		}
		return err
	}, `SELECT f.id, (SELECT count(*) FROM call WHERE file = f.id AND src = 0) + (SELECT count(*) FROM loose WHERE file = f.id AND src = 0)
		FROM file f WHERE f.project = ?`, project)
	return out, err
}

// errEnough ends a walk over rows.
var errEnough = errors.New("enough")

// each calls fn with the rows of a query. A row holds only until fn returns.
func (c *Code) each(ctx context.Context, fn func(row []any) error, query string, args ...any) error {
	rows, err := c.read.QueryContext(ctx, query, args...)
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return classify(err)
	}
	row, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range row {
		into[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return classify(err)
		}
		if err := fn(row); err != nil {
			return err
		}
	}
	return classify(rows.Err())
}

// take sets variables to the first values of a row.
func take(row []any, to ...any) error {
	for i, to := range to {
		ok := false
		switch to := to.(type) {
		case *int64:
			*to, ok = row[i].(int64)
		case *string:
			*to, ok = row[i].(string)
		case *float64:
			*to, ok = row[i].(float64)
		}
		if !ok {
			return fmt.Errorf("%w: %T where another type belongs", ErrDamaged, row[i])
		}
	}
	return nil
}
