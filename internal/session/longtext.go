package session

// longText is from where on resolving the escapes of a text and asking about
// it costs more than remembering where it stands and what it says, in bytes.
const longText = 256

// longTexts are the long strings of a line in their order, as one pass over it
// found them, so that the next needs not look at every byte again.
type longTexts struct {
	line *byte // where the line begins
	size int
	list []longString
}

// longString is a string on a line.
type longString struct {
	quoted
	from, to int    // with its quotes
	exact    string // with its escapes resolved, if it has been read
	read     bool
}

func newLongTexts(line []byte) *longTexts {
	return &longTexts{line: &line[0], size: len(line)}
}

// note adds a string that ends before an offset.
func (l *longTexts) note(q quoted, to int) {
	if l != nil && len(q.raw) >= longText {
		l.list = append(l.list, longString{quoted: q, from: to - len(q.raw) - len(`""`), to: to})
	}
}

// keep adds what the string noted last says, if that is q.
func (l *longTexts) keep(q quoted, exact string) {
	if l != nil && len(q.raw) >= longText {
		last := &l.list[len(l.list)-1]
		last.exact, last.read = exact, true
	}
}

// of returns the strings if they are those of this very line.
func (l *longTexts) of(line []byte) []longString {
	if l == nil || len(line) == 0 || l.size != len(line) || l.line != &line[0] {
		return nil
	}
	return l.list
}
