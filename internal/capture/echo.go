package capture

import "strings"

// Text that chitta hands to an agent is wrapped in these, so that it is told
// apart from what the user and the agent say, and is never learned again.
const (
	EchoName  = "chitta-memory"
	EchoOpen  = "<" + EchoName // attributes and ">" follow
	EchoClose = "</" + EchoName + ">"
)

// maxEchoRounds bounds how often dropping a passage may form a new one.
const maxEchoRounds = 8

// IsEcho reports whether a text is, in whole or in part, what chitta handed
// out: it has the opening or the closing mark of such a passage, even if cut
// off in the middle of the mark.
func IsEcho(content string) bool { return echoMark(content) >= 0 }

// echoMark returns the offset of the first opening or closing mark, or -1.
func echoMark(text string) int {
	for i := 0; ; i++ {
		at := strings.IndexByte(text[i:], '<')
		if at < 0 {
			return -1
		}
		i += at
		name := strings.TrimPrefix(text[i+1:], "/")
		if !hasPrefixFold(name, EchoName) {
			continue
		}
		if rest := name[len(EchoName):]; rest == "" || rest[0] == '>' || rest[0] == '/' || isSpace(rest[0]) {
			return i
		}
	}
}

// StripEcho returns a text without the passages chitta handed out. One that
// is not closed reaches to the end; a closing mark alone is removed.
func StripEcho(text string) string {
	for range maxEchoRounds {
		mark := echoMark(text)
		if mark < 0 {
			return text
		}
		text = stripEcho(text)
	}
	if mark := echoMark(text); mark >= 0 {
		return text[:mark]
	}
	return text
}

func stripEcho(text string) string {
	var b strings.Builder
	for {
		start, end, ok := tagBlock(text, EchoName, 0)
		if !ok {
			start = len(text)
		}
		kept := text[:start]
		for {
			mark := echoMark(kept)
			if mark < 0 {
				break
			}
			size, closing := tagAt(kept[mark:], EchoName)
			if size == 0 || !closing { // a mark cut off: nothing after it can be trusted
				b.WriteString(kept[:mark])
				return b.String()
			}
			b.WriteString(kept[:mark])
			kept = kept[mark+size:]
		}
		b.WriteString(kept)
		if !ok {
			return b.String()
		}
		text = text[end:]
		if joinsWords(kept, text) {
			b.WriteByte(' ')
		}
	}
}
