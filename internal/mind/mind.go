package mind

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"chitta/internal/anchor"
	"chitta/internal/capture"
	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/follow"
	"chitta/internal/ingest"
	"chitta/internal/keyword"
	"chitta/internal/meaning"
	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/realm"
	"chitta/internal/recall"
	"chitta/internal/store"
	"chitta/internal/vector"
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

// Person reports whether somebody asks at a terminal, and not an agent that
// may have been talked into it.
func (c Caller) Person() bool { return c.Actor != actorMCP && c.Actor != "hook" }

// actorMCP is an agent.
const actorMCP = "mcp"

// Mind is an open data directory. It is safe for concurrent use.
type Mind struct {
	opts          Options
	started       time.Time
	store         *store.Store
	index         *follow.Indexer // of memories
	chunks        *follow.Indexer // of pieces of conversations
	sessions      *follow.Indexer // of whole conversations
	messages      *follow.Indexer // of whole messages
	analyzer      keyword.Analyzer
	timeline      *follow.Timeline
	awake         bool  // the model was asked once; used by Maintain alone
	warmed        int64 // change of chunks up to which searches are prepared; used by Maintain alone
	semantic      *meaning.Library
	linker        *follow.Linker
	net           *follow.Net // the knowledge graph in memory
	miner         miner       // reads texts for it
	imports       imports     // of files of facts
	code          codeRoom    // what source code says
	senses        meantRoom   // what its symbols mean
	anchors       *anchor.Room
	redactor      *capture.Redactor
	gate          capture.Gate
	detector      *realm.Detector
	pipeline      *recall.Pipeline
	conversations *recall.Conversations
	access        accessLog
	ingest        *ingest.Ingester
	recent        follow.Recent // messages just stored
	wake          chan struct{} // background work is waiting
	past          *past.Archive // what was said and done
	onSettled     func(context.Context, Settled)
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
		wake:     make(chan struct{}, 1),
	}
	m.wire()
	if err := m.ensureUserRealm(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	for _, x := range m.indexers() {
		if err := x.Open(ctx); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	if err := m.timeline.Open(ctx); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	if err := m.net.Open(ctx); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	if err := errors.Join(m.dropForgotten(ctx), m.holdAgain(ctx)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	m.semantic.Open(ctx)
	return m, nil
}

// wire puts the parts together; nothing is opened yet.
func (m *Mind) wire() {
	o, s := m.opts, m.store
	words := func(f follow.Feed) *follow.Indexer {
		return follow.NewIndexer(o.Config.Paths().Index(), s.Identity(), f, m.wake, o.Log)
	}
	m.index = words(follow.Memories(s))
	m.chunks = words(follow.Chunks(s))
	m.sessions = words(follow.Sessions(s))
	m.messages = words(follow.Messages(s, &m.recent))
	m.timeline = follow.NewTimeline(s)
	m.net = follow.NewNet(s, m.wake, o.Log)
	m.ingest = ingest.New(ingest.Options{
		Store: s, Redactor: m.redactor, Identify: m.detector.Detect, Recognise: m.recognise,
		Here: m.realmOf(Caller{Actor: actorWatch}, ""), Stored: m.followMessages, After: m.followConversations, Now: m.now, Log: o.Log,
	})
	m.semantic = meaning.New(meaning.Options{
		Config: o.Config, Source: s.Identity(), Feeds: []follow.Feed{follow.Memories(s), follow.Chunks(s)},
		Model: o.Model, Log: o.Log, Now: o.Now,
	})
	m.linker = follow.NewLinker(s, func() (*vector.Index, string, int64, bool) { return m.semantic.Settled(store.OwnerChunk) })
	m.anchors = anchor.New(anchor.Options{
		Store: s, Code: m.codeIfThere, Opened: m.code.there.Load, Beside: m.code.beside,
		Secret: func(name string) bool { return len(m.redactor.Findings(name)) > 0 }, Wake: m.signal, Now: m.now, Log: o.Log,
	})
	m.wirePast()
	m.wireRecall()
}

// wireRecall puts together what answers questions.
func (m *Mind) wireRecall() {
	memories := m.semantic.Finder(store.OwnerMemory)
	known := m.knowledge()
	m.conversations = &recall.Conversations{
		Words: m.chunks.Ready, Sessions: m.sessions.Ready, Meaning: m.semantic.Finder(store.OwnerChunk).With,
		Timeline: m.timeline.Timeline, Ready: m.timeline.Ready, Load: m.passages,
		Reach: m.reach, Graph: known,
	}
	m.pipeline = &recall.Pipeline{
		Targets: []recall.Target{
			recall.Memories{
				Finders:  []recall.Finder{recall.Keyword{Index: m.index.Ready}, memories},
				Refiners: []recall.Refiner{recall.Fuse{Similar: memories.Similar}, recall.Resonate{Knowledge: known}, recall.Weigh{}},
				Load:     m.recalled,
				Fallback: recall.Recent{Store: m.store},
				Echo:     recall.Echo{Knowledge: known},
			},
			m.conversations, recall.Facts{Knowledge: known}, recall.Code{Find: m.recallSymbols},
		},
		Refiners: []recall.Refiner{recall.Level{}, recall.Fresh{Check: m.freshCandidates}, recall.Settle{}},
	}
}

// Store is where everything is kept, for the room above that has tables of its
// own there.
func (m *Mind) Store() *store.Store { return m.store }

// Anchors is what ties memories to code, for the room above.
func (m *Mind) Anchors() *anchor.Room { return m.anchors }

// Paths are those of the open data directory.
func (m *Mind) Paths() config.Paths { return m.opts.Config.Paths() }

// Now is the time operations go by.
func (m *Mind) Now() time.Time { return m.now() }

// NewID returns a fresh id that begins with prefix.
func (m *Mind) NewID(prefix string) (string, error) {
	id, err := memory.NewID(prefix, m.opts.Random)
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id, nil
}

// Clean returns a text without secrets, private parts and what chitta itself
// handed over.
func (m *Mind) Clean(text string) string {
	clean, _ := m.redactor.Redact(capture.StripEcho(text))
	return strings.TrimSpace(clean)
}

// Close writes down what is still in memory and releases the data directory.
func (m *Mind) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	m.imports.stop()
	errs := []error{m.flushAccess(ctx), m.code.close(), m.senses.close()}
	for _, x := range m.indexers() {
		errs = append(errs, x.Close())
	}
	return errors.Join(append(errs, m.semantic.Close(), m.store.Close())...)
}

func (m *Mind) indexers() []*follow.Indexer {
	return []*follow.Indexer{m.index, m.chunks, m.sessions, m.messages}
}

// closeTimeout bounds the last write of access counts.
const closeTimeout = 5 * time.Second

// Maintain does the work that is due and returns: what CatchUp does, then
// facts into the net, vectors of what is new, edges between chunks, mentions,
// erasing what was forgotten long enough ago. It is called again and again by
// whoever schedules background work, and stops early when ctx ends.
func (m *Mind) Maintain(ctx context.Context) error {
	return errors.Join(m.flushAccess(ctx), m.CatchUp(ctx), m.net.Maintain(ctx), m.embed(ctx), m.rouse(ctx), m.warm(ctx),
		m.linker.Maintain(ctx), m.maintainMining(ctx), m.anchors.Maintain(ctx), m.purge(ctx), m.embedCode(ctx))
}

// CatchUp derives conversations again where that is due and brings the keyword
// indexes up to date: afterwards words find everything that is stored.
func (m *Mind) CatchUp(ctx context.Context) error {
	errs := []error{m.ingest.Derive(ctx), m.timeline.Follow(ctx)}
	for _, x := range m.indexers() {
		errs = append(errs, x.Maintain(ctx))
	}
	return errors.Join(errs...)
}

func (m *Mind) now() time.Time { return m.opts.Now().UTC().Truncate(time.Millisecond) }

// resolvePath makes a path of an input absolute: relative ones count from the
// caller's directory.
func resolvePath(c Caller, field, path string) (string, error) {
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	if c.Cwd == "" {
		return "", &memory.InputError{Field: field, Problem: "is a relative path", Hint: "give an absolute path"}
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

func (m *Mind) newID() (string, error) { return m.NewID("m_") }
