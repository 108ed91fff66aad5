package mind

import (
	"context"
	"os"
	"runtime"
	"slices"
	"time"

	"chitta/internal/capture"
	"chitta/internal/config"
	"chitta/internal/follow"
	"chitta/internal/meaning"
	"chitta/internal/memory"
)

// StatusOutput says how things stand.
type StatusOutput struct {
	Version  string             `json:"version"`
	PID      int                `json:"pid"`
	Started  time.Time          `json:"started"`
	Uptime   float64            `json:"uptime"` // seconds
	Home     string             `json:"home"`
	Socket   string             `json:"socket"`
	Memories MemoryCounts       `json:"memories"`
	Sessions int                `json:"sessions"` // conversations
	Messages int                `json:"messages"` // said in them
	Realms   int                `json:"realms"`
	Realm    RealmView          `json:"realm"` // of the caller's directory
	Index    follow.IndexStatus `json:"index"`
	Model    meaning.Status     `json:"model"`
	Code     CodeStatus         `json:"code"`
	Disk     DiskUse            `json:"disk"`
	Process  ProcessUse         `json:"process"`
	Secrets  SecretRules        `json:"secrets"`
}

// MemoryCounts counts memories by state.
type MemoryCounts struct {
	Active     int `json:"active"`
	Superseded int `json:"superseded"`
	Rejected   int `json:"rejected"`
	Forgotten  int `json:"forgotten"`
	Pinned     int `json:"pinned"`
}

// DiskUse is what the data directory takes.
type DiskUse struct {
	Database int64 `json:"database"`
	Log      int64 `json:"log"`     // write-ahead log, folded into the database now and then
	Vectors  int64 `json:"vectors"` // with its log
	Index    int64 `json:"index"`
	Code     int64 `json:"code"` // the index of source code, with its vectors
	Text     int64 `json:"text"` // of all memories
}

// ProcessUse is what the daemon takes.
type ProcessUse struct {
	RSS        int64   `json:"rss"`         // bytes resident, 0 where unknown
	CPUSeconds float64 `json:"cpu_seconds"` // since start, 0 where unknown
	Goroutines int     `json:"goroutines"`
}

// Process returns what this process takes now.
func Process() ProcessUse {
	rss, cpu := processUse()
	return ProcessUse{RSS: rss, CPUSeconds: cpu, Goroutines: runtime.NumGoroutine()}
}

// SecretRules says which rules look for secrets.
type SecretRules struct {
	Set   string `json:"set"`
	Rules int    `json:"rules"`
}

// Status says what is stored, where, and what it costs.
func (m *Mind) Status(ctx context.Context, c Caller, _ NoInput) (StatusOutput, error) {
	stats, err := m.store.Stats(ctx)
	if err != nil {
		return StatusOutput{}, err
	}
	realms, err := m.store.Realms(ctx)
	if err != nil {
		return StatusOutput{}, err
	}
	sessions, err := m.store.CountSessions(ctx)
	if err != nil {
		return StatusOutput{}, err
	}
	messages, err := m.store.CountMessages(ctx)
	if err != nil {
		return StatusOutput{}, err
	}
	index := m.indexStatus()
	out := StatusOutput{
		Version: config.Version, PID: os.Getpid(), Started: m.started.UTC(), Uptime: m.opts.Now().Sub(m.started).Seconds(),
		Home: m.opts.Config.Home, Socket: m.opts.Config.Paths().Socket(),
		Memories: MemoryCounts{
			Active: stats.ByState[memory.Active], Superseded: stats.ByState[memory.Superseded],
			Rejected: stats.ByState[memory.Rejected], Forgotten: stats.ByState[memory.Forgotten], Pinned: stats.Pinned,
		},
		Sessions: sessions, Messages: messages,
		Realms: len(realms), Index: index, Model: m.semantic.Status(),
		Disk: DiskUse{Database: stats.FileBytes, Log: stats.LogBytes, Vectors: sizeOf(m.opts.Config.Paths().Vectors()), Index: index.Bytes, Text: stats.TextBytes,
			Code: sizeOf(m.Paths().Code()) + sizeOf(m.Paths().CodeVectors())},
		Code:    m.codeStatus(ctx),
		Process: Process(),
	}
	out.Secrets.Set, out.Secrets.Rules = capture.RuleSet()
	if r, _, err := m.currentRealm(ctx, c); err == nil {
		out.Realm = RealmView{Realm: r, Memories: stats.ByRealm[r.ID], Current: true}
	}
	return out, nil
}

// sizeOf is what a database takes, its write-ahead log included.
func sizeOf(path string) (size int64) {
	for _, file := range []string{path, path + "-wal"} {
		if fi, err := os.Stat(file); err == nil {
			size += fi.Size()
		}
	}
	return size
}

// indexStates are the states of an index, the best first.
var indexStates = []string{follow.IndexReady, follow.IndexCatchingUp, follow.IndexMending, follow.IndexOff}

// indexStatus sums up all keyword indexes: as good as the worst of them.
func (m *Mind) indexStatus() follow.IndexStatus {
	all := follow.IndexStatus{State: follow.IndexReady}
	for _, x := range m.indexers() {
		st := x.Status()
		all.Docs += st.Docs
		all.Segments += st.Segments
		all.Bytes += st.Bytes
		all.Todo += st.Todo
		all.Total += st.Total
		if st.Problem != "" {
			all.Problem = st.Problem
		}
		if slices.Index(indexStates, st.State) > slices.Index(indexStates, all.State) {
			all.State = st.State
		}
	}
	if left := m.ingest.Deriving(); left > 0 {
		all.Todo += left
		all.Total = max(all.Total, all.Todo)
		if all.State == follow.IndexReady {
			all.State = follow.IndexCatchingUp
		}
	}
	return all
}

// StatsOutput counts what is stored.
type StatsOutput struct {
	Total    int            `json:"total"` // active
	ByState  map[string]int `json:"by_state"`
	ByKind   map[string]int `json:"by_kind"`
	ByRealm  map[string]int `json:"by_realm"`
	BySource map[string]int `json:"by_source"`
	Pinned   int            `json:"pinned"`
	Tags     int            `json:"tags"`
	Changes  int            `json:"changes"`
	Text     int64          `json:"text_bytes"`
	Oldest   time.Time      `json:"oldest,omitzero"`
	Newest   time.Time      `json:"newest,omitzero"`
	Sessions int            `json:"sessions"`
	Messages int            `json:"messages"` // of sessions
}

// Stats counts what is stored, by state, kind, realm and source.
func (m *Mind) Stats(ctx context.Context, _ Caller, _ NoInput) (StatsOutput, error) {
	s, err := m.store.Stats(ctx)
	if err != nil {
		return StatsOutput{}, err
	}
	out := StatsOutput{
		Total: s.ByState[memory.Active], ByState: map[string]int{}, ByKind: map[string]int{}, ByRealm: s.ByRealm,
		BySource: map[string]int{}, Pinned: s.Pinned, Tags: s.Tags, Changes: s.Changes, Text: s.TextBytes,
		Oldest: s.Oldest, Newest: s.Newest,
	}
	if out.Sessions, err = m.store.CountSessions(ctx); err != nil {
		return StatsOutput{}, err
	}
	if out.Messages, err = m.store.CountMessages(ctx); err != nil {
		return StatsOutput{}, err
	}
	for k, n := range s.ByState {
		out.ByState[string(k)] = n
	}
	for k, n := range s.ByKind {
		out.ByKind[k.String()] = n
	}
	for k, n := range s.BySource {
		out.BySource[string(k)] = n
	}
	return out, nil
}

// VersionOutput says what is running.
type VersionOutput struct {
	Version string `json:"version"`
	Schema  int64  `json:"schema"`
	Go      string `json:"go"`
	System  string `json:"system"`
}

// Version says what is running.
func (m *Mind) Version(ctx context.Context, _ Caller, _ NoInput) (VersionOutput, error) {
	schema, err := m.store.SchemaVersion(ctx)
	return VersionOutput{
		Version: config.Version, Schema: schema, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
	}, err
}
