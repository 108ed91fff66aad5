package moment

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/mind"
	"chitta/internal/store"
)

// house is a keeper over a store that can be opened again, with a clock of its
// own.
type house struct {
	t    *testing.T
	home string
	mu   sync.Mutex
	at   time.Time
	mind *mind.Mind
	*Keeper
}

func newHouse(t *testing.T) *house {
	h := &house{t: t, home: t.TempDir(), at: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
	if err := os.Mkdir(filepath.Join(h.home, "project"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.open()
	t.Cleanup(func() { h.mind.Close() })
	return h
}

func (h *house) open() {
	h.t.Helper()
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = h.home, "none"
	m, err := mind.Open(h.t.Context(), mind.Options{Config: cfg, Now: h.now})
	if err != nil {
		h.t.Fatal(err)
	}
	h.mind, h.Keeper = m, New(Options{Mind: m})
}

func (h *house) now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at
}

func (h *house) wait(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = h.at.Add(d)
}

// again ends the process and begins another, without a farewell.
func (h *house) again() {
	h.t.Helper()
	if err := h.mind.Close(); err != nil {
		h.t.Fatal(err)
	}
	h.open()
}

func (h *house) attend(e Event) Answer {
	h.t.Helper()
	if e.Cwd == "" {
		e.Cwd = filepath.Join(h.home, "project")
	}
	a, err := h.Attend(h.t.Context(), mind.Caller{Actor: "hook"}, e)
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

func (h *house) visit(session string) store.Visit {
	h.t.Helper()
	v, err := h.store.Visit(h.t.Context(), session)
	if err != nil {
		h.t.Fatal(err)
	}
	return v
}

// said is a record of a transcript.
func said(role, text string) map[string]any {
	return map[string]any{"type": role, "message": map[string]any{"role": role, "content": text}}
}

// writeTranscript writes records as the client does and returns the file.
func writeTranscript(t *testing.T, session, cwd string, records ...map[string]any) string {
	t.Helper()
	var b strings.Builder
	parent := ""
	for i, r := range records {
		id := fmt.Sprintf("%s-%04d", session, i)
		r["uuid"], r["parentUuid"], r["sessionId"], r["cwd"] = id, parent, session, cwd
		r["timestamp"], r["version"] = fmt.Sprintf("2026-03-04T05:%02d:00.000Z", i), "2.1.325"
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
		parent = id
	}
	return writeFile(t, session+".jsonl", b.String())
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
