package embed

//go:noescape
func softmaxRowAVX512(x *float32, n uintptr)

//go:noescape
func geluRowAVX512(x *float32, n uintptr)

//go:noescape
func softmaxRowAVX2(x *float32, n uintptr)

//go:noescape
func geluRowAVX2(x *float32, n uintptr)

// masked is a score that softmax turns into zero.
const masked = -1e30

func softmaxAVX512(row []float32, count int) {
	for i := count; i < len(row); i++ {
		row[i] = masked
	}
	softmaxRowAVX512(&row[0], uintptr(len(row)))
}

func softmaxAVX2(row []float32, count int) {
	for i := count; i < len(row); i++ {
		row[i] = masked
	}
	softmaxRowAVX2(&row[0], uintptr(len(row)))
}

func geluAVX512(x []float32) {
	whole := len(x) &^ 15
	if whole > 0 {
		geluRowAVX512(&x[0], uintptr(whole))
	}
	geluPortable(x[whole:])
}

func geluAVX2(x []float32) {
	whole := len(x) &^ 7
	if whole > 0 {
		geluRowAVX2(&x[0], uintptr(whole))
	}
	geluPortable(x[whole:])
}
