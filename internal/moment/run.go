package moment

import (
	"context"
	"errors"
	"time"
)

const (
	// settle lets a burst of events pass before what they left is written down.
	settle = time.Second
	// retryAfter is when work that failed is tried again.
	retryAfter = 30 * time.Second
	// closing bounds the last write.
	closing = 2 * time.Second
)

// Run writes down what was noted, learns from turns that ended and sums
// sessions up, until ctx ends. It sleeps when nothing is due.
func (k *Keeper) Run(ctx context.Context) {
	timer := time.NewTimer(0) // once at start: what the last process left
	defer timer.Stop()
	soon := true // the timer is set to go off soon; events that keep coming do not put it off
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), closing)
			defer cancel()
			if err := k.save(last); err != nil {
				k.log.Error("what hooks did could not be written down", "error", err)
			}
			return
		case <-k.wake:
			if !soon {
				timer.Reset(settle)
				soon = true
			}
			continue
		case <-timer.C:
		}
		next, err := k.round(ctx)
		if err != nil && ctx.Err() == nil {
			k.log.Error("learning from sessions", "error", err)
			next = retryAfter
		}
		timer.Reset(next)
		soon = false
	}
}

// round does what is due and says when more may be.
func (k *Keeper) round(ctx context.Context) (time.Duration, error) {
	err := errors.Join(k.save(ctx), k.learn(ctx), k.writeSummaries(ctx), k.readCommands(ctx))
	next, sunsetErr := k.sunsets(ctx)
	return next, errors.Join(err, sunsetErr)
}

// save writes down what is only in memory.
func (k *Keeper) save(ctx context.Context) error {
	return errors.Join(k.saveVisits(ctx), k.saveCalls(ctx))
}

// signal says that there is something to do.
func (k *Keeper) signal() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}
