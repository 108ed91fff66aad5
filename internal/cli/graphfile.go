package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"chitta/internal/graph"
	"chitta/internal/mind"
)

func (a *app) graphParseCommand() *cobra.Command {
	var in mind.GraphParseInput
	cmd := &cobra.Command{
		Use: "parse [FILE]", Short: "Read a file in notation and show what it says; --apply stores it",
		Long: `Read a file in notation, one statement or several a line:

  A -> B  or  A => B          A causes B; chains: A -> B -> C
  A :: B                      A is a B
  A ~ B ~ C                   they are related
  A -[solves]-> B             any predicate
  A -[solves]-> B (0.8)       with a confidence

Blank lines and lines that begin with # are passed over. With --apply all
statements are stored, or none if a line cannot be read.`,
		Example:     "  chitta graph parse facts.txt\n  chitta graph parse --prose --apply notes.md",
		Annotations: map[string]string{localFiles: ""},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.Text, in.Source, err = a.notation(args, in.Source); err != nil {
				return err
			}
			out, raw, err := invoke[mind.GraphParseOutput](cmd.Context(), a, "graph_parse", in)
			if err != nil {
				return err
			}
			if a.json {
				err = a.printJSON(raw)
			} else {
				a.parsed(&out, in.Apply)
			}
			if err == nil && len(out.Problems) > 0 {
				return &silentError{exitFailure}
			}
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&in.Apply, "apply", false, "store the statements")
	f.BoolVar(&in.Prose, "prose", false, "the text is prose: take only what is plainly notation")
	f.StringVar(&in.Source, "source", "", "where it comes from (default: the file's name)")
	writeFlags(f, &in.Realm, &in.Global)
	return cmd
}

// notation reads the text to parse and says where it comes from.
func (a *app) notation(args []string, source string) (text, from string, err error) {
	if len(args) > 1 {
		return "", "", &usageError{"chitta graph parse takes one file", "a statement is stored with: chitta graph add"}
	}
	if len(args) == 0 || args[0] == "-" {
		text, err = a.text(args, "notation")
		return text, source, err
	}
	file, err := os.Open(args[0])
	if err != nil {
		return "", "", err
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, maxInput+1))
	if err != nil {
		return "", "", err
	}
	if len(b) > maxInput {
		return "", "", &usageError{fmt.Sprintf("%s has more than %s", args[0], bytesText(maxInput)), "split it, or import it as csv: chitta graph import"}
	}
	if source == "" {
		source = "file " + filepath.Base(args[0])
	}
	return strings.ToValidUTF8(string(b), "\uFFFD"), source, nil
}

func (a *app) parsed(out *mind.GraphParseOutput, apply bool) {
	for _, s := range out.Statements {
		done := styled("")
		if s.ID != "" {
			done = a.dim("  " + s.Action + " " + s.ID)
		}
		a.printf("%s  %s -[%s]-> %s%s\n", a.dim(fmt.Sprintf("%4d", s.Line)), s.Subject, s.Predicate, s.Object, done)
	}
	for _, p := range out.Problems {
		a.note("line %d: %s\n    %s", p.Line, p.Reason, p.Text)
	}
	switch {
	case len(out.Problems) > 0 && apply:
		a.note("nothing was stored: %s first", plural(len(out.Problems), "line has to be mended", "lines have to be mended"))
	case len(out.Statements) == 0:
		a.note("the text has no notation in it")
	case !apply:
		a.note("nothing was stored; --apply does")
	}
}

// graphFormat finds the format that a name or the ending of a file means.
func graphFormat(name, file string) (graph.Format, error) {
	endings := map[string]graph.Format{".dot": graph.DOT, ".gv": graph.DOT, ".jsonld": graph.JSONLD, ".json": graph.JSONLD, ".csv": graph.CSV}
	if name == "" {
		if f, ok := endings[strings.ToLower(filepath.Ext(file))]; ok {
			return f, nil
		}
		return "", &usageError{"the format is not known", "say it with --format: dot, jsonld or csv; notation is read by chitta graph parse"}
	}
	if f, ok := endings["."+strings.ToLower(strings.ReplaceAll(name, "-", ""))]; ok {
		return f, nil
	}
	return "", &usageError{fmt.Sprintf("--format %q is not known", name), "use dot, jsonld or csv"}
}

func (a *app) graphExportCommand() *cobra.Command {
	var in mind.GraphExportInput
	var format, out string
	cmd := &cobra.Command{
		Use: "export", Short: "Write all facts to a file: dot, jsonld or csv", Args: noArgs,
		Example:     "  chitta graph export --out facts.csv\n  chitta graph export --format dot | dot -Tsvg > facts.svg",
		Annotations: map[string]string{localFiles: ""},
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := graphFormat(format, out)
			if err != nil {
				return err
			}
			if out == "" || out == "-" {
				_, err := a.writeFacts(cmd.Context(), in, f, a.out)
				return err
			}
			var n int
			err = whole(out, func(w io.Writer) (err error) {
				n, err = a.writeFacts(cmd.Context(), in, f, w)
				return err
			})
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]any{"file": out, "facts": n})
			}
			a.printf("%s written to %s\n", plural(n, "fact", "facts"), a.bold(out))
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&format, "format", "", "dot, jsonld or csv (default: by the ending of --out)")
	f.StringVar(&out, "out", "", "file to write, - for standard output")
	realmFlags(f, &in.Realm, "project: id or name; all for every project")
	a.completeWords(cmd, "format", []string{"dot", "jsonld", "csv"})
	return cmd
}

func (a *app) writeFacts(ctx context.Context, in mind.GraphExportInput, f graph.Format, to io.Writer) (n int, err error) {
	w, err := graph.NewWriter(f, to)
	if err != nil {
		return 0, err
	}
	bar := a.progress("exporting")
	defer bar.done()
	for total := 0; ; {
		page, _, err := invoke[mind.GraphExportOutput](ctx, a, "graph_export", in)
		if err != nil {
			return n, err
		}
		for _, r := range page.Records {
			err := w.Write(graph.Record{ID: r.ID, Realm: r.Realm, Subject: r.Subject, Predicate: r.Predicate, Object: r.Object, Confidence: r.Confidence,
				Source: r.Source, Memory: r.Memory, Session: r.Session, Message: r.Message, ValidFrom: r.From, ValidUntil: r.Until, Recorded: r.Recorded,
				SubjectAliases: graph.JoinNames(r.SubjectAliases), ObjectAliases: graph.JoinNames(r.ObjectAliases)})
			if err != nil {
				return n, err
			}
			n++
		}
		total = max(total, page.Total)
		bar.at(int64(n), int64(total))
		if page.Next == "" {
			return n, w.Close()
		}
		in.Cursor = page.Next
	}
}

func (a *app) graphImportCommand() *cobra.Command {
	var format, realm string
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Take over facts from a file that chitta graph export wrote, or a table of yours",
		Long: `Take over facts from a dot, jsonld or csv file. A csv file needs the columns
subject, predicate and object; id, realm, confidence, source, memory, session,
message, valid_from, valid_until, recorded, subject_aliases and object_aliases
may follow. Times are such as 2026-01-31 or 2026-01-31T12:00:00Z; aliases have |
between them.

Facts that say since when they hold are taken as they are: they end no others,
and what contradicts is for chitta graph contradictions to show.

The whole file is looked through before anything is stored: if a line is wrong,
it is named and nothing is stored. Importing a file again adds nothing.`,
		Example:     "  chitta graph import facts.csv",
		Args:        exactly(1, "a file"),
		Annotations: map[string]string{localFiles: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := graphFormat(format, args[0])
			if err != nil {
				return err
			}
			x := factsImport{app: a, file: args[0], format: f, in: mind.GraphImportInput{Realm: realm}}
			return x.run(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&format, "format", "", "dot, jsonld or csv (default: by the ending of the file)")
	realmFlags(cmd.Flags(), &realm, "put all facts into this project (default: the one each names if it is known here, else that of this directory)")
	a.completeWords(cmd, "format", []string{"dot", "jsonld", "csv"})
	return cmd
}

// factsImport is an import of facts: a pass that changes nothing and finds what
// is wrong, then one that stores.
type factsImport struct {
	*app
	file   string
	format graph.Format
	in     mind.GraphImportInput
	bar    *progress
	total  mind.GraphImportOutput
}

const (
	// graphBatch facts go in one call.
	graphBatch = 500
	// wrongLines is how many wrong lines are named before giving up.
	wrongLines = 20
)

func (x *factsImport) run(ctx context.Context) error {
	x.total.Problems = []mind.ImportProblem{}
	x.in.Dry, x.bar = true, x.byteProgress("checking")
	n, err := x.pass(ctx)
	x.bar.done()
	if err != nil {
		return err
	}
	if len(x.total.Problems) == 0 && n > 0 {
		x.total = mind.GraphImportOutput{Problems: []mind.ImportProblem{}}
		x.in.Dry, x.bar = false, x.byteProgress("importing")
		_, err = x.pass(ctx)
		x.bar.done()
		if err != nil {
			return fmt.Errorf("%w; %d facts were taken over before that, importing the file again takes the rest", err, x.total.Added+x.total.Strengthened+x.total.Known)
		}
	}
	if len(x.total.Problems) > 0 {
		x.total.Added, x.total.Strengthened, x.total.Known, x.total.Moved = 0, 0, 0, 0
	}
	if x.json {
		if err := x.printJSON(x.total); err != nil {
			return err
		}
	} else if n == 0 && len(x.total.Problems) == 0 {
		x.note("%s has no facts in it", x.file)
	} else if len(x.total.Problems) == 0 {
		x.printf("%s added, %d strengthened, %d known already\n", plural(x.total.Added, "fact", "facts"), x.total.Strengthened, x.total.Known)
		if len(x.total.Taken) > 0 {
			x.note("left out, as they are names of other concepts here: %s", strings.Join(x.total.Taken, ", "))
		}
		if x.total.Moved > 0 {
			x.note("%s a project that is not known here, and went to this one", plural(x.total.Moved, "fact named", "facts named"))
		}
	}
	err = x.refusals(x.total.Problems)
	if err != nil && !x.json {
		x.note("nothing was stored")
	}
	return err
}

// pass sends the whole file once and returns how many facts it has.
func (x *factsImport) pass(ctx context.Context) (n int, err error) {
	file, err := os.Open(x.file)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	if info.Mode().IsRegular() && info.Size() == 0 {
		return 0, &usageError{x.file + " is empty", "name a file that chitta graph export wrote"}
	}
	if !info.Mode().IsRegular() {
		return 0, &usageError{x.file + " is not a file", "name a file; it is read twice"}
	}
	lines := &lineReader{from: bufio.NewReader(file)}
	var batch []mind.GraphRecord
	var numbers []int
	flush := func() error {
		err := x.send(ctx, batch, numbers)
		batch, numbers = nil, nil
		x.bar.at(lines.bytes, info.Size())
		return err
	}
	for r, err := range graph.Read(x.format, lines) {
		var wrong *graph.LineError
		switch {
		case errors.As(err, &wrong):
			x.total.Problems = append(x.total.Problems, mind.ImportProblem{Line: wrong.Line, Why: wrong.Err.Error()})
		case err != nil:
			return n, err
		default:
			n++
			numbers = append(numbers, lines.lines)
			batch = append(batch, mind.GraphRecord{ID: r.ID, Realm: r.Realm, Subject: r.Subject, Predicate: r.Predicate, Object: r.Object, Confidence: r.Confidence,
				Source: r.Source, Memory: r.Memory, Session: r.Session, Message: r.Message, From: r.ValidFrom, Until: r.ValidUntil, Recorded: r.Recorded,
				SubjectAliases: graph.SplitNames(r.SubjectAliases), ObjectAliases: graph.SplitNames(r.ObjectAliases)})
		}
		if len(batch) == graphBatch {
			if err := flush(); err != nil {
				return n, err
			}
		}
		if len(x.total.Problems) >= wrongLines {
			break
		}
	}
	if err := flush(); err != nil {
		return n, err
	}
	slices.SortFunc(x.total.Problems, func(a, b mind.ImportProblem) int { return a.Line - b.Line })
	return n, nil
}

func (x *factsImport) send(ctx context.Context, batch []mind.GraphRecord, numbers []int) error {
	if len(batch) == 0 {
		return nil
	}
	in := x.in
	in.Records = batch
	out, _, err := invoke[mind.GraphImportOutput](ctx, x.app, "graph_import", in)
	if err != nil {
		return err
	}
	x.total.Added += out.Added
	x.total.Strengthened += out.Strengthened
	x.total.Known += out.Known
	x.total.Moved += out.Moved
	x.total.Taken = append(x.total.Taken, out.Taken...)
	for _, p := range out.Problems {
		x.total.Problems = append(x.total.Problems, mind.ImportProblem{Line: numbers[p.Line-1], Why: p.Why})
	}
	return nil
}

// lineReader hands out one line at a time, so that whoever reads records of a
// line each is never further than lines says.
type lineReader struct {
	from  *bufio.Reader
	rest  []byte
	lines int
	bytes int64
}

func (l *lineReader) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		part, err := l.from.ReadSlice('\n')
		if len(part) == 0 {
			return 0, err
		}
		if part[len(part)-1] == '\n' || errors.Is(err, io.EOF) {
			l.lines++
		}
		l.bytes += int64(len(part))
		l.rest = part
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}
