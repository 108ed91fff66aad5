package embed

import (
	"math"
	"sync"
)

// geluSteps and geluRange give a table whose linear interpolation is within
// 6e-7 of the exact function; beyond the range it is the identity or zero.
const (
	geluSteps = 8192
	geluRange = 8
)

var geluTable = sync.OnceValue(func() *[geluSteps + 2]float32 {
	var t [geluSteps + 2]float32
	for i := range t {
		t[i] = float32(exactGELU(-geluRange + 2*geluRange*float64(i)/geluSteps))
	}
	return &t
})

func exactGELU(x float64) float64 { return 0.5 * x * (1 + math.Erf(x/math.Sqrt2)) }

func geluPortable(x []float32) {
	table := geluTable()
	for i, v := range x {
		t := (v + geluRange) * (geluSteps / (2 * geluRange))
		switch {
		case t >= geluSteps:
		case t > 0:
			k := uint(t)
			x[i] = table[k] + (t-float32(k))*(table[k+1]-table[k])
		case t <= 0:
			x[i] = 0
		} // NaN stays
	}
}

func softmaxPortable(row []float32, count int) {
	x := row[:count]
	top := x[0]
	for _, v := range x[1:] {
		top = max(top, v)
	}
	var sum float32
	for i, v := range x {
		e := expNeg(v - top)
		x[i] = e
		sum += e
	}
	inv := 1 / sum
	for i := range x {
		x[i] *= inv
	}
}

// expNeg is e^x for x ≤ 0, within a millionth of the value: 2^n times a polynomial on
// the rest, which lies between -1/2 and 1/2.
func expNeg(x float32) float32 {
	if !(x > expFloor) {
		if x != x {
			return x
		}
		return 0
	}
	y := x * log2e
	n := int32(y - 0.5)
	f := y - float32(n)
	p := 1 + f*(exp1+f*(exp2+f*(exp3+f*(exp4+f*(exp5+f*exp6)))))
	return p * math.Float32frombits(uint32(n+127)<<23)
}

// The coefficients are ln(2)^i / i!.
const (
	expFloor = -87
	log2e    = 1.44269504
	exp1     = 0.6931472
	exp2     = 0.24022651
	exp3     = 0.05550411
	exp4     = 0.009618129
	exp5     = 0.0013333558
	exp6     = 0.00015403530
)

// addNorm adds b to a and normalises a: mean 0, variance 1, then w and bias. It
// keeps four sums, because one would wait for itself.
func addNorm(a, b, w, bias []float32, eps float32) {
	n := len(a)
	b, w, bias = b[:n], w[:n], bias[:n]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= n; i += 4 {
		x, y := (*[4]float32)(a[i:]), (*[4]float32)(b[i:])
		x[0] += y[0]
		x[1] += y[1]
		x[2] += y[2]
		x[3] += y[3]
		s0 += x[0]
		s1 += x[1]
		s2 += x[2]
		s3 += x[3]
	}
	for ; i < n; i++ {
		a[i] += b[i]
		s0 += a[i]
	}
	mean := (s0 + s1 + s2 + s3) / float32(n)
	s0, s1, s2, s3 = 0, 0, 0, 0
	for i = 0; i+4 <= n; i += 4 {
		x := (*[4]float32)(a[i:])
		d0, d1, d2, d3 := x[0]-mean, x[1]-mean, x[2]-mean, x[3]-mean
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for ; i < n; i++ {
		d := a[i] - mean
		s0 += d * d
	}
	r := float32(1 / math.Sqrt(float64((s0+s1+s2+s3)/float32(n)+eps)))
	for i, v := range a {
		a[i] = (v-mean)*r*w[i] + bias[i]
	}
}
