package codebase

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chitta/internal/realm"
	"chitta/internal/syntax"
)

const (
	// listTimeout bounds listing a work tree; a hundred thousand files take a
	// second or two, a cold disk some more.
	listTimeout = 30 * time.Second
	// topTimeout bounds asking for the root of a work tree.
	topTimeout = 5 * time.Second
	// maxListed bounds how many files a project may have: beyond, somebody
	// named a folder that is no project.
	maxListed = 1_000_000
	// maxExamples is how many files are named for each reason.
	maxExamples = 5
	// maxPath is beyond any path a system allows.
	maxPath = 16 << 10
	// maxSubmodules bounds how deep work trees lie in one another.
	maxSubmodules = 8
)

// ErrTooMany is returned for a folder with more files than a project has.
var ErrTooMany = fmt.Errorf("more than %d files: this is no project; name a folder within", maxListed)

// Source is a file that is to be indexed.
type Source struct {
	Path     string // from the root, with slashes
	Lang     syntax.Lang
	Size     int64
	Modified time.Time
}

// LeftOut is how many files were left out for a reason, and some of them.
type LeftOut struct {
	Files    int      `json:"files"`
	Examples []string `json:"examples"`
}

func (l *LeftOut) add(path string) {
	l.Files++
	if len(l.Examples) < maxExamples {
		l.Examples = append(l.Examples, strings.ToValidUTF8(path, "?"))
	}
}

// Tree is what a project holds.
type Tree struct {
	Root      string
	Git       bool
	Files     []Source // in order of their paths
	Manifests []string // how the project is laid out; of these [resolve.ManifestNames] knows the names
	Left      map[string]*LeftOut
	Problem   string // why git could not be asked
}

func (t *Tree) leave(reason, path string) {
	l := t.Left[reason]
	if l == nil {
		l = &LeftOut{Examples: []string{}}
		t.Left[reason] = l
	}
	l.add(path)
}

// RootOf returns the root of the project that a path belongs to: the top of its
// git work tree, else the folder itself. Links are followed, so that a project
// has one root.
func RootOf(ctx context.Context, path string) (string, error) {
	dir, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("find the project: %w", err)
	}
	fi, err := os.Stat(dir)
	if err != nil {
		return "", fmt.Errorf("find the project: %w", err)
	}
	if !fi.IsDir() {
		dir = filepath.Dir(dir)
	}
	ctx, cancel := context.WithTimeout(ctx, topTimeout)
	defer cancel()
	out, err := realm.Command(ctx, dir, "rev-parse", "--show-toplevel").Output()
	if refused := (*exec.ExitError)(nil); errors.As(err, &refused) {
		if top, ok := dubiousOwner(string(refused.Stderr)); ok { // who walks it says so
			out, err = []byte(top), nil
		}
	}
	if top := strings.TrimRight(string(out), "\r\n"); err == nil && top != "" {
		if real, err := filepath.EvalSymlinks(filepath.FromSlash(top)); err == nil {
			return real, nil
		}
	}
	return dir, nil
}

// Walk lists the source files of a project. In a git work tree git says what
// belongs to it; elsewhere hidden folders and those of builds are left out. Only
// names and sizes are looked at here: what a file holds is seen by who reads it.
func Walk(ctx context.Context, root string) (*Tree, error) { return walkSome(ctx, root, nil) }

// walkSome is [Walk] for the files at or below some paths; nil means all.
func walkSome(ctx context.Context, root string, only []string) (*Tree, error) {
	fi, err := os.Stat(root)
	if err != nil {
		return nil, fmt.Errorf("walk: %w", err)
	}
	if !fi.IsDir() {
		return nil, fmt.Errorf("walk: %s is not a folder", root)
	}
	t := &Tree{Root: root, Left: map[string]*LeftOut{}}
	w := walker{Tree: t, ctx: ctx, links: map[string]string{}, patience: listTimeout}
	if err := w.gitTree(root, "", outermost(root, only), 0); err != nil {
		if ctx.Err() != nil || errors.Is(err, ErrTooMany) {
			return nil, err
		}
		if !errors.Is(err, errNoGit) {
			t.Problem = err.Error()
		}
		w.reset()
		if err := w.plain(only); err != nil {
			return nil, err
		}
	}
	w.settleLinks()
	if only != nil { // whole submodules may have been listed
		t.Files = slices.DeleteFunc(t.Files, func(f Source) bool { return !belowAny(only, f.Path) })
		t.Manifests = slices.DeleteFunc(t.Manifests, func(m string) bool { return !belowAny(only, m) })
	}
	slices.SortFunc(t.Files, func(a, b Source) int { return strings.Compare(a.Path, b.Path) })
	t.Files = slices.CompactFunc(t.Files, func(a, b Source) bool { return a.Path == b.Path }) // git names conflicts thrice
	slices.Sort(t.Manifests)
	t.Manifests = slices.Compact(t.Manifests)
	return t, nil
}

// outermost replaces paths within another work tree by that: git says nothing of
// what lies in it when asked from outside.
func outermost(root string, paths []string) []string {
	if paths == nil {
		return nil
	}
	out := []string{}
	for _, p := range paths {
		segments := strings.Split(p, "/")
		for i := 1; i < len(segments); i++ {
			dir := strings.Join(segments[:i], "/")
			if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(dir), ".git")); err == nil {
				p = dir
				break
			}
		}
		out = append(out, p)
	}
	return out
}

// belowAny reports whether a path is one of others or lies below one.
func belowAny(dirs []string, path string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return below(dir, path) })
}

// errNoGit says that a folder is no work tree, or there is no git.
var errNoGit = errors.New("no git work tree")

type walker struct {
	*Tree
	ctx    context.Context
	listed int
	links  map[string]string // link to a file within the project → what it leads to
	linked map[string]bool   // folders that were looked at → a link leads to them

	patience time.Duration // with git
}

// throughLink reports whether the way to a path leads through a link: git names
// files it once knew in a folder that is now a link, and that may lead anywhere.
func (w *walker) throughLink(rel string) bool {
	dir := path.Dir(rel)
	if dir == "." {
		return false
	}
	known, ok := w.linked[dir]
	if !ok {
		fi, err := os.Lstat(filepath.Join(w.Root, filepath.FromSlash(dir)))
		known = w.throughLink(dir) || err == nil && fi.Mode()&fs.ModeSymlink != 0
		if w.linked == nil {
			w.linked = map[string]bool{}
		}
		w.linked[dir] = known
	}
	return known
}

func (w *walker) reset() {
	w.Files, w.Manifests, w.Left, w.listed = nil, nil, map[string]*LeftOut{}, 0
	w.links = map[string]string{}
}

// gitTree takes the files that git lists in a work tree below prefix: those it
// tracks, and those it neither tracks nor ignores.
func (w *walker) gitTree(dir, prefix string, only []string, depth int) error {
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err != nil {
		return errNoGit
	}
	ctx, cancel := context.WithTimeout(w.ctx, w.patience)
	defer cancel()
	args := []string{"--literal-pathspecs", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}
	cmd := realm.Command(ctx, dir, append(args, only...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("list files: %w", err)
	}
	var complaint limited
	cmd.Stderr = &complaint
	if err := cmd.Start(); err != nil {
		return errNoGit
	}
	w.Git = true
	lines := bufio.NewScanner(out)
	lines.Buffer(make([]byte, 4<<10), maxPath)
	lines.Split(splitNUL)
	for err == nil && lines.Scan() {
		err = w.listedByGit(prefix, lines.Text(), depth)
	}
	if err == nil {
		err = lines.Err()
	}
	if err != nil {
		cancel()
	}
	if waitErr := cmd.Wait(); err == nil && waitErr != nil {
		w.Git = false
		err = w.refused(ctx, waitErr, &complaint)
	}
	for _, closed := range closedFolders(complaint.kept.String()) {
		w.leave(LeftUnreadable, prefix+closed)
	}
	return err
}

// refused says why git listed nothing, and what to do about it.
func (w *walker) refused(ctx context.Context, err error, complaint *limited) error {
	if top, ok := dubiousOwner(complaint.kept.String()); ok {
		return fmt.Errorf("the repository belongs to another user, so git does not read it; if you trust it: git config --global --add safe.directory '%s'", top)
	}
	if w.ctx.Err() == nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("git did not answer in %v; a slow disk, or something that is no file in the place of a .gitignore, keeps it waiting", w.patience)
	}
	return fmt.Errorf("git ls-files: %w: %s", err, complaint.line())
}

// dubiousOwner finds the work tree that git does not look into because of whose
// it is.
func dubiousOwner(complaint string) (top string, ok bool) {
	_, rest, ok := strings.Cut(complaint, "detected dubious ownership in repository at '")
	if !ok {
		return "", false
	}
	line, _, _ := strings.Cut(rest, "\n")
	end := strings.LastIndexByte(line, '\'')
	return line[:max(end, 0)], end > 0
}

// closedFolders returns the folders that git says it could not look into, which
// to it is no failure.
func closedFolders(complaint string) (out []string) {
	for line := range strings.Lines(complaint) {
		if rest, ok := strings.CutPrefix(line, "warning: could not open directory '"); ok {
			if end := strings.LastIndex(rest, "': "); end > 0 {
				out = append(out, rest[:end])
			}
		}
	}
	return out
}

// listedByGit takes one name of git's. A folder is another work tree: one that
// is tracked is a submodule and belongs to the project, one that is not is
// somebody else's.
func (w *walker) listedByGit(prefix, name string, depth int) error {
	if strings.HasSuffix(name, "/") {
		w.leave(LeftNested, prefix+name)
		return nil
	}
	if w.throughLink(prefix + name) {
		w.leave(LeftLink, prefix+name)
		return nil
	}
	fi, err := os.Lstat(filepath.Join(w.Root, filepath.FromSlash(prefix+name)))
	if err != nil || !fi.IsDir() {
		return w.take(prefix+name, fi, err)
	}
	if leftByName(prefix+name+"/x") != "" || depth >= maxSubmodules {
		w.leave(LeftVendored, prefix+name)
		return nil
	}
	err = w.gitTree(filepath.Join(w.Root, filepath.FromSlash(prefix+name)), prefix+name+"/", nil, depth+1)
	if errors.Is(err, errNoGit) {
		return nil // a submodule that is not checked out
	}
	return err
}

// splitNUL splits at NUL bytes.
func splitNUL(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// plain takes the files below the root, or those at or below some paths.
func (w *walker) plain(only []string) error {
	if only == nil {
		return w.plainDir(".")
	}
	for _, p := range only {
		if hiddenOrBuilt(p) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(w.Root, filepath.FromSlash(p))); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := w.plainDir(p); err != nil {
			return err
		}
	}
	return nil
}

// hiddenOrBuilt reports whether a folder on the way to a path is left out.
func hiddenOrBuilt(p string) bool {
	segments := strings.Split(p, "/")
	return slices.ContainsFunc(segments[:len(segments)-1], notOurs)
}

// notOurs reports whether a folder is left out where there is no git to ask.
func notOurs(name string) bool { return len(name) > 1 && name[0] == '.' && name != ".." || built[name] }

func (w *walker) plainDir(start string) error {
	return filepath.WalkDir(filepath.Join(w.Root, filepath.FromSlash(start)), func(full string, d fs.DirEntry, err error) error {
		if w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		rel, relErr := filepath.Rel(w.Root, full)
		if relErr != nil {
			return relErr
		}
		rel = filepath.ToSlash(rel)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				w.leave(LeftUnreadable, rel)
			}
			return nil
		}
		if d.IsDir() {
			return w.plainFolder(rel, full, d.Name())
		}
		if syntax.LangOf(rel) == "" && !isManifest(rel) {
			return nil // no need to ask for its size
		}
		fi, err := d.Info()
		return w.take(rel, fi, err)
	})
}

func (w *walker) plainFolder(rel, full, name string) error {
	switch {
	case rel == ".":
		return nil
	case vendored[name]:
		w.leave(LeftVendored, rel+"/")
		return filepath.SkipDir
	case built[name]:
		w.leave(LeftBuilt, rel+"/")
		return filepath.SkipDir
	case notOurs(name):
		return filepath.SkipDir
	}
	if _, err := os.Lstat(filepath.Join(full, ".git")); err == nil {
		w.leave(LeftNested, rel+"/")
		return filepath.SkipDir
	}
	return nil
}

// take takes a file, unless its name, sort or size says not to.
func (w *walker) take(rel string, fi fs.FileInfo, err error) error {
	if w.listed++; w.listed > maxListed {
		return ErrTooMany
	}
	lang := syntax.LangOf(rel)
	manifest := isManifest(rel)
	if lang == "" && !manifest || errors.Is(err, fs.ErrNotExist) {
		return nil // no source, or deleted and not yet committed
	}
	if reason := leftByName(rel); reason != "" {
		if lang != "" {
			w.leave(reason, rel)
		}
		return nil
	}
	switch {
	case !utf8.ValidString(rel):
		w.leave(LeftName, rel)
	case err != nil:
		w.leave(LeftUnreadable, rel)
	case fi.Mode()&fs.ModeSymlink != 0:
		w.link(rel)
	case !fi.Mode().IsRegular():
		w.leave(LeftUnreadable, rel)
	case fi.Size() > MaxFile:
		w.leave(LeftLarge, rel)
	default:
		w.add(rel, lang, manifest, fi)
	}
	return nil
}

func (w *walker) add(rel string, lang syntax.Lang, manifest bool, fi fs.FileInfo) {
	if manifest {
		w.Manifests = append(w.Manifests, rel)
	}
	if lang != "" {
		w.Files = append(w.Files, Source{Path: rel, Lang: lang, Size: fi.Size(), Modified: Written(fi)})
	}
}

// link notes a link to a file within the project; others are left out.
func (w *walker) link(rel string) {
	real, err := filepath.EvalSymlinks(filepath.Join(w.Root, filepath.FromSlash(rel)))
	if err != nil {
		w.leave(LeftLink, rel) // in a circle, or to nothing
		return
	}
	target, err := filepath.Rel(w.Root, real)
	if err != nil || target == ".." || strings.HasPrefix(target, ".."+string(filepath.Separator)) {
		w.leave(LeftLink, rel)
		return
	}
	w.links[rel] = filepath.ToSlash(target)
}

// settleLinks takes files that are only there by a link, once, and leaves out
// links to those that are there anyway.
func (w *walker) settleLinks() {
	if len(w.links) == 0 {
		return
	}
	have := make(map[string]bool, len(w.Files))
	for _, f := range w.Files {
		have[f.Path] = true
	}
	names := make([]string, 0, len(w.links))
	for rel := range w.links {
		names = append(names, rel)
	}
	slices.Sort(names)
	for _, rel := range names {
		target := w.links[rel]
		fi, err := os.Stat(filepath.Join(w.Root, filepath.FromSlash(target)))
		if have[target] || err != nil || !fi.Mode().IsRegular() || fi.Size() > MaxFile || leftByName(target) != "" {
			w.leave(LeftLink, rel)
			continue
		}
		have[target] = true
		w.add(rel, syntax.LangOf(rel), isManifest(rel), fi)
	}
}
