package distil

import (
	"slices"
	"strings"

	"chitta/internal/expr"
	"chitta/internal/session"
)

// Account gathers what a session came to, turn by turn. The zero value is one
// of a session in which nothing was said yet.
type Account struct {
	// Root is the top of the project, from which files are named; "" means where
	// the messages begin.
	Root  string
	turns []digest
}

// digest is what one turn adds to an account.
type digest struct {
	asked   string // what the person wanted, "" if they only agreed
	files   []string
	names   map[string]string // of the files, as they are called in the project
	commits bool              // what was done up to here is in the project's history
	worked  bool              // something was changed or run
	closing string            // how the agent summed it up
	lessons []Lesson
}

// Summary is what a session came to. Everything in it is taken from what was
// said and done.
type Summary struct {
	Text    string // at most [MaxSummary] characters
	Asked   []string
	Done    []string
	Decided []string
	Open    []string
	Files   []string // that were changed, as the calls name them
}

const (
	// MaxSummary is the longest account of a session in characters: what a
	// reader takes in at a glance, and a third of what a session starts with.
	MaxSummary = 1200
	// itemOfSummary is the most one entry takes of it.
	itemOfSummary = 200
	// mostTurns bounds an account: of a longer session the first turn and the
	// last ones count.
	mostTurns = 500
	// openTurns is how many turns at the end are looked at for what is left to
	// do: what was open before has been seen to, or would have come up again.
	openTurns = 2
	// mostRequests is how many requests a summary names beside the first, and
	// mostEntries how many lessons of a sort.
	mostRequests = 4
	mostEntries  = 4
	// mostDecided is how many decisions, wishes and corrections it names.
	mostDecided = 6
)

// How much each part of a summary may take, its title included; together they
// stay below MaxSummary.
const (
	roomAsked   = 380
	roomDone    = 360
	roomDecided = 280
	roomOpen    = 170
)

// Add takes a turn into account: the last one in messages, with the lessons of
// it that were worth keeping.
func (a *Account) Add(messages []session.Message, lessons []Lesson, strip func(string) string) {
	t := read(a.Root, messages, strip)
	d := digest{lessons: lessons, names: map[string]string{}}
	d.work(t, a.takeBack(t))
	if t.human && t.prompt != "" && !assent.MatchString(t.prompt) && (d.worked || !clientCommand.MatchString(t.prompt)) {
		d.asked = clip(t.wanted(), itemOfSummary)
	}
	if sum, _ := t.closing("", nil); d.worked {
		d.closing = sum
	}
	if len(a.turns) == mostTurns {
		a.turns = slices.Delete(a.turns, 1, 2)
	}
	a.turns = append(a.turns, d)
}

// clientCommand matches prompts that are commands to the client, such as
// "/compact" or "/plugin:command words", and no paths. They are requests only if
// the agent went to work on them.
var clientCommand = expr.New(`^/[A-Za-z][\w-]*(?::[\w-]+)*(?:\s|$)`)

// work adds what a turn did, but for files that it only put back.
func (d *digest) work(t *turn, back []string) {
	d.worked = d.worked || len(t.touches) > 0 || len(t.back) > 0 || slices.ContainsFunc(t.ran, func(r run) bool { return r.works })
	for _, r := range t.ran {
		for _, s := range r.stages {
			if publishes.MatchString(s.text) {
				d.worked, d.commits = true, true
			}
		}
	}
	put := setOf(back)
	for _, f := range t.files {
		if !put[f] {
			d.files = append(d.files, f)
			d.names[f] = t.name(f)
		}
	}
}

// takeBack lets earlier turns not have done what this one took back, and returns
// the files. A command puts back everything since the last commit, an edit what
// was done last.
func (a *Account) takeBack(t *turn) []string {
	edited := t.editedBack()
	if len(edited) == 0 && len(t.back) == 0 {
		return nil
	}
	var all []string
	committed := false
	for i := len(a.turns) - 1; i >= 0; i-- {
		d := &a.turns[i]
		committed = committed || d.commits && !t.undoesCommits()
		back := t.takenBack(d.files, edited, committed)
		if len(back) > 0 {
			all = append(all, back...)
			put := setOf(back)
			d.files = slices.DeleteFunc(slices.Clone(d.files), func(f string) bool { return put[f] })
			d.closing = ""
		}
		if committed || len(back) > 0 && (len(t.back) == 0 || t.undoesCommits()) {
			break
		}
	}
	return all
}

// AddHelp takes a turn of a subagent into account: what it changed counts, what
// it was told and said is between it and the agent.
func (a *Account) AddHelp(messages []session.Message, strip func(string) string) {
	if len(a.turns) == 0 {
		return
	}
	a.turns[len(a.turns)-1].work(read(a.Root, messages, strip), nil)
}

// wanted is what a prompt asks for, on one line: the title of a document.
func (t *turn) wanted() string {
	prompt := strings.TrimSpace(clientNote.ReplaceAllString(t.prompt, ""))
	if planIntro.MatchString(prompt) || isDocument(prompt) && heading.MatchString(prompt) {
		if m := planTitle.FindStringSubmatch(prompt); m != nil {
			return oneLine(m[1])
		}
	}
	return t.request(prompt)
}

// Summary says what the session came to, false if that is not worth keeping:
// nobody asked for anything, or questions were answered and that was all.
func (a *Account) Summary() (Summary, bool) {
	s := Summary{Asked: a.asked(), Decided: a.decided(), Open: a.open()}
	worked := slices.ContainsFunc(a.turns, func(d digest) bool { return d.worked })
	if len(s.Asked) == 0 || !worked && len(s.Decided) == 0 {
		return Summary{}, false
	}
	var names []string
	for _, d := range a.turns {
		s.Files = append(s.Files, d.files...)
		for _, f := range d.files {
			names = append(names, d.names[f])
		}
	}
	s.Files = unique(s.Files, maxFiles)
	s.Done = a.done(unique(names, len(names)))
	var parts []string
	for _, p := range []struct {
		title string
		items []string
		room  int
	}{{"Asked", s.Asked, roomAsked}, {"Done", s.Done, roomDone}, {"Decided", s.Decided, roomDecided}, {"Left open", s.Open, roomOpen}} {
		if text := section(p.title, p.items, p.room); text != "" {
			parts = append(parts, text)
		}
	}
	s.Text = strings.Join(parts, "\n")
	return s, true
}

// section says as many entries as there is room for; what does not fit is left
// out, and what is shorter may still follow.
func section(title string, items []string, room int) string {
	text := ""
	for _, item := range items {
		next := text + "; " + item
		if text == "" {
			next = title + ": " + clip(item, room-length(title)-len(": "))
		}
		if length(next) < room {
			text = next
		}
	}
	return text
}

// asked lists requests in their order: the first, and of the others those that
// led to most changes.
func (a *Account) asked() []string {
	var order []int
	for i, d := range a.turns {
		if length(d.asked) >= minText {
			order = append(order, i)
		}
	}
	if len(order) == 0 {
		return nil
	}
	rest := slices.Clone(order[1:])
	slices.SortStableFunc(rest, func(i, j int) int { return a.weight(j) - a.weight(i) })
	chosen := append([]int{order[0]}, rest[:min(len(rest), mostRequests)]...)
	slices.Sort(chosen)
	var texts []string
	for _, i := range chosen {
		texts = append(texts, quote(a.turns[i].asked))
	}
	return unique(texts, len(texts))
}

// weight is how much came of a turn.
func (a *Account) weight(i int) int {
	d := &a.turns[i]
	w := 2 * len(d.files)
	if d.worked {
		w++
	}
	return w
}

// done says which files were changed, what was fixed and how the agent summed
// up the last work.
func (a *Account) done(names []string) []string {
	var out []string
	if len(names) > 0 {
		out = append(out, "changed "+someOf(names))
	}
	out = append(out, oldestFirst(a.texts(mostEntries, 0, func(l *Lesson) bool { return l.Rule == RuleFix || l.Rule == RuleFailure }))...)
	for _, d := range slices.Backward(a.turns) {
		if d.closing != "" {
			return append(out, d.closing)
		}
	}
	return out
}

// decided lists what the person settled: decisions first, then wishes, then
// corrections, of each the newest first.
func (a *Account) decided() []string {
	var all []string
	for _, is := range []func(*Lesson) bool{
		func(l *Lesson) bool { return l.Rule == RuleDecision || l.Rule == RuleMarker && !isOpen(l) },
		func(l *Lesson) bool { return l.Rule == RulePreference },
		func(l *Lesson) bool { return l.Rule == RuleCorrection },
	} {
		all = append(all, a.texts(mostEntries, 0, is)...)
	}
	return unique(all, mostDecided)
}

func (a *Account) open() []string {
	items := oldestFirst(a.texts(mostEntries, len(a.turns)-openTurns, isOpen))
	for i, item := range items {
		item, _, _ = strings.Cut(item, whileAsked)                                  // what was asked stands above
		items[i] = strings.TrimPrefix(strings.TrimPrefix(item, leftOpen), leftToDo) // its title says so
	}
	return unique(items, len(items))
}

func oldestFirst(texts []string) []string {
	slices.Reverse(texts)
	return texts
}

func isOpen(l *Lesson) bool {
	return l.Rule == RuleNext || l.Rule == RuleMarker && l.Kind == markerKinds["TODO"]
}

// texts lists what the last n lessons of a sort say, of turns from one on, the
// newest first.
func (a *Account) texts(n, from int, is func(*Lesson) bool) []string {
	var out []string
	for i, d := range slices.Backward(a.turns) {
		for k := range slices.Backward(d.lessons) {
			if l := &d.lessons[k]; i >= from && is(l) && len(out) < n {
				out = append(out, clip(l.Text, itemOfSummary))
			}
		}
	}
	return unique(out, n)
}

// MaxMerged is the longest account of several changes in characters.
const MaxMerged = 2 * MaxText

// MergeEdits makes one account of several changes to the same files, from the
// texts of the lessons about them, the oldest first.
func MergeEdits(texts, files []string) string {
	var reasons []string
	for _, t := range texts {
		if _, reason, ok := strings.Cut(t, editFor); ok {
			reasons = append(reasons, strings.Split(reason, mergedBy)...)
		}
	}
	reasons = unique(reasons, len(reasons))
	head := editBegins + someOf(files) + editFor
	// when there is too much, the oldest reasons go first
	for len(reasons) > 1 && length(head)+length(strings.Join(reasons, mergedBy)) > MaxMerged {
		reasons = reasons[1:]
	}
	return clip(head+strings.Join(reasons, mergedBy), MaxMerged)
}

// The parts of an account of changes.
const (
	editBegins = "Changed "
	editFor    = " for: "
	mergedBy   = "; then "
)
