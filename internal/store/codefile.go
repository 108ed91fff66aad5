package store

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"time"
)

// CodeFile is a source file of a project.
type CodeFile struct {
	ID         int64
	Path       string
	Lang       string
	Hash       []byte
	Size       int64
	Modified   int64 // nanoseconds since 1970; 0: look at the text next time
	Facts      []byte
	Bytes      int // of the facts
	Errors     int
	ErrorLines []int
	Skipped    string
	Why        string
	At         time.Time // when it was read
	Made       int64     // hash of the rows made from it, or one of those below
}

// What [CodeFile.Made] says of a file whose rows are to be made.
const (
	MadeNever = 0  // there are none
	MadeStale = -1 // they are of another text
)

// CodeFiles returns the files of a project without their facts, by path.
func (c *Code) CodeFiles(ctx context.Context, project int64) ([]CodeFile, error) {
	rows, err := c.read.QueryContext(ctx, `SELECT id, path, lang, hash, size, modified, bytes, errors, error_lines, skipped, why, at, made
		FROM file WHERE project = ? ORDER BY path`, project)
	if err != nil {
		return nil, classify(err)
	}
	defer rows.Close()
	var out []CodeFile
	for rows.Next() {
		var f CodeFile
		var lines string
		var at int64
		if err := rows.Scan(&f.ID, &f.Path, &f.Lang, &f.Hash, &f.Size, &f.Modified, &f.Bytes, &f.Errors, &lines, &f.Skipped, &f.Why, &at, &f.Made); err != nil {
			return nil, classify(err)
		}
		f.At = fromMillis(at)
		for field := range strings.FieldsSeq(lines) {
			if n, err := strconv.Atoi(field); err == nil {
				f.ErrorLines = append(f.ErrorLines, n)
			}
		}
		out = append(out, f)
	}
	return out, classify(rows.Err())
}

// PutCodeFiles stores files of a project by their paths, all or none, and sets
// their numbers. What was made from another text of theirs stays until it is
// made again.
func (c *Code) PutCodeFiles(ctx context.Context, project int64, files []CodeFile) error {
	return c.change(ctx, func(tx *sql.Tx) error {
		put, err := tx.PrepareContext(ctx, `INSERT INTO file (project, path, lang, hash, size, modified, bytes, errors, error_lines, skipped, why, at, made)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
			ON CONFLICT (project, path) DO UPDATE SET lang = excluded.lang, hash = excluded.hash, size = excluded.size, modified = excluded.modified,
				bytes = excluded.bytes, errors = excluded.errors, error_lines = excluded.error_lines, skipped = excluded.skipped, why = excluded.why,
				at = excluded.at, made = CASE made WHEN 0 THEN 0 ELSE -1 END
			RETURNING id, made`)
		if err != nil {
			return err
		}
		defer put.Close()
		keep, err := tx.PrepareContext(ctx, `INSERT INTO facts (file, data) VALUES (?, ?) ON CONFLICT DO UPDATE SET data = excluded.data`)
		if err != nil {
			return err
		}
		defer keep.Close()
		for i := range files {
			f := &files[i]
			f.Bytes = len(f.Facts)
			lines := joinInts(f.ErrorLines)
			err := put.QueryRowContext(ctx, project, f.Path, f.Lang, f.Hash, f.Size, f.Modified, f.Bytes, f.Errors, lines, f.Skipped, f.Why, millis(f.At)).Scan(&f.ID, &f.Made)
			if err != nil {
				return err
			}
			if len(f.Facts) == 0 {
				if _, err := tx.ExecContext(ctx, `DELETE FROM facts WHERE file = ?`, f.ID); err != nil {
					return err
				}
			} else if _, err := keep.ExecContext(ctx, f.ID, f.Facts); err != nil {
				return err
			}
		}
		return nil
	})
}

func joinInts(list []int) string {
	var b strings.Builder
	for i, n := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// TouchCodeFiles notes new sizes and times of files whose text is the same.
func (c *Code) TouchCodeFiles(ctx context.Context, files []CodeFile) error {
	return c.change(ctx, func(tx *sql.Tx) error {
		for _, f := range files {
			if _, err := tx.ExecContext(ctx, `UPDATE file SET size = ?, modified = ?, at = ? WHERE id = ?`, f.Size, f.Modified, millis(f.At), f.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// RemoveCodeFiles erases files with everything made from them.
func (c *Code) RemoveCodeFiles(ctx context.Context, ids []int64) error {
	return c.change(ctx, func(tx *sql.Tx) error {
		for _, id := range ids {
			if _, err := tx.ExecContext(ctx, `DELETE FROM file WHERE id = ?`, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// EachFacts calls fn with the facts of every file of a project. data holds only
// until fn returns.
func (c *Code) EachFacts(ctx context.Context, project int64, fn func(path string, data []byte) error) error {
	rows, err := c.read.QueryContext(ctx, `SELECT file.path, facts.data FROM file JOIN facts ON facts.file = file.id WHERE project = ?`, project)
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		var path string
		var data sql.RawBytes
		if err := rows.Scan(&path, &data); err != nil {
			return classify(err)
		}
		if err := fn(path, data); err != nil {
			return err
		}
	}
	return classify(rows.Err())
}

// Manifests returns the manifests of a project by path.
func (c *Code) Manifests(ctx context.Context, project int64) (map[string][]byte, error) {
	rows, err := c.read.QueryContext(ctx, `SELECT path, data FROM manifest WHERE project = ?`, project)
	if err != nil {
		return nil, classify(err)
	}
	defer rows.Close()
	out := map[string][]byte{}
	for rows.Next() {
		var path string
		var data []byte
		if err := rows.Scan(&path, &data); err != nil {
			return nil, classify(err)
		}
		out[path] = data
	}
	return out, classify(rows.Err())
}

// PutManifests stores manifests of a project; nil removes one.
func (c *Code) PutManifests(ctx context.Context, project int64, texts map[string][]byte) error {
	return c.change(ctx, func(tx *sql.Tx) error {
		for path, data := range texts {
			query, args := `INSERT OR REPLACE INTO manifest (project, path, data) VALUES (?, ?, ?)`, []any{project, path, data}
			if data == nil {
				query, args = `DELETE FROM manifest WHERE project = ? AND path = ?`, args[:2]
			}
			if _, err := tx.ExecContext(ctx, query, args...); err != nil {
				return err
			}
		}
		return nil
	})
}
