package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// CodeVectors is the database of the vectors of source code's symbols. It is a
// file of its own, derived from code.db by a model: a damaged one, or one of
// another version, is removed and filled again.
//
// What a symbol's vector is made of is known by a hash. A vector holds while its
// symbol has that text, so that what was embedded is never embedded again,
// neither after a restart nor after the project is indexed anew.
type CodeVectors struct{ *derived }

// codeVectorSchema is the version of the tables below, and of how texts are made
// of symbols. There are no migrations.
const codeVectorSchema = 1

const codeVectorTables = `
CREATE TABLE model (key TEXT NOT NULL);  -- whose vectors these are; one row
CREATE TABLE file (
	id   INTEGER PRIMARY KEY,
	root TEXT NOT NULL,              -- of the project
	path TEXT NOT NULL,              -- from the root
	made INTEGER NOT NULL,           -- as of code.db, when its symbols were listed here
	UNIQUE (root, path)
);
CREATE TABLE symbol (                -- those that are to have a vector
	id   INTEGER PRIMARY KEY,        -- as in code.db
	file INTEGER NOT NULL REFERENCES file ON DELETE CASCADE,
	text INTEGER NOT NULL,           -- hash of what is embedded
	rank INTEGER NOT NULL,           -- the lower, the sooner
	kind TEXT NOT NULL,
	lang TEXT NOT NULL
);
CREATE INDEX symbol_file ON symbol (file, rank);
CREATE TABLE vector (
	id   INTEGER PRIMARY KEY REFERENCES symbol ON DELETE CASCADE,
	text INTEGER NOT NULL,           -- hash of what was embedded
	data BLOB NOT NULL               -- half precision; empty: the model refuses the text
);
`

// OpenCodeVectors opens the database of symbols' vectors, creating it when
// missing and anew where it is damaged or of another version.
func OpenCodeVectors(ctx context.Context, path string) (*CodeVectors, error) {
	v, err := openCodeVectors(ctx, path)
	if errors.Is(err, errCodeVersion) || errors.Is(err, ErrDamaged) {
		if err := removeDerived(path); err != nil {
			return nil, err
		}
		v, err = openCodeVectors(ctx, path)
	}
	if err != nil {
		return nil, fmt.Errorf("open vectors of code %s: %w", path, err)
	}
	return v, nil
}

func openCodeVectors(ctx context.Context, path string) (*CodeVectors, error) {
	d, err := openDerived(path, vectorsError, func(d *derived) error { return (&CodeVectors{d}).prepare(ctx) })
	if err != nil {
		return nil, err
	}
	return &CodeVectors{d}, nil
}

func (v *CodeVectors) prepare(ctx context.Context) error {
	// derived data, as code.db is
	if _, err := v.write.ExecContext(ctx, `PRAGMA synchronous = NORMAL; PRAGMA secure_delete = FAST`); err != nil {
		return err
	}
	var have, tables int
	if err := v.write.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&have); err != nil {
		return err
	}
	if err := v.write.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master`).Scan(&tables); err != nil {
		return err
	}
	switch {
	case have == codeVectorSchema:
		return nil
	case tables > 0:
		return errCodeVersion
	}
	return v.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, codeVectorTables+fmt.Sprintf("PRAGMA user_version = %d", codeVectorSchema))
		return err
	})
}

// Model returns whose vectors these are, "" before the first.
func (v *CodeVectors) Model(ctx context.Context) (key string, err error) {
	err = v.read.QueryRowContext(ctx, `SELECT key FROM model`).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return key, vectorsError(err)
}

// Begin says whose vectors follow, and drops those of anyone else.
func (v *CodeVectors) Begin(ctx context.Context, key string) error {
	return v.change(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM vector; DELETE FROM model`); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO model (key) VALUES (?)`, key)
		return err
	})
}

// Marks returns for each file of a project from which rows its symbols were
// listed.
func (v *CodeVectors) Marks(ctx context.Context, root string) (map[string]int64, error) {
	out := map[string]int64{}
	_, err := collect(ctx, v.read, func(row scanner) (x struct{}, err error) {
		var path string
		var made int64
		err = row.Scan(&path, &made)
		out[path] = made
		return x, err
	}, `SELECT path, made FROM file WHERE root = ?`, root)
	return out, vectorsError(err)
}

// MeantSymbol is a symbol that is to have a vector.
type MeantSymbol struct {
	ID         int64
	Text       int64 // hash of what is embedded
	Rank       int   // the lower, the sooner
	Kind, Lang string
}

// MeantFile is a file whose symbols are to have vectors.
type MeantFile struct {
	Path    string
	Made    int64
	Symbols []MeantSymbol
}

// PutFiles lists files of a project with their symbols and drops those that are
// gone, all or none. It returns the symbols that lost their vectors.
func (v *CodeVectors) PutFiles(ctx context.Context, root string, files []MeantFile, gone []string) (lost []int64, err error) {
	err = v.change(ctx, func(tx *sql.Tx) error {
		for i := range files {
			ids, err := putMeant(ctx, tx, root, &files[i])
			if err != nil {
				return err
			}
			lost = append(lost, ids...)
		}
		for _, path := range gone {
			ids, err := queryIDs(ctx, tx, `SELECT s.id FROM file f CROSS JOIN symbol s ON s.file = f.id WHERE f.root = ? AND f.path = ?`, root, path)
			if err != nil {
				return err
			}
			lost = append(lost, ids...)
			if _, err := tx.ExecContext(ctx, `DELETE FROM file WHERE root = ? AND path = ?`, root, path); err != nil {
				return err
			}
		}
		return nil
	})
	return lost, err
}

func putMeant(ctx context.Context, tx *sql.Tx, root string, f *MeantFile) (lost []int64, err error) {
	var file int64
	err = tx.QueryRowContext(ctx, `INSERT INTO file (root, path, made) VALUES (?, ?, ?)
		ON CONFLICT DO UPDATE SET made = excluded.made RETURNING id`, root, f.Path, f.Made).Scan(&file)
	if err != nil {
		return nil, err
	}
	had, err := queryIDs(ctx, tx, `SELECT id FROM symbol WHERE file = ?`, file)
	if err != nil {
		return nil, err
	}
	put, err := tx.PrepareContext(ctx, `INSERT INTO symbol (id, file, text, rank, kind, lang) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET file = excluded.file, text = excluded.text, rank = excluded.rank, kind = excluded.kind, lang = excluded.lang`)
	if err != nil {
		return nil, err
	}
	defer put.Close()
	have := make(map[int64]bool, len(f.Symbols))
	for _, s := range f.Symbols {
		have[s.ID] = true
		if _, err := put.ExecContext(ctx, s.ID, file, s.Text, s.Rank, s.Kind, s.Lang); err != nil {
			return nil, err
		}
	}
	for _, id := range slices.DeleteFunc(had, func(id int64) bool { return have[id] }) {
		lost = append(lost, id)
		if _, err := tx.ExecContext(ctx, `DELETE FROM symbol WHERE id = ?`, id); err != nil {
			return nil, err
		}
	}
	// vectors of another text
	stale, err := queryIDs(ctx, tx, `DELETE FROM vector WHERE id IN (SELECT s.id FROM symbol s JOIN vector v ON v.id = s.id
		WHERE s.file = ? AND v.text <> s.text) RETURNING id`, file)
	return append(lost, stale...), err
}

func queryIDs(ctx context.Context, tx *sql.Tx, query string, args ...any) ([]int64, error) {
	return collect(ctx, tx, func(row scanner) (id int64, err error) { return id, row.Scan(&id) }, query, args...)
}

// meantFirst are the symbols of a project that are to have vectors, those first
// that matter most.
const meantFirst = `SELECT s.id, s.text FROM file f CROSS JOIN symbol s ON s.file = f.id WHERE f.root = ? ORDER BY s.rank, s.id LIMIT ?`

// Bound drops the vectors of a project beyond its first symbols, as many as are
// to have one, and returns whose they were.
func (v *CodeVectors) Bound(ctx context.Context, root string, most int) (lost []int64, err error) {
	err = v.change(ctx, func(tx *sql.Tx) error {
		lost, err = queryIDs(ctx, tx, `DELETE FROM vector WHERE id IN (SELECT s.id FROM file f CROSS JOIN symbol s ON s.file = f.id WHERE f.root = ?
			ORDER BY s.rank, s.id LIMIT -1 OFFSET ?) RETURNING id`, root, most)
		return err
	})
	return lost, err
}

// Wanting returns the symbols of a project without a vector, in the order they
// are to get one: those among its first, as many as are to have one.
func (v *CodeVectors) Wanting(ctx context.Context, root string, most int) ([]int64, error) {
	ids, err := collect(ctx, v.read, func(row scanner) (id int64, err error) { return id, row.Scan(&id) },
		`SELECT m.id FROM (`+meantFirst+`) m WHERE NOT EXISTS (SELECT 1 FROM vector WHERE id = m.id)`, root, most)
	return ids, vectorsError(err)
}

// CodeVector is the vector of a symbol.
type CodeVector struct {
	ID         int64
	Text       int64     // hash of what was embedded
	Vector     []float32 // of length one; nil where the model refuses the text
	Kind, Lang string    // as listed
}

// Put stores vectors, all or none. Those of symbols that are no longer listed
// with this text are left out.
func (v *CodeVectors) Put(ctx context.Context, put []CodeVector) error {
	return v.change(ctx, func(tx *sql.Tx) error {
		for _, x := range put {
			_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO vector (id, text, data) SELECT id, text, ? FROM symbol WHERE id = ? AND text = ?`,
				encodeHalf(x.Vector), x.ID, x.Text)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Each calls fn with every vector of a project. One that is not sound is passed
// over.
func (v *CodeVectors) Each(ctx context.Context, root string, dims int, fn func(CodeVector) error) error {
	rows, err := v.read.QueryContext(ctx, `SELECT s.id, s.text, s.kind, s.lang, v.data FROM file f CROSS JOIN symbol s ON s.file = f.id
		CROSS JOIN vector v ON v.id = s.id WHERE f.root = ?`, root)
	if err != nil {
		return vectorsError(err)
	}
	defer rows.Close()
	for rows.Next() {
		var x CodeVector
		var blob sql.RawBytes
		if err := rows.Scan(&x.ID, &x.Text, &x.Kind, &x.Lang, &blob); err != nil {
			return vectorsError(err)
		}
		if len(blob) != halfBytes*dims {
			continue
		}
		if x.Vector = decodeHalf(blob); !isUnit(x.Vector) {
			continue
		}
		if err := fn(x); err != nil {
			return err
		}
	}
	return vectorsError(rows.Err())
}

// Counts returns how many symbols of a project are listed, and how many of them
// have a vector or cannot have one.
func (v *CodeVectors) Counts(ctx context.Context, root string) (listed, have int, err error) {
	err = v.read.QueryRowContext(ctx, `SELECT count(*), count(v.id) FROM file f CROSS JOIN symbol s ON s.file = f.id LEFT JOIN vector v ON v.id = s.id
		WHERE f.root = ?`, root).Scan(&listed, &have)
	return listed, have, vectorsError(err)
}

// Roots returns the projects with listed files.
func (v *CodeVectors) Roots(ctx context.Context) ([]string, error) {
	roots, err := collect(ctx, v.read, func(row scanner) (root string, err error) { return root, row.Scan(&root) }, `SELECT DISTINCT root FROM file`)
	return roots, vectorsError(err)
}

// Clear erases everything of a project and gives its room back to the disk.
func (v *CodeVectors) Clear(ctx context.Context, root string) error {
	err := v.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM file WHERE root = ?`, root)
		return err
	})
	if err != nil {
		return err
	}
	_, err = v.write.ExecContext(ctx, `VACUUM`)
	return errors.Join(vectorsError(err), vectorsError(emptyLog(ctx, v.write)))
}
