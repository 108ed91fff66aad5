package distil

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"chitta/internal/expr"
	"chitta/internal/memory"
	"chitta/internal/session"
)

// How sure the rules for work done are.
const (
	sureEdited = 0.7 // calls and results tell it, the purpose is the request
)

const (
	namedFiles = 5   // most files a lesson names; the rest is counted
	maxReason  = 230 // most characters of a request
	// vagueReason is the length in characters up to which a request says too
	// little by itself, as "fix the tests" does.
	vagueReason = 70
	maxSources  = 20 // most messages a lesson names
)

// touch is one successful change of a file.
type touch struct {
	at   int // index of the call
	path string
}

// touched lists the project's files that were changed, in order.
func (t *turn) touched() []touch {
	var all []touch
	for i, c := range t.calls {
		if c.result == nil || c.result.Failed || !changes(c.part) {
			continue
		}
		for _, file := range c.part.Files {
			if file = whole(file, c.cwd); t.inProject(file) {
				all = append(all, touch{i, file})
			}
		}
	}
	return all
}

// whole is the one name of a file: that from the top of the file system, if the
// call says where it counts from.
func whole(file, cwd string) string {
	if file == "" || strings.HasPrefix(file, "~") {
		return file
	}
	if !path.IsAbs(file) && path.IsAbs(cwd) && !strings.Contains(file, ":") {
		return path.Join(cwd, file)
	}
	return path.Clean(file)
}

// changes says whether a call changes the files it names.
func changes(p *session.Part) bool {
	for _, f := range session.FileTouches([]session.Message{{Parts: []session.Part{*p}}}) {
		return f.Action == session.Edit || f.Action == session.Write
	}
	return false
}

// scratchRoots hold files that nobody keeps, clientFolders those of the client.
var (
	scratchRoots  = []string{"/tmp/", "/private/tmp/", "/var/folders/", "/private/var/folders/", "/dev/", "~/.claude/"}
	clientFolders = []string{"/.claude/plans/", "/.claude/projects/", "/.claude/todos/", "/.claude/jobs/"}
)

// inProject leaves out scratch files and the client's own. A project may lie
// among scratch files itself.
func (t *turn) inProject(file string) bool {
	for _, folder := range clientFolders {
		if strings.Contains(file, folder) {
			return false
		}
	}
	if t.root != "" && !slices.Contains(scratchRoots, t.root+"/") && strings.HasPrefix(file, t.root+"/") {
		return true
	}
	for _, root := range scratchRoots {
		if strings.HasPrefix(file, root) {
			return false
		}
	}
	return file != ""
}

func pathsOf(touches []touch) []string {
	var files []string
	for _, f := range touches {
		files = append(files, f.path)
	}
	return unique(files, len(files))
}

// names lists files as they are called in the project.
func (t *turn) names(files []string) string {
	short := make([]string, len(files))
	for i, f := range files {
		short[i] = t.name(f)
	}
	return someOf(short)
}

// someOf lists the first names and says how many more there are.
func someOf(names []string) string {
	list := strings.Join(names[:min(len(names), namedFiles)], ", ")
	if more := len(names) - namedFiles; more > 0 {
		list += " and " + strconv.Itoa(more) + " more"
	}
	return list
}

func (t *turn) name(file string) string {
	if rest, ok := strings.CutPrefix(file, t.root+"/"); ok && t.root != "" {
		return rest
	}
	return path.Join(path.Base(path.Dir(file)), path.Base(file))
}

// edits tells which files were changed and what for.
func edits(t *turn) []Lesson {
	if len(t.files) == 0 {
		return nil
	}
	reason, from := t.reason()
	if reason == "" {
		return nil
	}
	return []Lesson{{
		Kind: memory.Episode, Rule: RuleEdit, Confidence: sureEdited, Tags: []string{RuleEdit},
		Text:  editBegins + t.names(t.files) + editFor + reason,
		Files: t.files, Messages: sources(append(from, t.callIDs(t.touches)...)...), Trust: memory.TrustAgent,
	}}
}

func (t *turn) callIDs(touches []touch) []string {
	var ids []string
	for _, f := range touches {
		ids = append(ids, t.calls[f.at].id)
	}
	return ids
}

// sources names the messages a lesson comes from.
func sources(ids ...string) []string { return unique(ids, maxSources) }

// unique returns the first n different names.
func unique(all []string, n int) []string {
	var kept []string
	seen := map[string]bool{"": true}
	for _, name := range all {
		if seen[name] {
			continue
		}
		if len(kept) == n {
			break
		}
		seen[name] = true
		kept = append(kept, name)
	}
	return kept
}

var (
	assent     = expr.New(`(?i)^(?:(?:yes|yeah|sorry|its perfect|it's perfect|yep|yup|sure|ok|okay|please|go ahead|go for it|do it|do that|sounds good|looks good|great|perfect|correct|continue|proceed|go on|let's do (?:it|that|this)|lgtm|y|thanks?|all of them|address all of them|both|that one|fix it|fix that|fix them|fix this|make it so)[\s,.!]*)+$`)
	planIntro  = expr.New(`(?i)^implement the following plan:?\s*`)
	planTitle  = expr.New(`(?m)^#{1,3} +(.+)$`)
	clientNote = expr.New(`(?s)\n\s*If you need specific details from before exiting plan mode.*$`)
	offer      = expr.New(`(?i)^(?:(?:would you like|do you want|want) me to|should i|shall i|can i|may i|ready to|do you want to|shall we|should we)\b`)
)

// reason says what the turn was for, in the person's words, and which messages
// tell it. For "yes" it is what they agreed to.
func (t *turn) reason() (string, []string) {
	prompt := strings.TrimSpace(clientNote.ReplaceAllString(t.prompt, ""))
	if prompt == "" {
		return "", nil
	}
	if planIntro.MatchString(prompt) || isDocument(prompt) && heading.MatchString(prompt) {
		if m := planTitle.FindStringSubmatch(prompt); m != nil {
			return quote(clip(oneLine(m[1]), maxReason)), []string{t.asked}
		}
	}
	if assent.MatchString(prompt) {
		if what := t.offered(); what != "" {
			return "agreed to " + quote(clip(oneLine(what), maxReason)), []string{t.answer, t.asked}
		}
		return t.closing("", []string{t.asked})
	}
	text := t.request(prompt)
	if text == "" {
		first, _, _ := strings.Cut(prompt, "\n")
		return t.closing("pasted output "+quote(clip(oneLine(first), referred)), []string{t.asked})
	}
	reason := quote(clip(text, maxReason))
	if length(text) <= vagueReason {
		return t.closing(reason, []string{t.asked})
	}
	return reason, []string{t.asked}
}

// request is the prose of a prompt, empty if it has none.
func (t *turn) request(prompt string) string {
	var all []string
	for _, s := range sentences(prompt) {
		all = append(all, s.text)
	}
	text := oneLine(strings.Join(all, " "))
	if t.root != "" {
		text = strings.ReplaceAll(text, t.root+"/", "")
	}
	return text
}

// offered is the last question in which the agent offered to do something.
func (t *turn) offered() string {
	all := sentences(t.before)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].question && offer.MatchString(all[i].text) {
			return all[i].text
		}
	}
	return ""
}

// opening matches what agents say before they come to the point.
var opening = expr.New(`(?i)^(?:done|all done|fixed|perfect|great|clean|good catch|here's (?:a|the) summary.*|summary.*)[.!:]?$|` +
	`^all (?:green|clean|passing)\b|^(?:\S+ ){0,6}(?:tests?|lint\w*|build|checks?|everything|compiles?)\b.{0,40}\b(?:pass\w*|clean|green|succeed\w*)\b`)

// closing adds to a reason how the agent summed up what it did.
func (t *turn) closing(reason string, from []string) (string, []string) {
	last, ok := t.last()
	if !ok {
		return reason, from
	}
	text := summedUp(last.text)
	if text == "" {
		return reason, from
	}
	sum := "the agent says " + quote(clip(text, maxReason/2))
	if reason != "" {
		sum = reason + "; " + sum
	}
	return sum, append(from, last.id)
}

// summedUp is the first sentence of closing words that says something.
func summedUp(text string) string {
	for _, s := range sentences(text) {
		text := strings.Trim(plainMarks(s.text), ": ")
		if !s.question && !opening.MatchString(text) && length(text) >= minText && !strings.HasSuffix(s.text, ":") {
			return text
		}
	}
	return ""
}
