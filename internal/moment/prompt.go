package moment

import (
	"context"

	"chitta/internal/mind"
)

func (k *Keeper) prompt(context.Context, mind.Caller, *Event) (Answer, error) {
	return Answer{Outcome: Noted}, nil
}
