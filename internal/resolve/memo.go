package resolve

// memo is what a file's expressions and symbols were found to be since the last
// time that was forgotten.
type memo struct {
	era     uint32   // of the answers; of another than the run's they are void
	exprs   []uint32 // where the answer is in the run's lists, 0 where there is none
	symbols []uint32 // the same of what is given to symbols
}

// memoOf is the file's memo of now.
func (r *run) memoOf(f *file) *memo {
	if f.memo.era != r.era {
		clear(f.memo.exprs)
		clear(f.memo.symbols)
		f.memo.era = r.era
	}
	return &f.memo
}

// recall is the answer at a place in a memo.
func (r *run) recall(list []uint32, i int32) ([]value, bool) {
	if int(i) >= len(list) || list[i] == 0 {
		return nil, false
	}
	return r.lists.at(list[i]), true
}

// keep notes an answer in a memo of n places.
func (r *run) keep(list *[]uint32, i int32, n int, vs []value) {
	if *list == nil {
		*list = make([]uint32, n)
	}
	(*list)[i] = r.lists.put(vs)
}

// lists keep answers by numbers from 1 on, 1 being nothing: in parts, so that
// what is there is not copied when more comes.
type lists struct {
	parts [][][]value
	n     uint32 // in use
}

const listPart = 1 << 12

func (l *lists) at(n uint32) []value {
	if n == 1 {
		return nil
	}
	return l.parts[n/listPart][n%listPart]
}

func (l *lists) put(vs []value) uint32 {
	if len(vs) == 0 {
		return 1
	}
	n := max(l.n+1, 2)
	if int(n/listPart) == len(l.parts) {
		l.parts = append(l.parts, make([][]value, listPart))
	}
	l.parts[n/listPart][n%listPart] = vs
	l.n = n
	return n
}

// unlearn forgets what expressions were found to be.
func (r *run) unlearn() {
	r.p.era++
	r.era = r.p.era
	r.lists = lists{}
}

// open are questions that wait for others, the last one asked last: few, so that
// going over them is quicker than a set.
type open[T comparable] []T

func (o open[T]) has(at T) bool {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i] == at {
			return true
		}
	}
	return false
}

func (o *open[T]) add(at T) { *o = append(*o, at) }

// done takes the last one off.
func (o *open[T]) done() { *o = (*o)[:len(*o)-1] }
