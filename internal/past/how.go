package past

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"chitta/internal/follow"
	"chitta/internal/keyword"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// HowInput asks which commands worked for a task.
type HowInput struct {
	Task  string `json:"task" jsonschema:"what is to be done, in plain words"`
	Limit int    `json:"limit,omitempty" jsonschema:"most commands, 1 to 50; default 5"`
	Realm string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory"`
}

// HowCommand is a command that worked.
type HowCommand struct {
	Command     string    `json:"command"` // with … for what varies
	Example     string    `json:"example"` // the last run that Succeeded, whole
	Count       int       `json:"count"`
	Succeeded   int       `json:"succeeded"`
	SuccessRate float64   `json:"success_rate"` // of the runs whose outcome is known
	LastUsed    time.Time `json:"last_used,omitzero"`
	Cwd         string    `json:"cwd,omitempty"` // of the example
	Request     string    `json:"request,omitempty"`
	Score       float64   `json:"score"`
	Evidence    []string  `json:"evidence"` // ids of messages, newest first
}

// HowOutput is commands that worked, the most fitting first.
type HowOutput struct {
	Commands []HowCommand `json:"commands"`
	Found    int          `json:"found"`
	Realm    string       `json:"realm"`
	Degraded []string     `json:"degraded,omitempty"`
}

const (
	howLimit = 5
	howMost  = 50
	// howRuns is how many runs are looked at, newest first.
	howRuns = 5000
	// A command fits by its own words and by what was asked for when it ran.
	howCommandShare = 0.6
	howRequestShare = 0.4
	// howFit is the least that one of the two has to fit.
	howFit = 0.3
	// lookingShare is what a command counts that only looks around.
	lookingShare  = 0.5
	howEvidence   = 3 // ids per command
	exampleTokens = 120
)

// looking are programs that look around rather than do something.
var looking = map[string]bool{
	"ls": true, "cat": true, "head": true, "tail": true, "echo": true, "pwd": true, "grep": true, "rg": true, "find": true,
	"wc": true, "sed": true, "awk": true, "which": true, "cd": true, "tree": true, "stat": true, "file": true, "sleep": true,
}

// How finds commands that worked here for a task.
func (a *Archive) How(ctx context.Context, who Reader, in HowInput) (HowOutput, error) {
	out := HowOutput{Commands: []HowCommand{}}
	task := strings.TrimSpace(in.Task)
	if task == "" {
		return out, &memory.InputError{Field: "task", Problem: "is empty", Hint: "say what is to be done"}
	}
	if err := memory.CheckText("task", task, memory.MaxQuery); err != nil {
		return out, err
	}
	limit, err := memory.CheckLimit(in.Limit, howLimit, howMost, "ask for less")
	if err != nil {
		return out, err
	}
	if out.Realm, err = a.Scope(ctx, who, in.Realm); err != nil {
		return out, err
	}
	runs, err := a.store.Runs(ctx, out.Realm, howRuns)
	if err != nil || len(runs) == 0 {
		return out, err
	}
	fits, err := a.requestFits(ctx, task, runs)
	if err != nil {
		return out, err
	}
	roots, err := follow.RealmRoots(ctx, a.store, out.Realm)
	if err != nil {
		return out, err
	}
	found, err := a.groupRuns(ctx, task, runs, roots, fits)
	if err != nil {
		return out, err
	}
	out.Found = len(found)
	for _, g := range found[:min(len(found), limit)] {
		shown, err := a.shownCommand(ctx, g, fits)
		if err != nil {
			return out, err
		}
		out.Commands = append(out.Commands, shown)
	}
	return out, nil
}

// requestFit is what was asked for in a turn and how much it is like a task.
type requestFit struct {
	text string
	fit  float64
}

// requestFits compares what was asked for in the turns of runs with a task.
func (a *Archive) requestFits(ctx context.Context, task string, runs []store.Run) (map[store.TurnKey]requestFit, error) {
	keys := map[store.TurnKey]bool{}
	var turns []store.TurnKey
	for i := range runs {
		if k := turnOf(&runs[i]); runs[i].Agent == "" && !keys[k] {
			keys[k] = true
			turns = append(turns, k)
		}
	}
	requests, err := a.store.Requests(ctx, turns)
	if err != nil {
		return nil, err
	}
	var seqs []int64
	for _, r := range requests {
		seqs = append(seqs, r.Seq)
	}
	similar, _ := a.alike(ctx, task)
	alike, err := similar(ctx, seqs)
	if err != nil {
		return nil, err
	}
	out := make(map[store.TurnKey]requestFit, len(requests))
	for k, r := range requests {
		out[k] = requestFit{r.Text, max(0, alike[r.Seq])}
	}
	return out, nil
}

func turnOf(r *store.Run) store.TurnKey { return store.TurnKey{Session: r.Session, Turn: r.Turn} }

// commandGroup is the runs of one command.
type commandGroup struct {
	general string
	runs    []*store.Run // newest first
	good    []*store.Run // of those, what Succeeded
	known   int
	fits    bool // one of them
	score   float64
}

// groupRuns puts runs together by command and ranks the commands that ever
// Succeeded.
func (a *Archive) groupRuns(ctx context.Context, task string, runs []store.Run, roots []string, fits map[store.TurnKey]requestFit) ([]*commandGroup, error) {
	words := keyword.NewOverlap(task)
	groups := map[string]*commandGroup{}
	var order []*commandGroup
	for i := range runs {
		r := &runs[i]
		general := GeneralCommand(r.Command, roots)
		if general == "" {
			continue
		}
		g := groups[general]
		if g == nil {
			g = &commandGroup{general: general}
			groups[general] = g
			order = append(order, g)
		}
		g.runs = append(g.runs, r)
		g.fits = g.fits || max(words.Share(general), fits[turnOf(r)].fit) >= howFit
	}
	for _, g := range order {
		if !g.fits {
			continue // how it went does not matter
		}
		if err := a.judge(ctx, g, words, fits); err != nil {
			return nil, err
		}
	}
	order = slices.DeleteFunc(order, func(g *commandGroup) bool { return g.score == 0 || len(g.good) == 0 })
	for _, g := range order {
		rate := float64(len(g.good)+1) / float64(g.known+2) // one run proves little
		g.score *= (0.5 + 0.5*rate) * (1 + 0.05*math.Log2(float64(len(g.good))))
		if w := commandWords(g.general); len(w) > 0 && looking[path.Base(w[0])] {
			g.score *= lookingShare
		}
	}
	slices.SortStableFunc(order, func(a, b *commandGroup) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.good[0].Time.Compare(a.good[0].Time), cmp.Compare(a.general, b.general))
	})
	return order, nil
}

// judge finds out which runs of a command Succeeded, and how the command fits.
func (a *Archive) judge(ctx context.Context, g *commandGroup, words keyword.Overlap, fits map[store.TurnKey]requestFit) error {
	for _, r := range g.runs {
		ok, known, err := a.Succeeded(ctx, r)
		if err != nil {
			return err
		}
		if known {
			g.known++
		}
		if !ok || !known {
			continue
		}
		g.good = append(g.good, r)
		own, asked := words.Share(g.general), fits[turnOf(r)].fit
		if max(own, asked) >= howFit {
			g.score = max(g.score, howCommandShare*own+howRequestShare*asked)
		}
	}
	return nil
}

func (a *Archive) shownCommand(ctx context.Context, g *commandGroup, fits map[store.TurnKey]requestFit) (HowCommand, error) {
	last := g.good[0]
	out := HowCommand{
		Command: g.general, Count: len(g.runs), Succeeded: len(g.good), SuccessRate: float64(len(g.good)) / float64(g.known),
		LastUsed: last.Time, Score: g.score, Evidence: []string{},
	}
	out.Example, _ = Shorten(last.Command, exampleTokens)
	out.Request = Beginning(fits[turnOf(last)].text, whyTokens)
	for _, r := range g.good {
		if len(out.Evidence) < howEvidence && !slices.Contains(out.Evidence, r.MessageID) {
			out.Evidence = append(out.Evidence, r.MessageID)
		}
	}
	found, err := a.store.MessagesBySeq(ctx, []int64{last.Message})
	if err != nil {
		return out, err
	}
	if x, ok := found[last.Message]; ok {
		if said, err := follow.ReadMessage(x.Source, x.Raw); err == nil {
			out.Cwd = said.Cwd
		}
	}
	return out, nil
}
