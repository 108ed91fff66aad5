package past

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chitta/internal/capture"
	"chitta/internal/causal"
	"chitta/internal/follow"
	"chitta/internal/ingest"
	"chitta/internal/keyword"
	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

// person reads without a directory of work, where the user's own realm is.
var person = Reader{Person: true}

// shelf is an archive by itself: a store, its indexes and what fills them. A
// directory is a project of its own.
type shelf struct {
	*Archive
	t      *testing.T
	ingest *ingest.Ingester
}

func open(t *testing.T) *shelf {
	t.Helper()
	home := t.TempDir()
	log := slog.New(slog.DiscardHandler)
	now := func() time.Time { return time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC) }
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(home, "chitta.db"), BackupDir: home, Now: now, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	wake := make(chan struct{}, 1)
	messages := follow.NewIndexer(home, s.Identity(), follow.Messages(s, &follow.Recent{}), wake, log)
	chunks := follow.NewIndexer(home, s.Identity(), follow.Chunks(s), wake, log)
	for _, x := range []*follow.Indexer{messages, chunks} {
		if err := x.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := errors.Join(messages.Close(), chunks.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	identify := func(_ context.Context, dir string) (memory.Identity, error) {
		if strings.HasSuffix(dir, "gone") {
			return memory.Identity{}, fmt.Errorf("directory %s is gone", dir)
		}
		return memory.Identity{Path: dir}, nil
	}
	h := &shelf{t: t}
	h.Archive = New(Options{
		Store: s, Messages: messages, Chunks: chunks, Here: h.realmOf, Named: h.realmNamed, Identify: identify, Alike: h.alike, Now: now,
	})
	h.ingest = ingest.New(ingest.Options{
		Store: s, Redactor: &capture.Redactor{}, Identify: identify,
		Recognise: func(_ []memory.Realm, id memory.Identity) (memory.Realm, bool) { return projectOf(id.Path), true },
		Here:      func(ctx context.Context) (memory.Realm, error) { return h.realmOf(ctx, "") },
		After: func(ctx context.Context) error {
			messages.Follow(ctx)
			chunks.Follow(ctx)
			return nil
		},
		Now: now, Log: log,
	})
	return h
}

func projectOf(dir string) memory.Realm {
	if dir == "" {
		return memory.Realm{ID: memory.UserRealm, Name: "user", Kind: memory.RealmUser, Visibility: memory.Global}
	}
	return memory.Realm{ID: "p_" + filepath.Base(dir), Name: filepath.Base(dir), Kind: memory.RealmProject, Visibility: memory.Private, Paths: []string{dir}}
}

func (h *shelf) realmOf(ctx context.Context, dir string) (memory.Realm, error) {
	if _, err := h.identify(ctx, dir); err != nil {
		return memory.Realm{}, err
	}
	return projectOf(dir), nil
}

func (h *shelf) realmNamed(ctx context.Context, name string) (memory.Realm, error) {
	all, err := h.store.Realms(ctx)
	if err != nil {
		return memory.Realm{}, err
	}
	for _, r := range all {
		if r.ID == name || r.Name == name {
			return r, nil
		}
	}
	return memory.Realm{}, &memory.InputError{Field: "realm", Problem: "is not known"}
}

// alike compares by words alone.
func (h *shelf) alike(_ context.Context, text string) (causal.Similar, string) {
	words := keyword.NewOverlap(text)
	return func(ctx context.Context, chunks []int64) (map[int64]float64, error) {
		found, err := h.store.ChunksBySeq(ctx, chunks)
		out := map[int64]float64{}
		for seq, c := range found {
			out[seq] = words.Share(c.Text)
		}
		return out, err
	}, "there is no model"
}

// take takes over lines of a log as the project of a directory.
func (h *shelf) take(format session.Format, dir string, lines ...string) {
	h.t.Helper()
	realm := projectOf(dir)
	err := h.store.Write(h.t.Context(), func(tx *store.Tx) error { return tx.PutRealm(realm) })
	if err != nil {
		h.t.Fatal(err)
	}
	_, bad, err := h.ingest.ReadLines(h.t.Context(), ingest.Lines{Format: format, Text: lines, Realm: realm.ID})
	if err != nil || len(bad) > 0 {
		h.t.Fatalf("%+v %v", bad, err)
	}
}

// turns takes over turns of conversations of the user's own realm.
func (h *shelf) turns(lines ...string) {
	h.t.Helper()
	h.take(session.Turns{}, "", lines...)
}

func (h *shelf) search(in SearchInput) SearchOutput {
	h.t.Helper()
	out, err := h.Search(h.t.Context(), person, in)
	if err != nil {
		h.t.Fatalf("search %q: %v", in.Query, err)
	}
	return out
}

func hitIDs(out SearchOutput) []string {
	ids := []string{}
	for _, s := range out.Sessions {
		for _, h := range s.Hits {
			ids = append(ids, h.ID)
		}
	}
	return ids
}
