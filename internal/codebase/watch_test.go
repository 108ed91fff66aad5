package codebase

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chitta/internal/code"
	"chitta/internal/store"
)

// quick is a timing for tests: everything that waits for quiet is short,
// everything that happens once in a while is far away.
func quick() timing {
	return timing{
		quiet: 20 * time.Millisecond, mostQuiet: 200 * time.Millisecond, soon: time.Hour, scan: time.Hour,
		blindScan: time.Hour, settle: time.Hour, cool: time.Hour,
	}
}

// running runs a base's watch for the length of a test.
func running(t *testing.T, b *Base, at timing) {
	t.Helper()
	b.timing = at
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { b.Run(ctx) })
	t.Cleanup(func() { cancel(); wg.Wait() })
}

func watchedFolders(b *Base, n int) func() bool {
	return func() bool { return b.WatchStatus().Folders == n }
}

func TestWatchFollowsChanges(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, twoFiles)
	running(t, b, quick())
	mustIndex(t, b, root) // taken up without a restart
	eventually(t, "watching", watchedFolders(b, 3))
	has := func(symbol string) func() bool {
		return func() bool { return slices.Contains(symbolNames(t, b), symbol) }
	}
	write(t, root, map[string]string{"b/b.go": "package b\n\nfunc Serve() { fresh() }\n\nfunc fresh() {}\n"})
	eventually(t, "a change", has("b/b.go:fresh"))
	eventually(t, "its edge", func() bool { return slices.Contains(called(t, b), "Serve -> fresh") })
	write(t, root, map[string]string{"new/deep/n.go": "package deep\n\nfunc inside() {}\n"})
	eventually(t, "a folder", has("new/deep/n.go:inside"))
	eventually(t, "watching it", watchedFolders(b, 5))
	write(t, root, map[string]string{"new/deep/m.go": "package deep\n\nfunc second() {}\n"})
	eventually(t, "a file in it", has("new/deep/m.go:second"))
	// editors write elsewhere and rename
	write(t, root, map[string]string{"b/b.go.tmp": "package b\n\nfunc renamed() {}\n"})
	if err := os.Rename(filepath.Join(root, "b/b.go.tmp"), filepath.Join(root, "b/b.go")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a rename", has("b/b.go:renamed"))
	if err := os.RemoveAll(filepath.Join(root, "new")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "removal", func() bool { return !has("new/deep/n.go:inside")() })
	write(t, root, map[string]string{".gitignore": "b/\n"})
	gitIn(t, root, "rm", "-r", "-q", "--cached", "b")
	eventually(t, "ignoring", func() bool { return !has("b/b.go:renamed")() })
	if err := b.Clear(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	eventually(t, "letting go", watchedFolders(b, 0))
}

// TestScanFindsWhatNoEventTold: the watch has no events at all.
func TestScanFindsWhatNoEventTold(t *testing.T) {
	needsParsers(t)
	path := filepath.Join(t.TempDir(), "code.db")
	root := gitRepo(t, twoFiles)
	b := openBaseAt(t, path, "good")
	mustIndex(t, b, root)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	// changed while nobody watched: the first look finds it
	write(t, root, map[string]string{"a/late.go": "package a\n\nfunc late() {}\n"})
	b = openBaseAt(t, path, "good")
	at := quick()
	at.soon = 10 * time.Millisecond
	running(t, b, at)
	eventually(t, "a look", func() bool { return slices.Contains(symbolNames(t, b), "a/late.go:late") })
}

func TestTouchedFilesAreRead(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, twoFiles)
	mustIndex(t, b, root)
	w := &watcher{Base: b, roots: map[string]*watched{}, dirs: map[string]string{}} // without events
	w.sync(t.Context())
	for _, path := range []string{filepath.Join(root, "a", "a.go"), filepath.Join(root, "README.md"), "/elsewhere/x.go", "relative.go", ""} {
		b.Touch(path)
	}
	w.named(t.Context())
	x := w.roots[root]
	if got := sortedPaths(x.due); !slices.Equal(got, []string{filepath.Join(root, "a", "a.go")}) {
		t.Errorf("due %q", got)
	}
	write(t, root, map[string]string{"a/a.go": "package a\n\nfunc touched() {}\n"})
	x.last, x.first = time.Time{}, time.Time{}
	w.work(t.Context()) // joins
	w.work(t.Context())
	if !slices.Contains(symbolNames(t, b), "a/a.go:touched") {
		t.Error("the file was not read")
	}
	if len(x.due) > 0 || x.settle.IsZero() || x.cool.IsZero() || !x.blind {
		t.Errorf("%+v", x)
	}
}

// TestSettleAndCool: what was resolved in steps is resolved as a whole, and
// memory is given back.
func TestSettleAndCool(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, twoFiles)
	mustIndex(t, b, root)
	state := func() (hot, loose bool) {
		p, release, err := b.take(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		return p.hot != nil, p.loose
	}
	at := quick()
	at.settle, at.cool = 50*time.Millisecond, 400*time.Millisecond
	running(t, b, at)
	eventually(t, "watching", watchedFolders(b, 3))
	write(t, root, map[string]string{"b/b.go": "package b\n\nfunc Serve() {}\n"})
	eventually(t, "a change", func() bool { return !strings.Contains(strings.Join(symbolNames(t, b), " "), "accept") })
	eventually(t, "a whole pass", func() bool { _, loose := state(); return !loose })
	eventually(t, "rest", func() bool { hot, _ := state(); return !hot })
	settledRows(t, b, root)
}

// TestWatchFoldersWithoutSource: source may come to be where there is none, and
// where a folder of the same name was before.
func TestWatchFoldersWithoutSource(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, map[string]string{"a/b/x.go": "package b\n\nfunc first() {}\n", "docs/read.md": "# Read\n", ".gitignore": "out/\n"})
	for _, dir := range []string{"deep/one/two", "out/inside", "node_modules/x"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	gitIn(t, root, "init", "-q", "other")
	running(t, b, quick())
	mustIndex(t, b, root)
	eventually(t, "watching", watchedFolders(b, 7)) // ., a, a/b, docs, deep, deep/one, deep/one/two
	has := func(symbol string) func() bool {
		return func() bool { return slices.Contains(symbolNames(t, b), symbol) }
	}
	write(t, root, map[string]string{"docs/new.go": "package docs\n\nfunc documented() {}\n"})
	eventually(t, "a folder of documents", has("docs/new.go:documented"))
	write(t, root, map[string]string{"deep/one/two/new.go": "package two\n\nfunc deep() {}\n"})
	eventually(t, "an empty folder", has("deep/one/two/new.go:deep"))
	if err := os.Rename(filepath.Join(root, "a"), filepath.Join(root, "c")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "moving", has("c/b/x.go:first"))
	write(t, root, map[string]string{"a/b/x.go": "package b\n\nfunc second() {}\n"})
	eventually(t, "the folder made again", has("a/b/x.go:second"))
	write(t, root, map[string]string{"a/b/x.go": "package b\n\nfunc third() {}\n"})
	eventually(t, "a change in it", has("a/b/x.go:third"))
	write(t, root, map[string]string{"c/b/x.go": "package b\n\nfunc fourth() {}\n"})
	eventually(t, "a change where it went", has("c/b/x.go:fourth"))
}

// TestWatchOutlivesTheSolver: one that was killed while nothing happened costs
// no change.
func TestWatchOutlivesTheSolver(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, twoFiles)
	mustIndex(t, b, root)
	hot := b.projects[root].hot
	hot.kill()
	<-hot.ended
	write(t, root, map[string]string{"b/b.go": "package b\n\nfunc Serve() { fresh() }\n\nfunc fresh() {}\n"})
	if err := b.Refresh(t.Context(), root, []string{"b/b.go"}); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(called(t, b), "Serve -> fresh") {
		t.Error(called(t, b))
	}
}

// TestIndexOfAnotherVersion: projects are indexed again without being named, and
// what is asked meanwhile says so.
func TestIndexOfAnotherVersion(t *testing.T) {
	needsParsers(t)
	path := filepath.Join(t.TempDir(), "code.db")
	root := gitRepo(t, twoFiles)
	b := openBaseAt(t, path, "good")
	if _, err := b.Index(t.Context(), root, "p_one", nil); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	old, _, err := store.OpenCode(t.Context(), path, code.Version+1) // somebody used another version
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	b = openBaseAt(t, path, "good")
	ask, err := b.Ask(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if ask.Realm() != "p_one" || ask.Standing().Unfinished() == "" {
		t.Errorf("realm %q, note %q", ask.Realm(), ask.Standing().Note)
	}
	at := quick()
	at.soon = 10 * time.Millisecond
	running(t, b, at)
	eventually(t, "an index", func() bool {
		p, err := b.Stats(t.Context(), root)
		return err == nil && !p.Indexed.IsZero() && p.Counts.Symbols > 0 && p.Realm == "p_one"
	})
	if ask, err = b.Ask(t.Context(), root); err != nil || ask.Standing().Unfinished() != "" {
		t.Errorf("%+v %v", ask.Standing(), err)
	}
}
