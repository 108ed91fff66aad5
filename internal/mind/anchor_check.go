package mind

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// How what a memory says stands against the code it names.
const (
	FreshnessFresh = "fresh" // the code is what it was
	FreshnessStale = "stale" // it changed, or is gone
	// FreshnessUnknown is that of what cannot be held against code.
	FreshnessUnknown = "unverifiable"
)

// AnchorState is how one place of the code stands.
type AnchorState struct {
	File     string    `json:"file"`
	Symbol   string    `json:"symbol,omitempty"`
	State    string    `json:"state"`
	Removed  bool      `json:"removed,omitempty"`  // it is gone
	Note     string    `json:"note,omitempty"`     // what changed, where it is now, or why nothing can be said
	Since    time.Time `json:"since,omitzero"`     // when it was last known to be so
	Revision string    `json:"revision,omitempty"` // the commit of then
}

// Freshness is how a memory stands against the code that it names: as the worst
// of its anchors. State is "" if it names none.
type Freshness struct {
	State   string
	Note    string
	Anchors []AnchorState
}

// Freshness holds memories against the code they name, by their rows. cwd says
// which clone of a project counts.
func (m *Mind) Freshness(ctx context.Context, cwd string, records []store.Record, anchors map[int64][]store.Anchor) (map[int64]Freshness, error) {
	wait := waitReading
	if end, ok := ctx.Deadline(); ok { // a hook has little time, and more to do with it
		wait = max(0, min(wait, time.Until(end)/4))
	}
	return m.freshness(ctx, cwd, records, anchors, wait)
}

func (m *Mind) freshness(ctx context.Context, cwd string, records []store.Record, anchors map[int64][]store.Anchor, wait time.Duration) (map[int64]Freshness, error) {
	byRealm := map[string][]store.Anchor{}
	for _, r := range records {
		for _, a := range anchors[r.Seq] {
			if a.Named > 0 {
				byRealm[r.Realm] = append(byRealm[r.Realm], a)
			}
		}
	}
	out := map[int64]Freshness{}
	for realm, list := range byRealm {
		t, err := m.treeOf(ctx, realm, cwd)
		if err != nil {
			return nil, err
		}
		states, err := m.checkAnchors(ctx, t, list, wait)
		if err != nil {
			return nil, err
		}
		for i, a := range list {
			f := out[a.Memory]
			f.take(states[i])
			out[a.Memory] = f
		}
	}
	return out, nil
}

// take counts an anchor in: the worst says how a memory stands, and of those the
// first.
func (f *Freshness) take(s AnchorState) {
	f.Anchors = append(f.Anchors, s)
	bad := func(state string) int {
		return slices.Index([]string{"", FreshnessFresh, FreshnessUnknown, FreshnessStale}, state)
	}
	if bad(s.State) > bad(f.State) || s.State == f.State && f.Note == "" {
		f.State, f.Note = s.State, s.Note
	}
}

// check is anchors of one tree that are looked at.
type check struct {
	*Mind
	tree
	ctx    context.Context
	states map[string]codeState // of files of symbols
	found  []store.CodeFound    // symbols with the paths of the anchors
	gone   bool                 // something is not where it was
}

// checkAnchors says of anchors how they stand.
func (m *Mind) checkAnchors(ctx context.Context, t tree, anchors []store.Anchor, wait time.Duration) ([]AnchorState, error) {
	c := &check{Mind: m, tree: t, ctx: ctx}
	if err := c.load(anchors, wait); err != nil {
		return nil, err
	}
	out, err := c.all(anchors)
	if err != nil || !c.gone || !c.lookAround(wait) {
		return out, err
	}
	if err := c.load(anchors, wait); err != nil { // what is gone from one place may be in another
		return nil, err
	}
	return c.all(anchors)
}

func (c *check) all(anchors []store.Anchor) ([]AnchorState, error) {
	out := make([]AnchorState, len(anchors))
	for i := range anchors {
		s, err := c.one(&anchors[i])
		if err != nil {
			return nil, err
		}
		s.File, s.Symbol, s.Revision = anchors[i].Path, anchors[i].Symbol, anchors[i].Revision
		s.Since = anchors[i].Taken
		out[i] = s
	}
	return out, nil
}

// load reads what the index says of the symbols of anchors, all at once.
func (c *check) load(anchors []store.Anchor, wait time.Duration) (err error) {
	if c.base == nil {
		return nil
	}
	var files, symbols []string
	for _, a := range anchors {
		if a.Symbol == "" || !filepath.IsLocal(a.Path) {
			continue
		}
		if !slices.Contains(files, a.Path) {
			files = append(files, a.Path)
		}
		if !slices.Contains(symbols, a.Symbol) {
			symbols = append(symbols, a.Symbol)
		}
	}
	if len(files) == 0 {
		return nil
	}
	if c.states, err = c.current(c.ctx, c.tree, files, wait); err != nil {
		return err
	}
	c.found, err = c.base.Store().SymbolsByPath(c.ctx, c.root, symbols, mostCalled)
	slices.SortStableFunc(c.found, func(a, b store.CodeFound) int { return strings.Compare(a.FilePath, b.FilePath) })
	return err
}

// lookedAround is how often a whole project is looked at for what is gone from
// its place: the watch finds it as well, a little later.
const lookedAround = time.Minute

// lookAround has the index look at the whole tree, and reports whether it came
// to its end.
func (c *check) lookAround(wait time.Duration) bool {
	if c.base == nil {
		return false
	}
	r := &c.Mind.anchors
	r.mu.Lock()
	last, now := r.looked[c.root], time.Now()
	due := now.Sub(last) > lookedAround || wait >= waitAsked
	if due {
		if r.looked == nil {
			r.looked = map[string]time.Time{}
		}
		r.looked[c.root] = now
	}
	r.mu.Unlock()
	return due && c.catchUp(c.ctx, c.tree, []string{"."}, wait)
}

func unknown(note string) AnchorState { return AnchorState{State: FreshnessUnknown, Note: note} }

func stale(format string, args ...any) AnchorState {
	return AnchorState{State: FreshnessStale, Note: fmt.Sprintf(format, args...)}
}

func removed(format string, args ...any) AnchorState {
	s := stale(format, args...)
	s.Removed = true
	return s
}

func fresh(note string) AnchorState { return AnchorState{State: FreshnessFresh, Note: note} }

func (c *check) one(a *store.Anchor) (AnchorState, error) {
	switch {
	case c.root == "":
		return unknown("its project is not on this machine"), nil
	case !filepath.IsLocal(filepath.FromSlash(a.Path)):
		return unknown(asCode(a.Path) + " is outside of the project"), nil
	case a.Hash == "":
		return unknown("what " + asCode(anchoredName(a)) + " was then is not known"), nil
	case a.Symbol == "":
		return c.file(a)
	case c.base == nil:
		return unknown("the project is not indexed"), nil
	}
	return c.symbol(a)
}

func anchoredName(a *store.Anchor) string {
	if a.Symbol != "" {
		return a.Symbol
	}
	return a.Path
}

func sinceText(a *store.Anchor) string { return a.Taken.Format(time.DateOnly) }

func (c *check) file(a *store.Anchor) (AnchorState, error) {
	text, err := c.Mind.anchors.text(c.full(a.Path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c.fileGone(a)
	case err != nil:
		return unknown(asCode(a.Path) + " cannot be read"), nil
	case text.plain == a.Hash:
		return fresh(""), nil
	}
	return stale("%s changed since %s", asCode(a.Path), sinceText(a)), nil
}

// mostMoved is how many places are looked at for what is gone from its own.
const mostMoved = 20

func (c *check) fileGone(a *store.Anchor) (AnchorState, error) {
	c.gone = true
	if c.base != nil {
		paths, err := c.base.Store().CodePathsNamed(c.ctx, c.root, path.Base(a.Path), mostMoved)
		if err != nil {
			return AnchorState{}, err
		}
		paths = slices.DeleteFunc(paths, func(p string) bool {
			text, err := c.Mind.anchors.text(c.full(p))
			return err != nil || text.plain != a.Hash
		})
		if len(paths) == 1 {
			c.follow(a, paths[0])
			return fresh("now " + asCode(paths[0])), nil
		}
	}
	return removed("%s is gone", asCode(a.Path)), nil
}

func (c *check) symbol(a *store.Anchor) (AnchorState, error) {
	body, ok := hashedBody(a.Hash)
	if !ok {
		return unknown("what " + asCode(a.Symbol) + " was then was noted by another version"), nil
	}
	switch c.states[a.Path] {
	case behindDisk:
		return unknown(asCode(a.Path) + " was changed just now and is being read"), nil
	case notIndexed:
		return unknown(asCode(a.Path) + " is not indexed"), nil
	}
	var here, elsewhere, same []*store.CodeFound
	for i := range c.found {
		s := &c.found[i]
		switch {
		case s.Path != a.Symbol:
		case s.FilePath == a.Path && c.states[a.Path] != goneFile:
			here = append(here, s)
		case c.there(s.FilePath):
			if elsewhere = append(elsewhere, s); s.Body == body {
				same = append(same, s)
			}
		}
	}
	switch {
	case slices.ContainsFunc(here, func(s *store.CodeFound) bool { return s.Body == body }):
		return fresh(""), nil
	case len(here) > 0:
		return changed(a, here[0]), nil
	}
	c.gone = true
	return c.symbolGone(a, body, elsewhere, same)
}

func (c *check) there(file string) bool {
	_, err := os.Lstat(c.full(file))
	return err == nil
}

// changed says what became of a symbol that is where it was.
func changed(a *store.Anchor, s *store.CodeFound) AnchorState {
	if a.Signature != "" && s.Signature != a.Signature {
		return stale("%s changed since %s, its signature from %s to %s", asCode(a.Symbol), sinceText(a), asCode(a.Signature), asCode(s.Signature))
	}
	return stale("%s changed since %s", asCode(a.Symbol), sinceText(a))
}

// symbolGone says what became of a symbol that is not where it was: it is
// followed to the only place that has it as it was.
func (c *check) symbolGone(a *store.Anchor, body uint64, elsewhere, same []*store.CodeFound) (AnchorState, error) {
	name, from := asCode(a.Symbol), asCode(a.Path)
	switch {
	case len(same) == 1:
		c.follow(a, same[0].FilePath)
		return fresh("now in " + asCode(same[0].FilePath)), nil
	case len(same) > 1:
		return removed("%s is no longer in %s; the same is in %s and %s", name, from, asCode(same[0].FilePath), asCode(same[1].FilePath)), nil
	case len(elsewhere) == 1:
		return stale("%s is now in %s, and changed since %s", name, asCode(elsewhere[0].FilePath), sinceText(a)), nil
	}
	if c.states[a.Path] == goneFile {
		return removed("%s is gone with %s", name, from), nil
	}
	others, err := c.base.Store().SymbolsOfBody(c.ctx, c.root, a.Path, body, 2)
	if err != nil {
		return AnchorState{}, err
	}
	// on one line much is alike by chance
	if len(others) == 1 && others[0].EndLine > others[0].Line {
		return stale("%s was renamed to %s", name, asCode(others[0].Path)), nil
	}
	return removed("%s is no longer in %s", name, from), nil
}

// maxMoved bounds how many anchors wait to be rewritten.
const maxMoved = 1000

// anchorKey names an anchor.
type anchorKey struct {
	memory       int64
	path, symbol string
}

// follow notes that what an anchor is about is in another file now. The
// background rewrites it: a question does not wait for a write.
func (c *check) follow(a *store.Anchor, file string) {
	r := &c.Mind.anchors
	to := *a
	to.Path = file
	r.mu.Lock()
	if r.moved == nil {
		r.moved = map[anchorKey]movedAnchor{}
	}
	if len(r.moved) < maxMoved {
		r.moved[anchorKey{a.Memory, a.Path, a.Symbol}] = movedAnchor{*a, to}
	}
	r.mu.Unlock()
	c.signal()
}

type movedAnchor struct{ from, to store.Anchor }

// asCode puts a name or a signature in quotes, on one line and not too long,
// with nothing in it that ends them.
func asCode(s string) string {
	const most = 80
	return "`" + firstRunes(plainName(strings.ReplaceAll(s, "`", "'")), most) + "`"
}

// isProject says whether a realm can have code.
func isProject(realm string) bool { return realm != "" && realm != memory.UserRealm }
