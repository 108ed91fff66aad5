package store

import (
	"context"
	"database/sql"
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

// CodeImport is a row of import.
type CodeImport struct {
	Line                int
	Module, Name, Alias string
	Target, External    string
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
		for _, query := range []string{`DELETE FROM symbol WHERE file = ?`, `DELETE FROM edge WHERE file = ?`,
			`DELETE FROM loose WHERE file = ?`, `DELETE FROM inherit WHERE file = ?`, `DELETE FROM import WHERE file = ?`} {
			st, err := tx.PrepareContext(ctx, query)
			if err != nil {
				return err
			}
			for i := range made {
				if made[i].Fresh {
					continue
				}
				if _, err := st.ExecContext(ctx, made[i].File); err != nil {
					return err
				}
			}
			st.Close()
		}
		w := newCodeWriter(ctx, tx)
		if w.update, w.err = tx.PrepareContext(ctx, `UPDATE file SET made = ? WHERE id = ?`); w.err != nil {
			return w.err
		}
		defer w.update.Close()
		for i := range made {
			w.made(project, &made[i])
		}
		return w.end()
	})
}

// codeWriter adds rows of all tables.
type codeWriter struct {
	symbols, edges, loose, inherits, imports *bulk
	err                                      error
	ctx                                      context.Context
	update                                   *sql.Stmt
}

func newCodeWriter(ctx context.Context, tx *sql.Tx) *codeWriter {
	into := func(head string) *bulk { return newBulk(ctx, tx, head) }
	return &codeWriter{
		ctx: ctx,
		// an id that two symbols share by chance is the later one's
		symbols:  into(`INSERT OR REPLACE INTO symbol (id, project, file, idx, name, folded, path, qualified, kind, signature, doc, line, end_line, parent, exported, body)`),
		edges:    into(`INSERT INTO edge (file, src, dst, line, rule, confidence, kind)`),
		loose:    into(`INSERT INTO loose (file, src, name, target, external, line, kind)`),
		inherits: into(`INSERT INTO inherit (file, sub, super, text, kind)`),
		imports:  into(`INSERT INTO import (file, line, module, name, alias, target, external)`),
	}
}

func (w *codeWriter) made(project int64, m *CodeMade) {
	for _, s := range m.Symbols {
		w.symbols.add(s.ID, project, m.File, s.Index, s.Name, s.Folded, s.Path, s.Qualified, s.Kind, s.Signature, s.Doc,
			s.Line, s.EndLine, orNull(s.Parent), s.Exported, int64(s.Body))
	}
	for _, e := range m.Edges {
		w.edges.add(m.File, e.Src, e.Dst, e.Line, e.Rule, e.Confidence, e.Kind)
	}
	for _, l := range m.Loose {
		w.loose.add(m.File, l.Src, l.Name, l.Target, l.External, l.Line, l.Kind)
	}
	for _, h := range m.Inherits {
		w.inherits.add(m.File, h.Sub, orNull(h.Super), h.Text, h.Kind)
	}
	for _, i := range m.Imports {
		w.imports.add(m.File, i.Line, i.Module, i.Name, i.Alias, i.Target, i.External)
	}
	if w.err == nil {
		_, w.err = w.update.ExecContext(w.ctx, m.Hash, m.File)
	}
}

func orNull(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}

func (w *codeWriter) end() error {
	err := w.err
	for _, b := range []*bulk{w.symbols, w.edges, w.loose, w.inherits, w.imports} {
		if endErr := b.end(); err == nil {
			err = endErr
		}
	}
	return err
}

// bulkRows is how many rows go in one statement: the fixed cost of a statement
// is then small beside that of its rows.
const bulkRows = 40

// bulk adds many rows to a table.
type bulk struct {
	ctx     context.Context
	tx      *sql.Tx
	head    string
	columns int
	args    []any
	full    *sql.Stmt
	err     error
}

func newBulk(ctx context.Context, tx *sql.Tx, head string) *bulk {
	return &bulk{ctx: ctx, tx: tx, head: head, columns: strings.Count(head, ",") + 1}
}

func (b *bulk) statement(rows int) string {
	row := "(?" + strings.Repeat(", ?", b.columns-1) + ")"
	return b.head + " VALUES " + row + strings.Repeat(", "+row, rows-1)
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
	const of = ` JOIN file ON file.id = t.file WHERE file.project = ?1)`
	err = c.read.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM file WHERE project = ?1 AND skipped = ''), (SELECT coalesce(sum(bytes), 0) FROM file WHERE project = ?1),
		(SELECT count(*) FROM symbol t`+of+`, (SELECT count(*) FROM edge t`+of+`,
		(SELECT coalesce(sum(external), 0) FROM loose t`+of+`, (SELECT coalesce(sum(NOT external), 0) FROM loose t`+of+`,
		(SELECT count(*) FROM inherit t`+of+`, (SELECT count(*) FROM import t`+of, project).
		Scan(&n.Files, &n.Facts, &n.Symbols, &n.Edges, &n.External, &n.Unknown, &n.Inherits, &n.Imports)
	return n, classify(err)
}
