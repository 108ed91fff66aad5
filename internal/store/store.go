package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // registers the driver
)

//go:embed migrations
var migrationFiles embed.FS

// embedded returns the migrations of the main database.
func embedded() fs.FS { return migrationsOf("main") }

func migrationsOf(database string) fs.FS {
	files, err := fs.Sub(migrationFiles, "migrations/"+database)
	if err != nil {
		panic(err) // the names are fixed and valid
	}
	return files
}

// Options says how to open a store. The zero value of a field means its
// default.
type Options struct {
	Path       string           // database file
	BackupDir  string           // where copies made before a migration go
	Readers    int              // connections kept for reading (default 4)
	MaxReaders int              // most connections that may read at once (default 8)
	Now        func() time.Time // names backups (default time.Now)
	Log        *slog.Logger     // default: discard

	migrations fs.FS // default: the embedded ones
}

func (o *Options) setDefaults() {
	if o.Readers <= 0 {
		o.Readers = 4
	}
	if o.MaxReaders <= 0 {
		o.MaxReaders = 8
	}
	o.MaxReaders = max(o.MaxReaders, o.Readers)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.migrations == nil {
		o.migrations = embedded()
	}
	if o.BackupDir == "" {
		o.BackupDir = filepath.Join(filepath.Dir(o.Path), "backups")
	}
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	opts  Options
	write *sql.DB // exactly one connection: SQLite has one writer, so have we
	read  *sql.DB

	writing, reading *statements

	identity string
	changes  changes
}

// Identity tells this database from every other; a restored one is another.
func (s *Store) Identity() string { return s.identity }

func identityOf(ctx context.Context, db *sql.DB) (string, error) {
	var id string
	err := db.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = 'identity'`).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		if err := setIdentity(ctx, db); err != nil {
			return "", err
		}
		return identityOf(ctx, db)
	}
	return id, err
}

func setIdentity(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, `INSERT INTO meta (key, value) VALUES ('identity', lower(hex(randomblob(16))))
		ON CONFLICT DO UPDATE SET value = excluded.value`)
	return err
}

const (
	// busyTimeout covers the moments a checkpoint or a backup holds the file.
	busyTimeout = 5 * time.Second
	// pageCacheKiB per connection; the working set of a large store is a few
	// thousand pages of indexes.
	pageCacheKiB = 8 << 10
)

// Open opens the database, creating or migrating it as needed. A database of
// an older schema is copied to the backup directory first; one of a newer
// schema is refused with [NewerSchemaError].
func Open(ctx context.Context, o Options) (*Store, error) {
	o.setDefaults()
	if err := createOwnerOnly(o.Path); err != nil {
		return nil, fmt.Errorf("open database %s: %w", o.Path, classify(err))
	}
	s := &Store{opts: o}
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, fmt.Errorf("open database %s: %w", o.Path, classify(err))
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) error {
	var err error
	if s.write, err = connect(s.opts.Path, false); err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	if err := s.write.PingContext(ctx); err != nil {
		return err
	}
	if err := s.migrate(ctx); err != nil {
		return err
	}
	if s.identity, err = identityOf(ctx, s.write); err != nil {
		return err
	}
	if s.read, err = connect(s.opts.Path, true); err != nil {
		return err
	}
	s.read.SetMaxIdleConns(s.opts.Readers)
	s.read.SetMaxOpenConns(s.opts.MaxReaders)
	s.writing, s.reading = newStatements(s.write), newStatements(s.read)
	return s.read.PingContext(ctx)
}

// walLimit is the size, in bytes, that the write-ahead log is cut back to when a
// large transaction has made it grow: far more than everyday writes need.
const walLimit = 8 << 20

// connect opens one connection pool. Writers commit with synchronous=FULL: an
// acknowledged memory survives a power cut, not only a crash.
func connect(path string, readOnly bool) (*sql.DB, error) {
	q := url.Values{}
	pragma := func(p string) { q.Add("_pragma", p) }
	pragma(fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()))
	pragma("foreign_keys(1)")
	pragma(fmt.Sprintf("cache_size(-%d)", pageCacheKiB))
	if readOnly {
		pragma("query_only(1)")
	} else {
		q.Set("_txlock", "immediate")
		pragma("journal_mode(WAL)")
		pragma("synchronous(FULL)")
		pragma(fmt.Sprintf("journal_size_limit(%d)", walLimit))
		pragma("secure_delete(1)") // what is erased is overwritten, not only unlinked
	}
	dsn := (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: q.Encode()}).String()
	return sql.Open("sqlite", dsn)
}

// createOwnerOnly makes an empty file readable by its owner alone, so that
// SQLite, which copies the mode to its side files, never widens it.
func createOwnerOnly(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(0o600), f.Close())
}

// migrate brings the schema up to date, after a backup when there is
// something to lose.
func (s *Store) migrate(ctx context.Context) error {
	return migrate(ctx, s.write, s.opts.migrations, func(have, known int64) error {
		name := fmt.Sprintf("before-schema-%d-%s.db", known, s.opts.Now().UTC().Format("20060102T150405Z"))
		copyTo := filepath.Join(s.opts.BackupDir, name)
		if err := backup(ctx, s.write, copyTo); err != nil {
			return fmt.Errorf("back up before migrating: %w", err)
		}
		s.opts.Log.Info("database copied before migration", "file", copyTo)
		return nil
	})
}

// migrate applies the migrations a database lacks. before is called when there
// is a schema already.
func migrate(ctx context.Context, db *sql.DB, files fs.FS, before func(have, known int64) error) error {
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	have, known, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	switch {
	case have > known:
		return &NewerSchemaError{Have: have, Known: known}
	case have == known:
		return nil
	case have > 0:
		if err := before(have, known); err != nil {
			return err
		}
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate schema from %d to %d: %w", have, known, err)
	}
	return nil
}

// Close checkpoints and releases the database.
func (s *Store) Close() error {
	var errs []error
	if s.read != nil {
		errs = append(errs, s.read.Close())
	}
	if s.write != nil {
		errs = append(errs, s.write.Close())
	}
	return errors.Join(errs...)
}

// Path returns the database file.
func (s *Store) Path() string { return s.opts.Path }

// SchemaVersion returns the schema version of the open database.
func (s *Store) SchemaVersion(ctx context.Context) (int64, error) {
	var v int64
	err := s.reading.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version WHERE is_applied`).Scan(&v)
	return v, classify(err)
}

// Write runs fn in one transaction: all of it is stored durably when Write
// returns nil, none of it otherwise.
func (s *Store) Write(ctx context.Context, fn func(*Tx) error) error {
	s.writing.catchUp(ctx)
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin write: %w", classify(err))
	}
	defer tx.Rollback() // does nothing after a commit
	t := &Tx{tx: tx, ctx: ctx, statements: s.writing}
	if err := fn(t); err != nil {
		return classify(err)
	}
	err = tx.Commit()
	s.changes.note(t.wrote) // whatever the answer: a commit that fails late may have come through
	if err != nil {
		return fmt.Errorf("commit: %w", classify(err))
	}
	return nil
}

// querier is what reading needs; both connections and transactions have it.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
