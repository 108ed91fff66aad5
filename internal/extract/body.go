package extract

import (
	"bytes"
	"hash/fnv"
	"strconv"
	"strings"
	"unicode/utf8"

	"chitta/internal/syntax"
)

// bodyHash is the hash of a node's text without comments and blank space, and
// without the name that it gives: it stays the same when code is reformatted,
// commented, moved or renamed.
func (b *builder) bodyHash(n syntax.Node, name string) uint64 {
	h := fnv.New64a()
	at := n.Start()
	for c := range n.All {
		if strings.HasSuffix(c.Kind(), "comment") && c.Start() >= at {
			hashWords(h, b.tree.Src[at:c.Start()], name)
			at = c.End()
		}
	}
	hashWords(h, b.tree.Src[at:n.End()], name)
	return h.Sum64()
}

type byteWriter interface{ Write([]byte) (int, error) }

// hashWords writes a text without blank space, and with no letter where a name
// stands.
func hashWords(h byteWriter, text []byte, name string) {
	if name != "" && !bytes.Contains(text, []byte(name)) {
		name = ""
	}
	for start := 0; start < len(text); {
		end := start
		for end < len(text) && text[end] > ' ' {
			end++
		}
		hashWord(h, text[start:end], name)
		for end < len(text) && text[end] <= ' ' {
			end++
		}
		start = end
	}
}

func hashWord(h byteWriter, word []byte, name string) {
	done := 0
	for from := 0; name != ""; {
		at := bytes.Index(word[from:], []byte(name))
		if at < 0 {
			break
		}
		at += from
		from = at + len(name)
		if (at == 0 || !inName(word[at-1])) && (from == len(word) || !inName(word[from])) {
			h.Write(word[done:at])
			h.Write([]byte{0})
			done = from
		}
	}
	h.Write(word[done:])
}

// inName says whether a byte can be part of a name.
func inName(c byte) bool {
	return c == '_' || c == '$' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// docBefore is the text of the comments that end on the line before n, joined,
// without their markers.
func docBefore(comments []syntax.Node) string {
	var lines []string
	for _, c := range comments {
		for line := range strings.Lines(c.Text()) {
			line = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), "*/"))
			for _, marker := range []string{"/**", "/*!", "/*", "///", "//!", "//", "#", "*"} {
				if rest, ok := strings.CutPrefix(line, marker); ok {
					line = rest
					break
				}
			}
			line = strings.TrimSpace(line)
			if line != "" || len(lines) > 0 {
				lines = append(lines, line)
			}
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func itoa(n int) string { return strconv.Itoa(n) }
