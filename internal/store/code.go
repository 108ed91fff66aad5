package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"
)

// Code is the database of source code: what the files of indexed projects say,
// and what calls what. It is a file of its own and derived: a damaged one, or
// one of another version, is removed and filled again from the source.
type Code struct {
	path  string
	file  os.FileInfo // as it was when opened
	write *sql.DB
	read  *sql.DB
}

// codeSchema is the version of the tables below. There are no migrations:
// another version is made anew.
const codeSchema = 2

// codeTables are the tables of code.db. Times are milliseconds since 1970.
//
// Ids of symbols are stable: a hash of the project's root, the file's path, the
// symbol's path and kind and its place among equals; lines may move. A call, an
// import or an inheritance belongs to the file it stands in and goes with it;
// one from or to another project's symbols does not exist.
const codeTables = `
CREATE TABLE project (
	id       INTEGER PRIMARY KEY,
	root     TEXT NOT NULL UNIQUE,  -- top of the work tree, or the folder
	realm    TEXT NOT NULL,         -- id of the realm it was indexed for, or ''
	begun    INTEGER NOT NULL,      -- when it was first indexed
	indexed  INTEGER NOT NULL,      -- when the last whole index ended; 0: none has
	changed  INTEGER NOT NULL,      -- when anything of it was last written
	settled  INTEGER NOT NULL,      -- edges are those of the facts that are stored
	report   TEXT NOT NULL          -- of the last whole index, as JSON
);
CREATE TABLE manifest (             -- files that say how the project is laid out
	project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
	path    TEXT NOT NULL,
	data    BLOB NOT NULL,
	PRIMARY KEY (project, path)
) WITHOUT ROWID;
CREATE TABLE file (
	id          INTEGER PRIMARY KEY,
	project     INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
	path        TEXT NOT NULL,      -- from the root, with slashes
	lang        TEXT NOT NULL,
	hash        BLOB,               -- SHA-256 of the text; NULL where it could not be read
	size        INTEGER NOT NULL,
	modified    INTEGER NOT NULL,   -- nanoseconds; 0: look at the text next time
	bytes       INTEGER NOT NULL,   -- of its facts
	errors      INTEGER NOT NULL,   -- places that fit no rule of the language
	error_lines TEXT NOT NULL,      -- of the first of them, with spaces between
	skipped     TEXT NOT NULL,      -- why it has no facts, or ''
	why         TEXT NOT NULL,      -- the same in words, where there is more to say
	at          INTEGER NOT NULL,   -- when it was read
	made        INTEGER NOT NULL,   -- hash of its rows below; 0: there are none, -1: they are of another text
	UNIQUE (project, path)
);
CREATE TABLE facts (                -- beside file, whose rows stay short
	file INTEGER PRIMARY KEY REFERENCES file ON DELETE CASCADE,
	data BLOB NOT NULL              -- see code.Decode
);
CREATE TABLE symbol (
	id        INTEGER PRIMARY KEY,
	project   INTEGER NOT NULL,
	file      INTEGER NOT NULL REFERENCES file ON DELETE CASCADE,
	idx       INTEGER NOT NULL,     -- in the file's facts
	name      TEXT NOT NULL,
	folded    TEXT NOT NULL,        -- the name in lower case
	path      TEXT NOT NULL,        -- with what encloses it: Server.Listen
	qualified TEXT NOT NULL,        -- with module or package
	kind      TEXT NOT NULL,
	signature TEXT NOT NULL,
	doc       TEXT NOT NULL,
	line      INTEGER NOT NULL,     -- from 1
	end_line  INTEGER NOT NULL,
	parent    INTEGER,              -- symbol that encloses it
	exported  INTEGER NOT NULL,
	body      INTEGER NOT NULL      -- hash of the text without comments and blank space
);
CREATE INDEX symbol_name ON symbol (folded, project);
CREATE INDEX symbol_file ON symbol (file, idx);
CREATE INDEX symbol_path ON symbol (path, project);
CREATE INDEX symbol_lambda ON symbol (parent) WHERE kind = 'lambda';
CREATE TABLE edge (                 -- calls whose target is known; one row for each target
	file       INTEGER NOT NULL REFERENCES file ON DELETE CASCADE, -- where the call stands
	src        INTEGER NOT NULL,    -- symbol that calls; 0: the file's own code
	dst        INTEGER NOT NULL,    -- symbol that is called
	line       INTEGER NOT NULL,
	rule       TEXT NOT NULL,       -- how it was found; see internal/resolve
	confidence REAL NOT NULL,
	kind       TEXT NOT NULL        -- form of the call; see code.CallKind
);
CREATE INDEX edge_file ON edge (file);
CREATE INDEX edge_src ON edge (src);
CREATE INDEX edge_dst ON edge (dst);
CREATE TABLE loose (                -- calls without a target in the project
	file     INTEGER NOT NULL REFERENCES file ON DELETE CASCADE,
	src      INTEGER NOT NULL,      -- as of edge
	name     TEXT NOT NULL,         -- last name of what is called
	target   TEXT NOT NULL,         -- qualified where that is known: os.path.join
	external INTEGER NOT NULL,      -- it is known to be outside of the project
	line     INTEGER NOT NULL,
	kind     TEXT NOT NULL
);
CREATE INDEX loose_file ON loose (file);
CREATE INDEX loose_src ON loose (src);
CREATE INDEX loose_name ON loose (name);
CREATE TABLE inherit (
	file  INTEGER NOT NULL REFERENCES file ON DELETE CASCADE,
	sub   INTEGER NOT NULL,         -- symbol of the type
	super INTEGER,                  -- symbol it takes from; NULL: outside of the project
	text  TEXT NOT NULL,            -- as written
	kind  TEXT NOT NULL             -- see code.InheritKind
);
CREATE INDEX inherit_file ON inherit (file);
CREATE INDEX inherit_sub ON inherit (sub);
CREATE INDEX inherit_super ON inherit (super);
CREATE TABLE import (               -- one row for each file an import reaches
	file     INTEGER NOT NULL REFERENCES file ON DELETE CASCADE,
	line     INTEGER NOT NULL,
	module   TEXT NOT NULL,         -- as written
	name     TEXT NOT NULL,         -- what is taken from it; '' the module, '*' everything
	alias    TEXT NOT NULL,
	target   TEXT NOT NULL,         -- path of a file of the project, or ''
	external TEXT NOT NULL          -- what it is outside of the project, or ''
);
CREATE INDEX import_file ON import (file);
CREATE INDEX import_target ON import (target);
`

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
func RemoveCode(path string) error { return RemoveVectors(path) } // the same files beside it

var errCodeVersion = errors.New("another version")

func openCode(ctx context.Context, path string, version int) (*Code, error) {
	if err := createOwnerOnly(path); err != nil {
		return nil, classify(err)
	}
	c := &Code{path: path}
	var err error
	if c.file, err = os.Stat(path); err != nil {
		return nil, classify(err)
	}
	if c.write, err = connect(path, false); err != nil {
		return nil, classify(err)
	}
	c.write.SetMaxOpenConns(1)
	if c.read, err = connect(path, true); err == nil {
		err = c.prepare(ctx, version)
	}
	if err != nil {
		return nil, errors.Join(classify(err), c.Close())
	}
	return c, nil
}

// checkedSize is up to which size a file is looked through when it is opened,
// which takes a moment; damage to a larger one shows when it is used.
const checkedSize = 64 << 20

// versionFactor keeps the two versions apart in the one number a file has room
// for.
const versionFactor = 10_000

// prepare makes the tables of an empty file and refuses one that was made
// otherwise.
func (c *Code) prepare(ctx context.Context, version int) error {
	// derived data: what a power cut loses is read again, and overwriting what
	// is erased must not cost more than the erasing
	if _, err := c.write.ExecContext(ctx, `PRAGMA synchronous = NORMAL; PRAGMA secure_delete = FAST`); err != nil {
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
		return nil
	case have == want:
		var verdict string
		if err := c.write.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
			return err
		}
		if verdict != "ok" {
			return fmt.Errorf("%w: %s", ErrDamaged, verdict)
		}
		return nil
	case tables > 0:
		return errCodeVersion
	}
	return c.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, codeTables+fmt.Sprintf("PRAGMA user_version = %d", want))
		return err
	})
}

// Close releases the database.
func (c *Code) Close() error {
	var errs []error
	for _, db := range []*sql.DB{c.read, c.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// Lost reports whether the file was removed or replaced since it was opened.
func (c *Code) Lost() bool {
	file, err := os.Stat(c.path)
	return err != nil || !os.SameFile(file, c.file)
}

// Reader is the pool of connections that read, for questions about code. The
// tables are described at codeTables.
func (c *Code) Reader() *sql.DB { return c.read }

// change runs fn in a transaction.
func (c *Code) change(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := c.write.BeginTx(ctx, nil)
	if err != nil {
		return classify(err)
	}
	defer tx.Rollback() // does nothing after a commit
	if err := fn(tx); err != nil {
		return classify(err)
	}
	return classify(tx.Commit())
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

// ClearProject erases a project, and gives its room back to the disk.
func (c *Code) ClearProject(ctx context.Context, id int64) error {
	err := c.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM project WHERE id = ?`, id)
		return err
	})
	if err != nil {
		return err
	}
	_, err = c.write.ExecContext(ctx, `VACUUM`)
	return errors.Join(classify(err), classify(emptyLog(ctx, c.write)))
}
