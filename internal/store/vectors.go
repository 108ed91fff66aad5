package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"
)

// Vectors is the database of vectors. It is a file of its own, so that bulk
// embedding never holds up writes of memories, and derived: a damaged one is
// removed and filled again.
type Vectors struct {
	path  string
	write *sql.DB
	read  *sql.DB
}

// Owner says what sort of row a vector belongs to.
type Owner int

// Owners of vectors. The numbers are stored.
const (
	OwnerMemory Owner = 1
)

// VectorModel is a model whose vectors are kept.
type VectorModel struct {
	ID       int64
	Name     string
	Hash     string
	Dims     int
	Position int64 // how far in the main database's changes its vectors have come
	Created  time.Time
}

// Vector is one stored vector.
type Vector struct {
	Seq    int64
	Text   string // hash of the embedded text
	Vector []float32
}

// OpenVectors opens the database of vectors, creating it when missing. One
// that is damaged or of a newer schema is replaced by an empty one: everything
// in it can be made again.
func OpenVectors(ctx context.Context, path string) (*Vectors, error) {
	v, err := openVectors(ctx, path)
	var newer *NewerSchemaError
	if errors.Is(err, ErrDamaged) || errors.As(err, &newer) {
		if err := RemoveVectors(path); err != nil {
			return nil, err
		}
		v, err = openVectors(ctx, path)
	}
	if err != nil {
		return nil, fmt.Errorf("open vectors %s: %w", path, err)
	}
	return v, nil
}

func openVectors(ctx context.Context, path string) (*Vectors, error) {
	if err := createOwnerOnly(path); err != nil {
		return nil, classify(err)
	}
	v := &Vectors{path: path}
	var err error
	if v.write, err = connect(path, false); err != nil {
		return nil, classify(err)
	}
	v.write.SetMaxOpenConns(1)
	if v.read, err = connect(path, true); err != nil {
		return nil, errors.Join(classify(err), v.Close())
	}
	err = migrate(ctx, v.write, migrationsOf("vectors"), func(int64, int64) error { return nil })
	if err == nil {
		// derived data: a lost commit is embedded again, so it need not wait
		// for the disk
		_, err = v.write.ExecContext(ctx, `PRAGMA synchronous = NORMAL`)
	}
	if err != nil {
		return nil, errors.Join(classify(err), v.Close())
	}
	return v, nil
}

// RemoveVectors deletes a database of vectors that nobody has open.
func RemoveVectors(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return classify(err)
		}
	}
	return nil
}

// Close releases the database.
func (v *Vectors) Close() error {
	var errs []error
	for _, db := range []*sql.DB{v.read, v.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// Bytes returns the size of the file.
func (v *Vectors) Bytes() int64 {
	fi, err := os.Stat(v.path)
	if err != nil {
		return 0
	}
	return fi.Size()
}

// Model returns the entry of a model, making it when it is new.
func (v *Vectors) Model(ctx context.Context, name, hash string, dims int, now time.Time) (VectorModel, error) {
	_, err := v.write.ExecContext(ctx, `INSERT INTO model (name, hash, dims, position, created) VALUES (?, ?, ?, 0, ?) ON CONFLICT DO NOTHING`,
		name, hash, dims, millis(now))
	if err != nil {
		return VectorModel{}, classify(err)
	}
	m := VectorModel{Name: name, Hash: hash, Dims: dims}
	var created int64
	err = v.write.QueryRowContext(ctx, `SELECT id, position, created FROM model WHERE name = ? AND hash = ? AND dims = ?`, name, hash, dims).
		Scan(&m.ID, &m.Position, &created)
	m.Created = fromMillis(created)
	return m, classify(err)
}

// Put stores vectors of a model, removes others, and moves the model's
// position, all together.
func (v *Vectors) Put(ctx context.Context, model int64, owner Owner, put []Vector, remove []int64, position int64) error {
	tx, err := v.write.BeginTx(ctx, nil)
	if err != nil {
		return classify(err)
	}
	defer tx.Rollback() // does nothing after a commit
	for _, x := range put {
		_, err := tx.ExecContext(ctx, `INSERT INTO vector (model, owner, seq, text, vector) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET text = excluded.text, vector = excluded.vector`, model, owner, x.Seq, x.Text, encodeHalf(x.Vector))
		if err != nil {
			return classify(err)
		}
	}
	if err := removeVectors(ctx, tx, owner, remove); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE model SET position = ? WHERE id = ?`, position, model); err != nil {
		return classify(err)
	}
	return classify(tx.Commit())
}

// removeVectors deletes the vectors of rows, whatever model they were made by:
// what is gone is gone.
func removeVectors(ctx context.Context, tx *sql.Tx, owner Owner, seqs []int64) error {
	for _, seq := range seqs {
		// naming the models lets the primary key be used
		_, err := tx.ExecContext(ctx, `DELETE FROM vector WHERE model IN (SELECT id FROM model) AND owner = ? AND seq = ?`, owner, seq)
		if err != nil {
			return classify(err)
		}
	}
	return nil
}

// Remove erases the vectors of rows at once, from the file and from its log.
func (v *Vectors) Remove(ctx context.Context, owner Owner, seqs []int64) error {
	tx, err := v.write.BeginTx(ctx, nil)
	if err != nil {
		return classify(err)
	}
	defer tx.Rollback() // does nothing after a commit
	if err := removeVectors(ctx, tx, owner, seqs); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return classify(err)
	}
	return emptyLog(ctx, v.write)
}

// Each calls fn with every vector of a model, in order of seq.
func (v *Vectors) Each(ctx context.Context, m VectorModel, owner Owner, fn func(Vector) error) error {
	rows, err := v.read.QueryContext(ctx, `SELECT seq, text, vector FROM vector WHERE model = ? AND owner = ? ORDER BY seq`, m.ID, owner)
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		var x Vector
		var blob sql.RawBytes
		if err := rows.Scan(&x.Seq, &x.Text, &blob); err != nil {
			return classify(err)
		}
		if len(blob) != halfBytes*m.Dims {
			return fmt.Errorf("%w: a vector has %d bytes, not %d", ErrDamaged, len(blob), halfBytes*m.Dims)
		}
		x.Vector = decodeHalf(blob)
		if err := fn(x); err != nil {
			return err
		}
	}
	return classify(rows.Err())
}

// Texts returns the hashes of what was embedded for the given rows.
func (v *Vectors) Texts(ctx context.Context, model int64, owner Owner, seqs []int64) (map[int64]string, error) {
	out := make(map[int64]string, len(seqs))
	for _, seq := range seqs {
		var text string
		err := v.read.QueryRowContext(ctx, `SELECT text FROM vector WHERE model = ? AND owner = ? AND seq = ?`, model, owner, seq).Scan(&text)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return nil, classify(err)
		default:
			out[seq] = text
		}
	}
	return out, nil
}

// Forget removes the vectors of every model but the given one.
func (v *Vectors) Forget(ctx context.Context, keep int64) error {
	if _, err := v.write.ExecContext(ctx, `DELETE FROM vector WHERE model <> ?`, keep); err != nil {
		return classify(err)
	}
	_, err := v.write.ExecContext(ctx, `DELETE FROM model WHERE id <> ?`, keep)
	return classify(err)
}
