package mind

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"chitta/internal/capture"
	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/keyword"
	"chitta/internal/memory"
	"chitta/internal/realm"
	"chitta/internal/recall"
	"chitta/internal/store"
)

// Options says how to open a mind. Zero values mean defaults.
type Options struct {
	Config config.Config
	// Model opens the embedding model instead of the configuration's, for
	// measurements.
	Model  func() (embed.Model, error)
	Now    func() time.Time // default time.Now
	Random io.Reader        // default crypto/rand
	Log    *slog.Logger     // default: discard
}

// Caller is who asks for an operation.
type Caller struct {
	Actor   string // cli, mcp, hook, …
	Session string // client session, when there is one
	Cwd     string // directory of work; decides the realm
}

// person reports whether somebody asks at a terminal, and not an agent that
// may have been talked into it.
func (c Caller) person() bool { return c.Actor != actorMCP && c.Actor != "hook" }

// actorMCP is an agent.
const actorMCP = "mcp"

// Mind is an open data directory. It is safe for concurrent use.
type Mind struct {
	opts          Options
	started       time.Time
	store         *store.Store
	index         *indexer // of memories
	chunks        *indexer // of pieces of conversations
	sessions      *indexer // of whole conversations
	messages      *indexer // of whole messages
	analyzer      keyword.Analyzer
	timeline      *timeline
	semantic      *semantic
	linker        *linker
	redactor      *capture.Redactor
	gate          capture.Gate
	detector      *realm.Detector
	pipeline      *recall.Pipeline
	conversations *recall.Conversations
	access        accessLog
	reading       fileLocks    // transcripts
	deriving      atomic.Int64 // conversations whose chunks are still to be made again
	watching      watchState
	wake          chan struct{} // background work is waiting
}

// Open opens the store and the index of a data directory, creating what is
// missing. The index may still be catching up when Open returns.
func Open(ctx context.Context, o Options) (*Mind, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	redactor, err := capture.New()
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, store.Options{
		Path: o.Config.Paths().DB(), BackupDir: o.Config.Paths().Backups(),
		Readers: o.Config.Store.Readers, MaxReaders: o.Config.Store.MaxReaders,
		Now: o.Now, Log: o.Log,
	})
	if err != nil {
		return nil, err
	}
	m := &Mind{
		opts: o, started: o.Now(), store: s,
		redactor: redactor,
		gate:     capture.Gate{MinChars: o.Config.Memory.MinContentChars, MaxBytes: o.Config.Memory.MaxContentBytes},
		detector: realm.NewDetector(o.Now),
		analyzer: keyword.NewAnalyzer(),
		access:   accessLog{counts: map[int64]int{}},
		reading:  fileLocks{held: map[string]chan struct{}{}},
		wake:     make(chan struct{}, 1),
	}
	words := func(fields []keyword.Field, f feed) *indexer {
		return newIndexer(o.Config.Paths().Index(), s.Identity(), fields, f, m.wake, o.Log)
	}
	m.index = words(memoryFields, memoryFeed(s))
	m.chunks = words(chunkFields, chunkFeed(s))
	m.sessions = words(sessionFields, sessionFeed(s))
	m.messages = words(messageFields, messageFeed(s))
	m.timeline = newTimeline(s)
	m.semantic = newSemantic(o.Config, s.Identity(), []feed{memoryFeed(s), chunkFeed(s)}, o.Log, o.Now)
	m.semantic.instead = o.Model
	m.linker = newLinker(s, m.semantic)
	memories := meaning{m.semantic, store.OwnerMemory}
	m.conversations = &recall.Conversations{
		Words: m.chunks.ready, Sessions: m.sessions.ready, Meaning: meaning{m.semantic, store.OwnerChunk}.with,
		Timeline: m.timeline.Timeline, Ready: m.timeline.usable, Load: m.passages,
		Reach: m.reach,
	}
	m.pipeline = &recall.Pipeline{
		Targets: []recall.Target{
			recall.Memories{
				Finders:  []recall.Finder{recall.Keyword{Index: m.index.ready}, memories},
				Refiners: []recall.Refiner{recall.Fuse{Similar: memories.Similar}, recall.Weigh{}},
				Load:     m.recalled,
				Fallback: recall.Recent{Store: s},
			},
			m.conversations,
		},
		Refiners: []recall.Refiner{recall.Settle{}},
	}
	if err := m.ensureUserRealm(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	for _, x := range m.indexers() {
		if err := x.open(ctx); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	if err := m.timeline.open(ctx); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	if err := m.dropForgotten(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	m.semantic.open(ctx)
	return m, nil
}

// Close writes down what is still in memory and releases the data directory.
func (m *Mind) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	errs := []error{m.flushAccess(ctx)}
	for _, x := range m.indexers() {
		errs = append(errs, x.close())
	}
	return errors.Join(append(errs, m.semantic.close(), m.store.Close())...)
}

func (m *Mind) indexers() []*indexer { return []*indexer{m.index, m.chunks, m.sessions, m.messages} }

// closeTimeout bounds the last write of access counts.
const closeTimeout = 5 * time.Second

// Maintain does the work that is due and returns: index catch-up and merges,
// vectors of what is new, edges between chunks, access counts, erasing what was
// forgotten long enough ago. It is called
// again and again by whoever schedules background work, and stops early when
// ctx ends.
func (m *Mind) Maintain(ctx context.Context) error {
	errs := []error{m.flushAccess(ctx), m.derive(ctx), m.timeline.follow(ctx)}
	for _, x := range m.indexers() {
		errs = append(errs, x.maintain(ctx))
	}
	return errors.Join(append(errs, m.semantic.maintain(ctx), m.warm(ctx), m.linker.maintain(ctx), m.purge(ctx))...)
}

func (m *Mind) now() time.Time { return m.opts.Now().UTC().Truncate(time.Millisecond) }

// resolvePath makes a path of an input absolute: relative ones count from the
// caller's directory.
func resolvePath(c Caller, field, path string) (string, error) {
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	if c.Cwd == "" {
		return "", &InputError{Field: field, Problem: "is a relative path", Hint: "give an absolute path"}
	}
	return filepath.Join(c.Cwd, path), nil
}

// accountFor makes the history entry of a change by a caller.
func (m *Mind) accountFor(c Caller, r *store.Record, op string, detail map[string][2]any) store.Change {
	actor := c.Actor
	if actor == "" {
		actor = "unknown"
	}
	return store.Change{Memory: r.ID, At: m.now(), Actor: actor, Op: op, Detail: detail}
}

func (m *Mind) newID() (string, error) {
	id, err := memory.NewID("m_", m.opts.Random)
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id, nil
}
