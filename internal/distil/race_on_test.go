//go:build race

package distil

// Under the race detector everything is some ten times slower.
const (
	hugeTurn    = 1 << 20 // size in bytes of a turn that must be quick
	raceFactor  = 5       // how much slower it may be
	randomTurns = 300
)
