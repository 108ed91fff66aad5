package moment

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"chitta/internal/mind"
	"chitta/internal/store"
)

// Options says what a keeper works with.
type Options struct {
	Mind *mind.Mind   // required
	Log  *slog.Logger // default: discard
}

// Keeper attends to the moments of all sessions. It is safe for concurrent use.
type Keeper struct {
	mind     *mind.Mind
	store    *store.Store
	log      *slog.Logger
	meter    meter
	wake     chan struct{} // turns or sessions wait to be learned from
	learning learning      // what waits to be learned from
	retries  retries       // what could not be learned from, and when to try again
	history  sync.Mutex    // held while sessions of long ago are learned from
	stale    folders       // where a CLAUDE.md may have to be written
	commands commandBooks  // which commands never work, by realm
	reads    *reads        // what was read from the store and still holds

	mu     sync.Mutex
	visits map[string]*visit // by session
}

// New returns a keeper; nothing runs yet.
func New(o Options) *Keeper {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	k := &Keeper{
		mind: o.Mind, store: o.Mind.Store(), log: o.Log,
		wake: make(chan struct{}, 1), visits: map[string]*visit{}, reads: newReads(),
	}
	o.Mind.OnSettled(k.resettle)
	return k
}

// Attend takes an event and says what to hand to the agent. It returns at once;
// what takes longer is left to [Keeper.Run]. An event that nothing is known of
// is no error: clients get new ones.
func (k *Keeper) Attend(ctx context.Context, c mind.Caller, e Event) (Answer, error) {
	begun := time.Now()
	c.Session, c.Cwd = e.Session, e.Cwd
	a, err := k.attend(ctx, c, &e)
	if err != nil {
		a = Answer{Outcome: Failed}
		k.log.Warn("a moment was missed", "event", e.Name, "session", e.Session, "error", err)
	}
	k.meter.note(k.mind.Now(), time.Since(begun), e.realm, &e, &a)
	k.signal()
	return a, err
}

func (k *Keeper) attend(ctx context.Context, c mind.Caller, e *Event) (Answer, error) {
	answer := map[string]func(context.Context, mind.Caller, *Event) (Answer, error){
		SessionStart: k.start, UserPromptSubmit: k.prompt, PreToolUse: k.before,
		PostToolUse: k.after, PostToolUseFailure: k.after, Stop: k.turnEnded, SubagentStop: k.turnEnded,
		SubagentStart: k.subagent, PreCompact: k.compacting, SessionEnd: k.ended,
	}[e.Name]
	if answer == nil || e.Session == "" {
		return Answer{Outcome: Ignored}, nil
	}
	if err := k.seen(ctx, c, e); err != nil {
		return Answer{}, err
	}
	return answer(ctx, c, e)
}
