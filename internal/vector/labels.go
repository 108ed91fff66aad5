package vector

import (
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

// label is a name and the slots of the items that bear it. It is forgotten with
// its last item.
type label struct {
	name  string
	slots *roaring.Bitmap
}

// attach gives the item in a slot its labels and takes the old ones away. The
// caller holds mu.
func (x *Index) attach(slot uint32, names []string) {
	s, i := split(slot)
	have := &x.slabs[s].labels[i]
	same := len(*have) == len(names)
	for j := 0; same && j < len(names); j++ {
		same = (*have)[j].name == names[j]
	}
	if same {
		return
	}
	for _, l := range *have {
		l.slots.Remove(slot)
		if l.slots.IsEmpty() {
			delete(x.labels, l.name)
		}
	}
	*have = nil
	if len(names) == 0 {
		return
	}
	bears := make([]*label, 0, len(names))
	for _, name := range names {
		l := x.labels[name]
		if l == nil {
			l = &label{name: strings.Clone(name), slots: roaring.New()} // which may be part of a larger text
			x.labels[l.name] = l
		}
		if !slices.Contains(bears, l) {
			l.slots.Add(slot)
			bears = append(bears, l)
		}
	}
	*have = bears
}
