package codebase

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

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
	// charsPerToken is the usual average for code.
	charsPerToken = 4
	// mapLine is what a line costs beside its signature, in characters.
	mapLine = 10
	// mapPerFile is how many symbols of one file are shown at most.
	mapPerFile = 12
)

// Map ranks the symbols of the project as seen from some files, by default those
// that changed last, and returns the most important within a number of tokens.
func (a *Ask) Map(ctx context.Context, seeds []string, dir string, tokens int) (Map, error) {
	out := Map{Files: []MapFile{}, Seeds: []string{}}
	var err error
	for _, s := range seeds {
		f, err := a.file(ctx, s, dir)
		if err != nil {
			return out, err
		}
		out.Seeds = append(out.Seeds, f.Path)
	}
	if len(seeds) == 0 {
		if out.Seeds, err = a.base.db.MostRecentFiles(ctx, a.project.ID, mapSeeds); err != nil {
			return out, fmt.Errorf("files that changed last: %w", err)
		}
	}
	net, err := a.callNet(ctx)
	if err != nil {
		return out, err
	}
	rank := net.rank(out.Seeds)
	return out, a.draw(ctx, &out, net, rank, tokens)
}

// callNet is what calls what in a project, as numbers.
type callNet struct {
	ids   []int64  // of symbols; 0 for the code of a file
	files []string // of each
	shown []bool   // worth showing
	out   [][]callTo
}

type callTo struct {
	to     int
	weight float64
}

func (a *Ask) callNet(ctx context.Context) (*callNet, error) {
	marks, err := a.base.db.CodeMarks(ctx, a.project.ID)
	if err != nil {
		return nil, fmt.Errorf("files: %w", err)
	}
	n := &callNet{}
	at := map[int64]int{}
	own := map[int64]int{} // by file
	defined := map[string]map[int64]bool{}
	var names []string
	ids := slices.Collect(maps.Keys(marks))
	slices.Sort(ids)
	for part := range slices.Chunk(ids, readAtOnce) {
		found, err := a.base.db.SymbolsOfFiles(ctx, part)
		if err != nil {
			return nil, fmt.Errorf("symbols: %w", err)
		}
		for i := range found {
			f := &found[i]
			if _, ok := own[f.File]; !ok {
				own[f.File] = n.add(0, f.FilePath, false)
				names = append(names, "")
			}
			at[f.ID] = n.add(f.ID, f.FilePath, worthShowing(f.Kind))
			names = append(names, f.Name)
			if defined[f.Name] == nil {
				defined[f.Name] = map[int64]bool{}
			}
			defined[f.Name][f.File] = true
		}
	}
	err = a.base.db.CallsAcross(ctx, a.project.ID, func(file, src, dst int64, confidence float64) {
		to, ok := at[dst]
		from, known := at[src]
		if src == 0 {
			from, known = own[file]
		}
		if !ok || !known || from == to {
			return
		}
		w := confidence
		if many := len(defined[names[to]]); many > commonName {
			w *= math.Sqrt(commonName / float64(many))
		}
		n.out[from] = append(n.out[from], callTo{to, w})
	})
	if err != nil {
		return nil, fmt.Errorf("calls: %w", err)
	}
	return n, nil
}

func (n *callNet) add(id int64, file string, shown bool) int {
	n.ids, n.files, n.shown, n.out = append(n.ids, id), append(n.files, file), append(n.shown, shown), append(n.out, nil)
	return len(n.ids) - 1
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
	begin := make([]float64, count)
	seeded := 0
	for _, f := range n.files {
		if slices.Contains(seeds, f) {
			seeded++
		}
	}
	for i, f := range n.files {
		begin[i] = 1 / float64(count)
		if seeded > 0 {
			begin[i] *= 1 - seedShare
			if slices.Contains(seeds, f) {
				begin[i] += seedShare / float64(seeded)
			}
		}
	}
	sums := make([]float64, count)
	for i, list := range n.out {
		for _, c := range list {
			sums[i] += c.weight
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
		for i, list := range n.out {
			for _, c := range list {
				next[c.to] += damping * rank[i] * c.weight / sums[i]
			}
		}
		for i := range next {
			next[i] += (1 - damping + damping*lost) * begin[i]
		}
		rank, next = next, rank
	}
	return rank
}

// draw chooses files and symbols by rank until the tokens are used up.
func (a *Ask) draw(ctx context.Context, out *Map, n *callNet, rank []float64, tokens int) error {
	total := map[string]float64{}
	byFile := map[string][]int{}
	for i, f := range n.files {
		total[f] += rank[i]
		if n.shown[i] {
			byFile[f] = append(byFile[f], i)
		}
	}
	files := slices.Collect(maps.Keys(byFile))
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(a, b)) })
	room := tokens * charsPerToken
	for i, f := range files {
		nodes := byFile[f]
		slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(rank[b], rank[a]) })
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
		m := MapFile{File: f, Rank: total[f], Symbols: []Symbol{}}
		cost := len(f) + mapLine
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
