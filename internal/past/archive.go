package past

import (
	"context"
	"errors"
	"strings"
	"time"

	"chitta/internal/causal"
	"chitta/internal/follow"
	"chitta/internal/keyword"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// Options says what an archive reads, and whom it asks.
type Options struct {
	Store    *store.Store
	Messages *follow.Indexer // finds whole messages by their words
	Chunks   *follow.Indexer // finds pieces of conversations by their words

	// Here returns the realm of a directory, the user's own for none.
	Here func(ctx context.Context, dir string) (memory.Realm, error)
	// Named returns the realm with an id, or with a name that only it has.
	Named func(ctx context.Context, name string) (memory.Realm, error)
	// Identify finds out what a directory shows of its project.
	Identify func(ctx context.Context, dir string) (memory.Identity, error)
	// Alike compares chunks with a text, and says what it had to do without.
	Alike func(ctx context.Context, text string) (similar causal.Similar, why string)

	Now func() time.Time
}

// Archive is what was said and done, to be read. It is safe for concurrent use.
type Archive struct {
	store    *store.Store
	messages *follow.Indexer
	chunks   *follow.Indexer
	here     func(context.Context, string) (memory.Realm, error)
	named    func(context.Context, string) (memory.Realm, error)
	identify func(context.Context, string) (memory.Identity, error)
	alike    func(context.Context, string) (causal.Similar, string)
	now      func() time.Time
	analyzer keyword.Analyzer
}

// New returns an archive.
func New(o Options) *Archive {
	return &Archive{
		store: o.Store, messages: o.Messages, chunks: o.Chunks, here: o.Here, named: o.Named, identify: o.Identify,
		alike: o.Alike, now: o.Now, analyzer: keyword.NewAnalyzer(),
	}
}

// Reader is who reads. A person may read everything; an agent, which may have
// been talked into it, finds by id only what was said in the project it works
// in, and does not look everywhere.
type Reader struct {
	Person bool
	Dir    string // directory of work; decides the realm
}

// All names every realm.
const All = "all"

// Scope says in which realm a reader looks, "" for every one: people search
// their own history, and asking for all of it is explicit. An agent looks in the
// project it works in.
func (a *Archive) Scope(ctx context.Context, who Reader, name string) (string, error) {
	if strings.EqualFold(name, All) {
		if !who.Person {
			return "", errElsewhere(All)
		}
		return "", nil
	}
	if name == "" {
		r, err := a.here(ctx, who.Dir)
		return r.ID, err
	}
	r, err := a.named(ctx, name)
	if err != nil || who.Person {
		return r.ID, err
	}
	if here, err := a.here(ctx, who.Dir); err != nil || here.ID != r.ID {
		return "", errors.Join(err, errElsewhere("NAME"))
	}
	return r.ID, nil
}

func errElsewhere(realm string) error {
	return &memory.RefusedError{Reason: "conversations of other projects are for people to search", Hint: "leave realm out, or ask the user to run: chitta search --realm " + realm}
}
