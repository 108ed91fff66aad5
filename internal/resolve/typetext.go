package resolve

import "strings"

// parseType takes the text of a type apart, as most languages write types:
// Name, a.b.Name, a::b::Name, Name<A, B>, Name[A, B], []T, T[], *T, &T, T?,
// map[K]V, (A, B), A | B, func(…) R, with words like const or dyn before.
func parseType(text string) typeNode {
	p := &typeParser{text: text}
	return p.either()
}

type typeParser struct {
	text   string
	at     int
	depth  int
	labels bool // names of a tuple's parts stand behind their types
}

// maxTypeDepth bounds nesting; what is deeper is no type that anyone wrote.
const maxTypeDepth = 50

// before are words that stand before a type and change nothing of what it is.
var before = map[string]bool{
	"const": true, "mut": true, "dyn": true, "impl": true, "readonly": true, "final": true, "ref": true, "out": true,
	"in": true, "params": true, "this": true, "struct": true, "class": true, "enum": true, "typename": true,
	"volatile": true, "static": true, "unsigned": true, "signed": true, "scoped": true, "extends": true, "super": true,
	"keyof": true, "typeof": true, "unique": true, "asserts": true, "inline": true, "virtual": true, "constexpr": true, "chan": true,
	"async": true, "union": true, "register": true, "mutable": true, "extern": true, "new": true, "abstract": true,
}

func (p *typeParser) either() typeNode {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxTypeDepth {
		p.at = len(p.text)
		return typeNode{name: "?"}
	}
	p.skip()
	p.take("|") // a leading one
	first := p.one()
	alts := []typeNode{first}
	for {
		p.skip()
		if !p.take("|") && !p.take("&") && !p.take("+") {
			break
		}
		alts = append(alts, p.one())
	}
	if len(alts) == 1 {
		return first
	}
	return typeNode{args: alts}
}

func (p *typeParser) one() typeNode {
	n := p.prefixed()
	for {
		p.skip()
		switch {
		case p.take("[]"):
			n = typeNode{name: listKey, args: []typeNode{n}}
		case p.take("..."), p.take("?"), p.take("*"), p.take("&&"):
		case p.peek() == '&' && p.endsAfterAmp():
			p.at++
		case p.word("const"), p.word("mut"):
		case p.peek() == '[':
			p.at++
			args := p.list(']')
			if n.name == "" || allDigits(args) {
				n = typeNode{name: listKey, args: []typeNode{n}}
				continue
			}
			n.args = append(n.args, args...)
		case p.take("=>"), p.take("->"):
			return typeNode{name: funcKey, args: []typeNode{p.either()}}
		default:
			return n
		}
	}
}

// endsAfterAmp tells C++'s reference from an intersection.
func (p *typeParser) endsAfterAmp() bool {
	rest := strings.TrimLeft(p.text[p.at+1:], " \t\r\n")
	return rest == "" || strings.ContainsRune(",>)]&", rune(rest[0]))
}

func allDigits(nodes []typeNode) bool {
	for _, n := range nodes {
		if strings.Trim(n.name, "0123456789_") != "" || len(n.args) > 0 {
			return false
		}
	}
	return true
}

// prefixed reads what stands before a name, and the name.
func (p *typeParser) prefixed() typeNode {
	for {
		p.skip()
		switch {
		case p.at >= len(p.text):
			return typeNode{name: "?"}
		case p.peek() == '?' && p.at+1 < len(p.text) && strings.IndexByte(",>", p.text[p.at+1]) >= 0: // any type: Class<?>
			p.at++
			return typeNode{name: "?"}
		case p.take("*"), p.take("&&"), p.take("&"), p.take("..."), p.take("<-"), p.take("?"), p.take("~"), p.take("!"):
		case p.peek() == '\'' && p.lifetime():
		case p.peek() == '@':
			p.at++
			p.ident()
			if p.peek() == '(' {
				p.at++
				p.list(')')
			}
		case p.peek() == '"' || p.peek() == '\'':
			return p.quoted()
		case p.peek() == '[':
			return p.square()
		case p.peek() == '(':
			p.at++
			args := p.list(')')
			p.skip()
			if strings.HasPrefix(p.text[p.at:], "=>") || strings.HasPrefix(p.text[p.at:], "->") {
				return typeNode{name: tupleKey, args: args}
			}
			if len(args) == 1 {
				return args[0]
			}
			return typeNode{name: tupleKey, args: args}
		case p.peek() == '{':
			p.block()
			return typeNode{name: "{}"}
		default:
			start := p.at
			name := p.ident()
			if name == "" {
				p.at++ // a sign that no type has: go on behind it (there is one)
				continue
			}
			if before[name] && p.more() {
				continue
			}
			if name == "func" || name == "fn" || name == "Fn" || name == "FnMut" || name == "FnOnce" {
				return p.function()
			}
			if name == "map" && p.peek() == '[' {
				p.at++
				key := p.list(']')
				return typeNode{name: mapKey, args: append(key, p.either())}
			}
			p.at = start
			return p.named()
		}
	}
}

// more says that another part of the type follows.
func (p *typeParser) more() bool {
	p.skip()
	return p.at < len(p.text) && (isNameByte(p.peek()) || strings.IndexByte("&*([<'", p.peek()) >= 0)
}

func (p *typeParser) lifetime() bool {
	end := p.at + 1
	for end < len(p.text) && isNameByte(p.text[end]) {
		end++
	}
	if end < len(p.text) && p.text[end] == '\'' || end == p.at+1 {
		return false
	}
	p.at = end
	return true
}

// quoted reads a type within quotes, as Python writes those to come.
func (p *typeParser) quoted() typeNode {
	quote := p.text[p.at : p.at+1]
	inner, rest, ok := strings.Cut(p.text[p.at+1:], quote)
	if !ok {
		p.at = len(p.text)
		return typeNode{name: "?"}
	}
	p.at = len(p.text) - len(rest)
	sub := &typeParser{text: inner, depth: p.depth + 1}
	return sub.either()
}

// square reads []T, [N]T, [T; N], [T] and [A, B].
func (p *typeParser) square() typeNode {
	p.at++
	args := p.list(']')
	if p.more() || p.at < len(p.text) && (p.peek() == '[' || isNameByte(p.peek())) {
		return typeNode{name: listKey, args: []typeNode{p.one()}} // Go's [N]T
	}
	if len(args) == 1 {
		return typeNode{name: listKey, args: args}
	}
	return typeNode{name: tupleKey, args: args}
}

// function skips parameters and keeps the result.
func (p *typeParser) function() typeNode {
	p.skip()
	if p.peek() == '(' {
		p.at++
		p.list(')')
	}
	p.skip()
	p.take("->")
	if p.more() {
		return typeNode{name: funcKey, args: []typeNode{p.one()}}
	}
	return typeNode{name: funcKey}
}

// named reads a.b.Name or a::b::Name with arguments.
func (p *typeParser) named() typeNode {
	var parts []string
	var args []typeNode
	for {
		parts = append(parts, p.ident())
		if p.peek() == '<' {
			p.at++
			args = p.list('>')
		}
		if !p.take("::") && !p.take(".") {
			break
		}
		if p.peek() == '<' { // Rust's turbofish
			p.at++
			args = p.list('>')
			if !p.take("::") {
				break
			}
		}
	}
	return typeNode{name: strings.Trim(strings.Join(parts, "."), "."), args: args}
}

// list reads types up to the closing sign.
func (p *typeParser) list(end byte) []typeNode {
	var out []typeNode
	for p.at < len(p.text) {
		p.skip()
		if p.peek() == end {
			p.at++
			return out
		}
		if p.take(",") {
			continue
		}
		if p.take(";") { // [T; N]
			for p.at < len(p.text) && p.peek() != end {
				p.at++
			}
			continue
		}
		start := p.at
		n := p.either()
		p.skip()
		if p.take(":") || p.take("=") { // name: T
			n = p.either()
		} else if p.at < len(p.text) && isNameByte(p.peek()) {
			if p.labels { // T name
				n.label = p.ident()
			} else { // name T
				n = p.either()
			}
		}
		out = append(out, n)
		if p.at == start {
			p.at = min(p.at+1, len(p.text))
		}
	}
	return out
}

// block skips a type written out in braces.
func (p *typeParser) block() {
	depth := 0
	for ; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				p.at++
				return
			}
		}
	}
}

func (p *typeParser) skip() {
	for p.at < len(p.text) && p.text[p.at] <= ' ' {
		p.at++
	}
}

func (p *typeParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *typeParser) take(s string) bool {
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

func (p *typeParser) word(s string) bool {
	rest := p.text[p.at:]
	if strings.HasPrefix(rest, s) && (len(rest) == len(s) || !isNameByte(rest[len(s)])) {
		p.at += len(s)
		return true
	}
	return false
}

func (p *typeParser) ident() string {
	start := p.at
	for p.at < len(p.text) && isNameByte(p.text[p.at]) {
		p.at++
	}
	return p.text[start:p.at]
}

func isNameByte(b byte) bool {
	return b == '_' || b == '$' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}
