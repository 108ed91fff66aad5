package moment

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"chitta/internal/capture"
	"chitta/internal/memory"
)

// item is one thing to tell an agent.
type item struct {
	id     string // of a memory, a ledger entry, a fact or a message
	label  string // its kind, in a word or two; "" where the title says it
	text   string
	when   time.Time
	source string       // who says so
	trust  memory.Trust // how far that goes
	why    string       // why it is told now, or ""
	stale  string       // what of the code it names changed, or ""
	most   int          // characters of the text that are told; 0 is [itemMost]
}

// section is items under a title.
type section struct {
	title string
	items []item
	most  int // characters it may take; 0 is what there is room for
}

const (
	// sunriseMost is how many characters a session is told at its start; the
	// client shows no more than 10,000 of a hook's output.
	sunriseMost = 6000
	// promptMost is how many a prompt is answered with: three items.
	promptMost = 1500
	// itemMost is how many characters of one item's text are told. Its id leads
	// to the rest.
	itemMost = 320
	// labelMost bounds what stands around a text, staleMost what is said of code
	// that changed.
	labelMost = 80
	staleMost = 160
)

// fence makes the text that an agent is handed, and says what it holds. All
// that is handed over goes through here: each item on one line with its kind,
// id, date and source, freed of what could pose as something else; the whole
// marked as reference material and not longer than most characters. Items that
// try to give orders are left out. With nothing left it is "".
func fence(sections []section, most int) (text string, ids []string) {
	room := most - utf8.RuneCountInString(capture.Wrap(""))
	var lines []string
	for _, s := range sections {
		left := room
		if s.most > 0 {
			left = min(left, s.most)
		}
		title := plain(s.title, labelMost) + ":"
		var own []string
		used := 0
		for i := range s.items {
			line := s.items[i].line()
			cost := utf8.RuneCountInString(line) + 1
			if len(own) == 0 {
				cost += utf8.RuneCountInString(title) + 1
			}
			if line == "" || used+cost > left {
				continue
			}
			used += cost
			own = append(own, line)
			if !slices.Contains(ids, s.items[i].id) {
				ids = append(ids, s.items[i].id)
			}
		}
		if len(own) > 0 {
			lines = append(append(lines, title), own...)
			room -= used
		}
	}
	if len(lines) == 0 {
		return "", nil
	}
	return capture.Wrap(strings.Join(lines, "\n")), ids
}

// fenceCost is about what the marks around a text take.
const fenceCost = 200

// room is how many characters are left of a section.
type room int

// roomFor is what a section of a size has for its items, without the title.
func roomFor(size int) room { return room(size - labelMost) }

// take takes the room that an item needs, and says whether it is told: there is
// room, and it is fit to quote.
func (r *room) take(x *item) bool {
	line := x.line()
	cost := room(utf8.RuneCountInString(line) + 1)
	if line == "" || cost > *r {
		return false
	}
	*r -= cost
	return true
}

// inside returns what stands between the marks of a fenced text, for people to
// read.
func inside(fenced string) string {
	_, text, _ := strings.Cut(fenced, "\n")
	return strings.TrimSuffix(text, "\n"+capture.EchoClose)
}

// say puts an item on one line, unless it is not to be told.
func (x *item) say() wording {
	text := plain(capture.StripEcho(x.text), cmp.Or(x.most, itemMost))
	if text == "" || looksLikeInstruction(x.text, x.trust) {
		return wording{printed: text}
	}
	marks := []string{plain(x.id, labelMost)}
	if !x.when.IsZero() {
		marks = append(marks, x.when.Format(time.DateOnly))
	}
	for _, m := range []string{x.source, x.why} {
		if m = plain(m, labelMost); m != "" {
			marks = append(marks, m)
		}
	}
	if stale := plain(x.stale, staleMost); stale != "" {
		marks = append(marks, "stale: "+stale)
	}
	label := plain(x.label, labelMost)
	if label != "" {
		label += ": "
	}
	return wording{line: "- " + label + text + " [" + strings.Join(marks, ", ") + "]", printed: text}
}

// unlabelled returns the text of a memory without the words by which captured
// ones begin: its kind and who said it stand beside it.
func unlabelled(text string) string {
	for _, label := range []string{"Left to do: ", "The user wants: ", "The user decided: ", "The user corrected: "} {
		if rest, ok := strings.CutPrefix(text, label); ok && strings.TrimSpace(rest) != "" {
			return rest
		}
	}
	return text
}

// escapes are the sequences by which text gives orders to a terminal.
var escapes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-_]?|\x{9b}[0-?]*[ -/]*[@-~]`)
})

// unescaped returns a text as sound UTF-8 without them.
func unescaped(text string) string {
	text = strings.ToValidUTF8(text, "")
	if !strings.ContainsAny(text, "\x1b\u009b") {
		return text
	}
	return escapes().ReplaceAllString(text, "")
}

// Plain is what stands around a text, such as the name of a session, made plain
// for an agent to read.
func Plain(label string) string { return plain(label, labelMost) }

// plain puts a text on one line of at most so many characters, with nothing in
// it that is not seen or that could pose as a mark: no escapes, control
// characters, zero-width or direction marks, and no opening of a tag.
func plain(text string, most int) string {
	const perRune = 8 // bytes looked at for each character kept: enough, and bounded for huge texts
	if len(text) > perRune*(most+1) {
		text = text[:perRune*(most+1)]
	}
	text = unescaped(text)
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unseen(r):
			return -1
		}
		return r
	}, text)
	return clip(defuseTags(strings.Join(strings.Fields(text), " ")), most)
}

// unseen says whether a character has no shape of its own: controls, zero-width
// and direction marks, and those by which texts are hidden in others.
func unseen(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r) || r == unicode.ReplacementChar ||
		r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF
}

// defuseTags makes the opening of every tag harmless and leaves it readable.
func defuseTags(text string) string {
	var b strings.Builder
	for i, r := range text {
		if r == '<' && i+1 < len(text) {
			if c := text[i+1]; c == '/' || c == '!' || c == '?' || c == '|' || c >= utf8.RuneSelf || unicode.IsLetter(rune(c)) {
				r = '‹'
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// order is a sort of what only text says that wants to command the agent. Nearly
// no text has the words that it is made of, and looking for words is a hundred
// times quicker than matching the pattern.
type order struct {
	words   [][]string // of each list, a text that matches has one
	pattern func() *regexp.Regexp
}

func newOrder(pattern string, words ...[]string) order {
	return order{words, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })}
}

// orders are all of them, whoever says it. Written against texts in lower case,
// on one line, with look-alike letters of other widths made plain.
var orders = sync.OnceValue(func() []order {
	return []order{
		newOrder(`\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|preceding|system|all|your|any|these|those)\b.{0,30}\b(?:instructions?|prompts?|rules|guidelines|directives|messages|policies)\b`,
			[]string{"ignore", "disregard", "forget", "override", "bypass"},
			[]string{"instruction", "prompt", "rules", "guidelines", "directives", "messages", "policies"}),
		newOrder(`\b(?:reveal|print|show|repeat|output|leak|tell me)\b.{0,20}\b(?:your|the)\b.{0,12}\bsystem prompt\b`, []string{"system prompt"}),
		newOrder(`\byou are now\b|\bfrom now on,? you\b|\bpretend (?:to be|you)\b|\bdeveloper mode\b|\bjailbr(?:eak|oken)\b`,
			[]string{"you are now", "from now on", "pretend ", "developer mode", "jailbr"}),
		newOrder(`\bnew (?:system )?instructions?\s*:`, []string{"new instruction", "new system instruction"}),
		newOrder(`(?:do not|don't|never|without)\s+(?:tell|mention(?:ing)?|inform(?:ing)?|telling|asking|alert(?:ing)?|notify(?:ing)?)\b.{0,20}\b(?:the )?(?:user|human|person|developer|owner)\b`,
			[]string{"do not", "don't", "never", "without"}, []string{"tell", "mention", "inform", "asking", "alert", "notify"},
			[]string{"user", "human", "person", "developer", "owner"}),
		newOrder(`\b(?:send|upload|post|e-?mail|exfiltrate|forward)\b.{0,30}\b(?:api keys?|credentials|secrets|passwords?|ssh keys?|private keys?|environment variables|\.env)\b.{0,30}\bto\b`,
			[]string{"send", "upload", "post", "email", "e-mail", "exfiltrate", "forward"},
			[]string{"api key", "credentials", "secrets", "password", "ssh key", "private key", "environment variables", ".env"}),
		newOrder(`\b(?:curl|wget)\b[^|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b`, []string{"curl", "wget"}, []string{"|"}),
		newOrder(`<\s*/?\s*(?:system|system-reminder|system_prompt|instructions?|function_calls?|function_results?|invoke|parameter|tool_use|tool_result|tool_call|assistant|human|user-prompt-submit-hook|command-name|important)\b[^<>]{0,80}>`,
			[]string{"<"}, []string{">"}),
		newOrder(`<\|[a-z_]{2,20}\|>|\[/?inst\]|<<sys>>|\bantml:`, []string{"<|", "[inst]", "[/inst]", "<<sys>>", "antml:"}),
		newOrder(`(?:^|\n)\s*(?:system|human|assistant)\s*:`, []string{"system", "human", "assistant"}, []string{":"}),
	}
})

// givesOrders says whether a text holds one of the orders.
func givesOrders(text string) bool {
	return slices.ContainsFunc(orders(), func(o order) bool { return o.mayBe(text) && o.pattern().MatchString(text) })
}

// mayBe says whether a text has the words of an order.
func (o *order) mayBe(text string) bool {
	for _, list := range o.words {
		if !slices.ContainsFunc(list, func(w string) bool { return strings.Contains(text, w) }) {
			return false
		}
	}
	return true
}

// imperatives are what sounds like an order to an agent. People and agents put
// what they learned that way too, so it counts against tools and web pages only.
var imperatives = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(strings.Join([]string{
		`\byou (?:must|should|need to|have to|shall|will|are required to)\b`,
		`(?:^|[.!?:;]\s+|\n\s*)(?:please\s+)?(?:now\s+)?(?:run|execute|call|invoke|delete|remove|install|download|fetch|open|visit|click|send|write|create|edit|commit|push|approve|accept|grant|always|never|do not|don't|use|act|respond|reply|answer|say)\b`,
		`\b(?:ai|llm|assistant|agent|claude|copilot|chatbot)s?\b.{0,20}\b(?:must|should|please|note|attention|are asked|reading this)\b`,
		`\b(?:note|message|attention|instructions?|important) (?:to|for) (?:the |any |all )?(?:ai|llm|assistant|agent|claude|model)`,
		`\bimportant\s*:`,
	}, "|"))
})

// orderBytes is how much of a text is looked at; no more of it is ever told.
const orderBytes = 16 << 10

// looksLikeInstruction says whether a text tries to tell the agent what to do.
// Of origins of little trust anything that sounds like it counts, of others
// only what nobody says who does not mean it.
func looksLikeInstruction(text string, trust memory.Trust) bool {
	if len(text) > orderBytes {
		text = text[:orderBytes]
	}
	text = unescaped(text)
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case unicode.IsSpace(r):
			return ' '
		case unseen(r):
			return -1
		case r == '’':
			return '\''
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(text))
	if givesOrders(text) || strings.Contains(text, "\n") && givesOrders(strings.ReplaceAll(text, "\n", " ")) {
		return true
	}
	low := trust == memory.TrustTool || trust == memory.TrustWeb || trust == ""
	return low && imperatives().MatchString(text)
}
