package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"chitta/internal/bench/ranking"
	"chitta/internal/config"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/recall"
)

// LoCoMo measures recall on long conversations between two people.
func LoCoMo(ctx context.Context, path string, progress func(done, total int64)) (ranking.Report, error) {
	set, err := ranking.LoCoMo(path)
	if err != nil {
		return ranking.Report{}, err
	}
	return retrieval(ctx, set, progress)
}

// SciFact measures recall on documents that stand alone.
func SciFact(ctx context.Context, dir string, progress func(done, total int64)) (ranking.Report, error) {
	set, err := ranking.SciFact(dir)
	if err != nil {
		return ranking.Report{}, err
	}
	return retrieval(ctx, set, progress)
}

// Turns measures recall on any turns and queries: a file of each, or a
// directory of pairs.
func Turns(ctx context.Context, data, queries string, progress func(done, total int64)) (ranking.Report, error) {
	fi, err := os.Stat(data)
	if err != nil {
		return ranking.Report{}, err
	}
	var set ranking.Set
	if fi.IsDir() {
		set, err = ranking.Pairs(data)
	} else {
		var corpus ranking.Corpus
		corpus, err = ranking.Turns(data, queries)
		set = ranking.Set{Name: corpus.Name, Corpora: []ranking.Corpus{corpus}}
	}
	if err != nil {
		return ranking.Report{}, err
	}
	return retrieval(ctx, set, progress)
}

// retrieval runs every row of the ablation over a set.
func retrieval(ctx context.Context, set ranking.Set, progress func(done, total int64)) (ranking.Report, error) {
	var rows []ranking.Configuration
	for _, r := range ablation() {
		rows = append(rows, ranking.Configuration{Name: r.name, Default: r.name == fullRecipe})
	}
	r, err := ranking.Run(ctx, set, rows, openCorpus, progress)
	return r.WithTargets(), err
}

// fullRecipe is the row of the ablation that recall uses.
const fullRecipe = "full"

type recipeRow struct {
	name   string
	recipe recall.Recipe
}

// ablation builds recall's recipe up, one ingredient at a time.
func ablation() []recipeRow {
	full := recall.DefaultRecipe()
	var r recall.Recipe
	var rows []recipeRow
	row := func(name string, change func()) {
		change()
		rows = append(rows, recipeRow{name, r})
	}
	row("keyword", func() { r = recall.Recipe{Keyword: 1} })
	row("vector", func() { r = recall.Recipe{Vector: 1} })
	row("hybrid", func() { r = recall.Recipe{Keyword: full.Keyword, Vector: full.Vector + full.Window} })
	row("+ window", func() { r.Vector, r.Window = full.Vector, full.Window })
	row("+ smoothing", func() { r.Next = full.Next })
	row("+ reply", func() { r.Reply, r.ReplyAssistant = full.Reply, full.ReplyAssistant })
	row("+ session prior", func() {
		r.SessionWords, r.SessionBest, r.Ranking = full.SessionWords, full.SessionBest, full.Ranking
	})
	row("+ speaker/date", func() { r.Speaker, r.Participant, r.Date = full.Speaker, full.Participant, full.Date })
	row("+ graph", func() { r = withGraph(r) })
	row("+ attractor", func() { r = withAttractor(r) })
	row(fullRecipe, func() { r = full })
	return rows
}

// openCorpus puts a corpus into a store of its own, through the same door as
// any conversation, and lets the background work finish.
func openCorpus(ctx context.Context, corpus ranking.Corpus) (func(string) ranking.Ranker, func() error, error) {
	home, err := os.MkdirTemp("", "chitta-bench-")
	if err != nil {
		return nil, nil, err
	}
	cfg := config.Default()
	cfg.Home = home
	m, err := mind.Open(ctx, mind.Options{Config: cfg})
	if err != nil {
		os.RemoveAll(home)
		return nil, nil, err
	}
	closeStore := func() error {
		defer os.RemoveAll(home)
		return m.Close()
	}
	if err := fillCorpus(ctx, m, corpus); err != nil {
		closeStore()
		return nil, nil, err
	}
	recipes := map[string]*recall.Recipe{}
	for _, r := range ablation() {
		recipes[r.name] = &r.recipe
	}
	return func(name string) ranking.Ranker {
		return func(ctx context.Context, q ranking.Question) (ranking.Ranked, error) {
			start := time.Now()
			out, err := m.Rank(ctx, benchCaller, mind.RankInput{Query: q.Text, At: q.Time, Realm: memory.UserRealm, Recipe: recipes[name], Limit: rankedTurns})
			return ranking.Ranked{Turns: out.Messages, Sessions: out.Sessions, Elapsed: time.Since(start)}, err
		}
	}, closeStore, nil
}

var benchCaller = mind.Caller{Actor: "bench"}

const (
	// rankedTurns is how far a ranking is looked at.
	rankedTurns = 200
	importLines = 500
)

// fillCorpus imports a corpus and waits until all of it can be found.
func fillCorpus(ctx context.Context, m *mind.Mind, corpus ranking.Corpus) error {
	var lines []string
	send := func() error {
		out, err := m.SessionImport(ctx, benchCaller, mind.SessionImportInput{Format: "turns", Lines: lines, Realm: memory.UserRealm})
		if err == nil && len(out.Refused) > 0 {
			err = fmt.Errorf("turn refused: %s", out.Refused[0].Why)
		}
		lines = lines[:0]
		return err
	}
	for _, t := range corpus.Turns {
		line, err := json.Marshal(struct {
			ID      string    `json:"id"`
			Session string    `json:"session"`
			Speaker string    `json:"speaker,omitempty"`
			Role    string    `json:"role,omitempty"`
			Time    time.Time `json:"time,omitzero"`
			Text    string    `json:"text"`
		}{t.ID, t.Session, t.Speaker, t.Role, t.Time, t.Text})
		if err != nil {
			return err
		}
		if lines = append(lines, string(line)); len(lines) == importLines {
			if err := send(); err != nil {
				return err
			}
		}
	}
	if err := send(); err != nil {
		return err
	}
	return errors.Join(settled(ctx, m), mined(ctx, m))
}
