package distil

import (
	"slices"
	"strings"

	"chitta/internal/expr"
	"chitta/internal/memory"
)

// putsBack matches commands that put files back as they were, undoes those that
// take back a whole commit.
var (
	putsBack = expr.New(`^git (?:checkout (?:HEAD |-- )+|restore |checkout \.|reset --hard)`)
	undoes   = expr.New(`^git (?:revert |reset --hard HEAD[~^])`)
)

// maxPutBack bounds how many commands that put files back are looked at.
const maxPutBack = 20

// putBack is a command that put files back.
type putBack struct {
	at    int      // index of the call
	args  []string // what it names
	files []string // of this turn that it means
	undo  bool     // it takes back what was committed
}

// undoesCommits says whether the turn took commits back.
func (t *turn) undoesCommits() bool {
	return slices.ContainsFunc(t.back, func(b putBack) bool { return b.undo })
}

// putBack lists what was put back in the turn, in order.
func (t *turn) putBack() []putBack {
	var all []putBack
	for i, c := range t.calls {
		if !strings.Contains(c.part.Command, "git ") || len(c.part.Command) > maxCommand || c.result == nil || c.result.Failed {
			continue
		}
		for _, p := range pipelines(c.part.Command) {
			step := strings.TrimLeft(strings.TrimSpace(p.first), "( ")
			if len(all) == maxPutBack || strings.Contains(step, "--staged") || !putsBack.MatchString(step) && !undoes.MatchString(step) {
				continue
			}
			args := strings.Fields(step)[2:]
			undo := undoes.MatchString(step)
			if undo {
				args = []string{"."}
			}
			all = append(all, putBack{i, args, t.namedBefore(args, i), undo})
		}
	}
	return all
}

// reverted tells of files that were changed and then put back in the same turn.
func (t *turn) reverted() []Lesson {
	var all []Lesson
	for _, b := range t.back {
		if len(b.files) == 0 {
			continue
		}
		l := t.failure("Changes to "+t.names(b.files)+" were taken back"+t.during(), t.calls[b.at].id, t.calls[b.at].answer)
		l.Confidence, l.Files, l.Trust = sureReverted, b.files, memory.TrustOutcome
		all = append(all, l)
	}
	return all
}

// lasting lists the files that were changed in the turn and not put back later
// in it.
func (t *turn) lasting() []string {
	put := map[string]int{} // when a file was last put back
	for _, b := range t.back {
		for _, f := range b.files {
			put[f] = max(put[f], b.at)
		}
	}
	var some []touch
	for _, f := range t.touches {
		if at, ok := put[f.path]; !ok || f.at > at {
			some = append(some, f)
		}
	}
	return pathsOf(some)
}

// namedBefore lists files changed before call i that the arguments of a command
// name.
func (t *turn) namedBefore(args []string, i int) []string {
	var some []touch
	for _, f := range t.touches {
		if f.at < i && slices.ContainsFunc(args, func(arg string) bool { return means(arg, f.path) }) {
			some = append(some, f)
		}
	}
	return pathsOf(some)
}

// means says whether an argument of a command that puts files back is this one.
func means(arg, file string) bool {
	switch arg {
	case ".", "--hard":
		return true
	case "--", "HEAD":
		return false
	}
	arg = strings.Trim(strings.TrimPrefix(arg, "./"), `"'`)
	return file == arg || strings.HasSuffix(file, "/"+arg) || strings.HasSuffix(arg, "/") && strings.Contains(file, "/"+arg)
}

// editedBack are the files that were edited to take work back, as the person
// asked for.
func (t *turn) editedBack() map[string]bool {
	if !t.asksBack() {
		return nil
	}
	return setOf(t.files)
}

// takenBack lists files of earlier turns that this one put back: those that a
// command named, unless they were committed, and those that were edited back.
func (t *turn) takenBack(earlier []string, edited map[string]bool, committed bool) []string {
	var back []string
	for _, f := range earlier {
		named := !committed && slices.ContainsFunc(t.back, func(b putBack) bool {
			return slices.ContainsFunc(b.args, func(arg string) bool { return means(arg, f) })
		})
		if named || edited[f] {
			back = append(back, f)
		}
	}
	return back
}

func setOf(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, s := range list {
		set[s] = true
	}
	return set
}

// asksBack says whether the person wants work taken back.
func (t *turn) asksBack() bool {
	if !t.human || isDocument(t.prompt) {
		return false
	}
	return slices.ContainsFunc(sentences(t.prompt), func(s sentence) bool { return !s.question && takesBack(s) })
}

// takesBack says whether a sentence asks for work to be taken back, also behind
// a complaint.
func takesBack(s sentence) bool {
	if tookBack.MatchString(s.plain) {
		return true
	}
	for _, mark := range []string{", ", "; ", " - ", " — ", ": "} {
		if _, rest, ok := strings.Cut(s.plain, mark); ok && tookBack.MatchString(rest) {
			return true
		}
	}
	return false
}

// subjectFiles lists the files that a complaint about earlier work is about:
// those that were worked on before and again now, else those of the turn before.
func (t *turn) subjectFiles() []string {
	again := setOf(append(t.takenBack(t.worked, nil, false), t.files...))
	var both []string
	for _, f := range t.worked {
		if again[f] {
			both = append(both, f)
		}
	}
	if len(both) > 0 {
		return both
	}
	return t.worked
}
