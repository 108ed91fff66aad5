package capture

const (
	// leastRepeated is how many words a repetition has: shorter ones are said by
	// anybody.
	leastRepeated = 4
	// repeatedShare is the share of its words that must be those of the other
	// text, in their order, for it to be a repetition.
	repeatedShare = 0.95
	// maxRepeated bounds the words compared, and so the time it takes.
	maxRepeated = 2000
)

// Repeats reports whether a text only repeats a passage of another, word for
// word or nearly so. Numbers, names of files and negations must be the same.
func Repeats(text, other string) bool {
	words, all := tellingWords(text), tellingWords(other)
	if len(words) < leastRepeated || len(words) > maxRepeated || len(all) > maxRepeated {
		return NearDuplicate(text, other)
	}
	changes, from, to := nearestPassage(words, all)
	if float64(changes) > (1-repeatedShare)*float64(len(words)) {
		return false
	}
	return sameDecisive(words, all[from:to])
}

// nearestPassage finds the passage of a text that differs least from some words:
// how many words are to be changed, put in or left out, and where it stands.
func nearestPassage(words, all []string) (changes, from, to int) {
	cost, start := make([]int, len(all)+1), make([]int, len(all)+1)
	for j := range start {
		start[j] = j
	}
	for i, w := range words {
		diagonal, at := cost[0], start[0]
		cost[0] = i + 1
		for j, o := range all {
			best, begin := diagonal, at
			if w != o {
				best++
			}
			diagonal, at = cost[j+1], start[j+1]
			if left := cost[j] + 1; left < best {
				best, begin = left, start[j]
			}
			if skipped := diagonal + 1; skipped < best {
				best, begin = skipped, at
			}
			cost[j+1], start[j+1] = best, begin
		}
	}
	changes = len(words) + 1
	for j, c := range cost {
		if c < changes {
			changes, from, to = c, start[j], j
		}
	}
	return changes, from, to
}
