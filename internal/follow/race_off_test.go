//go:build !race

package follow

// longTurns is how long a long session is in tests.
const longTurns = 10_000
