package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"chitta/internal/ingest"
	"chitta/internal/mind"
	"chitta/internal/moment"
	"chitta/internal/rpc"
)

// Formats of files to import.
const (
	formatExport = "chitta"
	formatTurns  = "turns"
	formatClaude = "claude-code"
)

func (a *app) importCommand() *cobra.Command {
	var format, realm string
	var learn bool
	cmd := &cobra.Command{
		Use: "import [PATH…]", Short: "Take over transcripts of sessions, exported memories, or other conversations",
		Long: "Take over transcripts of sessions, exported memories, or other conversations.\n\n" +
			"Without a path, all transcripts of the client. A folder is looked through for .jsonl files.\n" +
			"What a file is shows in its first lines. What is known already is not taken again.\n\n" +
			"With --learn, what the sessions in these files teach is learned as well, unless hooks learned from them; chitta learn-history learns from all that are stored.",
		Example: `  chitta import --learn
  chitta import ~/old/.claude/projects
  chitta import memories.jsonl
  chitta import --format turns chat.jsonl`,
		Annotations: map[string]string{localFiles: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "" && format != formatExport && format != formatTurns && format != formatClaude {
				return &usageError{fmt.Sprintf("--format %q is not known", format), "use chitta (what chitta export wrote), turns or claude-code"}
			}
			if slices.Contains(args, "-") {
				if len(args) > 1 {
					return &usageError{"standard input cannot be mixed with files", "import it alone"}
				}
				if learn {
					return &usageError{"--learn goes with files", "import the stream, then: chitta learn-history"}
				}
				return a.importStream(cmd.Context(), format, realm)
			}
			if len(args) == 0 {
				dir, err := a.transcripts()
				if err != nil {
					return err
				}
				args = []string{dir}
			}
			return a.importPaths(cmd.Context(), args, importing{format: format, realm: realm, learn: learn})
		},
	}
	cmd.Flags().StringVar(&format, "format", "", "what the files are: chitta (what chitta export wrote), turns (a conversation, one turn per line) or claude-code; default: what each shows")
	cmd.Flags().StringVar(&realm, "realm", "", "project that conversations belong to: id or name; default: where each took place, for turns the project of the working directory")
	cmd.Flags().BoolVar(&learn, "learn", false, "learn from the sessions in these files that no hook told of, when they are taken over")
	a.completeWords(cmd, "format", []string{formatExport, formatTurns, formatClaude})
	return cmd
}

// transcriptDir is where the client keeps its transcripts.
func (a *app) transcriptDir() (string, error) {
	cfg, err := a.config()
	if err != nil {
		return "", err
	}
	return ingest.TranscriptsDir(cfg)
}

// transcripts is where the client keeps its transcripts, if it has any.
func (a *app) transcripts() (string, error) {
	dir, err := a.transcriptDir()
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return "", &usageError{"the client has no transcripts here: " + dir + " does not exist", "name a file or a folder, or say with CLAUDE_CONFIG_DIR where the client keeps its data"}
	}
	return dir, nil
}

// importStream takes over standard input.
func (a *app) importStream(ctx context.Context, format, realm string) error {
	if format == formatTurns || format == formatClaude {
		return a.importLines(ctx, a.in, format, realm)
	}
	out, err := a.importMemories(ctx, a.in, 0)
	if err != nil {
		return err
	}
	return a.showMemories(out)
}

// importFile is a file to import.
type importFile struct {
	path  string
	size  int64
	found bool // by looking through a folder
}

// importPaths takes over files and folders.
func (a *app) importPaths(ctx context.Context, paths []string, way importing) error {
	files, closed, err := importFiles(paths)
	if err != nil {
		return err
	}
	if len(files) == 1 && !files[0].found {
		// an export alone is reported in its own words
		if is, err := a.looksLikeExport(files[0].path, way.format); err != nil {
			return &usageError{err.Error(), "name a file that can be read"}
		} else if is {
			out, err := a.importExport(ctx, files[0])
			if err != nil {
				return err
			}
			return a.showMemories(out)
		}
	}
	way.closed = closed
	im, err := a.importAll(ctx, files, way)
	if err != nil {
		return err
	}
	if way.learn {
		if im.report.Learned, err = a.learnHistory(ctx, moment.HistoryInput{Realm: "all", Paths: realPaths(paths, files)}); err != nil {
			return err
		}
	}
	return im.show()
}

// realPaths returns what was named and all that is imported as the daemon knows
// it, without symbolic links. A folder stands for the files in it.
func realPaths(named []string, files []importFile) []string {
	var out []string
	add := func(path string) {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return // gone meanwhile, and nothing was read from it
		}
		inside := func(folder string) bool { return strings.HasPrefix(real, folder+string(filepath.Separator)) }
		if !slices.Contains(out, real) && !slices.ContainsFunc(out, inside) {
			out = append(out, real)
		}
	}
	for _, path := range named {
		if abs, err := absolute(path); err == nil {
			add(abs)
		}
	}
	for _, f := range files {
		add(f.path)
	}
	return out
}

// importAll takes over files one after the other, in the way given.
func (a *app) importAll(ctx context.Context, files []importFile, way importing) (*importing, error) {
	im := &way
	im.app, im.bar, im.begun = a, a.byteProgress("importing"), time.Now()
	im.report = importReport{
		Rewritten: []string{}, Types: map[string]int{}, Skipped: map[string]int{}, Problems: []importProblem{}, NotImported: []importProblem{},
	}
	im.report.NotImported = append(im.report.NotImported, way.closed...)
	for _, f := range files {
		im.total += f.size
	}
	for _, f := range files {
		if err := im.take(ctx, f); err != nil {
			im.bar.done()
			return nil, err
		}
		im.done += f.size
	}
	im.bar.done()
	im.report.Seconds = time.Since(im.begun).Seconds()
	return im, nil
}

// importFiles lists what is to be imported, each file once, and the folders
// that cannot be looked through.
func importFiles(paths []string) (files []importFile, closed []importProblem, err error) {
	seen := map[string]bool{}
	for _, path := range paths {
		abs, err := absolute(path)
		if err != nil {
			return nil, nil, err
		}
		fi, err := os.Stat(abs)
		if err != nil {
			return nil, nil, &usageError{err.Error(), "name a file or a folder that can be read"}
		}
		add := func(path string, fi fs.FileInfo, found bool) {
			if !seen[path] {
				seen[path] = true
				files = append(files, importFile{path, fi.Size(), found})
			}
		}
		if !fi.IsDir() {
			add(abs, fi, false)
			continue
		}
		err = ingest.Walk(abs, func(path string, fi fs.FileInfo) error {
			if !fi.IsDir() {
				add(path, fi, true)
			}
			return nil
		}, func(path string, err error) {
			closed = append(closed, importProblem{File: path, Why: "the folder cannot be read: " + err.Error()})
		})
		if err != nil {
			return nil, nil, &usageError{err.Error(), "name a folder that can be read"}
		}
	}
	return files, closed, nil
}

// looksLikeExport reports whether a file is what chitta export wrote, or is to
// be taken as that.
func (a *app) looksLikeExport(path, format string) (bool, error) {
	if format != "" {
		return format == formatExport, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, len("\uFEFF")+len(exportStart))
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return false, err
	}
	return bytes.HasPrefix(bytes.TrimPrefix(head[:n], []byte("\uFEFF")), []byte(exportStart)), nil
}

func (a *app) importExport(ctx context.Context, file importFile) (mind.ImportOutput, error) {
	f, err := os.Open(file.path)
	if err != nil {
		return mind.ImportOutput{}, &usageError{err.Error(), "name a file that can be read"}
	}
	defer f.Close()
	return a.importMemories(ctx, f, file.size)
}

// importReport says what became of files. Of the lines, those that are new,
// known, skipped and quarantined add up to all.
type importReport struct {
	Files       int                `json:"files"`
	Unchanged   int                `json:"unchanged"` // files that were not read again
	Rewritten   []string           `json:"rewritten"` // files that are others than when they were last read
	Lines       int                `json:"lines"`
	Types       map[string]int     `json:"types"` // lines by type
	Messages    importMessages     `json:"messages"`
	Skipped     map[string]int     `json:"skipped"` // lines by type
	Quarantined int                `json:"quarantined"`
	Incomplete  int                `json:"incomplete"` // of those: last lines that are still being written
	Problems    []importProblem    `json:"problems"`
	NotImported []importProblem    `json:"not_imported"` // files
	Sessions    int                `json:"sessions"`     // new ones
	Conflicts   int                `json:"conflicts"`    // messages that are here with other words under the same name
	Redacted    int                `json:"redacted"`
	Memories    *mind.ImportOutput `json:"memories,omitempty"` // of exports among the files
	Learned     *historyLearned    `json:"learned,omitempty"`
	Seconds     float64            `json:"seconds"` // of taking over
}

type importMessages struct {
	New   int `json:"new"`
	Known int `json:"known"`
}

type importProblem struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Why  string `json:"why"`
}

// importing is an import under way.
type importing struct {
	*app
	format, realm string
	migration     bool            // it can be rolled back
	learn         bool            // and learned from
	closed        []importProblem // folders that cannot be read
	bar           *progress
	begun         time.Time
	done, total   int64
	report        importReport
}

// take takes over one file. One that cannot be read is noted, and the others
// go on.
func (im *importing) take(ctx context.Context, f importFile) error {
	im.report.Files++
	if !utf8.ValidString(f.path) {
		im.leave(f, "its name is not valid UTF-8")
		return nil
	}
	is, err := im.looksLikeExport(f.path, im.format)
	if err != nil {
		im.leave(f, err.Error())
		return nil
	}
	if is {
		return im.takeExport(ctx, f)
	}
	for {
		out, _, err := invoke[ingest.Report](ctx, im.app, "session_ingest", mind.SessionIngestInput{Path: f.path, Format: im.format, Realm: im.realm, Migration: im.migration})
		if remote := (*rpc.Error)(nil); errors.As(err, &remote) && remote.Data != nil && remote.Data.Field == "path" {
			im.leave(f, remote.Message)
			return nil
		}
		if err != nil {
			return err
		}
		im.count(f, &out)
		im.bar.at(im.done+out.Offset, im.total)
		if out.Done {
			return nil
		}
	}
}

func (im *importing) leave(f importFile, why string) {
	im.report.NotImported = append(im.report.NotImported, importProblem{File: f.path, Why: why})
}

func (im *importing) takeExport(ctx context.Context, f importFile) error {
	out, err := im.importExport(ctx, f)
	if err != nil {
		return err
	}
	if im.report.Memories == nil {
		im.report.Memories = &mind.ImportOutput{Refused: []mind.ImportProblem{}}
	}
	all := im.report.Memories
	all.Added += out.Added
	all.Updated += out.Updated
	all.Known += out.Known
	all.Realms += out.Realms
	all.Redacted += out.Redacted
	all.Refused = append(all.Refused, out.Refused...)
	for _, p := range out.Refused {
		im.report.Problems = append(im.report.Problems, importProblem{File: f.path, Line: p.Line, Why: p.Why})
	}
	return nil
}

// count adds what became of the lines of a file.
func (im *importing) count(f importFile, out *ingest.Report) {
	r := &im.report
	switch {
	case out.Unchanged:
		r.Unchanged++
	case out.Format == "" && out.Size > 0:
		im.leave(f, "not a conversation that chitta knows, nor an export")
	}
	if out.Rewritten && !slices.Contains(r.Rewritten, f.path) { // a long one takes several calls
		r.Rewritten = append(r.Rewritten, f.path)
	}
	r.Lines += out.Lines
	r.Messages.New += out.Added
	r.Messages.Known += out.Known
	r.Quarantined += out.Quarantined
	r.Incomplete += out.Incomplete
	r.Sessions += out.Sessions
	r.Conflicts += out.Conflicts
	r.Redacted += out.Redacted
	for t, n := range out.Types {
		r.Types[t] += n
	}
	for t, n := range out.Skipped {
		r.Skipped[t] += n
	}
	for _, p := range out.Problems {
		r.Problems = append(r.Problems, importProblem{f.path, p.Line, p.Why})
	}
}

// show prints the report. Lines or files that could not be taken are a
// failure; a last line that is still being written is not.
func (im *importing) show() error {
	r := &im.report
	if im.json {
		if err := im.printJSON(r); err != nil {
			return err
		}
	} else {
		im.words()
	}
	refused := r.Learned != nil && len(r.Learned.Problems) > 0 || r.Quarantined > r.Incomplete || r.Conflicts > 0 || len(r.NotImported) > 0 || r.Memories != nil && len(r.Memories.Refused) > 0
	if refused {
		return &silentError{exitFailure}
	}
	return nil
}

func (im *importing) words() {
	r := &im.report
	read := plural(r.Files, "file", "files")
	if r.Unchanged > 0 {
		read += fmt.Sprintf(", %d unchanged", r.Unchanged)
	}
	im.printf("%s, %s\n", read, plural(r.Lines, "line", "lines"))
	const width = 12
	im.row(width, "messages", fmt.Sprintf("%d new in %s, %d known already", r.Messages.New, plural(r.Sessions, "new session", "new sessions"), r.Messages.Known))
	if m := r.Memories; m != nil {
		im.row(width, "memories", fmt.Sprintf("%d added, %d updated, %d known already", m.Added, m.Updated, m.Known))
	}
	if len(r.Skipped) > 0 {
		n, parts := 0, []string{}
		for _, t := range byCount(r.Skipped) {
			n += r.Skipped[t]
			parts = append(parts, fmt.Sprintf("%s %d", t, r.Skipped[t]))
		}
		im.row(width, "skipped", fmt.Sprintf("%d: %s", n, strings.Join(parts, ", ")))
	}
	if r.Quarantined > 0 {
		im.row(width, "quarantined", fmt.Sprint(r.Quarantined))
	}
	if r.Conflicts > 0 {
		im.row(width, "conflicts", fmt.Sprintf("%d of those known say something else here", r.Conflicts))
	}
	if r.Redacted > 0 {
		im.row(width, "secrets", fmt.Sprintf("%d taken out", r.Redacted))
	}
	im.rewritten()
	for _, p := range r.Problems {
		im.note("%s:%d not taken: %s", p.File, p.Line, p.Why)
	}
	if more := r.Quarantined + r.Conflicts - len(r.Problems); more > 0 && r.Memories == nil {
		im.note("and %s", plural(more, "more line", "more lines"))
	}
	for _, p := range r.NotImported {
		im.note("%s not imported: %s", p.File, p.Why)
	}
	if r.Learned != nil {
		im.learned(r.Learned)
	}
}

// rewrittenNamed is how many files that were rewritten are named; a client that
// rewrites all its transcripts would fill the screen.
const rewrittenNamed = 10

// rewritten says which files no longer say what they said.
func (im *importing) rewritten() {
	files := im.report.Rewritten
	if len(files) == 0 {
		return
	}
	names := strings.Join(files[:min(len(files), rewrittenNamed)], ", ")
	if more := len(files) - rewrittenNamed; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	if len(files) == 1 {
		im.note("1 file was rewritten since it was last read: %s; what it had said before stays", names)
		return
	}
	im.note("%d files were rewritten since they were last read: %s; what they had said before stays", len(files), names)
}

// byCount lists names, the most frequent first.
func byCount(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
}
