package past

import (
	"context"
	"strings"

	"chitta/internal/distil"
	"chitta/internal/follow"
	"chitta/internal/session"
	"chitta/internal/store"
)

// Succeeded says how a run ended, if that is known: by its status, or where
// that says nothing of what was done, by what it printed.
func (a *Archive) Succeeded(ctx context.Context, r *store.Run) (ok, known bool, err error) {
	if r.ExitCode == nil && !r.Failed && r.Result == "" {
		return false, false, nil // it never came back
	}
	output := ""
	if !r.Failed && !distil.StatusTells(r.Command) {
		if output, err = a.outputOf(ctx, r); err != nil {
			return false, false, err
		}
	}
	ok, known = distil.Succeeded(r.Command, output, r.ExitCode, r.Failed)
	return ok, known, nil
}

// outputOf returns what a run printed, "" if that is not known.
func (a *Archive) outputOf(ctx context.Context, r *store.Run) (string, error) {
	if r.Result == "" {
		return "", nil
	}
	found, err := a.store.MessageByID(ctx, r.Result, r.Session, 1)
	if err != nil || len(found) == 0 {
		return "", err
	}
	said, err := follow.ReadMessage(found[0].Source, found[0].Raw)
	if err != nil {
		return "", nil // what cannot be read says nothing
	}
	var texts []string
	for _, p := range said.Parts {
		if p.Kind == session.ToolResult {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n"), nil
}

// outcomeOf says in a word how a run ended, "" if that is not known.
func (a *Archive) outcomeOf(ctx context.Context, r *store.Run) (string, error) {
	switch ok, known, err := a.Succeeded(ctx, r); {
	case err != nil || !known:
		return "", err
	case ok:
		return "ok", nil
	}
	return "failed", nil
}
