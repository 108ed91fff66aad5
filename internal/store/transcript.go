package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// SourceFile is a transcript and how far it has been read.
type SourceFile struct {
	ID       int64
	Path     string
	Format   string
	Size     int64 // when all of it was read, or [NotAllRead]
	Modified time.Time
	Offset   int64  // everything before it has been taken over
	Lines    int    // before Offset
	Whole    []byte // SHA-256 of everything before Offset; tells whether what was read is still there
	Prefix   []byte // the same over its edges alone, where Whole is not known
	Inode    int64  // 0 if unknown
	Updated  time.Time
}

// NotAllRead is the size of a transcript of which something is still to be
// read.
const NotAllRead = -1

// SourceFile returns what is known of a transcript, the zero value if nothing
// is.
func (s *Store) SourceFile(ctx context.Context, path string) (SourceFile, error) {
	f := SourceFile{Path: path}
	var modified, updated int64
	err := s.reading.QueryRowContext(ctx, `SELECT id, format, size, modified, offset, lines, whole, prefix, inode, updated FROM source_file WHERE path = ?`, path).
		Scan(&f.ID, &f.Format, &f.Size, &modified, &f.Offset, &f.Lines, &f.Whole, &f.Prefix, &f.Inode, &updated)
	if errors.Is(err, sql.ErrNoRows) {
		return SourceFile{Path: path}, nil
	}
	f.Modified, f.Updated = fromMillis(modified), fromMillis(updated)
	return f, classify(err)
}

// PutSourceFile stores how far a transcript has been read and sets its ID.
func (t *Tx) PutSourceFile(f *SourceFile) error {
	return t.QueryRowContext(t.ctx, `INSERT INTO source_file (path, format, size, modified, offset, lines, whole, prefix, inode, updated) VALUES (?, ?, ?, ?, ?, ?, ?, x'', ?, ?)
		ON CONFLICT (path) DO UPDATE SET format = excluded.format, size = excluded.size, modified = excluded.modified,
		offset = excluded.offset, lines = excluded.lines, whole = excluded.whole, prefix = x'', inode = excluded.inode, updated = excluded.updated RETURNING id`,
		f.Path, f.Format, f.Size, millis(f.Modified), f.Offset, f.Lines, f.Whole, f.Inode, millis(f.Updated)).Scan(&f.ID)
}

// CountSourceFiles returns how many transcripts have been read.
func (s *Store) CountSourceFiles(ctx context.Context) (int, error) {
	return s.count(ctx, `SELECT count(*) FROM source_file`)
}

// Quarantined is a line that could not be understood.
type Quarantined struct {
	File   int64
	Path   string
	Offset int64
	Line   int // counted from 1
	Length int64
	Reason string
	Raw    []byte // without secrets, and cut when very long
	At     time.Time
}

// Quarantine keeps a line that could not be understood. The same line is kept
// once.
func (t *Tx) Quarantine(q *Quarantined) error {
	return t.exec(`INSERT INTO quarantine (file, at_offset, line, length, reason, raw, at) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (file, at_offset) DO UPDATE SET line = excluded.line, length = excluded.length, reason = excluded.reason, raw = excluded.raw`,
		q.File, q.Offset, q.Line, q.Length, q.Reason, q.Raw, millis(q.At))
}

// ClearQuarantine lets go of the lines of a file that is read again from its
// beginning.
func (t *Tx) ClearQuarantine(file int64) error {
	return t.exec(`DELETE FROM quarantine WHERE file = ?`, file)
}

// Quarantined returns the newest lines that could not be understood.
func (s *Store) Quarantined(ctx context.Context, limit int) ([]Quarantined, error) {
	return collect(ctx, s.reading, func(row scanner) (Quarantined, error) {
		var q Quarantined
		var at int64
		err := row.Scan(&q.File, &q.Path, &q.Offset, &q.Line, &q.Length, &q.Reason, &q.Raw, &at)
		q.At = fromMillis(at)
		return q, err
	}, `SELECT q.file, f.path, q.at_offset, q.line, q.length, q.reason, q.raw, q.at FROM quarantine q JOIN source_file f ON f.id = q.file
		ORDER BY q.seq DESC LIMIT ?`, limit)
}

// FileTouch is one call of a tool that names a file.
type FileTouch struct {
	Message int64 // row of the message with the call
	N       int   // which of the message's
	Session int64
	Path    string
	Tool    string
	Action  string // read, edit, write, search
	Failed  bool
	Time    time.Time
}

// CommandRun is one run of a shell command.
type CommandRun struct {
	Message  int64 // row of the message with the call
	N        int
	Session  int64
	Command  string
	ExitCode *int // nil if unknown
	Failed   bool
	Result   string // id of the message with its result
	Time     time.Time
}

// DropFacts removes what is known of the tool calls of messages.
func (t *Tx) DropFacts(messages []int64) error {
	for _, m := range messages {
		if err := t.exec(`DELETE FROM file_touch WHERE message = ?`, m); err != nil {
			return err
		}
		if err := t.exec(`DELETE FROM command_run WHERE message = ?`, m); err != nil {
			return err
		}
	}
	return nil
}

// AddFileTouch stores a touch of a file.
func (t *Tx) AddFileTouch(f *FileTouch) error {
	return t.exec(`INSERT INTO file_touch (message, n, session, path, tool, action, failed, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		f.Message, f.N, f.Session, f.Path, f.Tool, f.Action, f.Failed, millis(f.Time))
}

// AddCommandRun stores a run of a command.
func (t *Tx) AddCommandRun(c *CommandRun) error {
	return t.exec(`INSERT INTO command_run (message, n, session, command, exit_code, failed, result, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		c.Message, c.N, c.Session, c.Command, c.ExitCode, c.Failed, c.Result, millis(c.Time))
}
