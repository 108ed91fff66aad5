package embed

import (
	"fmt"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// net is a BERT encoder ready to run: dense layers as panels in 32-bit floats,
// the table of words as it is stored, converted row by row on use. It is
// immutable.
type net struct {
	config
	k      *kernel
	word   *tensor
	pos    []float32 // position and type 0 added up
	norm   layerNorm
	layers []layer
	zeros  []float32 // bias of attention's products
}

type layer struct {
	qkv, attention, intermediate, output *linear
	norm1, norm2                         layerNorm
}

type layerNorm struct{ w, bias []float32 }

// loadNet decodes the weights for one kernel.
func loadNet(c config, src tensors, k *kernel) (*net, error) {
	prefix := ""
	if !src.has("embeddings.word_embeddings.weight") && src.has("bert.embeddings.word_embeddings.weight") {
		prefix = "bert." // saved from a model with a head
	}
	l := loader{src: src, prefix: prefix}
	n := &net{config: c, k: k, layers: make([]layer, c.Layers), zeros: make([]float32, k.nr)}
	var err error
	if n.word, err = l.get("embeddings.word_embeddings.weight", c.Vocab, c.Hidden); err != nil {
		return nil, err
	}
	if n.pos, err = l.values("embeddings.position_embeddings.weight", c.Positions, c.Hidden); err != nil {
		return nil, err
	}
	types, err := l.values("embeddings.token_type_embeddings.weight", c.Types, c.Hidden)
	if err != nil {
		return nil, err
	}
	n.pos = append([]float32(nil), n.pos[:c.maxTokens()*c.Hidden]...)
	for i := range n.pos {
		n.pos[i] += types[i%c.Hidden]
	}
	if n.norm, err = l.norm("embeddings.LayerNorm", c.Hidden); err != nil {
		return nil, err
	}
	// All shapes before the first panel: memory is then bounded by the file,
	// and of several faults always the same one is reported.
	parts := make([][]part, c.Layers)
	for i := range parts {
		if parts[i], err = l.parts(&n.layers[i], fmt.Sprintf("encoder.layer.%d.", i), c); err != nil {
			return nil, err
		}
	}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	g.Go(func() error { return checkRows(n.word) })
	for _, p := range parts {
		g.Go(func() error { return fill(p, k) })
	}
	return n, g.Wait()
}

// checkRows reads a tensor that stays in its file's form once, for values that
// are not finite.
func checkRows(t *tensor) error {
	if t.dtype == i8 {
		return nil // its scales were checked
	}
	const rows = 64
	var rr rowReader
	buf := make([]float32, rows*t.cols())
	for r := 0; r < t.rows(); r += rows {
		if err := rr.read(t, r, buf[:min(rows, t.rows()-r)*t.cols()], true); err != nil {
			return err
		}
	}
	return nil
}

type loader struct {
	src    tensors
	prefix string
}

func (l loader) get(name string, shape ...int) (*tensor, error) {
	t, err := l.src.tensor(l.prefix + name)
	if err != nil {
		return nil, err
	}
	return t, t.want(shape...)
}

func (l loader) values(name string, shape ...int) ([]float32, error) {
	t, err := l.get(name, shape...)
	if err != nil {
		return nil, err
	}
	return t.all()
}

// norm reads a layer norm; old files call its parts gamma and beta.
func (l loader) norm(name string, n int) (layerNorm, error) {
	w, b := ".weight", ".bias"
	if !l.src.has(l.prefix+name+w) && l.src.has(l.prefix+name+".gamma") {
		w, b = ".gamma", ".beta"
	}
	var ln layerNorm
	var err error
	if ln.w, err = l.values(name+w, n); err != nil {
		return ln, err
	}
	ln.bias, err = l.values(name+b, n)
	return ln, err
}

// part is one dense layer of the file, to become some rows of a linear.
type part struct {
	to           **linear
	at, size     int // rows before it, and of the whole
	name         string
	rows, in     int
	scale        float32
	weight, bias *tensor
}

// parts finds the tensors of a layer and reads its norms.
func (l loader) parts(to *layer, p string, c config) (parts []part, err error) {
	h := c.Hidden
	// Scores are divided by the root of the head's size; doing it here costs
	// nothing at run time.
	scale := float32(1 / math.Sqrt(float64(h/c.Heads)))
	parts = []part{
		{to: &to.qkv, size: 3 * h, name: "attention.self.query", rows: h, in: h, scale: scale},
		{to: &to.qkv, at: h, name: "attention.self.key", rows: h, in: h, scale: 1},
		{to: &to.qkv, at: 2 * h, name: "attention.self.value", rows: h, in: h, scale: 1},
		{to: &to.attention, size: h, name: "attention.output.dense", rows: h, in: h, scale: 1},
		{to: &to.intermediate, size: c.Intermediate, name: "intermediate.dense", rows: c.Intermediate, in: h, scale: 1},
		{to: &to.output, size: h, name: "output.dense", rows: h, in: c.Intermediate, scale: 1},
	}
	for i := range parts {
		f := &parts[i]
		if f.weight, err = l.get(p+f.name+".weight", f.rows, f.in); err != nil {
			return nil, err
		}
		if f.bias, err = l.get(p+f.name+".bias", f.rows); err != nil {
			return nil, err
		}
	}
	if to.norm1, err = l.norm(p+"attention.output.LayerNorm", h); err != nil {
		return nil, err
	}
	to.norm2, err = l.norm(p+"output.LayerNorm", h)
	return parts, err
}

func fill(parts []part, k *kernel) error {
	for _, p := range parts {
		if p.at == 0 {
			*p.to = newLinear(k, p.in, p.size)
		}
		if err := (*p.to).fill(p.at, p.weight, p.bias, p.scale); err != nil {
			return err
		}
	}
	return nil
}
