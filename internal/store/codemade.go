package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// CodeSymbol is a row of symbol.
type CodeSymbol struct {
	ID                 int64
	Index              int32
	Name, Folded, Path string
	Qualified, Kind    string
	Signature, Doc     string
	Line, EndLine      int
	Parent             int64 // 0: none
	Exported           bool
	Body               uint64
}

// CodeEdge is a row of edge.
type CodeEdge struct {
	Src, Dst   int64
	Line       int
	Rule       string
	Confidence float64
	Kind       string
}

// CodeLoose is a row of loose.
type CodeLoose struct {
	Src          int64
	Name, Target string
	External     bool
	Line         int
	Kind         string
}

// CodeInherit is a row of inherit.
type CodeInherit struct {
	Sub, Super int64 // Super 0: outside of the project
	Text, Kind string
}

// CodeImport is an import and the files of the project that it reaches.
type CodeImport struct {
	Line                int
	Module, Name, Alias string
	Targets             []string
	External            string
}

// CodeMade is everything made from one file.
type CodeMade struct {
	File     int64
	Fresh    bool  // there are no rows of it yet
	Hash     int64 // of all below; never [MadeNever] or [MadeStale]
	Symbols  []CodeSymbol
	Edges    []CodeEdge
	Loose    []CodeLoose
	Inherits []CodeInherit
	Imports  []CodeImport
}

// PutCodeMade replaces what was made from files, all or none.
func (c *Code) PutCodeMade(ctx context.Context, project int64, made []CodeMade) error {
	return c.change(ctx, func(tx *sql.Tx) error {
		if err := eraseMade(ctx, tx, made); err != nil {
			return err
		}
		w, err := newCodeWriter(ctx, tx, project)
		if err != nil {
			return err
		}
		for i := range made {
			w.made(&made[i])
		}
		return w.end()
	})
}

func eraseMade(ctx context.Context, tx *sql.Tx, made []CodeMade) error {
	for _, query := range []string{
		`DELETE FROM symbol WHERE file = ?`, `DELETE FROM call WHERE file = ?`, `DELETE FROM loose WHERE file = ?`,
		`DELETE FROM inherit WHERE file = ?`, `DELETE FROM need WHERE file = ?`,
	} {
		st, err := tx.PrepareContext(ctx, query)
		if err != nil {
			return err
		}
		defer st.Close()
		for i := range made {
			if made[i].Fresh {
				continue
			}
			if _, err := st.ExecContext(ctx, made[i].File); err != nil {
				return err
			}
		}
	}
	return nil
}

// way is how a call is made and its target found, without its number.
type way struct {
	rule       string
	confidence float64
	kind       string
}

// codeWriter adds rows of all tables.
type codeWriter struct {
	ctx     context.Context
	tx      *sql.Tx
	project int64
	err     error

	symbols, calls, loose, inherits, needs, reaches *bulk
	update                                          *sql.Stmt

	ways   map[way]int64  // numbers of those that are stored
	stored map[int64]bool // sets of files that are stored
}

func newCodeWriter(ctx context.Context, tx *sql.Tx, project int64) (w *codeWriter, err error) {
	into := func(head string) *bulk { return newBulk(ctx, tx, head) }
	w = &codeWriter{
		ctx: ctx, tx: tx, project: project, stored: map[int64]bool{0: true},
		symbols:  into(`symbol (id, project, file, idx, name, folded, path, qualified, kind, signature, doc, line, end_line, parent, exported, body)`),
		calls:    into(`call (file, src, dst, line, how)`),
		loose:    into(`loose (file, src, name, target, external, line, kind)`),
		inherits: into(`inherit (file, sub, super, text, kind)`),
		needs:    into(`need (file, line, module, name, alias, reach, external)`),
		reaches:  into(`reach (id, target)`),
	}
	if w.ways, err = ways(ctx, tx); err != nil {
		return nil, err
	}
	w.update, err = tx.PrepareContext(ctx, `UPDATE file SET made = ? WHERE id = ?`)
	return w, err
}

func ways(ctx context.Context, tx *sql.Tx) (map[way]int64, error) {
	rows, err := tx.QueryContext(ctx, `SELECT id, rule, confidence, kind FROM how`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[way]int64{}
	for rows.Next() {
		var id int64
		var x way
		if err := rows.Scan(&id, &x.rule, &x.confidence, &x.kind); err != nil {
			return nil, err
		}
		out[x] = id
	}
	return out, rows.Err()
}

func (w *codeWriter) made(m *CodeMade) {
	for i := range m.Symbols {
		s := &m.Symbols[i]
		w.symbols.add(s.ID, w.project, m.File, s.Index, s.Name, s.Folded, s.Path, s.Qualified, s.Kind, s.Signature, s.Doc,
			s.Line, s.EndLine, orNull(s.Parent), s.Exported, int64(s.Body))
	}
	for _, e := range m.Edges {
		w.calls.add(m.File, e.Src, e.Dst, e.Line, w.way(way{e.Rule, e.Confidence, e.Kind}))
	}
	for _, l := range m.Loose {
		w.loose.add(m.File, l.Src, l.Name, l.Target, l.External, l.Line, l.Kind)
	}
	for _, h := range m.Inherits {
		w.inherits.add(m.File, h.Sub, orNull(h.Super), h.Text, h.Kind)
	}
	for _, i := range m.Imports {
		w.needs.add(m.File, i.Line, i.Module, i.Name, i.Alias, w.reach(i.Targets), i.External)
	}
	if w.err == nil {
		_, w.err = w.update.ExecContext(w.ctx, m.Hash, m.File)
	}
}

// way is the number of a way, which is stored if it is new.
func (w *codeWriter) way(x way) (id int64) {
	id, ok := w.ways[x]
	if !ok && w.err == nil {
		w.err = w.tx.QueryRowContext(w.ctx, `INSERT INTO how (rule, confidence, kind) VALUES (?, ?, ?) RETURNING id`, x.rule, x.confidence, x.kind).Scan(&id)
		w.ways[x] = id
	}
	return id
}

// reach is the number of a set of files, which is stored if it is new.
func (w *codeWriter) reach(targets []string) int64 {
	id := setOf(targets)
	if w.stored[id] || w.err != nil {
		return id
	}
	w.stored[id] = true
	var there bool
	w.err = w.tx.QueryRowContext(w.ctx, `SELECT EXISTS (SELECT 1 FROM reach WHERE id = ?)`, id).Scan(&there)
	if !there {
		for _, target := range slices.Compact(slices.Sorted(slices.Values(targets))) {
			w.reaches.add(id, target)
		}
	}
	return id
}

// setOf is the number of a set of files: a hash of their paths, 0 for none.
func setOf(paths []string) int64 {
	if len(paths) == 0 {
		return 0
	}
	n := len(paths)
	for _, path := range paths {
		n += len(path)
	}
	all := make([]byte, 0, n) // at once: piece by piece takes twice the time
	for _, path := range paths {
		all = append(append(all, path...), 0)
	}
	sum := sha256.Sum256(all)
	return int64(binary.BigEndian.Uint64(sum[:]) | 1)
}

func orNull(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}

func (w *codeWriter) end() error {
	err := errors.Join(w.err, w.update.Close())
	for _, b := range []*bulk{w.symbols, w.calls, w.loose, w.inherits, w.needs, w.reaches} {
		if endErr := b.end(); err == nil {
			err = endErr
		}
	}
	return err
}

// bulkRows is how many rows go in one statement: the fixed cost of a statement
// is then small beside that of its rows.
const bulkRows = 40

// bulk adds many rows to a table. What fails is undone with its transaction, and
// FAIL says so: SQLite would otherwise copy each page that a statement changes,
// to undo that statement alone.
type bulk struct {
	ctx     context.Context
	tx      *sql.Tx
	into    string // table and columns
	columns int
	args    []any
	full    *sql.Stmt
	err     error
}

func newBulk(ctx context.Context, tx *sql.Tx, into string) *bulk {
	return &bulk{ctx: ctx, tx: tx, into: into, columns: strings.Count(into, ",") + 1}
}

func (b *bulk) statement(rows int) string {
	row := "(?" + strings.Repeat(", ?", b.columns-1) + ")"
	return "INSERT OR FAIL INTO " + b.into + " VALUES " + row + strings.Repeat(", "+row, rows-1)
}

func (b *bulk) add(row ...any) {
	b.args = append(b.args, row...)
	if b.err != nil || len(b.args) < bulkRows*b.columns {
		return
	}
	if b.full == nil {
		if b.full, b.err = b.tx.PrepareContext(b.ctx, b.statement(bulkRows)); b.err != nil {
			return
		}
	}
	_, b.err = b.full.ExecContext(b.ctx, b.args...)
	b.args = b.args[:0]
}

// end adds what is left and returns the first error.
func (b *bulk) end() error {
	if rows := len(b.args) / b.columns; b.err == nil && rows > 0 {
		_, b.err = b.tx.ExecContext(b.ctx, b.statement(rows), b.args...)
	}
	if b.full != nil {
		b.full.Close()
	}
	return b.err
}

// CodeCounts are how much is known of a project.
type CodeCounts struct {
	Files    int   `json:"files"`
	Symbols  int   `json:"symbols"`
	Edges    int   `json:"edges"`
	External int   `json:"external"` // calls of what is outside of the project
	Unknown  int   `json:"unknown"`  // calls of what is not known
	Inherits int   `json:"inherits"`
	Imports  int   `json:"imports"`
	Facts    int64 `json:"facts_bytes"`
}

// CodeCounts counts what is known of a project.
func (c *Code) CodeCounts(ctx context.Context, project int64) (n CodeCounts, err error) {
	var others bool
	if err := c.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM project WHERE id <> ?)`, project).Scan(&others); err != nil {
		return n, classify(err)
	}
	of := `)` // all rows are those of the one project, which is found out without a look at each
	if others {
		of = ` JOIN file ON file.id = t.file WHERE file.project = ?1)`
	}
	err = c.read.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM file WHERE project = ?1 AND skipped = ''), (SELECT coalesce(sum(bytes), 0) FROM file WHERE project = ?1),
		(SELECT count(*) FROM symbol t`+of+`, (SELECT count(*) FROM call t`+of+`,
		(SELECT coalesce(sum(external), 0) FROM loose t`+of+`, (SELECT coalesce(sum(NOT external), 0) FROM loose t`+of+`,
		(SELECT count(*) FROM inherit t`+of+`, (SELECT count(*) FROM need t`+of, project).
		Scan(&n.Files, &n.Facts, &n.Symbols, &n.Edges, &n.External, &n.Unknown, &n.Inherits, &n.Imports)
	return n, classify(err)
}
