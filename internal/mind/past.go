package mind

import (
	"context"
	"time"

	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/store"
)

// What was said and done is read by package past. Here its operations are handed
// on, for a caller who reads as a person or as an agent.

// wirePast puts together what reads conversations.
func (m *Mind) wirePast() {
	m.past = past.New(past.Options{
		Store: m.store, Messages: m.messages, Chunks: m.chunks,
		Here: func(ctx context.Context, dir string) (memory.Realm, error) {
			r, _, err := m.currentRealm(ctx, Caller{Cwd: dir})
			return r, err
		},
		Named: m.namedRealm, Identify: m.detector.Detect, Alike: m.Resemblance, Now: m.opts.Now,
	})
}

func (c Caller) reader() past.Reader { return past.Reader{Person: c.Person(), Dir: c.Cwd} }

// Search finds messages word for word.
func (m *Mind) Search(ctx context.Context, c Caller, in past.SearchInput) (past.SearchOutput, error) {
	return m.past.Search(ctx, c.reader(), in)
}

// SessionList returns sessions, the last active first.
func (m *Mind) SessionList(ctx context.Context, c Caller, in past.ListInput) (past.ListOutput, error) {
	return m.past.List(ctx, c.reader(), in)
}

// SessionShow returns a page of a session's transcript, or one message.
func (m *Mind) SessionShow(ctx context.Context, c Caller, in past.ShowInput) (past.ShowOutput, error) {
	return m.past.Show(ctx, c.reader(), in)
}

// SessionResume returns what is needed to go on with a session.
func (m *Mind) SessionResume(ctx context.Context, c Caller, in past.SessionInput) (past.ResumeOutput, error) {
	return m.past.Resume(ctx, c.reader(), in)
}

// ResumeOf is SessionResume for a session at hand, also where its directory is
// gone.
func (m *Mind) ResumeOf(ctx context.Context, c Caller, s store.Session) (past.ResumeOutput, error) {
	return m.past.ResumeOf(ctx, c.reader(), s)
}

// SessionContext chooses what of a session to carry over.
func (m *Mind) SessionContext(ctx context.Context, c Caller, in past.ContextInput) (past.ContextOutput, error) {
	return m.past.Context(ctx, c.reader(), in)
}

// SessionExport returns a thread of a session a page at a time.
func (m *Mind) SessionExport(ctx context.Context, c Caller, in past.ExportInput) (past.ExportOutput, error) {
	return m.past.Export(ctx, c.reader(), in)
}

// Fix finds earlier occurrences of an error and what was done until it went
// away.
func (m *Mind) Fix(ctx context.Context, c Caller, in past.FixInput) (past.FixOutput, error) {
	return m.past.Fix(ctx, c.reader(), in)
}

// How finds commands that worked here for a task.
func (m *Mind) How(ctx context.Context, c Caller, in past.HowInput) (past.HowOutput, error) {
	return m.past.How(ctx, c.reader(), in)
}

// SessionNamed finds a session by its id or the unique start of it, as far as
// the caller may see it.
func (m *Mind) SessionNamed(ctx context.Context, c Caller, id string) (store.Session, error) {
	return m.past.Find(ctx, c.reader(), "session", id)
}

// TimeNamed reads a time as operations take them: a date, a time, or a span
// back from now. Zero is none.
func (m *Mind) TimeNamed(field, text string) (time.Time, error) {
	return memory.ParseTime(field, text, m.opts.Now())
}
