package codebase

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"chitta/internal/code"
)

// MapFile is a file of a map with its most important symbols, in the order of
// the text.
type MapFile struct {
	File    string   `json:"file"`
	Rank    float64  `json:"rank"` // of all its symbols, parts of one
	Symbols []Symbol `json:"symbols"`
	Left    int      `json:"left,omitempty"` // symbols of it that are not shown
}

// Map is the most important of a project within a size.
type Map struct {
	Files  []MapFile `json:"files"` // the most important first
	Seeds  []string  `json:"seeds"` // files that it is seen from
	Tokens int       `json:"tokens"`
	Left   int       `json:"left,omitempty"` // files that are not shown
}

const (
	// damping is how much of a symbol's rank goes on to what it calls; the rest
	// begins anew at the seeds. The usual value.
	damping = 0.85
	// rankRounds is how often ranks are passed on: beyond, they hardly change.
	rankRounds = 20
	// seedShare is how much of what begins anew begins at the seeds, the rest
	// everywhere: what all hangs on is worth showing wherever one stands.
	seedShare = 0.8
	// commonName is in how many files a name may be defined and count in full.
	commonName = 3
	// mapSeeds is how many files that changed last are seeds by default.
	mapSeeds = 5
	// atOnce is within what time files were changed together, and mostAtOnce how
	// many of them a person changes: more were put there by a program.
	atOnce     = time.Minute
	mostAtOnce = 50
	// charsPerToken is the usual average for code.
	charsPerToken = 4
	// mapLine is what a line costs beside its signature, in characters.
	mapLine = 10
	// mapPerFile is how many symbols of one file are shown at most.
	mapPerFile = 12
)

// Map ranks the symbols of the project as seen from some files, by default those
// that changed last or where programs begin, and returns the most important within a number of tokens.
func (a *Ask) Map(ctx context.Context, seeds []string, dir string, tokens int) (Map, error) {
	out := Map{Files: []MapFile{}, Seeds: []string{}}
	var err error
	for _, s := range seeds {
		f, err := a.file(ctx, s, dir)
		if err != nil {
			return out, err
		}
		if f.Skipped != "" {
			return out, &LeftOutError{f.Path, f.Skipped}
		}
		out.Seeds = append(out.Seeds, f.Path)
	}
	if len(seeds) == 0 {
		if out.Seeds, err = a.seeds(ctx); err != nil {
			return out, err
		}
	}
	net, err := a.callNet(ctx)
	if err != nil {
		return out, err
	}
	rank := net.rank(out.Seeds)
	return out, a.draw(ctx, &out, net, rank, tokens)
}

// seeds returns the files that a map is seen from by default: those that changed
// last, or where programs begin if that tells nothing, as after a clone; in a
// project without programs any but tests.
func (a *Ask) seeds(ctx context.Context) ([]string, error) {
	files, err := a.base.db.RecentFiles(ctx, a.project.ID)
	if err != nil {
		return nil, fmt.Errorf("files that changed last: %w", err)
	}
	together := 0
	for _, f := range files {
		if files[0].At.Sub(f.At) <= atOnce {
			together++
		}
	}
	out := []string{}
	add := func(path string) {
		if len(out) < mapSeeds && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	if together > mostAtOnce || 2*together > len(files) {
		v, err := a.catalogue(ctx, false)
		if err != nil {
			return nil, err
		}
		entries, err := a.entries(ctx, v.files)
		if err != nil {
			return nil, err
		}
		for i := range entries {
			add(entries[i].File)
		}
		for i := 0; i < len(files) && len(entries) == 0; i++ {
			if !isTest(files[i].Path) {
				add(files[i].Path)
			}
		}
	}
	if len(out) == 0 {
		for i := range files {
			add(files[i].Path)
		}
	}
	return out, nil
}

// callNet is what calls what in a project, as numbers. Calls of node i are those
// from first[i] to first[i+1].
type callNet struct {
	files  []string // with symbols
	ids    []int64  // of symbols; 0 for the code of a file
	file   []int32  // of each, in files
	shown  []bool   // worth showing
	first  []int32
	to     []int32
	weight []float64
}

// callNet returns the net of the project as it is now.
func (a *Ask) callNet(ctx context.Context) (*callNet, error) {
	v, err := a.catalogue(ctx, false)
	if err != nil {
		return nil, err
	}
	v.of.mu.Lock()
	defer v.of.mu.Unlock()
	if v.of.net != nil && v.of.netOf.Equal(a.project.Changed) {
		return v.of.net, nil
	}
	n, err := a.readNet(ctx, v)
	if err != nil {
		return nil, err
	}
	v.of.net, v.of.netOf = n, a.project.Changed
	return n, nil
}

func (a *Ask) readNet(ctx context.Context, v *view) (*callNet, error) {
	n := &callNet{}
	nodes, own := n.nodes(v)
	files := definedIn(v) // of each node, in how many files its name is defined
	var from, to []int32
	var weight []float64
	err := a.base.db.EachCall(ctx, a.project.ID, func(file, src, dst int64, confidence float64) {
		t, ok := nodes[dst]
		f, known := nodes[src]
		if src == 0 {
			f, known = own[file]
		}
		if !ok || !known || f == t {
			return
		}
		if many := files[t]; many > commonName {
			confidence *= math.Sqrt(commonName / float64(many))
		}
		from, to, weight = append(from, f), append(to, t), append(weight, confidence)
	})
	if err != nil {
		return nil, fmt.Errorf("calls: %w", err)
	}
	n.lay(from, to, weight)
	return n, nil
}

// nodes numbers the symbols of a project and the code of its files, file by file.
func (n *callNet) nodes(v *view) (symbols, own map[int64]int32) {
	symbols, own = map[int64]int32{}, map[int64]int32{}
	add := func(id int64, shown bool) int32 {
		n.ids, n.file, n.shown = append(n.ids, id), append(n.file, int32(len(n.files)-1)), append(n.shown, shown)
		return int32(len(n.ids) - 1)
	}
	for _, f := range v.files {
		if len(f.entries) == 0 {
			continue
		}
		n.files = append(n.files, f.Path)
		own[f.ID] = add(0, false)
		for i := range f.entries {
			e := &f.entries[i]
			symbols[e.id] = add(e.id, worthShowing(e.kind))
		}
	}
	return symbols, own
}

// definedIn returns for each node in how many files its name is defined.
func definedIn(v *view) []int32 {
	type seen struct{ files, last int32 }
	names := map[string]*seen{}
	var of []*seen
	for i, f := range v.files {
		if len(f.entries) > 0 {
			of = append(of, &seen{}) // its own code
		}
		for j := range f.entries {
			s := names[f.entries[j].name]
			if s == nil {
				s = &seen{last: -1}
				names[f.entries[j].name] = s
			}
			if s.last != int32(i) {
				s.files, s.last = s.files+1, int32(i)
			}
			of = append(of, s)
		}
	}
	out := make([]int32, len(of))
	for i, s := range of {
		out[i] = s.files
	}
	return out
}

// lay puts calls in the order of who calls.
func (n *callNet) lay(from, to []int32, weight []float64) {
	n.first = make([]int32, len(n.ids)+1)
	for _, f := range from {
		n.first[f+1]++
	}
	for i := range n.ids {
		n.first[i+1] += n.first[i]
	}
	next := slices.Clone(n.first)
	n.to, n.weight = make([]int32, len(to)), make([]float64, len(to))
	for i, f := range from {
		n.to[next[f]], n.weight[next[f]] = to[i], weight[i]
		next[f]++
	}
}

// worthShowing reports whether symbols of a kind tell what a file is for.
func worthShowing(kind string) bool {
	k := code.Kind(kind)
	return k.Type() || k == code.Function || k == code.Method || k == code.Macro
}

// rank is personalised PageRank: rank goes from who calls to what is called,
// and begins anew at the seeds.
func (n *callNet) rank(seeds []string) []float64 {
	count := len(n.ids)
	if count == 0 {
		return nil
	}
	begin := n.begin(seeds)
	sums := make([]float64, count)
	for i := range sums {
		for c := n.first[i]; c < n.first[i+1]; c++ {
			sums[i] += n.weight[c]
		}
	}
	rank, next := slices.Clone(begin), make([]float64, count)
	for range rankRounds {
		lost := 0.0 // what calls nothing passes its rank to all beginnings
		for i := range next {
			next[i] = 0
			if sums[i] == 0 {
				lost += rank[i]
			}
		}
		for i := range rank {
			for c := n.first[i]; c < n.first[i+1]; c++ {
				next[n.to[c]] += damping * rank[i] * n.weight[c] / sums[i]
			}
		}
		for i := range next {
			next[i] += (1 - damping + damping*lost) * begin[i]
		}
		rank, next = next, rank
	}
	return rank
}

// begin says how much rank begins at each node.
func (n *callNet) begin(seeds []string) []float64 {
	seed := make([]bool, len(n.files))
	for i, f := range n.files {
		seed[i] = slices.Contains(seeds, f)
	}
	seeded := 0
	for _, f := range n.file {
		if seed[f] {
			seeded++
		}
	}
	begin := make([]float64, len(n.ids))
	for i, f := range n.file {
		begin[i] = 1 / float64(len(begin))
		if seeded > 0 {
			begin[i] *= 1 - seedShare
			if seed[f] {
				begin[i] += seedShare / float64(seeded)
			}
		}
	}
	return begin
}

// draw chooses files and symbols by rank until the tokens are used up.
func (a *Ask) draw(ctx context.Context, out *Map, n *callNet, rank []float64, tokens int) error {
	total, byFile := make([]float64, len(n.files)), make([][]int32, len(n.files))
	for i, f := range n.file {
		total[f] += rank[i]
		if n.shown[i] {
			byFile[f] = append(byFile[f], int32(i))
		}
	}
	var files []int
	for f, list := range byFile {
		if len(list) > 0 {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b int) int {
		return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(n.files[a], n.files[b]))
	})
	room := tokens * charsPerToken
	for i, f := range files {
		nodes := byFile[f]
		slices.SortStableFunc(nodes, func(a, b int32) int { return cmp.Compare(rank[b], rank[a]) })
		all := len(nodes)
		nodes = nodes[:min(all, mapPerFile)]
		ids := make([]int64, len(nodes))
		for j, at := range nodes {
			ids[j] = n.ids[at]
		}
		symbols, err := a.base.db.SymbolsByID(ctx, ids)
		if err != nil {
			return fmt.Errorf("load symbols: %w", err)
		}
		m := MapFile{File: n.files[f], Rank: total[f], Symbols: []Symbol{}}
		cost := len(m.File) + mapLine
		for _, id := range ids {
			s, ok := symbols[id]
			if !ok {
				continue
			}
			line := len(cmp.Or(s.Signature, s.Name)) + mapLine
			if cost+line > room {
				break
			}
			cost += line
			m.Symbols = append(m.Symbols, symbolOf(&s))
		}
		if len(m.Symbols) == 0 {
			out.Left = len(files) - i
			break
		}
		slices.SortFunc(m.Symbols, func(a, b Symbol) int { return cmp.Compare(a.Line, b.Line) })
		m.Left = all - len(m.Symbols)
		room -= cost
		out.Tokens += (cost + charsPerToken - 1) / charsPerToken
		out.Files = append(out.Files, m)
	}
	return nil
}
