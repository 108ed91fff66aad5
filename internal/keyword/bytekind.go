package keyword

import "unicode/utf8"

// byteKind says what a byte of text can be part of. A table of them costs one
// look per byte, and what a run of text holds is their union.
type byteKind uint8

const (
	kindLower byteKind = 1 << iota // a to z
	kindWord                       // other letters of ASCII, digits, the underscore
	kindJoin                       // what a connector or a scheme begins with
	kindWide                       // part of a character outside ASCII
	kindBreak                      // no token has it or looks at it: white space, brackets and the like
	kindOther                      // anything else

	kindsOfWords = kindLower | kindWord
)

var byteKinds = func() (kinds [256]byteKind) {
	for i := range kinds {
		switch c := byte(i); {
		case c >= utf8.RuneSelf:
			kinds[i] = kindWide
		case c >= 'a' && c <= 'z':
			kinds[i] = kindLower
		case isWordByte(c):
			kinds[i] = kindWord
		case c <= ' ':
			kinds[i] = kindBreak
		default:
			kinds[i] = kindOther
		}
	}
	for _, c := range `.-:/\@'` {
		kinds[c] = kindJoin
	}
	for _, c := range "!\"$%&()*,;<=?[]^`{|}~" {
		kinds[c] = kindBreak
	}
	return kinds
}()
