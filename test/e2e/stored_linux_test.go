package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// kept is a memory, as chitta shows it.
type kept struct {
	ID         string   `json:"id"`
	Kind       string   `json:"kind"`
	Content    string   `json:"content"`
	Tags       []string `json:"tags"`
	State      string   `json:"state"`
	Source     string   `json:"source"`
	Trust      string   `json:"trust"`
	Confidence float64  `json:"confidence"`
	Pair       string   `json:"pair"`
	Files      []string `json:"files"`
	Provenance struct {
		Session  string   `json:"session"`
		Message  string   `json:"message"`
		Messages []string `json:"messages"`
	} `json:"provenance"`
	Belief json.RawMessage `json:"belief"`
}

// memories lists what is remembered of the project, whatever its state.
func (h *home) memories() []kept {
	h.t.Helper()
	var out struct {
		Memories []kept `json:"memories"`
	}
	h.ask(&out, "list", "--state", "all", "--limit", "200")
	return out.Memories
}

// about returns the memories that hold a text.
func (h *home) about(text string) (found []kept) {
	h.t.Helper()
	for _, m := range h.memories() {
		if strings.Contains(m.Content, text) {
			found = append(found, m)
		}
	}
	return found
}

// learned waits for a memory of a kind that holds a text, and returns it.
func (h *home) learned(kind, text string) (m kept) {
	h.t.Helper()
	h.eventually("a memory of kind "+kind+" about "+text, func() bool {
		found := h.about(text)
		i := slices.IndexFunc(found, func(m kept) bool { return m.Kind == kind })
		if i >= 0 {
			h.ask(&m, "get", found[i].ID)
		}
		return i >= 0
	})
	return m
}

// spent is what hooks did.
type spent struct {
	Calls    int            `json:"calls"`
	Injected int            `json:"injected"`
	Tokens   int            `json:"tokens"`
	Failed   int            `json:"failed"`
	Withheld map[string]int `json:"withheld"`
}

type cost struct {
	spent
	Events []struct {
		Event string `json:"event"`
		spent
		P99 float64 `json:"p99_ms"`
	} `json:"events"`
	Captured  map[string]int `json:"captured"`
	Converged int            `json:"converged"`
}

// hooks says what the hooks of a session did; of all sessions for "".
func (h *home) hooks(session string) (c cost) {
	h.t.Helper()
	in, err := json.Marshal(map[string]string{"session": session})
	if err != nil {
		h.t.Fatal(err)
	}
	h.ask(&c, "call", "hook_cost", string(in))
	return c
}

// of is what the hooks of one event did.
func (c cost) of(event string) spent {
	for _, e := range c.Events {
		if e.Event == event {
			return e.spent
		}
	}
	return spent{}
}

// ledger is an entry of it.
type ledger struct {
	ID      string         `json:"id"`
	Kind    string         `json:"kind"`
	Session string         `json:"session"`
	State   map[string]any `json:"state"`
}

func (h *home) ledgers(kind string) []ledger {
	h.t.Helper()
	var out struct {
		Ledgers []ledger `json:"ledgers"`
	}
	h.ask(&out, "ledger", "list", "--kind", kind)
	return out.Ledgers
}

// records returns the ids of all records in the transcript of a session, those
// of its subagents included.
func (h *home) records(session string) map[string]bool {
	h.t.Helper()
	ids := map[string]bool{}
	var files []string
	for _, pattern := range []string{session + ".jsonl", session + "/subagents/*.jsonl"} {
		found, err := filepath.Glob(h.path("home", ".claude", "projects", "*", pattern))
		if err != nil {
			h.t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			h.t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			var r struct {
				UUID string `json:"uuid"`
			}
			if json.Unmarshal([]byte(line), &r) == nil && r.UUID != "" {
				ids[r.UUID] = true
			}
		}
	}
	if len(ids) == 0 {
		h.t.Fatalf("no transcript of session %s", session)
	}
	return ids
}

// settled waits until a session that ended was summed up: everything that is
// to be learned from it is.
func (h *home) settled(session string) {
	h.t.Helper()
	h.eventually("the session "+session+" is summed up", func() bool {
		return slices.ContainsFunc(h.ledgers("sunset"), func(l ledger) bool { return l.Session == session })
	})
}

// handed returns all that chitta handed over in a turn, and whether a text
// stands in it.
func (t *turn) handed() string {
	inside, _ := passages(t.told())
	return strings.Join(inside, "\n")
}

// idle is how long nothing may happen until nothing is expected to: two rounds
// of the background.
const idle = 3 * time.Second
