//go:build race

package follow

// longTurns is how long a long session is in tests. The race detector makes
// everything ten times slower.
const longTurns = 1000
