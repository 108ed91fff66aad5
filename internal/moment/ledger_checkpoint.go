package moment

import (
	"context"
	"path/filepath"
	"time"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/past"
)

// LedgerCheckpointInput names a session.
type LedgerCheckpointInput struct {
	Session string `json:"session,omitempty" jsonschema:"the client's session; default: the caller's"`
}

// LedgerCheckpoint writes down how a session stands, from what it shows.
func (k *Keeper) LedgerCheckpoint(ctx context.Context, c mind.Caller, in LedgerCheckpointInput) (Ledger, error) {
	session := in.Session
	if session == "" {
		session = c.Session
	}
	if session == "" {
		return Ledger{}, &memory.InputError{Field: "session", Problem: "is missing", Hint: "name the client's session; chitta sessions lists them"}
	}
	return k.checkpointOf(ctx, c, session)
}

// checkpoint writes down how a session stands.
func (k *Keeper) checkpoint(ctx context.Context, session string) error {
	v, err := k.store.Visit(ctx, session)
	if err == nil {
		_, err = k.checkpointOf(ctx, hookCaller(&v), session)
	}
	if isMissing(err) {
		return nil // nothing of it was written down yet, or it was forgotten
	}
	return err
}

// compactedRead bounds how long a session that was compacted reads what is new
// in its transcript: usually the last turn, some milliseconds. What is left of
// the time that its start has is for the answer.
const compactedRead = 150 * time.Millisecond

// checkpointCompacted writes down how a session stands that goes on after it was
// compacted. The background does so too, but may come to it too late: only what
// is written down can be told. Where it fails, what is there has to do.
func (k *Keeper) checkpointCompacted(ctx context.Context, e *Event) {
	if e.Source != sourceCompact {
		return
	}
	if filepath.IsAbs(e.Transcript) {
		reading, cancel := context.WithTimeout(ctx, compactedRead)
		defer cancel()
		in := mind.SessionIngestInput{Path: e.Transcript, Budget: int(compactedRead.Milliseconds())}
		if _, err := k.mind.SessionIngest(reading, mind.Caller{Actor: actorHook, Session: e.Session, Cwd: e.Cwd}, in); err != nil && !noTranscript(err) {
			k.log.Info("a compacted session is told what was read before", "session", e.Session, "error", err)
		}
	}
	if err := k.checkpoint(ctx, e.Session); err != nil {
		k.log.Warn("how a compacted session stands could not be written down", "session", e.Session, "error", err)
	}
}

// actorHook is who acts when nobody asked.
const actorHook = "hook"

func (k *Keeper) checkpointOf(ctx context.Context, c mind.Caller, session string) (Ledger, error) {
	r, err := k.mind.SessionResume(ctx, c, past.SessionInput{ID: session})
	if err != nil {
		return Ledger{}, err
	}
	return k.writeLedger(ctx, r.Session.Realm, r.Session.ID, LedgerCheckpoint, func(s *LedgerState) { s.take(stateOf(&r)) })
}
