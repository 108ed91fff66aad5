package store

import (
	"context"
	"database/sql"
	"sync"
)

// maxStatements bounds how many prepared statements a pool keeps. The shapes
// that matter are a few dozen; rare combinations of filters beyond it run
// unprepared.
const maxStatements = 256

// statements keeps prepared statements by their text: parsing a query costs
// more than running most of them.
//
// fixedPlan: SQLite plans some statements for the values that are bound, and
// parses those again at every use: where a value is the limit, or is compared
// with a column without an index. In queries that run thousands of times such a
// value stands in an expression, as in LIMIT 0 + ?, which it does not look into.
type statements struct {
	db     *sql.DB
	mu     sync.Mutex
	ready  map[string]*sql.Stmt
	wanted map[string]bool // asked for inside a transaction, prepared before the next
}

func newStatements(db *sql.DB) *statements {
	return &statements{db: db, ready: map[string]*sql.Stmt{}, wanted: map[string]bool{}}
}

// prepare returns the statement for a query, preparing it the first time. It
// returns nil where that fails or there are too many; the query then runs
// unprepared and reports its own error.
func (s *statements) prepare(ctx context.Context, query string) *sql.Stmt {
	s.mu.Lock()
	have, full := s.ready[query], len(s.ready) >= maxStatements
	s.mu.Unlock()
	if have != nil || full {
		return have
	}
	st, err := s.db.PrepareContext(ctx, query)
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if have := s.ready[query]; have != nil || len(s.ready) >= maxStatements {
		st.Close()
		return have
	}
	s.ready[query] = st
	return st
}

// inside returns the statement for a query of a transaction, or nil. The
// writer has one connection and the transaction holds it, so what is missing
// can only be prepared later.
func (s *statements) inside(query string) *sql.Stmt {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.ready[query]
	if st == nil {
		s.wanted[query] = true
	}
	return st
}

// catchUp prepares what transactions asked for.
func (s *statements) catchUp(ctx context.Context) {
	s.mu.Lock()
	wanted := s.wanted
	s.wanted = map[string]bool{}
	s.mu.Unlock()
	for query := range wanted {
		s.prepare(ctx, query)
	}
}

// QueryContext runs a query outside of transactions.
func (s *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if st := s.prepare(ctx, query); st != nil {
		return st.QueryContext(ctx, args...)
	}
	return s.db.QueryContext(ctx, query, args...)
}

// QueryRowContext runs a query for one row outside of transactions.
func (s *statements) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if st := s.prepare(ctx, query); st != nil {
		return st.QueryRowContext(ctx, args...)
	}
	return s.db.QueryRowContext(ctx, query, args...)
}

// Tx is a write transaction in progress.
type Tx struct {
	tx         *sql.Tx
	ctx        context.Context
	statements *statements
	wrote      map[string]bool      // tables written to
	uses       map[string]int       // how often each query ran
	own        map[string]*sql.Stmt // prepared ones as this transaction runs them
}

// ownAfter is how often a transaction runs a query before it prepares it for
// itself: what a long one does thousands of times may be new to the writer.
const ownAfter = 8

// prepared returns the statement for a query, or nil.
func (t *Tx) prepared(ctx context.Context, query string) *sql.Stmt {
	if st := t.own[query]; st != nil {
		return st
	}
	if t.uses == nil {
		t.uses, t.own, t.wrote = map[string]int{}, map[string]*sql.Stmt{}, map[string]bool{}
	}
	if table := targetOf(query); table != "" {
		t.wrote[table] = true
	}
	if len(t.own) >= maxStatements {
		return nil
	}
	if st := t.statements.inside(query); st != nil {
		st = t.tx.StmtContext(ctx, st)
		t.own[query] = st
		return st
	}
	if t.uses[query]++; t.uses[query] > ownAfter {
		if st, err := t.tx.PrepareContext(ctx, query); err == nil { // closed with the transaction
			t.own[query] = st
			return st
		}
	}
	return nil
}

// QueryContext runs a query inside the transaction.
func (t *Tx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if st := t.prepared(ctx, query); st != nil {
		return st.QueryContext(ctx, args...)
	}
	return t.tx.QueryContext(ctx, query, args...)
}

// QueryRowContext runs a query for one row inside the transaction.
func (t *Tx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if st := t.prepared(ctx, query); st != nil {
		return st.QueryRowContext(ctx, args...)
	}
	return t.tx.QueryRowContext(ctx, query, args...)
}

func (t *Tx) exec(query string, args ...any) error {
	if st := t.prepared(t.ctx, query); st != nil {
		_, err := st.ExecContext(t.ctx, args...)
		return err
	}
	_, err := t.tx.ExecContext(t.ctx, query, args...)
	return err
}

// insert runs a statement that adds one row, and returns its number.
func (t *Tx) insert(query string, args ...any) (int64, error) {
	run := t.tx.ExecContext
	if st := t.prepared(t.ctx, query); st != nil {
		run = func(ctx context.Context, _ string, args ...any) (sql.Result, error) {
			return st.ExecContext(ctx, args...)
		}
	}
	done, err := run(t.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return done.LastInsertId()
}
