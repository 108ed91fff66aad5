package moment

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chitta/internal/mind"
)

func TestLedger(t *testing.T) {
	h := newHouse(t)
	here := mind.Caller{Actor: "mcp", Session: "s1", Cwd: filepath.Join(h.home, "project")}
	if _, err := h.LedgerLoad(t.Context(), here, LedgerLoadInput{}); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Errorf("nothing was written yet: %v", err)
	}
	first, err := h.LedgerSave(t.Context(), here, LedgerSaveInput{LedgerState: LedgerState{Mood: "calm", Todos: []string{"a", "b", "a"}}})
	if err != nil {
		t.Fatal(err)
	}
	// parts are kept up to date one by one, and an empty list says that nothing is left
	h.wait(time.Minute)
	second, err := h.LedgerSave(t.Context(), here, LedgerSaveInput{LedgerState: LedgerState{Todos: []string{}, NextSteps: []string{"deploy with token ghp_" + "x7Kq9ZtR2mVb4Nc8Wd1Ly5Ps3Hg6Jf0Aa2Ee"}}})
	if err != nil || second.ID != first.ID || second.State.Mood != "calm" || len(second.State.Todos) != 0 {
		t.Errorf("%+v %v", second, err)
	}
	if strings.Contains(second.State.NextSteps[0], "ghp_") {
		t.Error("a secret was written down")
	}
	loaded, err := h.LedgerLoad(t.Context(), here, LedgerLoadInput{})
	if err != nil || loaded.ID != first.ID || !loaded.Updated.After(loaded.Created) {
		t.Errorf("%+v %v", loaded, err)
	}
	got, err := h.LedgerGet(t.Context(), here, LedgerInput{ID: first.ID[:8]})
	if err != nil || got.ID != first.ID {
		t.Errorf("%+v %v", got, err)
	}
	// another project has another ledger
	away := mind.Caller{Session: "s2", Cwd: t.TempDir()}
	if list, err := h.LedgerList(t.Context(), away, LedgerListInput{}); err != nil || len(list.Ledgers) != 0 {
		t.Errorf("%+v %v", list, err)
	}
	if list, err := h.LedgerList(t.Context(), away, LedgerListInput{Realm: "all", Kind: LedgerSaved}); err != nil || len(list.Ledgers) != 1 {
		t.Errorf("%+v %v", list, err)
	}
	if _, err := h.LedgerDelete(t.Context(), here, LedgerInput{ID: first.ID}); err != nil {
		t.Fatal(err)
	}
	if list, err := h.LedgerList(t.Context(), here, LedgerListInput{}); err != nil || len(list.Ledgers) != 0 {
		t.Errorf("%+v %v", list, err)
	}
}

func TestLedgerRefusesWhatIsNoState(t *testing.T) {
	h := newHouse(t)
	c := mind.Caller{Cwd: h.home}
	for name, s := range map[string]LedgerState{
		"nothing":  {},
		"too long": {Mood: strings.Repeat("x", maxLedgerText+1)},
		"too many": {Todos: make([]string, maxLedgerItems+1)},
		"bytes":    {Summary: "a\xff"},
		"NUL":      {Files: []string{"a\x00"}},
	} {
		if _, err := h.LedgerSave(t.Context(), c, LedgerSaveInput{LedgerState: s}); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	for _, id := range []string{"", "l_", "m_1", strings.Repeat("l_", 1000)} {
		if _, err := h.LedgerGet(t.Context(), c, LedgerInput{ID: id}); err == nil {
			t.Errorf("%q: found", id)
		}
	}
	if _, err := h.LedgerCheckpoint(t.Context(), c, LedgerCheckpointInput{}); err == nil {
		t.Error("a checkpoint of no session")
	}
	if _, err := h.LedgerList(t.Context(), c, LedgerListInput{Kind: "other"}); err == nil {
		t.Error("a kind that does not exist")
	}
	if _, err := h.LedgerList(t.Context(), c, LedgerListInput{Limit: -1}); err == nil {
		t.Error("a limit below zero")
	}
}
