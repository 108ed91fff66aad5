package bench

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chitta/internal/bench/ranking"
	"chitta/internal/config"
	"chitta/internal/ingest"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/past"
	"chitta/internal/recall"
)

// SessionsReport is how well sessions of work are found.
type SessionsReport struct {
	ranking.Report
	Blame BlameFigures `json:"blame"`
	Files FileFigures  `json:"files"`
}

// FileFigures is how early recall ranks a session that touched a file when it is
// asked about that file, without the knowledge graph's part in ranking and with
// it.
type FileFigures struct {
	Questions int     `json:"questions"`
	Named     int     `json:"named"`   // of them name something that the graph knows
	Without   float64 `json:"without"` // session MRR, percent
	With      float64 `json:"with"`
}

// BlameFigures is how many of the sessions that touched a file blame names.
type BlameFigures struct {
	Files  int     `json:"files"`
	Pairs  int     `json:"pairs"`
	Recall float64 `json:"recall"` // percent of the pairs
}

// Sessions imports the transcripts of a directory and asks, for commits made
// in these sessions, which session it was, and for files, which sessions
// touched them.
func Sessions(ctx context.Context, dir string, progress func(done, total int64)) (report SessionsReport, err error) {
	set, err := commitQuestions(dir)
	if err != nil {
		return report, err
	}
	m, closeStore, err := importSessions(ctx, filepath.Join(dir, "claude"))
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, closeStore()) }()
	if err := errors.Join(settled(ctx, m), mined(ctx, m)); err != nil {
		return report, err
	}
	recipes := map[string]*recall.Recipe{}
	var rows []ranking.Configuration
	for _, r := range sessionAblation() {
		recipes[r.name] = &r.recipe
		rows = append(rows, ranking.Configuration{Name: r.name, Default: r.name == fullRecipe})
	}
	report.Report, err = ranking.Run(ctx, set, rows, func(context.Context, ranking.Corpus) (func(string) ranking.Ranker, func() error, error) {
		return func(name string) ranking.Ranker {
			return func(ctx context.Context, q ranking.Question) (ranking.Ranked, error) {
				in := mind.RankInput{Query: q.Text, Recipe: recipes[name], Limit: rankedTurns, Realm: memory.UserRealm}
				if recipes[name].Near != 0 {
					in.At = q.Time
				}
				out, err := m.Rank(ctx, benchCaller, in)
				return ranking.Ranked{Turns: out.Messages, Sessions: out.Sessions}, err
			}
		}, func() error { return nil }, nil
	}, progress)
	if err != nil {
		return report, err
	}
	if report.Blame, err = blameFigures(ctx, m, dir); err != nil {
		return report, err
	}
	report.Files, err = fileFigures(ctx, m, dir)
	return report, err
}

// sessionAblation builds the recipe up as far as it matters to sessions.
func sessionAblation() []recipeRow {
	full := recall.DefaultRecipe()
	plain := full
	plain.Near, plain.Graph = 0, 0
	only := func(change func(*recall.Recipe)) recall.Recipe {
		r := recall.Recipe{Ranking: full.Ranking}
		change(&r)
		return r
	}
	causal := plain
	causal.Causal = 1
	return []recipeRow{
		{"keyword", only(func(r *recall.Recipe) { r.Keyword = 1 })},
		{"vector", recall.Recipe{Vector: 1}},
		{"hybrid", plain},
		{"hybrid + causal", causal},
		{"hybrid + graph", withGraph(plain)},
		{"hybrid + attractor", withAttractor(plain)},
		{fullRecipe, full}, // with the commit's time
	}
}

// commitQuestions reads commit-queries.tsv (commit, time, subject) and
// commit-qrels.tsv (commit, session).
func commitQuestions(dir string) (ranking.Set, error) {
	relevant := map[string][]string{}
	corpus := ranking.Corpus{Name: "commits"}
	err := eachRow(filepath.Join(dir, "commit-qrels.tsv"), 2, func(row []string) error {
		relevant[row[0]] = append(relevant[row[0]], row[1])
		return nil
	})
	if err != nil {
		return ranking.Set{}, err
	}
	err = eachRow(filepath.Join(dir, "commit-queries.tsv"), 3, func(row []string) error {
		at, err := time.Parse(time.RFC3339, row[1])
		corpus.Questions = append(corpus.Questions, ranking.Question{ID: row[0], Time: at, Text: row[2], Relevant: relevant[row[0]]})
		return err
	})
	if err != nil {
		return ranking.Set{}, err
	}
	files, err := transcripts(filepath.Join(dir, "claude"))
	for _, f := range files {
		id := strings.TrimSuffix(filepath.Base(f), ".jsonl")
		corpus.Turns = append(corpus.Turns, ranking.Turn{ID: "any of " + id, Session: id})
	}
	return ranking.Set{Name: "sessions", Corpora: []ranking.Corpus{corpus}}, err
}

// eachRow calls fn with every row of a table of at least so many columns.
func eachRow(path string, columns int, fn func([]string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = '\t', -1, true
	rows, err := r.ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for i, row := range rows {
		if len(row) < columns {
			return fmt.Errorf("%s:%d has %d columns, not %d", path, i+1, len(row), columns)
		}
		if err := fn(row); err != nil {
			return fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
	}
	return nil
}

// transcripts lists the transcripts under a directory.
func transcripts(dir string) (files []string, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".jsonl") {
			files = append(files, path)
		}
		return err
	})
	slices.Sort(files)
	return files, err
}

// importSessions takes all transcripts under a directory into a new store.
func importSessions(ctx context.Context, dir string) (m *mind.Mind, closeStore func() error, err error) {
	files, err := transcripts(dir)
	if err != nil {
		return nil, nil, err
	}
	home, err := os.MkdirTemp("", "chitta-bench-*")
	if err != nil {
		return nil, nil, err
	}
	cfg := config.Default()
	cfg.Home = home
	if m, err = mind.Open(ctx, mind.Options{Config: cfg}); err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(home))
	}
	closeStore = func() error { return errors.Join(m.Close(), os.RemoveAll(home)) }
	for _, f := range files {
		if _, err := ingestFile(ctx, m, f); err != nil {
			return nil, nil, errors.Join(err, closeStore())
		}
	}
	return m, closeStore, nil
}

// ingestFile reads a transcript to its end.
func ingestFile(ctx context.Context, m *mind.Mind, path string) (out ingest.Report, err error) {
	for !out.Done {
		if out, err = m.SessionIngest(ctx, benchCaller, mind.SessionIngestInput{Path: path, Realm: memory.UserRealm}); err != nil {
			return out, fmt.Errorf("%s: %w", path, err)
		}
	}
	return out, nil
}

// blameFigures asks for every file of files-touched.tsv which sessions touched
// it.
func blameFigures(ctx context.Context, m *mind.Mind, dir string) (BlameFigures, error) {
	touched, err := touchedFiles(dir)
	if err != nil {
		return BlameFigures{}, err
	}
	out := BlameFigures{Files: len(touched)}
	hits := 0
	for path, sessions := range touched {
		named, err := blamed(ctx, m, path)
		if err != nil {
			return out, err
		}
		for _, s := range sessions {
			out.Pairs++
			if named[s] {
				hits++
			}
		}
	}
	if out.Pairs > 0 {
		out.Recall = 100 * float64(hits) / float64(out.Pairs)
	}
	return out, nil
}

// touchedFiles reads files-touched.tsv: which sessions touched a file.
func touchedFiles(dir string) (map[string][]string, error) {
	touched := map[string][]string{}
	return touched, eachRow(filepath.Join(dir, "files-touched.tsv"), 2, func(row []string) error {
		touched[row[0]] = append(touched[row[0]], row[1])
		return nil
	})
}

// fileQuestions are ways to ask about a file.
var fileQuestions = []string{"%s", "what did we change in %s and why", "problem with %s"}

// fileFigures asks recall about every file of files-touched.tsv.
func fileFigures(ctx context.Context, m *mind.Mind, dir string) (FileFigures, error) {
	touched, err := touchedFiles(dir)
	if err != nil {
		return FileFigures{}, err
	}
	out := FileFigures{Questions: len(touched) * len(fileQuestions)}
	paths := slices.Sorted(maps.Keys(touched))
	plain := recall.DefaultRecipe()
	plain.Near, plain.Graph = 0, 0
	for _, r := range []struct {
		recipe recall.Recipe
		mrr    *float64
	}{{plain, &out.Without}, {withGraph(plain), &out.With}} {
		for i := range len(fileQuestions) * len(paths) {
			path := paths[i/len(fileQuestions)]
			query := fmt.Sprintf(fileQuestions[i%len(fileQuestions)], path)
			ranked, err := m.Rank(ctx, benchCaller, mind.RankInput{Query: query, Realm: memory.UserRealm, Recipe: &r.recipe, Limit: rankedTurns})
			if err != nil {
				return out, err
			}
			if first := slices.IndexFunc(ranked.Sessions, func(s string) bool { return slices.Contains(touched[path], s) }); first >= 0 {
				*r.mrr += 100 / float64(first+1) / float64(out.Questions)
			}
			if slices.ContainsFunc(ranked.Stages, func(s recall.StageTime) bool { return s.Stage == recall.StageSessionsGraph }) {
				out.Named++
			}
		}
	}
	return out, nil
}

// blamed returns the sessions that blame names.
func blamed(ctx context.Context, m *mind.Mind, path string) (map[string]bool, error) {
	out, err := m.Blame(ctx, benchCaller, past.BlameInput{File: path, Reads: true, Limit: 100, Realm: memory.UserRealm})
	var missing *memory.NotFoundError
	if errors.As(err, &missing) {
		return nil, nil // nothing touched it
	}
	named := map[string]bool{}
	for _, s := range out.Sessions {
		named[s.Session] = true
	}
	return named, err
}
