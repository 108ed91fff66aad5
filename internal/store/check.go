package store

import (
	"context"
	"fmt"
	"strings"

	"chitta/internal/memory"
)

// Problem is one broken invariant.
type Problem struct {
	What   string `json:"what"`   // which invariant
	Where  string `json:"where"`  // which row, when one is to blame
	Detail string `json:"detail"` // what was found
}

// maxProblems bounds a report; a file this broken needs restoring, not
// reading.
const maxProblems = 100

type invariant struct{ what, query string }

// invariants returns statements about rows that no operation may break; each
// query returns the offending rows as (where, detail).
func invariants() []invariant {
	return []invariant{
		{"references lead somewhere", `SELECT "table" || ' row ' || rowid, parent FROM pragma_foreign_key_check`},
		{"a memory's kind is known", fmt.Sprintf(`SELECT id, kind FROM memory WHERE kind NOT BETWEEN 0 AND %d`, len(memory.Kinds())-1)},
		{"a memory's state is known", `SELECT id, state FROM memory WHERE state NOT IN ('active', 'superseded', 'rejected', 'forgotten')`},
		{"a memory's visibility is known", `SELECT id, visibility FROM memory WHERE visibility NOT IN ('private', 'shared', 'global')`},
		{"confidence lies between 0 and 1", `SELECT id, mean || ' ± ' || variance FROM memory WHERE NOT (mean BETWEEN 0 AND 1 AND variance BETWEEN 0 AND 0.25)`},
		{"only an erased memory has no text", `SELECT id, 'erased=' || erased FROM memory WHERE (erased <> 0) <> (content = '')`},
		{"an erased memory keeps no hash and no tags", `SELECT id, hash FROM memory m WHERE erased <> 0 AND (hash <> '' OR EXISTS (SELECT 1 FROM memory_tag t WHERE t.memory = m.seq))`},
		{"an erased memory speaks of no code", `SELECT m.id, a.path FROM anchor a JOIN memory m ON m.seq = a.memory WHERE m.erased <> 0`},
		{"ledgers and hook calls are JSON", `SELECT id, 'ledger' FROM ledger WHERE NOT json_valid(state)
		UNION ALL SELECT 'hook call ' || seq, items FROM hook_call WHERE NOT json_valid(items)`},
		{"a forgotten memory knows when", `SELECT id, state FROM memory WHERE (state = 'forgotten') <> (forgotten <> 0)`},
		{"a superseded memory names its correction", `SELECT id, superseded_by FROM memory WHERE state = 'superseded' AND superseded_by = ''`},
		{"corrections are linked both ways", `SELECT a.id, a.superseded_by FROM memory a JOIN memory b ON b.id = a.superseded_by
		WHERE b.supersedes <> a.id`},
		{"every memory has a history", `SELECT id, '' FROM memory m WHERE NOT EXISTS (SELECT 1 FROM memory_change c WHERE c.memory = m.seq)`},
		{"provenance and history are JSON", `SELECT id, 'provenance' FROM memory WHERE NOT json_valid(provenance)
		UNION ALL SELECT CAST(memory AS TEXT), 'history' FROM memory_change WHERE NOT json_valid(detail)`},
		{"a conversation counts its messages", `SELECT id, messages FROM session s WHERE messages <> (SELECT count(*) FROM message m WHERE m.session = s.seq)`},
		{"messages of a conversation stand in a row", `SELECT s.id, max(position) FROM message m JOIN session s ON s.seq = m.session GROUP BY m.session HAVING max(position) + 1 <> count(*)`},
		{"an erased conversation keeps nothing", `SELECT id, title FROM session s WHERE forgotten <> 0 AND (title <> '' OR cwd <> ''
		OR EXISTS (SELECT 1 FROM message m WHERE m.session = s.seq AND length(m.raw) > 0)
		OR EXISTS (SELECT 1 FROM chunk c WHERE c.session = s.seq AND c.gone = 0)
		OR EXISTS (SELECT 1 FROM thread t WHERE t.session = s.seq)
		OR EXISTS (SELECT 1 FROM file_touch f WHERE f.session = s.seq) OR EXISTS (SELECT 1 FROM command_run r WHERE r.session = s.seq))`},
		{"only a chunk that is gone has no text", `SELECT 'chunk ' || seq, gone FROM chunk WHERE (gone <> 0) <> (text = '')`},
		{"a chunk stands on messages", `SELECT 'chunk ' || c.seq, c.first || ' to ' || c.last FROM chunk c JOIN session s ON s.seq = c.session
		WHERE c.gone = 0 AND NOT (0 <= c.first AND c.first <= c.last AND c.last < s.messages)`},
		{"edges join chunks that are there", `SELECT 'edge from chunk ' || e.source, 'to ' || e.target FROM edge e JOIN chunk a ON a.seq = e.source JOIN chunk b ON b.seq = e.target
		WHERE a.gone <> 0 OR b.gone <> 0`},
	}
}

// Check proves the invariants of the database: the file itself, references
// between rows, and what the rows say. It returns what is broken.
func (s *Store) Check(ctx context.Context) ([]Problem, error) {
	var out []Problem
	for step := range s.CheckSteps() {
		found, err := s.CheckStep(ctx, step)
		if err != nil {
			return nil, err
		}
		if out = append(out, found...); len(out) >= maxProblems {
			return out[:maxProblems], nil
		}
	}
	return out, nil
}

// CheckSteps returns in how many steps everything can be proved.
func (s *Store) CheckSteps() int { return 1 + len(invariants()) + len(graphInvariants()) }

// CheckStep is one step of [Store.Check], for who cannot wait for all of them.
func (s *Store) CheckStep(ctx context.Context, step int) ([]Problem, error) {
	if step == 0 {
		return s.checkFile(ctx)
	}
	inv := append(invariants(), graphInvariants()...)[step-1]
	found, err := s.violations(ctx, inv.what, inv.query)
	if err != nil {
		return nil, fmt.Errorf("check that %s: %w", inv.what, err)
	}
	return found, nil
}

// checkFile lets SQLite look at its file.
func (s *Store) checkFile(ctx context.Context) ([]Problem, error) {
	var out []Problem
	rows, err := s.reading.QueryContext(ctx, fmt.Sprintf(`PRAGMA integrity_check(%d)`, maxProblems))
	if err != nil {
		return nil, classify(err)
	}
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			rows.Close()
			return nil, classify(err)
		}
		if line != "ok" {
			out = append(out, Problem{What: "the file is sound", Detail: line})
		}
	}
	rows.Close()
	return out, classify(rows.Err())
}

func (s *Store) violations(ctx context.Context, what, query string) ([]Problem, error) {
	rows, err := s.reading.QueryContext(ctx, query+fmt.Sprintf(` LIMIT %d`, maxProblems))
	if err != nil {
		return nil, classify(err)
	}
	defer rows.Close()
	var out []Problem
	for rows.Next() {
		p := Problem{What: what}
		var detail any
		if err := rows.Scan(&p.Where, &detail); err != nil {
			return nil, classify(err)
		}
		if detail != nil {
			p.Detail = strings.TrimSpace(fmt.Sprint(detail))
		}
		out = append(out, p)
	}
	return out, classify(rows.Err())
}
