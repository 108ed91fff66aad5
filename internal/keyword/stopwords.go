package keyword

// isStopWord reports whether a lower-case word carries no meaning of its own.
// Stop words are indexed like others, but leave a query that has other terms.
// A switch needs no table built at start.
func isStopWord[T string | []byte](word T) bool {
	if len(word) > 8 {
		return false
	}
	switch string(word) {
	case "a", "about", "after", "again", "all", "also", "am", "an", "and", "any",
		"are", "arent", "as", "at", "be", "because", "been", "before", "being",
		"between", "both", "but", "by", "can", "cant", "could", "did", "didnt",
		"do", "does", "doesnt", "doing", "dont", "down", "during", "each", "for",
		"from", "had", "has", "have", "having", "he", "her", "here", "him", "his",
		"how", "i", "if", "im", "in", "into", "is", "isnt", "it", "its", "ive",
		"just", "lets", "me", "more", "most", "my", "no", "nor", "not", "of",
		"off", "on", "only", "or", "other", "our", "out", "over", "own", "same",
		"she", "should", "so", "some", "such", "than", "that", "thats", "the",
		"their", "them", "then", "there", "these", "they", "this", "those",
		"through", "to", "too", "under", "until", "up", "us", "very", "was", "we",
		"were", "what", "when", "where", "which", "while", "who", "why", "will",
		"with", "would", "you", "your":
		return true
	}
	return false
}

// takesNumber reports whether a number after this word belongs to it, as in
// "HTTP 404" or "exit status 2": the pair is then a term of its own.
func takesNumber(word string) bool {
	switch word {
	case "http", "status", "code", "error", "errno", "signal", "line", "exit",
		"port", "version", "issue", "pr", "step", "phase":
		return true
	}
	return false
}

// IsStopWord reports whether a word, in lower case, is too common to be looked
// for.
func IsStopWord(word string) bool { return isStopWord(word) }
