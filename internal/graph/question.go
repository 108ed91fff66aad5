package graph

import (
	"regexp"
	"strings"
	"sync"
)

// Question is a question that a triple answers. Of Subject and Object the
// empty one is asked for; if Versus is set both are known, and what is known
// about either is asked for. Names are canonical.
//
// Whether there is a concept of that name is for the caller to find out; a
// question about none is no question to the graph.
type Question struct {
	Subject, Predicate, Object string

	// Also lists other names of the known end, to be tried in this order if
	// there is no concept of the first: why X fails is known as the causes of
	// X.failure, of X.fail, or of X itself; what causes X in prod may be known
	// of X alone.
	Also []string

	// Context is where or when the question is about, such as prod. It is no
	// part of the name, unless there is a concept of that name.
	Context string

	Versus bool
}

const (
	// maxQuestion is the length of the longest question that is looked at, in
	// bytes. A relation and two names fit; what is longer says more than that.
	maxQuestion = 200
	// maxKind is how many words the thing may have whose kind is asked for:
	// "what is" begins too many other questions.
	maxKind = 2
)

// end says what the name in a question is.
type end int

const (
	isObject  end = iota // and the subject is asked for
	isSubject            // and the object is asked for
	isKind               // a subject, of which more is demanded
	isFailing            // an object, with what it does
	isPair               // both ends
)

// form is one way to ask. The pattern has a group x, and y or v where the end
// needs one.
type form struct {
	pattern   func() *regexp.Regexp
	predicate string
	end       end
}

// ask makes a form of a pattern. In it X, Y and V stand for a name, another and
// what the name does, W for what is asked for, and a blank for blanks. It is
// compiled when the first question comes, and not in every process.
func ask(pattern, predicate string, e end) form {
	return form{sync.OnceValue(func() *regexp.Regexp {
		p := strings.NewReplacer(" ", `\s+`, "W", `(?:what|(?:what|which)\s+things?)`, "X", `(?P<x>.+?)`, "Y", `(?P<y>.+?)`, "V", `(?P<v>`+failings+`)`).Replace(pattern)
		return regexp.MustCompile(`(?i)^` + p + `$`)
	}), predicate, e}
}

// failings are the ways things go wrong that questions ask for.
const failings = `fail|fails|failing|failed|crash|crashes|crashing|hang|hangs|hanging|break|breaks|broken|leak|leaks|leaking|` +
	`stall|stalls|stalling|freeze|freezes|freezing|time out|times out|timing out|die|dies|exit|exits|slow|unstable|flaky|deadlock|deadlocks|block|blocks`

// nouns are what the failings are called, where it is another word.
var nouns = map[string]string{
	"fail": "failure", "fails": "failure", "failing": "failure", "failed": "failure", "broken": "breakage",
	"break": "breakage", "breaks": "breakage", "crashes": "crash", "crashing": "crash", "hangs": "hang", "hanging": "hang",
	"leaks": "leak", "leaking": "leak", "stalls": "stall", "stalling": "stall", "freezes": "freeze", "freezing": "freeze",
	"time out": "timeout", "times out": "timeout", "timing out": "timeout", "dies": "death", "die": "death", "exits": "exit",
	"deadlocks": "deadlock", "blocks": "block",
}

// forms are tried in this order: those that other forms include come first.
var forms = []form{
	ask(`(?:compare )?X (?:vs\.?|versus) Y`, "", isPair),
	ask(`compare X (?:and|with|to) Y`, "", isPair),
	ask(`(?:what is the |what are the )?differences? between X and Y`, "", isPair),
	ask(`should (?:i|we) use X or Y`, "", isPair),
	ask(`is X better than Y`, "", isPair),

	ask(`what(?: is| are|) the (?:root )?(?:causes?|reasons?) (?:of|for|behind) X`, "causes", isObject),
	ask(`what (?:is |are )?the (?:fix|fixes|solution|solutions|cure|remedy) (?:of|for|to) X`, "solves", isObject),
	ask(`what (?:is|are) the (?:requirements|dependencies|prerequisites) (?:of|for) X`, "requires", isSubject),
	ask(`what (?:is|are) the (?:parts|components) of X`, "part_of", isObject),
	ask(`what(?: is| are|) the (?:effects?|consequences?|results?) of X`, "causes", isSubject),
	ask(`what (?:is|was|were) X (?:replaced|superseded) by`, "supersedes", isObject),
	ask(`W (?:is|are|was|were) (?:replaced|superseded) by X`, "supersedes", isSubject),
	ask(`W (?:is|are|was|were) caused by X`, "causes", isSubject),
	ask(`W (?:is|are|was|were) (?:solved|fixed|resolved) by X`, "solves", isSubject),
	ask(`W (?:is|are|was|were) prevented by X`, "prevents", isSubject),
	ask(`W (?:is|are) (?:needed|required) by X`, "requires", isSubject),
	ask(`W (?:is|are) part of X`, "part_of", isObject),
	ask(`what (?:is|was|were) X caused by`, "causes", isObject),
	ask(`what (?:is|was|were) X (?:solved|fixed|resolved) by`, "solves", isObject),
	ask(`what is X part of`, "part_of", isSubject),
	ask(`what (?:is|are) X (?:related to|associated with)`, "related_to", isSubject),
	ask(`what (?:is|are) X used with`, "used_with", isSubject),
	ask(`W (?:is|are) (?:related to|associated with) X`, "related_to", isObject),
	ask(`W (?:is|are) used with X`, "used_with", isObject),
	ask(`what (?:kind|type|sort) of thing is X`, "is_a", isSubject),

	ask(`why (?:does|do|did|is|are|was|were) X V`, "causes", isFailing),
	ask(`what makes X V`, "causes", isFailing),
	ask(`W (?:can |could |might |may |has |have )?(?:causes?|caused|triggers?|triggered|leads? to|led to) X`, "causes", isObject),
	ask(`what (?:does|do|did|can|could) X (?:cause|trigger|lead to|result in)`, "causes", isSubject),
	ask(`W (?:can |could |will |would )?(?:solves?|solved|fix|fixes|fixed|resolves?|resolved) X`, "solves", isObject),
	ask(`what (?:does|do|did|can) X (?:solve|fix|resolve)`, "solves", isSubject),
	ask(`how (?:do (?:i|we|you)|to|can (?:i|we|you)) (?:solve|fix|resolve) X`, "solves", isObject),
	ask(`(?:fix|solution) for X`, "solves", isObject),
	ask(`W (?:can |could |will |would )?(?:prevents?|prevented|avoids?|stops?) X`, "prevents", isObject),
	ask(`how (?:do (?:i|we|you)|to|can (?:i|we|you)) (?:prevent|avoid) X`, "prevents", isObject),
	ask(`what (?:does|do|did) X (?:prevent|avoid)`, "prevents", isSubject),

	ask(`what (?:does|do|did) X (?:need|require|depend on|rely on)`, "requires", isSubject),
	ask(`W (?:needs?|requires?|depends? on|relies on|rely on) X`, "requires", isObject),
	ask(`W (?:replaced|replaces?|superseded|supersedes?) X`, "supersedes", isObject),
	ask(`what (?:does|did) X (?:replace|supersede)`, "supersedes", isSubject),
	ask(`what (?:comes|happens|goes) before X`, "precedes", isObject),
	ask(`what (?:comes|happens|goes) after X`, "precedes", isSubject),
	ask(`W (?:contradicts?|conflicts? with) X`, "contradicts", isObject),
	ask(`what (?:does|do) X (?:contradict|conflict with)`, "contradicts", isSubject),
	ask(`what (?:corrects|corrected) X`, "corrects", isObject),
	ask(`what (?:is|are) (?:preferred|better) (?:to|over|than) X`, "preferred", isObject),
	ask(`(?:W|who) calls? X`, "calls", isObject),
	ask(`what (?:does|do) X call`, "calls", isSubject),
	ask(`(?:W|who) imports? X`, "imports", isObject),
	ask(`what (?:does|do) X import`, "imports", isSubject),
	ask(`W (?:inherits? from|inherits?|extends?) X`, "inherits", isObject),
	ask(`what (?:does|do) X (?:inherit from|inherit|extend)`, "inherits", isSubject),
	ask(`W contains? X`, "contains", isObject),
	ask(`what (?:does|do) X contain`, "contains", isSubject),

	ask(`what (?:is|are) X`, "is_a", isKind),
}

// Route finds the relation that a question asks for. It answers false for
// everything that is not plainly such a question about something with a name:
// those are for the search by words and meaning.
func Route(question string) (Question, bool) {
	q := strings.TrimSpace(question)
	if len(q) > maxQuestion {
		return Question{}, false
	}
	q = strings.TrimRight(q, "?!. ")
	if rest, ok := cutWhats(q); ok {
		q = "what is " + rest
	}
	if asked, ok := route(q); ok {
		return asked, true
	}
	return routeContext(q)
}

// route finds the first form that a question has.
func route(q string) (Question, bool) {
	for _, f := range forms {
		if m := f.pattern().FindStringSubmatch(q); m != nil {
			return f.question(m)
		}
	}
	return Question{}, false
}

// inContext is how a question says where or when it is about.
var inContext = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(.+)\s(in|on|at|under|during)\s+((?:the\s+|our\s+|my\s+)?(\S+(?:\s\S+)?))$`)
})

// routeContext reads a question that ends in where or when it is about. Whether
// that is part of the name is for the concepts to tell: the longer name comes
// first. "What is X in Y" asks for many things, and is left alone.
func routeContext(q string) (Question, bool) {
	m := inContext().FindStringSubmatch(q)
	if m == nil {
		return Question{}, false
	}
	asked, ok := route(m[1])
	name := asked.Subject + asked.Object
	place, named := askedName(m[3], false)
	if !ok || asked.Versus || asked.Predicate == "is_a" || !named {
		return Question{}, false
	}
	long, err := CanonicalName(name + " " + strings.ToLower(m[2]) + " " + place)
	if err != nil {
		return Question{}, false
	}
	asked.Context = place
	asked.Also = append([]string{name}, asked.Also...)
	if asked.Subject != "" {
		asked.Subject = long
	} else {
		asked.Object = long
	}
	return asked, true
}

// cutWhats takes a contracted "what is" off.
func cutWhats(q string) (string, bool) {
	for _, start := range []string{"what's ", "what’s ", "whats "} {
		if len(q) > len(start) && strings.EqualFold(q[:len(start)], start) {
			return q[len(start):], true
		}
	}
	return "", false
}

// question fills in what a form found.
func (f form) question(m []string) (Question, bool) {
	group := func(name string) string {
		if i := f.pattern().SubexpIndex(name); i >= 0 {
			return m[i]
		}
		return ""
	}
	x, ok := askedName(group("x"), f.end == isKind)
	if !ok {
		return Question{}, false
	}
	q := Question{Predicate: f.predicate}
	switch f.end {
	case isObject:
		q.Object = x
	case isSubject, isKind:
		q.Subject = x
	case isFailing:
		verb := strings.Join(strings.Fields(strings.ToLower(group("v"))), " ")
		noun, other := nouns[verb]
		if !other {
			noun = verb
		}
		q.Object = x + "." + noun
		if said := strings.ReplaceAll(verb, " ", "."); said != noun {
			q.Also = append(q.Also, x+"."+said)
		}
		q.Also = append(q.Also, x)
	case isPair:
		y, ok := askedName(group("y"), false)
		if !ok || Key(x) == Key(y) {
			return Question{}, false
		}
		q.Subject, q.Object, q.Versus = x, y, true
	}
	return q, true
}

// vague are words that name nothing by themselves: a question about them is
// about what was said before, or about something that follows.
var vague = wordSet(`thing things something anything everything nothing someone anyone everyone people error errors problem
	problems issue issues bug bugs failure failures trouble reason reasons way ways point matter stuff other others
	me us them him mine ours yours one ones all both each more most less least same`)

// opening are words with which "what is" asks for something else than a kind.
var opening = wordSet(`going wrong happening new next left missing best better worst worse good bad up up-to-date
	available possible needed required expected required recommended supposed meant causing making wanted known
	remaining different special current latest today tomorrow yesterday status plan time name purpose difference
	first last important interesting using running blocking failing changing coming doing trying taking`)

// askedName makes the words of a question into a name, if they are one.
func askedName(s string, kind bool) (string, bool) {
	words := strings.Fields(s)
	article := ""
	if len(words) > 1 {
		switch w := strings.ToLower(words[0]); w {
		case "the", "a", "an", "my", "our":
			article, words = w, words[1:]
		}
	}
	s = strings.Join(words, " ")
	if !isPhrase(s) || functionWords[strings.ToLower(unadorned(s))] {
		return "", false
	}
	names := 0
	for _, w := range words {
		w = strings.ToLower(unadorned(w))
		if kind && opening[w] {
			return "", false
		}
		if !vague[w] {
			names++
		}
	}
	if names == 0 {
		return "", false
	}
	// "what is the port" asks for a value, "what is the socket.proxy" for a kind
	definite := article != "" && article != "a" && article != "an"
	if kind && (len(words) > maxKind || definite && !isJoined(unadorned(s))) {
		return "", false
	}
	name, err := CanonicalName(unadorned(s))
	return name, err == nil
}
