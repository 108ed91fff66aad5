package embed

import "math"

// The forward pass once more, in double precision and one token at a time, as
// the paper has it.

func wide(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

func add64(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] + b[i]
	}
	return out
}

func refNorm(x, w, bias []float64, eps float64) []float64 {
	var mean, variance float64
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = (v-mean)/math.Sqrt(variance+eps)*w[i] + bias[i]
	}
	return out
}

// refModel reads weights by name.
type refModel struct {
	config
	w map[string][]float32
}

func (m refModel) dense(name string, x []float64) []float64 {
	w, b := m.w[name+".weight"], m.w[name+".bias"]
	out := make([]float64, len(b))
	for i := range out {
		out[i] = float64(b[i])
		for j, v := range x {
			out[i] += v * float64(w[i*len(x)+j])
		}
	}
	return out
}

func (m refModel) norm(name string, x []float64) []float64 {
	return refNorm(x, wide(m.w[name+".weight"]), wide(m.w[name+".bias"]), m.Eps)
}

func (m refModel) row(name string, i int) []float64 {
	return wide(m.w[name][i*m.Hidden : (i+1)*m.Hidden])
}

func (m refModel) embed(ids []int32) []float64 {
	x := make([][]float64, len(ids))
	for i, id := range ids {
		sum := add64(m.row("embeddings.word_embeddings.weight", int(id)), m.row("embeddings.position_embeddings.weight", i))
		x[i] = m.norm("embeddings.LayerNorm", add64(sum, m.row("embeddings.token_type_embeddings.weight", 0)))
	}
	for l := range m.Layers {
		p := layerName(l)
		mixed := m.attention(p, x)
		for i := range x {
			x[i] = m.norm(p+"attention.output.LayerNorm", add64(x[i], m.dense(p+"attention.output.dense", mixed[i])))
			inner := m.dense(p+"intermediate.dense", x[i])
			for j, v := range inner {
				inner[j] = exactGELU(v)
			}
			x[i] = m.norm(p+"output.LayerNorm", add64(x[i], m.dense(p+"output.dense", inner)))
		}
	}
	out := x[0]
	if m.Pooling == poolMean {
		out = make([]float64, m.Hidden)
		for _, row := range x {
			out = add64(out, row)
		}
	}
	var sum float64
	for _, v := range out {
		sum += v * v
	}
	for i := range out {
		out[i] /= math.Sqrt(sum)
	}
	return out
}

func (m refModel) attention(p string, x [][]float64) [][]float64 {
	n, size := len(x), m.Hidden/m.Heads
	q, k, v := make([][]float64, n), make([][]float64, n), make([][]float64, n)
	out := make([][]float64, n)
	for i := range x {
		q[i] = m.dense(p+"attention.self.query", x[i])
		k[i] = m.dense(p+"attention.self.key", x[i])
		v[i] = m.dense(p+"attention.self.value", x[i])
		out[i] = make([]float64, m.Hidden)
	}
	for head := 0; head < m.Hidden; head += size {
		for i := range n {
			weights, sum := make([]float64, n), 0.0
			for j := range n {
				var s float64
				for d := head; d < head+size; d++ {
					s += q[i][d] * k[j][d]
				}
				weights[j] = math.Exp(s / math.Sqrt(float64(size)))
				sum += weights[j]
			}
			for j := range n {
				for d := head; d < head+size; d++ {
					out[i][d] += weights[j] / sum * v[j][d]
				}
			}
		}
	}
	return out
}
