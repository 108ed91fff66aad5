package moment

import (
	"context"
	"errors"
	"time"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/store"
)

// resettle has a session summed up anew when what it taught was forgotten,
// rejected or corrected: what stands no longer is not to be told by way of a
// summary. What was erased goes from it at once.
func (k *Keeper) resettle(ctx context.Context, s mind.Settled) {
	ctx = context.WithoutCancel(ctx) // the memory has changed; whoever asked may leave
	var errs []error
	if s.Erased || s.Kind == memory.Summary {
		errs = append(errs, k.dropStanding(ctx, s.Session))
	}
	if s.Kind == memory.Summary {
		return // it is not to come back
	}
	if s.Erased {
		errs = append(errs, k.mind.EraseSummary(ctx, mind.Caller{Actor: actorHook, Session: s.Session}, s.Session))
	}
	err := k.change(ctx, s.Session, func(v *store.Visit) { v.Sunset = time.Time{} })
	if !errors.Is(err, store.ErrNotFound) { // no hook told of it
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		k.log.Error("a session could not be summed up anew", "session", s.Session, "error", err)
	}
	k.signal()
}

// dropStanding takes out what was written down of how a session stood without
// anybody saying so.
func (k *Keeper) dropStanding(ctx context.Context, session string) error {
	rows, err := k.store.Ledgers(ctx, store.LedgerFilter{Session: session, Kinds: []string{LedgerSunset, LedgerCheckpoint}, Limit: ledgerMost})
	if err != nil || len(rows) == 0 {
		return err
	}
	return k.store.Write(ctx, func(tx *store.Tx) error {
		for i := range rows {
			if err := tx.DeleteLedger(rows[i].Seq); err != nil {
				return err
			}
		}
		return nil
	})
}
