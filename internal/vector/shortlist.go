package vector

// shortlist keeps the k best candidates of very many. It gathers twice as many
// and then drops the worse half, which costs a few comparisons per candidate
// where a heap's depth would count.
type shortlist struct {
	k     int
	items []candidate
}

func (l *shortlist) reset(k int) { l.k, l.items = k, l.items[:0] }

// add returns whether the list was cut, after which floor has a new value.
func (l *shortlist) add(c candidate) bool {
	l.items = append(l.items, c)
	return len(l.items) >= 2*l.k && l.cut()
}

// cut drops all but the k best and reports whether there are k.
func (l *shortlist) cut() bool {
	if len(l.items) < l.k {
		return false
	}
	selectBest(l.items, l.k)
	l.items = l.items[:l.k]
	return true
}

// floor is the score below which nothing matters any more; after a cut, the
// last candidate is the worst.
func (l *shortlist) floor() float32 { return l.items[l.k-1].score }

// selectBest brings the k best to the front, the worst of them last.
func selectBest(items []candidate, k int) {
	for lo, hi := 0, len(items)-1; lo < hi; {
		// The middle of three as pivot: what comes in is partly sorted.
		mid := int(uint(lo+hi) / 2)
		if items[mid].before(items[lo]) {
			items[mid], items[lo] = items[lo], items[mid]
		}
		if items[hi].before(items[lo]) {
			items[hi], items[lo] = items[lo], items[hi]
		}
		if items[hi].before(items[mid]) {
			items[hi], items[mid] = items[mid], items[hi]
		}
		pivot := items[mid]
		i, j := lo, hi
		for i <= j {
			for items[i].before(pivot) {
				i++
			}
			for pivot.before(items[j]) {
				j--
			}
			if i <= j {
				items[i], items[j] = items[j], items[i]
				i++
				j--
			}
		}
		switch {
		case k-1 <= j:
			hi = j
		case k-1 >= i:
			lo = i
		default:
			return
		}
	}
}
