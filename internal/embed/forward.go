package embed

import (
	"context"
	"sync"
	"unsafe"
)

// scratch holds the matrices of one pass. They are pooled, because a pass over
// a full pack needs several megabytes.
type scratch struct {
	x, qkv, ctx, tmp, inter []float32
	keys, values, scores    []float32
	row                     []float32
	rows                    rowReader
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// grow makes *b at least n long; what it holds is undefined.
func grow(b *[]float32, n int) []float32 {
	if cap(*b) < n {
		*b = make([]float32, n)
	}
	*b = (*b)[:n]
	return *b
}

// forward encodes texts as rows of one matrix, one behind the other without
// padding; only attention looks at each text by itself. Every text has at
// least one token and at most as many as there are positions.
//
// Tiles may run over the end of a text or of the matrix: what they compute
// there is garbage that a later tile overwrites or nobody reads.
func (n *net) forward(ctx context.Context, texts [][]int32) ([][]float32, error) {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	h, total := n.Hidden, 0
	for _, ids := range texts {
		total += len(ids)
	}
	mr, nr := n.k.mr, n.k.nr
	rows := up(total, mr) + mr
	// A head narrower than a panel writes up to nr columns too many.
	wide := up(h, nr) + nr
	dims := dims{x: h, qkv: up(3*h, nr), ctx: wide, tmp: up(h, nr), inter: up(n.Intermediate, nr)}
	x := grow(&s.x, rows*dims.x)
	clear(x[total*dims.x:])
	grow(&s.qkv, rows*dims.qkv)
	grow(&s.ctx, rows*dims.ctx)
	grow(&s.tmp, rows*dims.tmp)
	grow(&s.inter, rows*dims.inter)
	if err := n.embeddings(s, texts); err != nil {
		return nil, err
	}
	for i := range n.layers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n.layer(&n.layers[i], s, texts, total, dims)
	}
	return n.pool(x, texts)
}

// dims are the distances between rows.
type dims struct{ x, qkv, ctx, tmp, inter int }

func (n *net) embeddings(s *scratch, texts [][]int32) error {
	h, at := n.Hidden, 0
	row := grow(&s.row, h)
	for _, ids := range texts {
		for i, id := range ids {
			if err := s.rows.read(n.word, int(id), row, false); err != nil {
				return err
			}
			x := s.x[at : at+h]
			copy(x, n.pos[i*h:(i+1)*h])
			addNorm(x, row, n.norm.w, n.norm.bias, float32(n.Eps))
			at += h
		}
	}
	return nil
}

func (n *net) layer(l *layer, s *scratch, texts [][]int32, total int, d dims) {
	h, eps := n.Hidden, float32(n.Eps)
	l.qkv.apply(s.x, d.x, s.qkv, d.qkv, total)
	at := 0
	for _, ids := range texts {
		n.attend(s, at, len(ids), d)
		at += len(ids)
	}
	l.attention.apply(s.ctx, d.ctx, s.tmp, d.tmp, total)
	for i := range total {
		addNorm(s.x[i*d.x:][:h], s.tmp[i*d.tmp:][:h], l.norm1.w, l.norm1.bias, eps)
	}
	l.intermediate.apply(s.x, d.x, s.inter, d.inter, total)
	n.k.gelu(s.inter[:total*d.inter])
	l.output.apply(s.inter, d.inter, s.tmp, d.tmp, total)
	for i := range total {
		addNorm(s.x[i*d.x:][:h], s.tmp[i*d.tmp:][:h], l.norm2.w, l.norm2.bias, eps)
	}
}

// attend runs self-attention over the count rows from row at on. Texts and
// heads go in ascending order: see forward on tiles that run over.
func (n *net) attend(s *scratch, at, count int, d dims) {
	k, h := n.k, n.Hidden
	size := h / n.Heads
	wide := up(count, k.nr) // columns of the scores
	sizeWide := up(size, k.nr)
	rows := up(count, k.mr)
	keys := grow(&s.keys, wide*size)
	values := grow(&s.values, count*sizeWide)
	scores := grow(&s.scores, rows*wide)
	qkv := s.qkv[at*d.qkv:]
	for head := range n.Heads {
		q, key, value := head*size, h+head*size, 2*h+head*size
		packKeys(keys, qkv[key:], d.qkv, count, size, k.nr)
		n.product(qkv[q:], d.qkv, keys, size, scores, wide, rows, wide)
		for i := range count {
			k.softmax(scores[i*wide:][:wide], count)
		}
		packValues(values, qkv[value:], d.qkv, count, size, k.nr)
		n.product(scores, wide, values, count, s.ctx[at*d.ctx+head*size:], d.ctx, rows, sizeWide)
	}
}

// product is c = a · b for rows and columns that are whole tiles.
func (n *net) product(a []float32, lda int, b []float32, in int, c []float32, ldc, rows, cols int) {
	k := n.k
	for col := 0; col < cols; col += k.nr {
		for i := 0; i < rows; i += k.mr {
			k.tile(&a[i*lda], uintptr(lda*float32Size), &b[col*in], &n.zeros[0], &c[i*ldc+col], uintptr(ldc*float32Size), uintptr(in), uintptr(unsafe.Pointer(&b[col*in])))
		}
	}
}

// packKeys lays the transposed keys out as panels, zeros where there is no
// token.
func packKeys(dst, src []float32, stride, count, size, nr int) {
	for col := 0; col < up(count, nr); col += nr {
		p := dst[col*size:][:nr*size]
		for j := range nr {
			if col+j >= count {
				for q := range size {
					p[q*nr+j] = 0
				}
				continue
			}
			for q, v := range src[(col+j)*stride:][:size] {
				p[q*nr+j] = v
			}
		}
	}
}

// packValues lays the values out as panels, zeros beyond the head's size.
func packValues(dst, src []float32, stride, count, size, nr int) {
	for col := 0; col < size; col += nr {
		width := min(nr, size-col)
		for t := range count {
			p := dst[col*count+t*nr:][:nr]
			copy(p, src[t*stride+col:][:width])
			clear(p[width:])
		}
	}
}

// pool makes one vector of each text's rows.
func (n *net) pool(x []float32, texts [][]int32) ([][]float32, error) {
	h, at := n.Hidden, 0
	out := make([][]float32, len(texts))
	for t, ids := range texts {
		v := make([]float32, h)
		switch n.Pooling {
		case poolCLS:
			copy(v, x[at*h:])
		default:
			for i := range ids {
				for j, f := range x[(at+i)*h:][:h] {
					v[j] += f
				}
			}
		}
		if err := normalize(v); err != nil {
			return nil, err
		}
		out[t] = v
		at += len(ids)
	}
	return out, nil
}
