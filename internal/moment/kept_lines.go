package moment

// wording is an item as it is handed over.
type wording struct {
	line    string // "" if it is not to be told
	printed string // what is told of its text
}

// lines keeps how items were said. A line follows from its item alone, the same
// ones are told at every start of a session, and each is asked for twice: when
// it is chosen and when it is written.
var lines memo[item, wording]

// wording says an item, or remembers how it was said.
func (x *item) wording() wording {
	if len(x.text) > memoBytes {
		return x.say()
	}
	return lines.get(*x, x.say)
}

// line says an item on one line, or is "" if it is not to be told.
func (x *item) line() string { return x.wording().line }

// printed returns what is told of an item's text.
func (x *item) printed() string { return x.wording().printed }
