package realm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chitta/internal/memory"
)

// clock is a time that only moves when told to.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time          { return time.Unix(0, c.at.Load()) }
func (c *clock) advance(d time.Duration) { c.at.Add(int64(d)) }

// counting returns a detector and how often it looked.
func counting(c *clock) (*Detector, *atomic.Int64) {
	d, n := NewDetector(c.now), new(atomic.Int64)
	d.detect = func(ctx context.Context, dir string) (memory.Identity, layout, error) {
		n.Add(1)
		return detect(ctx, dir)
	}
	return d, n
}

func TestDetectorCache(t *testing.T) {
	isolate(t)
	repo, _ := newRepo(t, "repo", "")
	nested := filepath.Join(repo, "nested")
	mkdir(t, nested)
	var c clock
	c.advance(time.Hour)
	d, looked := counting(&c)
	ask := func(dir string) memory.Identity {
		t.Helper()
		id, err := d.Detect(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	steps := []struct {
		name  string
		do    func()
		looks int64 // how often git is asked because of it
	}{
		{"first time", func() {}, 1},
		{"at once again", func() {}, 0},
		{"remote added, within the time of trust", func() { run(t, repo, "remote", "add", "origin", "https://h/a/b") }, 0},
		{"after that", func() { c.advance(trustFor) }, 1},
		{"nothing changed", func() { c.advance(trustFor) }, 0},
		{"a commit changes nothing", func() { commit(t, repo, "second", 2); c.advance(trustFor) }, 0},
		{"branch changed", func() { run(t, repo, "checkout", "--quiet", "-b", "longer-name"); c.advance(trustFor) }, 1},
		{"a repository of its own", func() { run(t, nested, "init", "--quiet"); c.advance(trustFor) }, 1},
		{"its first commit", func() { commit(t, nested, "first", 3); c.advance(trustFor) }, 1},
		{"old age", func() { c.advance(maxAge) }, 1},
		{"clock went backwards", func() { c.advance(-2 * maxAge) }, 1},
		{"forgotten", d.Forget, 1},
		{"gone again", func() {
			if err := os.RemoveAll(filepath.Join(nested, ".git")); err != nil {
				t.Fatal(err)
			}
			c.advance(trustFor)
		}, 1},
	}
	for _, step := range steps {
		before := looked.Load()
		step.do()
		ask(nested)
		if got := looked.Load() - before; got != step.looks {
			t.Errorf("%s: looked %d times, want %d", step.name, got, step.looks)
		}
	}
	if got := ask(nested); got.TopLevel != repo || got.Remote != "h/a/b" {
		t.Errorf("identity in the end %+v", got)
	}
}

func TestDetectorFolderVanishes(t *testing.T) {
	isolate(t)
	repo, _ := newRepo(t, "repo", "")
	var c clock
	d, _ := counting(&c)
	if _, err := d.Detect(t.Context(), repo); err != nil {
		t.Fatal(err)
	}
	rename(t, repo, repo+"2")
	c.advance(trustFor)
	for range 2 {
		if _, err := d.Detect(t.Context(), repo); !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("error %v", err)
		}
	}
}

func TestDetectorAsksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, looked := NewDetector(time.Now), 0
		d.detect = func(ctx context.Context, dir string) (memory.Identity, layout, error) {
			looked++ // no lock: the race detector would see a second caller
			time.Sleep(time.Second)
			return memory.Identity{Path: dir}, layout{}, nil
		}
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() {
				if id, err := d.Detect(t.Context(), "/x"); err != nil || id.Path != "/x" {
					t.Errorf("%+v, %v", id, err)
				}
			})
		}
		group.Wait()
		if looked != 1 {
			t.Errorf("looked %d times", looked)
		}
	})
}

// A caller that gives up must not take those who wait for it along.
func TestDetectorLeaderGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := NewDetector(time.Now)
		d.detect = func(ctx context.Context, dir string) (memory.Identity, layout, error) {
			select {
			case <-ctx.Done():
				return memory.Identity{}, layout{}, ctx.Err()
			case <-time.After(time.Second):
				return memory.Identity{Path: dir}, layout{}, nil
			}
		}
		short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		var group sync.WaitGroup
		group.Go(func() {
			if _, err := d.Detect(short, "/x"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("leader: %v", err)
			}
		})
		synctest.Wait()
		group.Go(func() {
			if _, err := d.Detect(t.Context(), "/x"); err != nil {
				t.Errorf("waiter: %v", err)
			}
		})
		impatient, cancel2 := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel2()
		group.Go(func() {
			if _, err := d.Detect(impatient, "/x"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("impatient waiter: %v", err)
			}
		})
		group.Wait()
	})
}

func TestDetectorIsBounded(t *testing.T) {
	var c clock
	d := NewDetector(c.now)
	d.detect = func(_ context.Context, dir string) (memory.Identity, layout, error) {
		return memory.Identity{Path: dir}, layout{}, nil
	}
	for i := range 2 * maxEntries {
		c.advance(time.Millisecond)
		if _, err := d.Detect(t.Context(), fmt.Sprintf("/x/%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if len(d.entries) != maxEntries {
		t.Errorf("%d entries", len(d.entries))
	}
	if _, there := d.entries[fmt.Sprintf("/x/%d", 2*maxEntries-1)]; !there {
		t.Error("the newest entry was dropped")
	}
}
