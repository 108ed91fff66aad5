package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// What tool calls did, read back: by chunk, by file, by conversation.

// Touch is a call that named a file, and where it stands.
type Touch struct {
	FileTouch
	Chunk     int64 // of which it is a part, where asked for
	MessageID string
	Agent     string
	Position  int64 // of the message
	Turn      int64
}

// Changes reports whether the touch changed the file.
func (t *Touch) Changes() bool { return t.Action == "edit" || t.Action == "write" }

// Run is a run of a command, and where it stands.
type Run struct {
	CommandRun
	MessageID string
	Agent     string
	Position  int64
	Turn      int64
}

// chunkReach is how many messages before a message the chunk it belongs to may
// begin. A chunk has some dozens of messages; those of subagents at work
// meanwhile may stand in between.
const chunkReach = 5000

const touchColumns = `f.message, f.n, f.session, f.path, f.tool, f.action, f.failed, f.at, m.id, m.agent, m.position, m.turn`

func scanTouch(row scanner) (t Touch, err error) {
	var at int64
	err = row.Scan(&t.Message, &t.N, &t.Session, &t.Path, &t.Tool, &t.Action, &t.Failed, &at, &t.MessageID, &t.Agent, &t.Position, &t.Turn)
	t.Time = fromMillis(at)
	return t, err
}

const runColumns = `r.message, r.n, r.session, r.command, r.exit_code, r.failed, r.result, r.at, m.id, m.agent, m.position, m.turn`

func scanRun(row scanner) (r Run, err error) {
	var at int64
	var exit sql.NullInt64
	err = row.Scan(&r.Message, &r.N, &r.Session, &r.Command, &exit, &r.Failed, &r.Result, &at, &r.MessageID, &r.Agent, &r.Position, &r.Turn)
	if exit.Valid {
		code := int(exit.Int64)
		r.ExitCode = &code
	}
	r.Time = fromMillis(at)
	return r, err
}

// ofChunk joins a chunk with its messages. Chunks of a thread can overlap by a
// result that came late; then a message belongs to the one that begins last.
const ofChunk = `FROM json_each(?) wanted CROSS JOIN chunk c ON c.seq = wanted.value
	CROSS JOIN message m ON m.session = c.session AND m.position BETWEEN c.first AND c.last AND m.agent = c.agent
	AND NOT EXISTS (SELECT 1 FROM chunk d WHERE d.session = c.session AND d.agent = c.agent AND d.gone = 0 AND d.seq <> c.seq
		AND d.first BETWEEN c.first AND m.position AND d.last >= m.position AND (d.first > c.first OR (d.part, d.seq) < (c.part, c.seq)))`

// TouchesOf returns the files that chunks touched, in order, by chunk. Of
// chunks that are gone it returns what no other chunk stands for.
func (s *Store) TouchesOf(ctx context.Context, chunks []int64) (map[int64][]Touch, error) {
	list, err := json.Marshal(chunks)
	if err != nil || len(chunks) == 0 {
		return nil, err
	}
	touches, err := collect(ctx, s.reading, func(row scanner) (Touch, error) {
		var chunk int64
		t, err := scanTouch(prefixed{row, []any{&chunk}})
		t.Chunk = chunk
		return t, err
	}, `SELECT c.seq, `+touchColumns+` `+ofChunk+` CROSS JOIN file_touch f ON f.message = m.seq ORDER BY c.seq, m.position, f.n`, string(list))
	out := map[int64][]Touch{}
	for _, t := range touches {
		out[t.Chunk] = append(out[t.Chunk], t)
	}
	return out, err
}

// RunsOf returns the commands that chunks ran, in order, by chunk.
func (s *Store) RunsOf(ctx context.Context, chunks []int64) (map[int64][]Run, error) {
	list, err := json.Marshal(chunks)
	if err != nil || len(chunks) == 0 {
		return nil, err
	}
	type owned struct {
		Run
		chunk int64
	}
	runs, err := collect(ctx, s.reading, func(row scanner) (o owned, err error) {
		o.Run, err = scanRun(prefixed{row, []any{&o.chunk}})
		return o, err
	}, `SELECT c.seq, `+runColumns+` `+ofChunk+` CROSS JOIN command_run r ON r.message = m.seq ORDER BY c.seq, m.position, r.n`, string(list))
	out := map[int64][]Run{}
	for _, r := range runs {
		out[r.chunk] = append(out[r.chunk], r.Run)
	}
	return out, err
}

// prefixed is a row that begins with columns of its own.
type prefixed struct {
	scanner
	own []any
}

func (p prefixed) Scan(rest ...any) error { return p.scanner.Scan(slices.Concat(p.own, rest)...) }

// NextTouch returns the first touch of a file after another one in a realm, or
// the last before it, with the chunk it is part of. Searches and failed calls
// do not count. Its Chunk is 0 if there is none.
func (s *Store) NextTouch(ctx context.Context, realm, path string, from *Touch, before bool) (Touch, error) {
	const body = `FROM file_touch f CROSS JOIN session s ON s.seq = f.session CROSS JOIN message m ON m.seq = f.message
		WHERE f.path = ? AND s.realm = ('' || ?) AND f.failed = 0 AND f.action <> 'search' AND (f.at, f.message, f.n) ` // see fixedPlan
	query := `SELECT ` + touchColumns + ` ` + body + `> (?, ?, ?) ORDER BY f.at, f.message, f.n LIMIT 1`
	if before {
		query = `SELECT ` + touchColumns + ` ` + body + `< (?, ?, ?) ORDER BY f.at DESC, f.message DESC, f.n DESC LIMIT 1`
	}
	t, err := scanTouch(s.reading.QueryRowContext(ctx, query, path, realm, millis(from.Time), from.Message, from.N))
	if errors.Is(err, sql.ErrNoRows) {
		return Touch{}, nil
	}
	if err != nil {
		return t, classify(err)
	}
	t.Chunk, err = s.ChunkAt(ctx, t.Session, t.Agent, t.Position)
	return t, err
}

// ChunkAt returns the chunk that a message of a thread is part of, or 0.
func (s *Store) ChunkAt(ctx context.Context, session int64, agent string, position int64) (int64, error) {
	var seq int64
	err := s.reading.QueryRowContext(ctx, `SELECT seq FROM chunk WHERE session = ?1 AND agent = ?2 AND gone = 0 AND last >= ?3 AND first =
		(SELECT first FROM chunk WHERE session = ?1 AND agent = ?2 AND gone = 0 AND first BETWEEN ?3 - ?4 AND ?3 AND last >= ?3 ORDER BY first DESC LIMIT 1)
		ORDER BY part, seq LIMIT 1`, session, agent, position, chunkReach).Scan(&seq)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return seq, classify(err)
}

// CountTouches counts how often a file was touched, up to most.
func (s *Store) CountTouches(ctx context.Context, path string, most int) (n int, err error) {
	err = s.reading.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM file_touch WHERE path = ? LIMIT 0 + ?)`, path, most).Scan(&n) // see fixedPlan
	return n, classify(err)
}

// Touched returns those of the given paths that were ever touched, in their
// order.
func (s *Store) Touched(ctx context.Context, paths []string) ([]string, error) {
	list, err := json.Marshal(paths)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	return collect(ctx, s.reading, func(row scanner) (path string, err error) {
		return path, row.Scan(&path)
	}, `SELECT value FROM json_each(?) wanted WHERE EXISTS (SELECT 1 FROM file_touch WHERE path = wanted.value) ORDER BY key`, string(list))
}

// TouchedFile is a path that was touched in a realm, and how often.
type TouchedFile struct {
	Path    string
	Touches int
}

// TouchedFiles returns all paths that were touched in a realm.
func (s *Store) TouchedFiles(ctx context.Context, realm string) ([]TouchedFile, error) {
	return collect(ctx, s.reading, func(row scanner) (f TouchedFile, err error) {
		return f, row.Scan(&f.Path, &f.Touches)
	}, `SELECT f.path, count(*) FROM file_touch f JOIN session s ON s.seq = f.session WHERE ? IN ('', s.realm) AND f.action <> 'search' GROUP BY f.path ORDER BY f.path`, realm)
}

// TouchesOfFiles returns the newest touches of files in a realm, newest first.
func (s *Store) TouchesOfFiles(ctx context.Context, realm string, paths []string, since time.Time, limit int) ([]Touch, error) {
	list, err := json.Marshal(paths)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	return collect(ctx, s.reading, scanTouch,
		`SELECT `+touchColumns+` FROM json_each(?) wanted JOIN file_touch f ON f.path = wanted.value JOIN session s ON s.seq = f.session
		JOIN message m ON m.seq = f.message WHERE ? IN ('', s.realm) AND f.action <> 'search' AND f.at >= ? ORDER BY f.at DESC, f.message DESC, f.n DESC LIMIT ?`,
		string(list), realm, millis(since), limit)
}

// ChangesAfter returns what a thread of a conversation did to files after a
// message, in order.
func (s *Store) ChangesAfter(ctx context.Context, session int64, agent string, position int64, limit int) ([]Touch, error) {
	return collect(ctx, s.reading, scanTouch,
		`SELECT `+touchColumns+` FROM message m CROSS JOIN file_touch f ON f.message = m.seq
		WHERE m.session = ? AND m.position > ? AND m.agent = ? AND f.action <> 'search' ORDER BY m.position, f.n LIMIT ?`, session, position, agent, limit)
}

// RunsAfter returns the commands that a thread of a conversation ran after a
// message, in order.
func (s *Store) RunsAfter(ctx context.Context, session int64, agent string, position int64, limit int) ([]Run, error) {
	return collect(ctx, s.reading, scanRun,
		`SELECT `+runColumns+` FROM message m CROSS JOIN command_run r ON r.message = m.seq
		WHERE m.session = ? AND m.position > ? AND m.agent = ? ORDER BY m.position, r.n LIMIT ?`, session, position, agent, limit)
}

// FailedRuns returns the newest commands of a realm that failed, newest first.
func (s *Store) FailedRuns(ctx context.Context, realm string, limit int) ([]Run, error) {
	return collect(ctx, s.reading, scanRun,
		`SELECT `+runColumns+` FROM session s JOIN command_run r ON r.session = s.seq JOIN message m ON m.seq = r.message
		WHERE ? IN ('', s.realm) AND (r.failed = 1 OR r.exit_code <> 0) ORDER BY r.at DESC, r.message DESC, r.n DESC LIMIT ?`, realm, limit)
}

// Runs returns the newest commands of a realm, newest first.
func (s *Store) Runs(ctx context.Context, realm string, limit int) ([]Run, error) {
	return collect(ctx, s.reading, scanRun,
		`SELECT `+runColumns+` FROM session s JOIN command_run r ON r.session = s.seq JOIN message m ON m.seq = r.message
		WHERE ? IN ('', s.realm) ORDER BY r.at DESC, r.message DESC, r.n DESC LIMIT ?`, realm, limit)
}

// TurnKey names a turn of the main thread of a conversation.
type TurnKey struct {
	Session int64 `json:"s"`
	Turn    int64 `json:"t"`
}

// Requests returns what a person said at the beginning of turns: the first
// chunk of it.
func (s *Store) Requests(ctx context.Context, turns []TurnKey) (map[TurnKey]Chunk, error) {
	list, err := json.Marshal(turns)
	if err != nil || len(turns) == 0 {
		return nil, err
	}
	type asked struct {
		TurnKey
		Chunk
	}
	found, err := collect(ctx, s.reading, func(row scanner) (a asked, err error) {
		a.Chunk, err = scanChunk(prefixed{row, []any{&a.TurnKey.Session, &a.TurnKey.Turn}})
		return a, err
	}, `SELECT json_extract(wanted.value, '$.s'), json_extract(wanted.value, '$.t'), `+chunkColumns+` FROM json_each(?) wanted JOIN chunk c ON c.seq =
		(SELECT d.seq FROM message m JOIN chunk d ON d.session = m.session AND d.first = m.position AND d.gone = 0
			WHERE m.session = json_extract(wanted.value, '$.s') AND m.agent = '' AND m.turn = json_extract(wanted.value, '$.t') AND d.agent = '' AND d.role = 'user'
			ORDER BY m.position, d.part LIMIT 1)`, string(list))
	out := make(map[TurnKey]Chunk, len(found))
	for _, a := range found {
		out[a.TurnKey] = a.Chunk
	}
	return out, err
}

// RequestBefore returns the last thing a person said in the main thread of a
// conversation up to a moment. Its Seq is 0 if there is none.
func (s *Store) RequestBefore(ctx context.Context, session int64, at time.Time) (Chunk, error) {
	return s.oneChunk(ctx, `SELECT `+chunkColumns+` FROM chunk c WHERE session = ? AND agent = '' AND gone = 0 AND role = 'user' AND part = 0 AND at <= ?
		ORDER BY first DESC LIMIT 1`, session, millis(at))
}

// LatestRequest returns what a person said last in a realm. Its Seq is 0 if
// there is nothing.
func (s *Store) LatestRequest(ctx context.Context, realm string) (Chunk, error) {
	const (
		from  = ` FROM session s CROSS JOIN chunk c ON c.session = s.seq WHERE `
		asked = `c.agent = '' AND c.gone = 0 AND c.role = 'user' AND c.part = 0 ORDER BY s.ended DESC, s.seq DESC, c.first DESC LIMIT 1`
	)
	if realm == "" {
		return s.oneChunk(ctx, `SELECT `+chunkColumns+from+asked)
	}
	// of one realm the indexes have this order, and the first row will do
	return s.oneChunk(ctx, `SELECT `+chunkColumns+from+`s.realm = ? AND `+asked, realm)
}

func (s *Store) oneChunk(ctx context.Context, query string, args ...any) (Chunk, error) {
	c, err := scanChunk(s.reading.QueryRowContext(ctx, query, args...))
	if errors.Is(err, sql.ErrNoRows) {
		return Chunk{}, nil
	}
	return c, classify(err)
}

// TurnMessages returns the last messages of a turn of a thread, newest first.
func (s *Store) TurnMessages(ctx context.Context, session int64, agent string, turn int64, limit int) ([]Message, error) {
	return collect(ctx, s.reading, scanMessage, `SELECT `+messageColumns+` FROM message WHERE session = ? AND agent = ? AND turn = ?
		ORDER BY position DESC LIMIT ?`, session, agent, turn, limit)
}

// SessionDirs returns the directories in which the conversations of a realm
// began, the newest first.
func (s *Store) SessionDirs(ctx context.Context, realm string, limit int) ([]string, error) {
	where, args := "", []any{}
	if realm != "" { // by the index: a project is a small part of what is stored
		where, args = "realm = ? AND ", append(args, realm)
	}
	return collect(ctx, s.reading, func(row scanner) (dir string, err error) { return dir, row.Scan(&dir) },
		`SELECT cwd FROM session WHERE `+where+`cwd <> '' GROUP BY cwd ORDER BY max(ended) DESC, cwd LIMIT ?`, append(args, limit)...)
}

// AgentThread is one subagent's part of a conversation.
type AgentThread struct {
	Agent       string
	First, Last Chunk // without their texts
}

// AgentThreads returns the subagents' threads of a conversation.
func (s *Store) AgentThreads(ctx context.Context, session int64) ([]AgentThread, error) {
	chunks, err := collect(ctx, s.reading, func(row scanner) (Chunk, error) {
		c := Chunk{Session: session}
		var at int64
		err := row.Scan(&c.Seq, &c.Agent, &at)
		c.Time = fromMillis(at)
		return c, err
	}, `SELECT seq, agent, at FROM chunk WHERE session = ? AND gone = 0 AND agent <> '' ORDER BY first, part, seq`, session)
	var threads []AgentThread
	at := map[string]int{}
	for _, c := range chunks {
		i, ok := at[c.Agent]
		if !ok {
			i, at[c.Agent] = len(threads), len(threads)
			threads = append(threads, AgentThread{Agent: c.Agent, First: c})
		}
		threads[i].Last = c
	}
	return threads, err
}

// ThreadParent returns the id of the message with the call that started a
// subagent's thread, or "" if it is not known.
func (s *Store) ThreadParent(ctx context.Context, session int64, agent string) (string, error) {
	var parent string
	err := s.reading.QueryRowContext(ctx, `SELECT parent FROM thread WHERE session = ? AND agent = ?`, session, agent).Scan(&parent)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return parent, classify(err)
}

// ChunkBefore returns the last chunk of the main thread of a conversation that
// begins at a moment or before, or the first of all if none does: 0 if the
// thread is empty.
func (s *Store) ChunkBefore(ctx context.Context, session int64, at time.Time) (int64, error) {
	c, err := s.oneChunk(ctx, `SELECT `+chunkColumns+` FROM chunk c WHERE session = ? AND agent = '' AND gone = 0 AND at <= ? ORDER BY first DESC, part DESC, seq DESC LIMIT 1`, session, millis(at))
	if err != nil || c.Seq != 0 {
		return c.Seq, err
	}
	c, err = s.oneChunk(ctx, `SELECT `+chunkColumns+` FROM chunk c WHERE session = ? AND agent = '' AND gone = 0 ORDER BY first, part, seq LIMIT 1`, session)
	return c.Seq, err
}

// ChunkKnowing returns the first chunk of the main thread of a conversation,
// from a chunk on, whose clock knows of a stream; 0 if none does.
func (s *Store) ChunkKnowing(ctx context.Context, from int64, stream string) (int64, error) {
	name, err := json.Marshal(stream)
	if err != nil {
		return 0, err
	}
	c, err := s.oneChunk(ctx, `SELECT `+chunkColumns+` FROM chunk f CROSS JOIN chunk c ON c.session = f.session AND c.agent = '' AND c.gone = 0 AND c.first >= f.first
		WHERE f.seq = ? AND instr(c.clock, ? || ':') > 0 ORDER BY c.first, c.part, c.seq LIMIT 1`, from, string(name))
	return c.Seq, err
}

// TouchedIn returns the files that a conversation touched last, the latest
// first.
func (s *Store) TouchedIn(ctx context.Context, session int64, limit int) ([]string, error) {
	return collect(ctx, s.reading, func(row scanner) (path string, err error) {
		return path, row.Scan(&path)
	}, `SELECT path FROM file_touch WHERE session = ? AND action <> 'search' AND failed = 0 GROUP BY path ORDER BY max(at) DESC, path LIMIT ?`, session, limit)
}
