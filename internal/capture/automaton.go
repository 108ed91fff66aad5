package capture

// automaton finds many keywords in one pass over a text, ignoring the case of
// ASCII letters (Aho and Corasick's construction, flattened into one table).
type automaton struct {
	class  [256]uint8                                  // column of each byte; 0 for bytes in no keyword
	stride uint32                                      // columns per state
	next   []uint32                                    // state offset + column → state offset, with hitFlag
	hits   [][]int                                     // by state: the keywords that end there
	begins [columnsToldApart * columnsToldApart]uint64 // by the columns of two bytes: with which third ones a keyword begins
}

const (
	// hitFlag marks, inside a transition, a state where some keyword ends.
	hitFlag = 1 << 31
	// depthShift is where a transition has how many bytes of a keyword its state
	// has seen, at most deep.
	depthShift = 29
	deep       = 3
	stateMask  = 1<<depthShift - 1
	// columnsToldApart is as many as a word has bits. If keywords have more, some
	// are taken for each other, and the automaton finds out.
	columnsToldApart = 64
)

// newAutomaton builds the automaton for keywords given in lower case.
func newAutomaton(keywords []string) *automaton {
	a := &automaton{}
	columns := uint8(1)
	for _, k := range keywords {
		for i := range len(k) {
			if c := lowerByte(k[i]); a.class[c] == 0 {
				a.class[c] = columns
				columns++
			}
		}
	}
	for c := 'A'; c <= 'Z'; c++ {
		a.class[c] = a.class[c+'a'-'A']
	}
	a.stride = uint32(columns)

	state := func() uint32 {
		a.next = append(a.next, make([]uint32, columns)...)
		a.hits = append(a.hits, nil)
		return uint32(len(a.hits)-1) * a.stride
	}
	state()
	for id, k := range keywords {
		s := uint32(0)
		for i := range len(k) {
			edge := s + uint32(a.class[k[i]])
			if a.next[edge] == 0 {
				fresh := state()
				a.next[edge] = fresh
			}
			s = a.next[edge]
		}
		a.hits[s/a.stride] = append(a.hits[s/a.stride], id)
	}

	// Breadth first, so that the state to fall back to is complete before it
	// is copied from.
	fallback := make([]uint32, len(a.hits))
	queue := make([]uint32, 0, len(a.hits))
	for c := range a.stride {
		if s := a.next[c]; s != 0 {
			queue = append(queue, s)
		}
	}
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		back := fallback[s/a.stride]
		a.hits[s/a.stride] = append(a.hits[s/a.stride], a.hits[back/a.stride]...)
		for c := range a.stride {
			if t := a.next[s+c]; t != 0 {
				fallback[t/a.stride] = a.next[back+c]
				queue = append(queue, t)
			} else {
				a.next[s+c] = a.next[back+c]
			}
		}
	}
	a.mark()
	for _, k := range keywords {
		a.begin(k)
	}
	return a
}

// mark notes in every transition what is known of its state.
func (a *automaton) mark() {
	depths := make([]uint32, len(a.hits))
	for from, queue := 0, []uint32{0}; from < len(queue); from++ {
		s := queue[from]
		for c := range a.stride {
			if t := a.next[s+c]; t != 0 && depths[t/a.stride] == 0 {
				depths[t/a.stride] = depths[s/a.stride] + 1
				queue = append(queue, t)
			}
		}
	}
	for i, s := range a.next {
		a.next[i] |= min(depths[s/a.stride], deep) << depthShift
		if a.hits[s/a.stride] != nil {
			a.next[i] |= hitFlag
		}
	}
}

// begin notes what a keyword begins with. Where it ends before the third byte,
// any may follow.
func (a *automaton) begin(k string) {
	column := func(i int) uint { return uint(a.class[k[i]]) % columnsToldApart }
	third := ^uint64(0)
	if len(k) >= deep {
		third = 1 << column(2)
	}
	for c := range uint(columnsToldApart) {
		if len(k) == 1 || c == column(1) {
			a.begins[column(0)*columnsToldApart+c] |= third
		}
	}
}

// skip returns the first offset from i on where a keyword may begin, by its
// first three bytes, or one with fewer bytes behind it.
func (a *automaton) skip(text string, i int) int {
	if i+deep > len(text) {
		return i
	}
	first, second := uint(a.class[text[i]]), uint(a.class[text[i+1]])
	for j, c := range []byte(text[i+deep-1:]) {
		third := uint(a.class[c])
		if a.begins[first%columnsToldApart*columnsToldApart+second%columnsToldApart]>>(third%columnsToldApart)&1 != 0 {
			return i + j
		}
		first, second = second, third
	}
	return len(text) - deep + 1
}

// each calls found with every keyword in the text and the offset of its end.
//
// Nearly nowhere in a text does a keyword begin, and that is seen from three
// bytes at a time without waiting for the state before. Only from where one may
// the automaton runs, until it is in a state that knows less than that.
func (a *automaton) each(text string, found func(keyword, end int)) {
	for i, told := 0, 0; i < len(text); {
		i = a.skip(text, i)
		start, s := i, uint32(0)
		for i < len(text) {
			s = a.next[s&stateMask+uint32(a.class[text[i]])]
			i++
			if s&hitFlag != 0 && i > told {
				for _, id := range a.hits[s&stateMask/a.stride] {
					found(id, i)
				}
			}
			if depth := int(s >> depthShift & deep); depth < deep && i-depth > start {
				told = max(told, i)
				i -= depth
				break
			}
		}
	}
}

// contains reports whether any keyword occurs in the text.
func (a *automaton) contains(text string) bool {
	s := uint32(0)
	for i := range len(text) {
		s = a.next[s&stateMask+uint32(a.class[text[i]])]
		if s&hitFlag != 0 {
			return true
		}
	}
	return false
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
