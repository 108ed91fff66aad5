package moment

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/store"
)

const (
	// beforeMost is how many characters the line before a tool has at most.
	beforeMost = 600
	// mostAnchors is how many files a memory may be about to be decisive for
	// one of them: a change of twenty files says little of each.
	mostAnchors = 3
	// warningsLooked is how many memories about a file are looked at.
	warningsLooked = 30
)

// use is a tool about to be used.
type use struct {
	file    string
	command string
	dir     string    // where the command is run, "" if that is not known
	text    string    // what is about to be written, and in place of what
	at      time.Time // as of when; zero is now
}

// useOf reads what a tool is about to do. Tools that change nothing are none of
// its business.
func useOf(tool string, input json.RawMessage) (use, bool) {
	var in struct {
		File     string `json:"file_path"`
		Notebook string `json:"notebook_path"`
		Command  string `json:"command"`
		replaced
		Content string     `json:"content"`
		Source  string     `json:"new_source"`
		Edits   []replaced `json:"edits"`
	}
	switch tool {
	case "Edit", "Write", "MultiEdit", "NotebookEdit", "Bash":
	default:
		return use{}, false
	}
	if json.Unmarshal(input, &in) != nil {
		return use{}, false
	}
	if tool == "Bash" {
		return use{command: in.Command}, strings.TrimSpace(in.Command) != ""
	}
	file := cmp.Or(in.File, in.Notebook)
	text := []string{in.Old, in.New, in.Content, in.Source}
	for _, e := range in.Edits {
		text = append(text, e.Old, e.New)
	}
	return use{file: file, text: firstBytes(strings.Join(text, "\n"), textLooked)}, file != ""
}

// replaced is a piece of a file and what takes its place.
type replaced struct {
	Old string `json:"old_string"`
	New string `json:"new_string"`
}

// textLooked is how many bytes of what is about to be written are compared with
// what is known.
const textLooked = 8 << 10

func firstBytes(text string, n int) string { return text[:min(len(text), n)] }

// before tells the one thing that is decisive about a file that is about to be
// changed or a command about to be run, if there is one.
func (k *Keeper) before(ctx context.Context, _ mind.Caller, e *Event) (Answer, error) {
	u, ok := useOf(e.Tool, e.Input)
	if !ok {
		return Answer{Outcome: Noted}, nil
	}
	u.dir = e.Cwd
	x, err := k.warning(ctx, e.realm, e.Session, u, func(id string) bool { return k.wasGiven(e.Session, id) })
	if err != nil && ctx.Err() != nil {
		return Answer{Outcome: TooLate}, nil
	}
	if err != nil {
		return Answer{}, err
	}
	text, ids := fence([]section{{title: "Before you do this", items: x}}, beforeMost)
	if text == "" {
		return Answer{Outcome: Unknown}, nil
	}
	for _, id := range ids {
		k.give(e.Session, []string{id, beforeTool + id}, false)
	}
	return Answer{Context: text, Items: ids, Outcome: Injected}, nil
}

// beforeTool marks what was told before a tool: a wish that forbids what is
// about to be done is told then, though it was among others at the start.
const beforeTool = "before a tool: "

// warning returns at most one item.
func (k *Keeper) warning(ctx context.Context, realm, session string, u use, given func(string) bool) ([]item, error) {
	roots, err := k.rootsOf(ctx, realm)
	if err != nil {
		return nil, err
	}
	wishes, err := k.wishes(ctx, realm, u.at)
	if err != nil {
		return nil, err
	}
	w := warner{keeper: k, realm: realm, session: session, roots: roots, commands: k.commands.of(realm), given: given, now: cmp.Or(u.at, k.mind.Now())}
	for i := range wishes {
		if r := &wishes[i]; w.stands(&r.Record) && !given(beforeTool+r.ID) && forbids(r.against, u, roots) {
			stale, err := k.staleness(ctx, u, []store.Record{r.Record})
			return []item{stale.told(&r.Record)}, err
		}
	}
	if u.command != "" {
		return w.command(u.command), nil
	}
	return w.file(ctx, u)
}

// warner looks for what is decisive.
type warner struct {
	keeper   *Keeper
	realm    string
	session  string
	roots    []string
	commands map[string]commandNote
	given    func(string) bool
	now      time.Time
}

// fit says whether a memory may be told: it stands, and was not told before.
func (w *warner) fit(r *store.Record) bool { return w.stands(r) && !w.given(r.ID) }

// stands says whether a memory is sure enough and stems from another session.
func (w *warner) stands(r *store.Record) bool {
	return believed(r, w.now) >= decisive && r.Created.Before(w.now) &&
		(r.Provenance.Session != w.session || w.session == "")
}

// file returns what went wrong with a file before, or what was corrected about
// it, if that has to do with what is about to be written.
func (w *warner) file(ctx context.Context, u use) ([]item, error) {
	names := namesOf(u.file, w.roots)
	records, err := w.keeper.memoriesAbout(ctx, w.realm, names, warningsLooked)
	if err != nil {
		return nil, err
	}
	records = slices.DeleteFunc(records, func(r store.Record) bool {
		return r.Kind != memory.Failure && r.Kind != memory.Correction || !w.fit(&r)
	})
	if len(records) == 0 {
		return nil, nil
	}
	terms := w.keeper.mind.Terms(u.text)
	records = slices.DeleteFunc(records, func(r store.Record) bool { return !w.concerns(&r, terms) })
	anchors, err := w.keeper.anchorsOf(ctx, records)
	if err != nil {
		return nil, err
	}
	records = slices.DeleteFunc(records, func(r store.Record) bool { return filesIn(anchors[r.Seq]) > mostAnchors })
	if len(records) == 0 {
		return nil, nil
	}
	stale, err := w.keeper.staleness(ctx, u, records)
	if err != nil {
		return nil, err
	}
	best := slices.MaxFunc(records, func(a, b store.Record) int {
		worth := func(r *store.Record) float64 { return believed(r, w.now) * r.Trust.Weight() * stale.share(r) }
		return cmp.Or(cmp.Compare(worth(&a), worth(&b)), a.Created.Compare(b.Created))
	})
	return []item{stale.told(&best)}, nil
}

const (
	// concernedBy is how many telling words a memory must have in common with
	// what is about to be written, if it is not about the file as such.
	concernedBy = 2
	// explicit is the confidence of a correction that is one: below it the
	// person may just have been asking.
	explicit = 0.75
)

// concerns says whether a memory has to do with what is about to be written,
// given by its terms. What somebody noted about a file on purpose concerns every
// change of it; what was picked up on the way, only what speaks of the same.
func (w *warner) concerns(r *store.Record, terms map[string]bool) bool {
	switch {
	case r.Source == memory.Conscious:
		return true
	case r.Kind == memory.Correction && believed(r, w.now) < explicit:
		return false
	}
	shared := 0
	for _, x := range topicOf(w.keeper.mind, ownWords(r.Content)).telling {
		if terms[x.Terms[0]] && !fillers[strings.ToLower(x.Surface)] {
			shared++
		}
	}
	return shared >= concernedBy
}
