package session

// span is a range of messages, from first up to but not including end.
type span struct {
	first, end int
	turn       int // number of the human turn, 0 before the first
}

// turns cuts a stream where a person speaks. before is the number of turns
// that went before the first message.
func turns(messages []Message, before int) []span {
	var spans []span
	turn := before
	for i := range messages {
		human := startsTurn(&messages[i])
		if human {
			turn++
		}
		if i == 0 || human {
			spans = append(spans, span{first: i, turn: turn})
		}
		spans[len(spans)-1].end = i + 1
	}
	return spans
}

func startsTurn(m *Message) bool {
	for i := range m.Parts {
		if m.saidByHuman(&m.Parts[i]) {
			return true
		}
	}
	return false
}

// LastTurn returns where the last human turn of a stream begins, and how many
// turns went before it: from there on a stream is chunked again when messages
// have been appended to it. See [Chunks].
func LastTurn(messages []Message) (first, before int) {
	spans := turns(messages, 0)
	if len(spans) == 0 {
		return 0, 0
	}
	last := spans[len(spans)-1]
	if startsTurn(&messages[last.first]) {
		return last.first, last.turn - 1
	}
	return last.first, last.turn
}
