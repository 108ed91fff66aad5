package memory

import "strings"

// Nearest returns the candidate most like name, for "did you mean", or ""
// when none is close enough to be a likely slip of the fingers.
func Nearest(name string, candidates []string) string {
	word := strings.ToLower(strings.TrimSpace(name))
	if word == "" {
		return ""
	}
	best, bestDistance := "", 1+max(1, len(word)/3)
	for _, c := range candidates {
		lower := strings.ToLower(c)
		d := editDistance(word, lower)
		if d >= bestDistance && len(word) >= 3 && strings.HasPrefix(lower, word) {
			d = bestDistance - 1
		}
		if d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// editDistance counts the insertions, deletions, substitutions and swaps of
// neighbours that turn a into b.
func editDistance(a, b string) int {
	ra, rb := []rune(a), []rune(b)
	before, prev := make([]int, len(rb)+1), make([]int, len(rb)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(ra); i++ {
		row := make([]int, len(rb)+1)
		row[0] = i
		for j := 1; j <= len(rb); j++ {
			cost := 1
			if ra[i-1] == rb[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && ra[i-1] == rb[j-2] && ra[i-2] == rb[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev = prev, row
	}
	return prev[len(rb)]
}
