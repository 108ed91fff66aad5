package mind

import (
	"context"
	"fmt"

	"chitta/internal/session"
	"chitta/internal/store"
)

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
	format, err := formatNamed(in.Format)
	if err != nil {
		return out, err
	}
	if len(in.Lines) > importMost {
		return out, &InputError{Field: "lines", Problem: fmt.Sprintf("are %d, more than %d", len(in.Lines), importMost), Hint: "send them in several calls"}
	}
	if in.Session == "" {
		in.Session = (session.Turns{}).Name()
	}
	realm, err := m.realmFor(ctx, c, in.Realm)
	if err != nil {
		return out, err
	}
	out.Realm = realm.ID
	r := m.newReader(ctx, format)
	b := &batch{counts: newLineCounts()}
	for _, line := range in.Lines {
		r.number++
		b.counts.Lines++
		r.record(b, []byte(line), 0)
	}
	var counts LineCounts
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		counts = b.counts.clone()
		return m.storeRecords(tx, ingestTarget{format: format, realm: realm.ID, unnamed: in.Session}, 0, b, &counts)
	})
	if err != nil {
		return SessionImportOutput{}, err
	}
	out.Added, out.Known, out.Sessions, out.Redacted = counts.Added, counts.Known, counts.Sessions, counts.Redacted
	for _, q := range b.bad {
		out.Refused = append(out.Refused, ImportProblem{Line: q.Line, Why: q.Reason})
	}
	return out, m.followConversations(ctx)
}
