package store

import (
	"context"
	"database/sql"
	_ "embed" // of the tables
	"errors"
	"fmt"
	"time"
)

// Code is the database of source code: what the files of indexed projects say,
// and what calls what. It is a file of its own and derived: a damaged one, or
// one of another version, is removed and filled again from the source.
type Code struct {
	*derived
	large bool // it was not looked through when it was opened
}

// codeSchema is the version of the tables below. There are no migrations:
// another version is made anew.
const codeSchema = 3

// codeTables makes the tables of code.db. Times are milliseconds since 1970.
//
// Ids of symbols are stable: a hash of the project's root, the file's path, the
// symbol's path and kind and its place among equals; lines may move. A call, an
// import or an inheritance belongs to the file it stands in and goes with it;
// one from or to another project's symbols does not exist.
//
// A large project has hundreds of thousands of rows, and each costs by its
// indexes, above all by those whose keys come in no order. Rows of a file are
// added one after the other and have one index that finds them by the file; what
// many rows share (how a call was found, the files of a package) is stored once.
// Questions ask the views edge and import, or call and need where they want no
// more than those have.
//
//go:embed code.sql
var codeTables string

// OpenCode opens the database of source code, creating it when missing. version
// is that of facts. anew says why one that was there was replaced by an empty
// one, "" if it was not; projects of one of another version are kept, to be
// indexed again.
func OpenCode(ctx context.Context, path string, version int) (c *Code, anew string, err error) {
	var kept []CodeProject
	c, err = openCode(ctx, path, version)
	switch {
	case errors.Is(err, errCodeVersion):
		anew, kept = "it is of another version", keptProjects(ctx, path)
	case errors.Is(err, ErrDamaged):
		anew = err.Error()
	}
	if anew != "" {
		if err := RemoveCode(path); err != nil {
			return nil, anew, err
		}
		if c, err = openCode(ctx, path, version); err == nil {
			err = c.keep(ctx, kept)
		}
	}
	if err != nil {
		return nil, anew, fmt.Errorf("open code index %s: %w", path, err)
	}
	return c, anew, nil
}

// RemoveCode deletes a database of source code that nobody has open.
func RemoveCode(path string) error { return removeDerived(path) }

var errCodeVersion = errors.New("another version")

func openCode(ctx context.Context, path string, version int) (*Code, error) {
	c := &Code{}
	_, err := openDerived(path, classify, func(d *derived) error {
		c.derived = d
		return c.prepare(ctx, version)
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// checkedSize is up to which size a file is looked through when it is opened,
// which takes a moment; [Code.Check] looks through a larger one.
const checkedSize = 64 << 20

// writeCacheKiB holds the indexes of a large project, whose pages many rows come
// to again and again; see [Code.Rest].
const writeCacheKiB = 32 << 10

// versionFactor keeps the two versions apart in the one number a file has room
// for.
const versionFactor = 10_000

// prepare makes the tables of an empty file and refuses one that was made
// otherwise.
func (c *Code) prepare(ctx context.Context, version int) error {
	// derived data: what a power cut loses is read again, and overwriting what
	// is erased must not cost more than the erasing
	if _, err := c.write.ExecContext(ctx, fmt.Sprintf(`PRAGMA synchronous = NORMAL; PRAGMA secure_delete = FAST; PRAGMA cache_size = -%d`, writeCacheKiB)); err != nil {
		return err
	}
	var have, tables int
	if err := c.write.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&have); err != nil {
		return err
	}
	if err := c.write.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master`).Scan(&tables); err != nil {
		return err
	}
	want := codeSchema*versionFactor + version
	switch {
	case have == want && c.file.Size() > checkedSize:
		c.large = true
		return nil
	case have == want:
		return quickCheck(ctx, c.write)
	case tables > 0:
		return errCodeVersion
	}
	return c.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, codeTables+fmt.Sprintf("PRAGMA user_version = %d", want))
		return err
	})
}

// Check looks through a file that was too large for that when it was opened. It
// returns [ErrDamaged] if something is wrong, and holds up nobody.
func (c *Code) Check(ctx context.Context) error {
	if !c.large {
		return nil
	}
	return classify(quickCheck(ctx, c.read))
}

func quickCheck(ctx context.Context, db *sql.DB) error {
	var verdict string
	if err := db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, verdict)
	}
	return nil
}

// Reader is the pool of connections that read, for questions about code. The
// tables are described at codeTables.
func (c *Code) Reader() *sql.DB { return c.read }

// Rest gives back the memory that much writing took.
func (c *Code) Rest(ctx context.Context) error {
	_, err := c.write.ExecContext(ctx, `PRAGMA shrink_memory`)
	return classify(err)
}

// CodeProject is an indexed project.
type CodeProject struct {
	ID      int64
	Root    string
	Realm   string
	Begun   time.Time
	Indexed time.Time // zero: the first index has not come to its end
	Changed time.Time
	Settled bool   // edges are those of the facts that are stored
	Report  string // JSON
}

const codeProjectColumns = `id, root, realm, begun, indexed, changed, settled, report`

func scanCodeProject(scan func(...any) error) (p CodeProject, err error) {
	var begun, indexed, changed int64
	err = scan(&p.ID, &p.Root, &p.Realm, &begun, &indexed, &changed, &p.Settled, &p.Report)
	p.Begun, p.Indexed, p.Changed = fromMillis(begun), fromMillis(indexed), fromMillis(changed)
	return p, classify(err)
}

// Projects returns all projects, by root.
func (c *Code) Projects(ctx context.Context) ([]CodeProject, error) {
	rows, err := c.read.QueryContext(ctx, `SELECT `+codeProjectColumns+` FROM project ORDER BY root`)
	if err != nil {
		return nil, classify(err)
	}
	defer rows.Close()
	var out []CodeProject
	for rows.Next() {
		p, err := scanCodeProject(rows.Scan)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, classify(rows.Err())
}

// Project returns the project of a root, or [ErrNotFound].
func (c *Code) Project(ctx context.Context, root string) (CodeProject, error) {
	return scanCodeProject(c.read.QueryRowContext(ctx, `SELECT `+codeProjectColumns+` FROM project WHERE root = ?`, root).Scan)
}

// PutProject stores a project by its root and returns its number.
func (c *Code) PutProject(ctx context.Context, p CodeProject) (id int64, err error) {
	err = c.write.QueryRowContext(ctx, `INSERT INTO project (root, realm, begun, indexed, changed, settled, report) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (root) DO UPDATE SET realm = excluded.realm, indexed = excluded.indexed, changed = excluded.changed, settled = excluded.settled,
			report = excluded.report
		RETURNING id`, p.Root, p.Realm, millis(p.Begun), millis(p.Indexed), millis(p.Changed), p.Settled, p.Report).Scan(&id)
	return id, classify(err)
}

// freeShare is which part of the file must be free for it to be written anew
// without that: all others who write wait for as long as that takes, and what is
// free is used again.
const freeShare = 4

// ClearProject erases a project, and gives its room back to the disk where that
// is much.
func (c *Code) ClearProject(ctx context.Context, id int64) (err error) {
	// nothing of it stays in pages that are free
	if _, err := c.write.ExecContext(ctx, `PRAGMA secure_delete = ON`); err != nil {
		return classify(err)
	}
	defer func() {
		_, fastErr := c.write.ExecContext(context.WithoutCancel(ctx), `PRAGMA secure_delete = FAST`)
		err = errors.Join(err, classify(fastErr))
	}()
	err = c.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM project WHERE id = ?`, id)
		return err
	})
	if err != nil {
		return err
	}
	var free, pages int64
	err = c.write.QueryRowContext(ctx, `SELECT freelist_count, page_count FROM pragma_freelist_count, pragma_page_count`).Scan(&free, &pages)
	if err == nil && free*freeShare > pages {
		_, err = c.write.ExecContext(ctx, `VACUUM`)
	}
	return errors.Join(classify(err), classify(emptyLog(ctx, c.write)))
}
