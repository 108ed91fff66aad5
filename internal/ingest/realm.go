package ingest

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"chitta/internal/memory"
	"chitta/internal/session"
)

// target says where conversations are to be stored.
type target struct {
	format session.Format
	realm  string // "": by the directory each conversation took place in
	// unnamed is the id of the conversation whose turns name none.
	unnamed string
	// migration is the one that brings them, or 0.
	migration int64
	// begun says where conversations took place that are not stored yet: by
	// their ids, the first directory they name and what it shows of its project.
	begun map[string]begun
}

type begun struct {
	cwd      string
	identity memory.Identity
}

// targetOf chooses where what is read from a file goes. Turns do not say where
// they were spoken; they belong where they are imported.
func (m *Ingester) targetOf(ctx context.Context, w File, format session.Format) (target, error) {
	t := target{format: format, migration: w.Migration, begun: map[string]begun{}, unnamed: strings.TrimSuffix(filepath.Base(w.Path), filepath.Ext(w.Path))}
	if !w.Fixed && format.Name() == claudeCode {
		return t, nil
	}
	r, err := w.Realm(ctx)
	t.realm = r.ID
	return t, err
}

// place finds out where the conversations of a batch took place. It runs git
// and is done before the transaction.
func (m *Ingester) place(ctx context.Context, t target, b *batch) error {
	if t.realm != "" {
		return nil
	}
	for i := range b.records {
		msg := b.records[i].message
		if msg == nil || msg.Cwd == "" {
			continue
		}
		if _, done := t.begun[msg.Session]; done {
			continue
		}
		known, err := m.store.SessionByID(ctx, msg.Session, 1)
		if err != nil {
			return err
		}
		at := begun{cwd: msg.Cwd}
		if len(known) == 0 || known[0].ID != msg.Session || known[0].Source != t.format.Name() {
			if at.identity, err = m.identifyPast(ctx, msg.Cwd); err != nil {
				return err
			}
		}
		t.begun[msg.Session] = at
	}
	return nil
}

// identifyPast finds out which project a directory belonged to. One that is
// gone, or was on another machine, is known by its path alone.
func (m *Ingester) identifyPast(ctx context.Context, dir string) (memory.Identity, error) {
	if filepath.IsAbs(dir) {
		id, err := m.identify(ctx, dir)
		if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
			return id, err
		}
	}
	return pathAlone(dir), nil
}

// pathAlone is all that is known of a directory that cannot be looked at.
func pathAlone(dir string) memory.Identity {
	if filepath.IsAbs(dir) {
		dir = filepath.Clean(dir)
	}
	return memory.Identity{Path: dir, Name: memory.ProjectName("", strings.ReplaceAll(dir, `\`, "/"))}
}

// realmOf returns the realm of a new conversation, recording it if it is new
// too. A conversation that does not say where it took place is the user's.
func (in *ingesting) realmOf(id string) (realm, cwd string, err error) {
	at := in.begun[id]
	switch {
	case in.realm != "":
		return in.realm, at.cwd, nil
	case at.cwd == "":
		return memory.UserRealm, "", nil
	}
	if at.identity.Path == "" { // it was here a moment ago
		at.identity = pathAlone(at.cwd)
	}
	known, err := in.tx.Realms()
	if err != nil {
		return "", "", err
	}
	r, isNew := in.recognise(known, at.identity)
	if isNew {
		err = in.tx.PutRealm(r)
	}
	return r.ID, at.cwd, err
}
