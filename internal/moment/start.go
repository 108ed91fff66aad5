package moment

import (
	"context"

	"chitta/internal/mind"
)

func (k *Keeper) start(context.Context, mind.Caller, *Event) (Answer, error) {
	return Answer{Outcome: Noted}, nil
}

func (k *Keeper) subagent(context.Context, mind.Caller, *Event) (Answer, error) {
	return Answer{Outcome: Noted}, nil
}
