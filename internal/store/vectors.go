package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"
)

// Vectors is the database of vectors. It is a file of its own, so that bulk
// embedding never holds up writes of memories, and derived: a damaged one is
// removed and filled again.
type Vectors struct{ *derived }

// ErrVectorsDamaged is returned when the database of vectors is not sound. The
// main database is not concerned.
var ErrVectorsDamaged = errors.New("vectors are damaged")

// Owner says what sort of row a vector belongs to.
type Owner int

// Owners of vectors. The numbers are stored.
const (
	OwnerMemory Owner = 1
	OwnerChunk  Owner = 2 // of a conversation
)

// VectorModel is a model whose vectors are kept.
type VectorModel struct {
	ID      int64
	Name    string
	Hash    string
	Dims    int
	Setting string // how to open the model again
	Created time.Time
}

// Vector is one stored vector.
type Vector struct {
	Seq    int64
	Text   string    // hash of the embedded text
	Vector []float32 // of length one
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
	d, err := openDerived(path, vectorsError, func(d *derived) error {
		if err := migrate(ctx, d.write, migrationsOf("vectors"), func(int64, int64) error { return nil }); err != nil {
			return err
		}
		// derived data: a lost commit is embedded again, so it need not wait for
		// the disk
		_, err := d.write.ExecContext(ctx, `PRAGMA synchronous = NORMAL`)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &Vectors{d}, nil
}

// RemoveVectors deletes a database of vectors that nobody has open.
func RemoveVectors(path string) error { return removeDerived(path) }

// Check looks whether the file is sound.
func (v *Vectors) Check(ctx context.Context) error {
	var verdict string
	if err := v.read.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
		return vectorsError(err)
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", ErrVectorsDamaged, verdict)
	}
	return nil
}

// Model returns the entry of a model, making it when it is new. The setting
// it is opened with now replaces the one before.
func (v *Vectors) Model(ctx context.Context, name, hash string, dims int, setting string, now time.Time) (VectorModel, error) {
	m := VectorModel{Name: name, Hash: hash, Dims: dims, Setting: setting}
	var created int64
	err := v.write.QueryRowContext(ctx, `INSERT INTO model (name, hash, dims, setting, created) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET setting = excluded.setting RETURNING id, created`, name, hash, dims, setting, millis(now)).
		Scan(&m.ID, &created)
	m.Created = fromMillis(created)
	return m, vectorsError(err)
}

// Models returns all models whose vectors are kept, oldest first.
func (v *Vectors) Models(ctx context.Context) ([]VectorModel, error) {
	rows, err := v.read.QueryContext(ctx, `SELECT id, name, hash, dims, setting, created FROM model ORDER BY id`)
	if err != nil {
		return nil, vectorsError(err)
	}
	defer rows.Close()
	var models []VectorModel
	for rows.Next() {
		var m VectorModel
		var created int64
		if err := rows.Scan(&m.ID, &m.Name, &m.Hash, &m.Dims, &m.Setting, &created); err != nil {
			return nil, vectorsError(err)
		}
		m.Created = fromMillis(created)
		models = append(models, m)
	}
	return models, vectorsError(rows.Err())
}

// Count returns how many vectors a model has.
func (v *Vectors) Count(ctx context.Context, model int64) (n int, err error) {
	err = v.read.QueryRowContext(ctx, `SELECT count(*) FROM vector WHERE model = ?`, model).Scan(&n)
	return n, vectorsError(err)
}

// Put stores vectors of a model, all or none.
func (v *Vectors) Put(ctx context.Context, model int64, owner Owner, put []Vector) error {
	return v.change(ctx, func(tx *sql.Tx) error {
		for _, x := range put {
			_, err := tx.ExecContext(ctx, `INSERT INTO vector (model, owner, seq, text, vector) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT DO UPDATE SET text = excluded.text, vector = excluded.vector`, model, owner, x.Seq, x.Text, encodeHalf(x.Vector))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Remove erases the vectors of rows at once, from the file and from its log,
// whatever model they were made by: what is gone is gone.
func (v *Vectors) Remove(ctx context.Context, owner Owner, seqs []int64) error {
	err := v.change(ctx, func(tx *sql.Tx) error {
		for _, seq := range seqs {
			// naming the models lets the primary key be used
			_, err := tx.ExecContext(ctx, `DELETE FROM vector WHERE model IN (SELECT id FROM model) AND owner = ? AND seq = ?`, owner, seq)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return vectorsError(emptyLog(ctx, v.write))
}

// Each calls fn with every vector of a model, in order of seq. One that is not
// sound is passed over: its row has none.
func (v *Vectors) Each(ctx context.Context, m VectorModel, owner Owner, fn func(Vector) error) error {
	rows, err := v.read.QueryContext(ctx, `SELECT seq, text, vector FROM vector WHERE model = ? AND owner = ? ORDER BY seq`, m.ID, owner)
	if err != nil {
		return vectorsError(err)
	}
	defer rows.Close()
	for rows.Next() {
		var x Vector
		var blob sql.RawBytes
		if err := rows.Scan(&x.Seq, &x.Text, &blob); err != nil {
			return vectorsError(err)
		}
		if len(blob) != halfBytes*m.Dims {
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

// Texts returns the hashes of what was embedded for the given rows.
func (v *Vectors) Texts(ctx context.Context, model int64, owner Owner, seqs []int64) (map[int64]string, error) {
	out := make(map[int64]string, len(seqs))
	for _, seq := range seqs {
		var text string
		err := v.read.QueryRowContext(ctx, `SELECT text FROM vector WHERE model = ? AND owner = ? AND seq = ?`, model, owner, seq).Scan(&text)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return nil, vectorsError(err)
		default:
			out[seq] = text
		}
	}
	return out, nil
}

// Forget removes models and their vectors.
func (v *Vectors) Forget(ctx context.Context, models ...int64) error {
	return v.change(ctx, func(tx *sql.Tx) error {
		for _, model := range models {
			if _, err := tx.ExecContext(ctx, `DELETE FROM vector WHERE model = ?`, model); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `DELETE FROM model WHERE id = ?`, model); err != nil {
				return err
			}
		}
		return nil
	})
}

// vectorsError says of damage that it is the vectors', not the main
// database's.
func vectorsError(err error) error {
	if err = classify(err); errors.Is(err, ErrDamaged) {
		return fmt.Errorf("%w: %w", ErrVectorsDamaged, err)
	}
	return err
}

// unitTolerance is beyond what rounding to 16 bits changes in the square of a
// length, and below what a flipped bit does that matters.
const unitTolerance = 0.02

// isUnit reports whether a vector has length one, which every stored one had:
// anything else, NaN included, is damage that SQLite cannot see.
func isUnit(v []float32) bool {
	var square float64
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	return math.Abs(square-1) < unitTolerance
}
