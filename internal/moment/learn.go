package moment

import (
	"context"

	"chitta/internal/mind"
)

func (k *Keeper) after(context.Context, mind.Caller, *Event) (Answer, error) {
	return Answer{Outcome: Noted}, nil
}

func (k *Keeper) turnEnded(context.Context, mind.Caller, *Event) (Answer, error) {
	return Answer{Outcome: Noted}, nil
}

func (k *Keeper) compacting(context.Context, mind.Caller, *Event) (Answer, error) {
	return Answer{Outcome: Noted}, nil
}

func (k *Keeper) learn(context.Context) error { return nil }
