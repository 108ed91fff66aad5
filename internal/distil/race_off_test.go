//go:build !race

package distil

const (
	hugeTurn    = 5 << 20 // size in bytes of a turn that must be quick
	raceFactor  = 1       // how much slower it may be
	randomTurns = 4000
)
