package moment

import (
	"context"
	"time"

	"chitta/internal/mind"
)

func (k *Keeper) ended(context.Context, mind.Caller, *Event) (Answer, error) {
	return Answer{Outcome: Noted}, nil
}

func (k *Keeper) sunsets(context.Context) (time.Duration, error) { return time.Hour, nil }
