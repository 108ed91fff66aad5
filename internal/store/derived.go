package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
)

// derived is a database beside the main one whose content can be made again: one
// connection that writes, and a pool of those that read.
type derived struct {
	path  string
	file  os.FileInfo // as it was when opened
	write *sql.DB
	read  *sql.DB
	say   func(error) error // what an error of this database is
}

// openDerived opens a database, creating its file when missing. prepare makes or
// checks what is in it.
func openDerived(path string, say func(error) error, prepare func(*derived) error) (*derived, error) {
	if err := createOwnerOnly(path); err != nil {
		return nil, say(err)
	}
	d := &derived{path: path, say: say}
	var err error
	if d.file, err = os.Stat(path); err != nil {
		return nil, say(err)
	}
	if d.write, err = connect(path, false); err != nil {
		return nil, say(err)
	}
	d.write.SetMaxOpenConns(1)
	if d.read, err = connect(path, true); err == nil {
		err = prepare(d)
	}
	if err != nil {
		return nil, errors.Join(say(err), d.Close())
	}
	return d, nil
}

// Close releases the database.
func (d *derived) Close() error {
	var errs []error
	for _, db := range []*sql.DB{d.read, d.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// Lost reports whether the file was removed or replaced since it was opened:
// what is written now would be gone with the process.
func (d *derived) Lost() bool {
	file, err := os.Stat(d.path)
	return err != nil || !os.SameFile(file, d.file)
}

// change runs fn in a transaction.
func (d *derived) change(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return d.say(err)
	}
	defer tx.Rollback() // does nothing after a commit
	if err := fn(tx); err != nil {
		return d.say(err)
	}
	return d.say(tx.Commit())
}

// removeDerived deletes a database that nobody has open.
func removeDerived(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return classify(err)
		}
	}
	return nil
}
