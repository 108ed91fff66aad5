package anchor

import (
	"fmt"
	"strings"
	"testing"

	"chitta/internal/store"
	"chitta/internal/syntax"
)

// Nothing here may be called fresh when its code changed.

// upgrade has the anchors of a memory be of another version, as if they were
// written before this one, and anchors again.
func (g *ground) upgrade(id int64, change func(*taken)) {
	g.Helper()
	err := g.store.Write(g.Context(), func(tx *store.Tx) error {
		for _, a := range g.rows(id) {
			h := takenOf(a.Hash)
			h.version, h.what = 0, "77"
			if change != nil {
				change(&h)
			}
			hash := h.String()
			if h.old {
				hash = fmt.Sprintf("%d:%s", h.version, h.what)
			}
			if err := tx.MarkAnchor(a, hash, a.Signature); err != nil {
				return err
			}
		}
		return tx.SetNoted(noteKey(g.dir), takenTo{})
	})
	if err != nil {
		g.Fatal(err)
	}
	g.maintain()
}

// TestAnotherVersion: what was stale before another version of facts came is not
// fresh behind it, and what was fresh is it only where that is certain.
func TestAnotherVersion(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	colons := strings.Replace(configGo, `"="`, `":"`, 1)
	commas := strings.Replace(configGo, `"="`, `","`, 1)
	const noted = "what `parse` was then was noted by another version"
	earlier := func(h *taken) { h.old = true }
	for _, c := range []struct {
		name        string
		then, now   string // text of the file when the memory is made, and when the version changes
		commit      bool   // it is committed between
		looked      bool   // somebody looks before the version changes
		change      func(*taken)
		state, note string
		back        string // state when the text is that of the first commit again
	}{
		{"same", configGo, configGo, false, false, nil, Fresh, "", Fresh},
		{"reformatted", configGo, configGo + "\n\n", false, false, nil, Fresh, "", Fresh},
		{"changed", configGo, colons, false, true, nil, Stale, "`parse` changed since 2026-05-04", Fresh},
		{"changed unseen", configGo, colons, false, false, nil, Stale, "`parse` changed since 2026-05-04", Fresh},
		{"never committed", colons, commas, false, false, nil, Unknown, noted, Unknown},
		{"never committed, seen", colons, commas, false, true, nil, Stale, "`parse` changed since 2026-05-04, as an earlier version found", Stale},
		{"never committed, same", colons, colons, false, false, nil, Fresh, "", Stale},
		{"committed later", colons, commas, true, false, nil, Stale, "`parse` changed since 2026-05-04", Stale},
		{"earlier, changed", configGo, colons, false, false, earlier, Unknown, noted, Unknown},
		{"earlier, as committed", configGo, configGo + "\n\n", false, false, earlier, Fresh, "", Fresh},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := newGround(t, map[string]string{"config.go": configGo})
			g.write("config.go", c.then)
			g.index()
			id := g.remember("`parse` in config.go gives an empty value for lines without =")
			g.is(id, Fresh, "")
			if c.commit {
				g.git("commit", "-q", "-a", "-m", "second")
			}
			g.write("config.go", c.now)
			g.index()
			if c.looked {
				g.verify(id)
				g.maintain()
			}
			g.upgrade(id, c.change)
			g.is(id, c.state, c.note)
			if h := takenOf(g.rows(id)[0].Hash); h.marked(markStale) && !h.comparable() { // the index is made anew
				g.clear()
				g.is(id, c.state, c.note)
				g.index()
			}
			g.write("config.go", configGo)
			if s, n := g.verify(id); s != c.back {
				t.Errorf("back: %s, %s; want %s", s, n, c.back)
			}
		})
	}
}

// TestAnotherVersionOfFiles: the same for files as a whole.
func TestAnotherVersionOfFiles(t *testing.T) {
	t.Parallel()
	g := newGround(t, map[string]string{"config.go": configGo})
	g.index()
	same, gone := g.remember("what config.go reads are lines, nothing else"), g.remember("config.go has no words about ports at all")
	g.upgrade(same, nil)
	g.is(same, Fresh, "")
	g.write("config.go", strings.Replace(configGo, `"="`, `":"`, 1))
	want, note := Stale, "`config.go` changed since 2026-05-04"
	if !syntax.Available { // nothing is anchored in the background
		want, note = Unknown, "what `config.go` was then was noted by another version"
	}
	g.is(same, want, note)
	g.verify(gone)
	g.maintain()
	g.upgrade(gone, func(h *taken) { h.text = strings.Repeat("0", len(h.text)) })
	g.is(gone, Stale, "`config.go` changed since 2026-05-04, as an earlier version found")
}
