package mind

import (
	"context"
	"fmt"
	"time"

	"chitta/internal/ingest"
	"chitta/internal/memory"
	"chitta/internal/session"
)

// Conversations come from a file ([Mind.SessionIngest]), with the call
// ([Mind.SessionImport]), or by watching the folder in which the client writes
// them ([Mind.Watch]). All go one way, that of package ingest.

// SessionIngestInput names a transcript.
type SessionIngestInput struct {
	Path   string `json:"path" jsonschema:"the file to read"`
	Format string `json:"format,omitempty" jsonschema:"claude-code or turns; default: what the file shows"`
	Realm  string `json:"realm,omitempty" jsonschema:"project: id or name; default: that of the directory each conversation took place in, for turns that of the working directory"`
	Budget int    `json:"budget,omitempty" jsonschema:"milliseconds after which to return; 0 means 2000"`
	// Migration marks what is read as brought by the migration that has begun.
	Migration bool `json:"migration,omitempty" jsonschema:"what is read belongs to the migration that has begun, and goes when that is rolled back"`
}

const (
	// ingestBudget is how long one call reads before it returns. The longest
	// single step is a line of the largest size, so a call stays far below the
	// time limit of requests.
	ingestBudget    = 2 * time.Second
	maxIngestBudget = 15 * time.Second
)

// SessionIngest takes over what is new in a transcript. It returns after a
// while whether it is through or not; what was read is stored, and the next
// call goes on from there. A file that has not changed is not read.
func (m *Mind) SessionIngest(ctx context.Context, c Caller, in SessionIngestInput) (ingest.Report, error) {
	if in.Path == "" {
		return ingest.Report{}, &memory.InputError{Field: "path", Problem: "is empty", Hint: "name the file to read"}
	}
	if err := memory.CheckText("path", in.Path, memory.MaxPath); err != nil {
		return ingest.Report{}, err
	}
	path, err := resolvePath(c, "path", in.Path)
	if err != nil {
		return ingest.Report{}, err
	}
	if in.Budget < 0 || in.Budget > int(maxIngestBudget.Milliseconds()) {
		return ingest.Report{}, &memory.InputError{Field: "budget", Problem: fmt.Sprintf("%d is out of range", in.Budget), Hint: fmt.Sprintf("use 0 to %d", maxIngestBudget.Milliseconds())}
	}
	w := ingest.File{Path: path, Realm: m.realmOf(c, in.Realm), Fixed: in.Realm != "", Budget: ingestBudget}
	if in.Budget > 0 {
		w.Budget = time.Duration(in.Budget) * time.Millisecond
	}
	if in.Format != "" {
		if w.Format, err = ingest.FormatNamed(in.Format); err != nil {
			return ingest.Report{}, err
		}
	}
	if w.Migration, err = m.markOf(ctx, in.Migration); err != nil {
		return ingest.Report{}, err
	}
	return m.ingest.ReadFile(ctx, w)
}

// SessionImportInput is lines of a conversation's log.
type SessionImportInput struct {
	Format string   `json:"format" jsonschema:"what the lines are: turns or claude-code"`
	Lines  []string `json:"lines" jsonschema:"lines of the log, in order"`
	// Session is what turns belong to that name no session.
	Session string `json:"session,omitempty" jsonschema:"the session of turns that name none; default: turns"`
	Realm   string `json:"realm,omitempty" jsonschema:"project: id or name; default: that of the working directory"`
}

// SessionImportOutput counts what became of the lines.
type SessionImportOutput struct {
	Sessions int             `json:"sessions"` // new ones
	Added    int             `json:"added"`    // messages
	Known    int             `json:"known"`    // messages that were here already
	Redacted int             `json:"redacted"` // secrets taken out
	Refused  []ImportProblem `json:"refused"`
	Realm    string          `json:"realm"`
}

// SessionImport takes over messages of conversations, word for word but for
// secrets. A message that is known already is not taken again, so a file can
// be imported as often as it grows. All good lines of a call are stored
// together; bad ones are reported.
func (m *Mind) SessionImport(ctx context.Context, c Caller, in SessionImportInput) (SessionImportOutput, error) {
	out := SessionImportOutput{Refused: []ImportProblem{}}
	format, err := ingest.FormatNamed(in.Format)
	if err != nil {
		return out, err
	}
	if len(in.Lines) > importMost {
		return out, &memory.InputError{Field: "lines", Problem: fmt.Sprintf("are %d, more than %d", len(in.Lines), importMost), Hint: "send them in several calls"}
	}
	if in.Session == "" {
		in.Session = (session.Turns{}).Name()
	}
	realm, err := m.realmFor(ctx, c, in.Realm)
	if err != nil {
		return out, err
	}
	out.Realm = realm.ID
	counts, bad, err := m.ingest.ReadLines(ctx, ingest.Lines{Format: format, Text: in.Lines, Session: in.Session, Realm: realm.ID})
	out.Added, out.Known, out.Sessions, out.Redacted = counts.Added, counts.Known, counts.Sessions, counts.Redacted
	for _, q := range bad {
		out.Refused = append(out.Refused, ImportProblem{Line: q.Line, Why: q.Reason})
	}
	return out, err
}

// Watch reads the client's transcripts as they grow, until ctx ends. It is
// for whoever runs background work; it does nothing if the configuration says
// so.
func (m *Mind) Watch(ctx context.Context) {
	if !m.opts.Config.Sessions.Watch {
		return
	}
	dir, err := ingest.TranscriptsDir(m.opts.Config)
	if err != nil {
		m.opts.Log.Warn("transcripts are not watched", "error", err)
		return
	}
	m.ingest.Watch(dir).Run(ctx)
}

// actorWatch is who reads transcripts by itself.
const actorWatch = "watch"

// realmOf says where what a caller brings goes: to the realm named, or that of
// the caller's directory.
func (m *Mind) realmOf(c Caller, name string) func(context.Context) (memory.Realm, error) {
	return func(ctx context.Context) (memory.Realm, error) { return m.realmFor(ctx, c, name) }
}

// followMessages lets the index of messages take over those that were just
// stored, as they were read.
func (m *Mind) followMessages(ctx context.Context, source string, messages []ingest.Stored) {
	if len(messages) == 0 {
		return
	}
	for _, x := range messages {
		m.recent.Put(source, x.Hash, x.Size, x.Message)
	}
	m.messages.Follow(ctx)
}

// followConversations lets the indexes take over what was stored, and the
// knowledge graph what it states.
func (m *Mind) followConversations(ctx context.Context) error {
	m.chunks.Follow(ctx)
	m.sessions.Follow(ctx)
	m.messages.Follow(ctx)
	m.mineTurn(ctx)
	return m.timeline.Follow(ctx)
}
