package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chitta/internal/codebase"
	"chitta/internal/config"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// Targets of the index of source code.
const (
	parseRate      = 0.8  // × the rate of the C library alone
	wholeCost      = 2.5  // × the CPU time of parsing
	memoryGrowth   = 1.05 // × what parsing again and again takes at first
	lookupMedian   = 1    // ms
	callersMedian  = 10   // ms, three calls deep
	freshnessOfTen = 2    // ms
	saveMedian     = 200  // ms until a saved file is found with its calls
)

// CodeIndexOptions says what is measured.
type CodeIndexOptions struct {
	// Dirs are the projects; without any Go's standard library, and the project of
	// the directory of work.
	Dirs []string
	Note func(text string) // something a person should know
	// Progress says how far a step is.
	Progress func(step string, done, total int64)

	runs codeIndexRuns
}

// codeIndexRuns says how much is measured.
type codeIndexRuns struct {
	rounds    int   // over the sample, ours and plain in turn
	sample    int64 // bytes that are parsed again and again
	questions int
	checks    int // of ten memories
	files     int // of the project in which files are saved
	saves     int
}

var codeIndexUsual = codeIndexRuns{rounds: 5, sample: 6 << 20, questions: 400, checks: 100, files: 5000, saves: 10}

// CodeIndex measures the index of source code: parsing beside the C library
// alone, a whole index beside parsing, memory, questions, whether memories are
// fresh, and how soon a saved file is found.
func CodeIndex(ctx context.Context, o CodeIndexOptions) (report Report, err error) {
	if !syntax.Available {
		return Report{}, codebase.ErrOff
	}
	if o.runs == (codeIndexRuns{}) {
		o.runs = codeIndexUsual
	}
	if len(o.Dirs) == 0 {
		o.Dirs = o.usual(ctx)
	}
	temp, err := os.MkdirTemp("", "chitta-bench-*")
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	report = Report{Set: "code index"}
	for i, dir := range o.Dirs {
		b := codeIndexBench{CodeIndexOptions: o, home: filepath.Join(temp, fmt.Sprint("home", i))}
		g, err := b.project(ctx, dir)
		if err != nil {
			return report, fmt.Errorf("measure %s: %w", dir, err)
		}
		report.Groups = append(report.Groups, g)
	}
	g, err := o.saving(ctx, temp)
	report.Groups = append(report.Groups, g)
	return report, err
}

// usual is the project of the directory of work, and Go's standard library where
// there is one: the smaller first, as the most memory a process took is known
// for all that were started so far.
func (o *CodeIndexOptions) usual(ctx context.Context) []string {
	var dirs []string
	if out, err := exec.CommandContext(ctx, "git", "rev-parse", "--show-toplevel").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	} else {
		o.Note("the directory of work is in no project; name one with --data")
	}
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	std := filepath.Join(strings.TrimSpace(string(out)), "src")
	if _, missing := os.Stat(std); err == nil && missing == nil {
		return append(dirs, std)
	}
	o.Note("Go is not installed: its standard library is not measured")
	return dirs
}

// codeIndexBench measures one project.
type codeIndexBench struct {
	CodeIndexOptions
	home  string
	root  string
	files []sourceFile // that are indexed
	bytes int64
}

// sourceFile is one file of a project.
type sourceFile struct {
	store.CodeFile
	lang syntax.Lang
	text []byte
}

func (b *codeIndexBench) project(ctx context.Context, dir string) (g Group, err error) {
	if b.root, err = codebase.RootOf(ctx, dir); err != nil {
		return g, err
	}
	whole, indexed, err := b.index(ctx)
	if err != nil {
		return g, err
	}
	g.Name = fmt.Sprintf("%s: %d files, %.1f MB, %d symbols", b.root, len(b.files), float64(b.bytes)/1e6, indexed.Symbols)
	if err := b.parseFigures(ctx, &g); err != nil {
		return g, err
	}
	// parsing stands between two indexes, so that a machine that grows faster or
	// slower does so for both
	parsed, err := b.parseAll(ctx)
	if err != nil {
		return g, err
	}
	again, _, err := b.index(ctx)
	if err != nil {
		return g, err
	}
	whole = whole.mean(again)
	g.add("parse, every file, CPU", parsed, "s")
	mb, files := float64(b.bytes)/1e6, float64(len(b.files))
	g.atMost("whole index against parsing, CPU", ratio(whole.cpu(), parsed), "×", wholeCost)
	g.add("whole index, CPU", whole.cpu(), "s")
	g.add("of that in this process (storing)", whole.self, "s")
	g.add("of that in processes it starts (parsing, resolving)", whole.children, "s")
	g.add("whole index, wall", whole.wall.Seconds(), "s")
	g.add("whole index", ratio(mb, whole.cpu()), "MB per CPU-second")
	g.add("whole index, files", ratio(files, whole.cpu()), "files per CPU-second")
	g.add("database per byte of source", ratio(float64(fileSize(b.database())), float64(b.bytes)), "×")
	if whole.resident > 0 {
		g.add("resident, this process", float64(whole.resident)/1e6, "MB")
		g.add("resident, the largest it started", float64(whole.largest)/1e6, "MB")
	}
	if err := b.memoryFigures(&g); err != nil {
		return g, err
	}
	return g, b.questionFigures(ctx, &g)
}

func (b *codeIndexBench) database() string {
	cfg := config.Default()
	cfg.Home = b.home
	return cfg.Paths().Code()
}

// index makes the index of the project anew and learns which files it has.
func (b *codeIndexBench) index(ctx context.Context) (whole spending, report codebase.Report, err error) {
	if err := os.RemoveAll(b.home); err != nil {
		return whole, report, err
	}
	if err := os.MkdirAll(filepath.Dir(b.database()), 0o700); err != nil {
		return whole, report, err
	}
	b.files, b.bytes = nil, 0
	before := spentSoFar()
	base, err := codebase.Open(ctx, codebase.Options{Path: b.database()})
	if err != nil {
		return whole, report, err
	}
	defer func() { err = errors.Join(err, base.Close()) }()
	report, err = base.Index(ctx, b.root, "", func(p codebase.Progress) { b.Progress(p.Phase, int64(p.Done), int64(p.Total)) })
	if err != nil {
		return whole, report, err
	}
	whole = spentSoFar().since(before)
	row, err := base.Store().Project(ctx, b.root)
	if err != nil {
		return whole, report, err
	}
	list, err := base.Store().CodeFiles(ctx, row.ID)
	if err != nil {
		return whole, report, err
	}
	for _, f := range list {
		if f.Skipped == "" {
			b.files = append(b.files, sourceFile{CodeFile: f, lang: syntax.LangOf(f.Path)})
			b.bytes += f.Size
		}
	}
	if len(b.files) == 0 {
		return whole, report, errors.New("there are no source files")
	}
	slices.SortFunc(b.files, func(a, b sourceFile) int { return cmp.Compare(a.Path, b.Path) })
	return whole, report, nil
}

// spending is what something took.
type spending struct {
	self, children    float64 // CPU seconds
	wall              time.Duration
	at                time.Time
	resident, largest int64 // bytes: now, and of the largest child so far
}

func (s spending) cpu() float64 { return s.self + s.children }

func (s spending) since(before spending) spending {
	s.self, s.children, s.wall = s.self-before.self, s.children-before.children, s.at.Sub(before.at)
	return s
}

// mean is what one of two takes on average, and the most memory of both.
func (s spending) mean(t spending) spending {
	s.self, s.children, s.wall = (s.self+t.self)/2, (s.children+t.children)/2, (s.wall+t.wall)/2
	s.resident, s.largest = max(s.resident, t.resident), max(s.largest, t.largest)
	return s
}

// ratio is 0 where nothing was measured.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func fileSize(path string) int64 {
	fi, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return fi.Size()
}
