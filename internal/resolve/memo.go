package resolve

// memo is what a file's expressions and symbols were found to be since the last
// time that was forgotten.
type memo struct {
	era     uint32 // of the answers; of another than the run's they are void
	exprs   answers
	symbols answers // what is given to symbols
}

// memoOf is the file's memo of now.
func (r *run) memoOf(f *file) *memo {
	if f.memo.era != r.era {
		f.memo.exprs.clear()
		f.memo.symbols.clear()
		f.memo.era = r.era
	}
	return &f.memo
}

// answers are what some questions were answered with.
type answers struct {
	at    []uint32 // by question: none where 0, nothing where 1, else two more than the place in lists
	lists [][]value
}

func (a *answers) clear() {
	clear(a.at)
	clear(a.lists)
	a.lists = a.lists[:0]
}

func (a *answers) of(i int32) ([]value, bool) {
	if int(i) >= len(a.at) || a.at[i] == 0 {
		return nil, false
	}
	if a.at[i] == 1 {
		return nil, true
	}
	return a.lists[a.at[i]-2], true
}

// keep notes the answer to one of n questions.
func (r *run) keep(a *answers, i int32, n int, vs []value) {
	if a.at == nil && cap(r.spare.at) >= n {
		a.at, a.lists = r.spare.at[:n], r.spare.lists
		r.spare = answers{}
	} else if a.at == nil {
		a.at = make([]uint32, n)
	}
	if len(vs) == 0 {
		a.at[i] = 1
		return
	}
	a.lists = append(a.lists, vs)
	a.at[i] = uint32(len(a.lists) + 1)
}

// settle drops what the expressions of a file were found to be once its calls
// are resolved: where types are declared, other files ask for few of them again.
// The room is used for the next file.
func (r *run) settle(f *file) {
	if f.lang.dynamic {
		return
	}
	a := f.memo.exprs
	f.memo.exprs = answers{}
	if cap(a.at) > cap(r.spare.at) {
		a.clear()
		r.spare = a
	}
}

// unlearn forgets what expressions were found to be.
func (r *run) unlearn() {
	r.p.era++
	r.era = r.p.era
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
