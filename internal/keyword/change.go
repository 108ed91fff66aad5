package keyword

import "slices"

// change gathers what a batch deletes and where it puts documents, so that all
// of it becomes visible at once.
type change struct {
	x      *Index
	placed map[uint64]livePos         // by this batch
	live   map[*livePart][]uint32     // to kill
	views  map[*view]map[int][]uint32 // to kill, by leaf
	gone   map[uint64]struct{}        // ids to forget in the live segment
}

func newChange(x *Index) *change {
	return &change{x: x, placed: map[uint64]livePos{}, live: map[*livePart][]uint32{},
		views: map[*view]map[int][]uint32{}, gone: map[uint64]struct{}{}}
}

// kill notes that the present version of a document, if any, is to go.
func (c *change) kill(id uint64) {
	pos, ok := c.placed[id]
	if ok {
		delete(c.placed, id)
	} else if pos, ok = c.x.live.where[id]; ok {
		c.gone[id] = struct{}{}
	}
	if ok {
		c.live[pos.part] = append(c.live[pos.part], pos.ord)
		return
	}
	for _, v := range c.x.views {
		for i, l := range v.leaves {
			if ord, ok := l.find(id); ok && !v.dead[i].has(ord) {
				if c.views[v] == nil {
					c.views[v] = make(map[int][]uint32)
				}
				c.views[v][i] = append(c.views[v][i], ord)
			}
		}
	}
}

// commit is called with mu held.
func (c *change) commit(x *Index) {
	for id := range c.gone {
		delete(x.live.where, id)
	}
	for id, pos := range c.placed {
		x.live.where[id] = pos
	}
	for part, ords := range c.live {
		part.kill(ords)
	}
	if len(c.views) == 0 {
		return
	}
	views := slices.Clone(x.views)
	for i, v := range views {
		if leaves := c.views[v]; leaves != nil {
			views[i] = v.without(leaves)
		}
	}
	x.views = views
}

// without returns the view with more documents deleted.
func (v *view) without(leaves map[int][]uint32) *view {
	out := &view{segment: v.segment, dead: slices.Clone(v.dead), gone: slices.Clone(v.gone)}
	for i, ords := range leaves {
		dead := v.dead[i].grown(v.leaves[i].docs)
		for _, o := range ords {
			if !dead.has(o) {
				dead.set(o)
				out.gone[i]++
			}
		}
		out.dead[i] = dead
	}
	return out
}
