package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"
)

// Backup writes a complete, compact copy of the database to a file while
// others go on reading and writing. The file appears whole or not at all; an
// existing one is not overwritten.
func (s *Store) Backup(ctx context.Context, path string) error {
	db, err := connect(s.opts.Path, false) // its own connection, so the writer is not held up
	if err != nil {
		return classify(err)
	}
	defer db.Close()
	return backup(ctx, db, path)
}

func backup(ctx context.Context, db *sql.DB, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return classify(err)
	}
	tmp := path + ".partial"
	os.Remove(tmp) // left by a copy that was cut short
	if err := createOwnerOnly(tmp); err != nil {
		return classify(err)
	}
	defer os.Remove(tmp)
	if _, err := db.ExecContext(ctx, `VACUUM INTO ?`, tmp); err != nil {
		return classify(err)
	}
	if err := syncFile(tmp); err != nil {
		return classify(err)
	}
	if err := os.Rename(tmp, path); err != nil {
		return classify(err)
	}
	return classify(syncDir(filepath.Dir(path)))
}

// Restore puts a backup in the place of the database at o.Path, which nobody
// may have open. The backup is verified first; what was there before is kept
// in the backup directory, and the returned path says where ("" when there
// was nothing).
func Restore(ctx context.Context, from string, o Options) (kept string, err error) {
	o.setDefaults()
	tmp := o.Path + ".restoring"
	defer removeDatabase(tmp)
	if err := prepareRestore(ctx, from, tmp); err != nil {
		return "", fmt.Errorf("backup %s: %w", from, err)
	}
	if fi, err := os.Stat(o.Path); err == nil && fi.Size() > 0 {
		kept = filepath.Join(o.BackupDir, "before-restore-"+o.Now().UTC().Format("20060102T150405.000Z")+".db")
		if err := setAside(ctx, o.Path, kept); err != nil {
			return "", fmt.Errorf("keep the present database: %w", classify(err))
		}
	}
	// A write-ahead log left beside the new file would be applied to it.
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := os.Remove(o.Path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return kept, classify(err)
		}
	}
	if err := os.Rename(tmp, o.Path); err != nil {
		return kept, classify(err)
	}
	return kept, classify(syncDir(filepath.Dir(o.Path)))
}

// prepareRestore copies a backup, with the log beside it if it has one, and
// proves that the copy can be opened. The copy gets an identity of its own, so
// that nothing derived from another database is taken for its own.
func prepareRestore(ctx context.Context, from, tmp string) error {
	if fi, err := os.Stat(from); err != nil {
		return err
	} else if !fi.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	removeDatabase(tmp)
	for _, suffix := range []string{"", "-wal"} {
		err := copyFile(from+suffix, tmp+suffix)
		if err != nil && !(suffix != "" && errors.Is(err, fs.ErrNotExist)) {
			return classify(err)
		}
	}
	db, err := connect(tmp, false)
	if err != nil {
		return classify(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	var verdict string
	if err := db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict); err != nil {
		return classify(err)
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, verdict)
	}
	var have sql.NullInt64
	var tables int
	err = db.QueryRowContext(ctx, `SELECT max(version_id), (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('memory', 'memory_change', 'memory_tag', 'realm', 'meta'))
		FROM goose_db_version WHERE is_applied`).Scan(&have, &tables)
	if err != nil || tables != 5 {
		return fmt.Errorf("%w: not a chitta database", ErrDamaged)
	}
	known, err := latestSchema(embedded())
	if err != nil {
		return err
	}
	if have.Int64 > known {
		return &NewerSchemaError{Have: have.Int64, Known: known}
	}
	if err := setIdentity(ctx, db); err != nil {
		return classify(err)
	}
	if _, err := db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		return classify(err)
	}
	if err := db.Close(); err != nil {
		return classify(err)
	}
	return classify(syncFile(tmp))
}

func removeDatabase(path string) {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		os.Remove(path + suffix) // what cannot be removed is in the way of nothing
	}
}

func latestSchema(files fs.FS) (int64, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil || len(names) == 0 {
		return 0, fmt.Errorf("no migrations: %w", err)
	}
	return goose.NumericComponent(filepath.Base(names[len(names)-1]))
}

// setAside keeps a copy of a database that can itself be restored. One too
// damaged for that is copied as it is, log and all, to be looked at later.
func setAside(ctx context.Context, path, to string) error {
	db, err := connect(path, false)
	if err != nil {
		return err
	}
	err = backup(ctx, db, to)
	if closeErr := db.Close(); err == nil {
		return closeErr
	}
	os.Remove(to)
	for _, suffix := range []string{"", "-wal"} {
		err := copyFile(path+suffix, to+suffix)
		if err != nil && !(suffix != "" && errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	return syncDir(filepath.Dir(to))
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Sync()
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Compact gives the space of erased rows back and empties the write-ahead
// log, so that no copy of erased text stays on disk.
func (s *Store) Compact(ctx context.Context) error {
	if _, err := s.write.ExecContext(ctx, `VACUUM`); err != nil {
		return classify(err)
	}
	return emptyLog(ctx, s.write)
}

const (
	checkpointTries = 20
	checkpointPause = 50 * time.Millisecond
)

// emptyLog moves the write-ahead log into the database and empties it, waiting
// a little for readers that still look at it.
func emptyLog(ctx context.Context, db *sql.DB) error {
	for range checkpointTries {
		var busy, inLog, moved int
		if err := db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &inLog, &moved); err != nil {
			return classify(err)
		}
		if busy == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(checkpointPause):
		}
	}
	return errors.New("the write-ahead log is still being read; try again later")
}
