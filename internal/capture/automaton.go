package capture

// automaton finds many keywords in one pass over a text, ignoring the case of
// ASCII letters (Aho and Corasick's construction, flattened into one table).
type automaton struct {
	class  [256]uint8 // column of each byte; 0 for bytes in no keyword
	stride uint32     // columns per state
	next   []uint32   // state offset + column → state offset, with hitFlag
	hits   [][]int    // by state: the keywords that end there
}

// hitFlag marks, inside a transition, a state where some keyword ends.
const hitFlag = 1 << 31

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
	for i, s := range a.next {
		if a.hits[s/a.stride] != nil {
			a.next[i] = s | hitFlag
		}
	}
	return a
}

// each calls found with every keyword in the text and the offset of its end.
func (a *automaton) each(text string, found func(keyword, end int)) {
	s := uint32(0)
	for i := range len(text) {
		s = a.next[s&^hitFlag+uint32(a.class[text[i]])]
		if s&hitFlag != 0 {
			for _, id := range a.hits[(s&^hitFlag)/a.stride] {
				found(id, i+1)
			}
		}
	}
}

// contains reports whether any keyword occurs in the text.
func (a *automaton) contains(text string) bool {
	s := uint32(0)
	for i := range len(text) {
		s = a.next[s+uint32(a.class[text[i]])]
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
