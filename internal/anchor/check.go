package anchor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"chitta/internal/store"
)

// checking is anchors of one tree that are looked at.
type checking struct {
	*Room
	tree
	ctx    context.Context
	states map[string]codeState // of files of symbols
	found  []store.CodeFound    // symbols with the paths of the anchors, in their files
	gone   bool                 // something is not where it was, nor found elsewhere
	wait   Wait                 // for the index
}

// check says of anchors how they stand.
func (r *Room) check(ctx context.Context, t tree, anchors []store.Anchor, wait Wait) ([]State, error) {
	c := &checking{Room: r, tree: t, ctx: ctx, wait: wait}
	if wait >= Asked { // who asks just that is not told what a file's time says
		for _, a := range anchors {
			r.forget(c.full(a.Path))
		}
	}
	if err := c.load(anchors); err != nil {
		return nil, err
	}
	out, err := c.all(anchors)
	if err != nil || !c.gone || !c.lookAround() {
		return out, err
	}
	if err := c.load(anchors); err != nil { // what is gone from one place may be in another
		return nil, err
	}
	return c.all(anchors)
}

func (c *checking) all(anchors []store.Anchor) ([]State, error) {
	out := make([]State, len(anchors))
	for i := range anchors {
		s, err := c.one(&anchors[i])
		if err != nil {
			return nil, err
		}
		s.File, s.Symbol, s.Revision = anchors[i].Path, anchors[i].Symbol, anchors[i].Revision
		s.Since = anchors[i].Taken
		c.note(&anchors[i], &s)
		out[i] = s
	}
	return out, nil
}

// load reads what the index says of the symbols of anchors, all at once.
func (c *checking) load(anchors []store.Anchor) (err error) {
	if c.base == nil {
		return nil
	}
	files, symbols := symbolsOf(slices.DeleteFunc(slices.Clone(anchors), func(a store.Anchor) bool { return !filepath.IsLocal(a.Path) }))
	if len(files) == 0 {
		return nil
	}
	if c.states, err = c.current(c.ctx, c.tree, files, c.wait); err != nil {
		return err
	}
	c.found, err = c.base.Store().SymbolsIn(c.ctx, c.root, files, symbols)
	return err
}

// lookedAround is how often a whole project is looked at for what is gone from
// its place: the watch finds it as well, a little later.
const lookedAround = time.Minute

// lookAround has the index look at the whole tree, and reports whether it came
// to its end.
func (c *checking) lookAround() bool {
	if c.base == nil {
		return false
	}
	c.mu.Lock()
	last, now := c.looked[c.root], time.Now()
	due := now.Sub(last) > lookedAround || c.wait >= Asked
	if due {
		c.looked[c.root] = now
	}
	c.mu.Unlock()
	return due && c.catchUp(c.ctx, c.tree, []string{"."}, c.wait)
}

func (c *checking) one(a *store.Anchor) (State, error) {
	switch {
	case a.Path == tooMuch:
		return unknown("it names too much to hold against code"), nil
	case c.root == "":
		return unknown("its project is not on this machine"), nil
	case !filepath.IsLocal(filepath.FromSlash(a.Path)):
		return unknown(asCode(a.Path) + " is outside of the project"), nil
	case a.Hash == "":
		return unknown("what " + asCode(anchoredName(a)) + " was then is not known"), nil
	case a.Symbol == "":
		return c.file(a)
	case c.base != nil:
		return c.symbol(a)
	}
	if h := takenOf(a.Hash); !h.comparable() && h.marked(markStale) {
		if s := c.uncompared(a, h); s.State == Stale {
			return s, nil
		}
	}
	return unknown("the project is not indexed"), nil
}

func anchoredName(a *store.Anchor) string {
	if a.Symbol != "" {
		return a.Symbol
	}
	return a.Path
}

func sinceText(a *store.Anchor) string { return a.Taken.Format(time.DateOnly) }

func (c *checking) file(a *store.Anchor) (State, error) {
	h := takenOf(a.Hash)
	text, err := c.text(c.full(a.Path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c.fileGone(a, h)
	case err != nil:
		return unknown(asCode(a.Path) + " cannot be read"), nil
	case !h.comparable():
		return c.uncompared(a, h), nil
	case text.plain == h.what:
		return fresh(""), nil
	}
	return stale("%s changed since %s", asCode(a.Path), sinceText(a)), nil
}

// uncompared says what can be said of an anchor whose hash is of another version:
// it is fresh if the text of its file is the same, and what was stale stays it.
func (c *checking) uncompared(a *store.Anchor, h taken) State {
	text, err := c.text(c.full(a.Path))
	switch {
	case err == nil && text.unchanged(a, h):
		return fresh("")
	case h.marked(markStale):
		return stale("%s changed since %s, as an earlier version found", asCode(anchoredName(a)), sinceText(a))
	}
	return unknown("what " + asCode(anchoredName(a)) + " was then was noted by another version")
}

// unchanged says whether a text is certainly the one that an anchor was taken of.
func (t *textSeen) unchanged(a *store.Anchor, h taken) bool {
	if h.text != "" {
		return t.name == h.text
	}
	written := time.Unix(0, max(t.mark.Changed, t.modified.UnixNano()))
	return t.mark.Changed > 0 && written.Before(a.Taken)
}

const (
	// mostMoved is how many places are looked at for what is gone from its own.
	mostMoved = 20
	// tinyFile is how large a file must be to be known again in another place.
	tinyFile = 64
)

func (c *checking) fileGone(a *store.Anchor, h taken) (State, error) {
	if c.base != nil && h.comparable() {
		paths, err := c.base.Store().CodePathsNamed(c.ctx, c.root, path.Base(a.Path), mostMoved)
		if err != nil {
			return State{}, err
		}
		paths = slices.DeleteFunc(paths, func(p string) bool {
			text, err := c.text(c.full(p))
			return err != nil || text.plain != h.what || text.size < tinyFile
		})
		if len(paths) == 1 && h.moves() {
			s := fresh("now " + asCode(paths[0]))
			s.to = place{file: paths[0]}
			return s, nil
		}
	}
	c.gone = true
	return removed("%s is gone", asCode(a.Path)), nil
}

// moves says whether what is gone from its place and is in another moved there:
// that was not so if the other had it before.
func (h taken) moves() bool { return !h.old && !h.marked(markDoubled) }

func (c *checking) symbol(a *store.Anchor) (State, error) {
	h := takenOf(a.Hash)
	switch {
	case c.states[a.Path] == goneFile && !h.comparable():
		return removed("%s is gone with %s", asCode(a.Symbol), asCode(a.Path)), nil
	case !h.comparable():
		return c.uncompared(a, h), nil
	case c.states[a.Path] == behindDisk:
		return unknown(asCode(a.Path) + " was changed just now and is being read"), nil
	case c.states[a.Path] == notIndexed:
		return unknown(asCode(a.Path) + " is not indexed"), nil
	}
	for _, g := range byFile(c.found, a.Symbol) {
		if g.file == a.Path && c.states[a.Path] != goneFile {
			if g.hash() == h.what {
				return fresh(""), nil
			}
			return changed(a, g), nil
		}
	}
	found, err := c.symbolsAt(c.ctx, []string{a.Symbol})
	if err != nil {
		return State{}, err
	}
	var elsewhere, same []sameName
	for _, g := range byFile(found, a.Symbol) {
		if g.file != a.Path && c.there(g.file) {
			if elsewhere = append(elsewhere, g); g.hash() == h.what {
				same = append(same, g)
			}
		}
	}
	return c.symbolGone(a, h, elsewhere, same)
}

func (c *checking) there(file string) bool {
	_, err := os.Lstat(c.full(file))
	return err == nil
}

// changed says what became of a symbol that is where it was.
func changed(a *store.Anchor, g sameName) State {
	if now := g.signature(); a.Signature != "" && now != a.Signature {
		return stale("%s changed since %s, its signature from %s to %s", asCode(a.Symbol), sinceText(a), asCode(a.Signature), asCode(now))
	}
	return stale("%s changed since %s", asCode(a.Symbol), sinceText(a))
}

// symbolGone says what became of a symbol that is not where it was: it is fresh
// if it moved to the only place that has it as it was. The anchor stays what it
// is, because on another branch the code may be where it was.
func (c *checking) symbolGone(a *store.Anchor, h taken, elsewhere, same []sameName) (State, error) {
	name, from := asCode(a.Symbol), asCode(a.Path)
	if len(same) == 1 && h.moves() && !same[0].tiny() {
		return c.moved(same[0])
	}
	c.gone = true
	switch {
	case len(same) > 1:
		return removed("%s is no longer in %s; the same is in %s and %s", name, from, asCode(same[0].file), asCode(same[1].file)), nil
	case len(same) == 1:
		return removed("%s is no longer in %s; %s has the same, and may have had it before", name, from, asCode(same[0].file)), nil
	case len(elsewhere) == 1 && h.moves():
		s := stale("%s is now in %s, and changed since %s", name, asCode(elsewhere[0].file), sinceText(a))
		s.to = place{elsewhere[0].file, a.Symbol}
		return s, nil
	case c.states[a.Path] == goneFile:
		return removed("%s is gone with %s", name, from), nil
	}
	body, err := strconv.ParseUint(h.what, 16, 64)
	if err != nil { // of several
		return removed("%s is no longer in %s", name, from), nil
	}
	others, err := c.base.Store().SymbolsOfBody(c.ctx, c.root, a.Path, body, 2)
	if err != nil {
		return State{}, err
	}
	// on one line much is alike by chance
	if len(others) == 1 && others[0].EndLine > others[0].Line {
		s := stale("%s was renamed to %s", name, asCode(others[0].Path))
		s.to = place{a.Path, others[0].Path}
		return s, nil
	}
	return removed("%s is no longer in %s", name, from), nil
}

// moved says that a symbol is in another file now, if the index has that as it
// is.
func (c *checking) moved(to sameName) (State, error) {
	states, err := c.Room.states(c.ctx, c.tree, []string{to.file})
	if err != nil {
		return State{}, err
	}
	if states[to.file] != asIndexed {
		c.gone = true
		c.base.Touch(c.full(to.file))
		return unknown(asCode(to.file) + " was changed just now and is being read"), nil
	}
	s := fresh("now in " + asCode(to.file))
	s.to = place{to.file, to.symbols[0].Path}
	return s, nil
}
