package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

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
	for _, p := range out.Unread {
		a.note("line %d is not read, or not all of it: %s\n    %s", p.Line, p.Reason, p.Text)
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
			line, err := r.Line()
			if err == nil {
				err = w.Write(line)
			}
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
	var parts bool
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Take over facts from a file that chitta graph export wrote, or a table of yours",
		Long: `Take over facts from a dot, jsonld or csv file. A csv file needs the columns
subject, predicate and object; id, realm, confidence, source, memory, session,
message, valid_from, valid_until, recorded, closed_by, assertions,
subject_aliases and object_aliases may follow. Times are such as 2026-01-31 or 2026-01-31T12:00:00Z; aliases have |
between them.

Facts that say since when they hold are taken as they are: they end no others,
and what contradicts is for chitta graph contradictions to show.

The whole file is looked through before anything is stored: if a line is wrong,
it is named and nothing is stored. All of it is stored at once or, when it is cut
off, nothing. Importing a file again adds nothing.

A file of more than 5,000 facts, or 32 MiB, would keep others from writing for
too long. It is stored with --parts: each part whole or not at all, with other
writes between them. If that is cut off, what was stored is said and stays;
importing the file again adds the rest.`,
		Example:     "  chitta graph import facts.csv\n  chitta graph import --parts all-facts.csv",
		Args:        exactly(1, "a file"),
		Annotations: map[string]string{localFiles: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := graphFormat(format, args[0])
			if err != nil {
				return err
			}
			path, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			return a.importFacts(cmd.Context(), args[0], mind.GraphImportInput{File: path, Format: string(f), Realm: realm, Parts: parts})
		},
	}
	cmd.Flags().StringVar(&format, "format", "", "dot, jsonld or csv (default: by the ending of the file)")
	cmd.Flags().BoolVar(&parts, "parts", false, "store it in parts, so that others can write meanwhile; needed for a large file")
	realmFlags(cmd.Flags(), &realm, "put all facts into this project (default: the one each names if it is known here, else that of this directory)")
	a.completeWords(cmd, "format", []string{"dot", "jsonld", "csv"})
	return cmd
}

// importFacts lets the daemon import a file, and waits for it.
func (a *app) importFacts(ctx context.Context, name string, in mind.GraphImportInput) error {
	out, raw, err := a.awaitFacts(ctx, in)
	if err != nil {
		return err
	}
	if a.json {
		if err := a.printJSON(raw); err != nil {
			return err
		}
	} else {
		a.factsImported(name, &out)
	}
	err = a.refusals(out.Problems)
	switch {
	case a.json:
	case out.Cut != "" && out.Parts > 0:
		a.note("cut off: %s. The %s above is stored; import the file again for the rest", out.Cut, plural(out.Parts, "part counted", "parts counted"))
	case out.Cut != "":
		a.note("%s", out.Cut)
	case err != nil:
		a.note("nothing was stored")
	}
	if err == nil && out.Cut != "" {
		err = &silentError{exitFailure}
	}
	return err
}

// cancelPatience is how long somebody who gave up an import waits to hear what
// became of it.
const cancelPatience = 10 * time.Second

// cancelFacts ends an import that was given up, and returns what became of it.
func (a *app) cancelFacts(ctx context.Context, in mind.GraphImportInput) (mind.GraphImportOutput, json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelPatience)
	defer cancel()
	return invoke[mind.GraphImportOutput](ctx, a, "graph_import", mind.GraphImportInput{Job: in.Job, File: in.File, Cancel: true})
}

// awaitFacts asks again and again until an import has ended.
func (a *app) awaitFacts(ctx context.Context, in mind.GraphImportInput) (out mind.GraphImportOutput, raw json.RawMessage, err error) {
	phase := ""
	bar := a.byteProgress(phase)
	defer func() { bar.done() }()
	for {
		if out, raw, err = invoke[mind.GraphImportOutput](ctx, a, "graph_import", in); ctx.Err() != nil && err != nil {
			given, answer, failed := a.cancelFacts(ctx, in)
			if failed != nil {
				return out, raw, err
			}
			return given, answer, nil
		}
		if err != nil || out.Job == "" {
			return out, raw, err
		}
		if phase != out.Phase {
			bar.done()
			bar, phase = a.byteProgress(out.Phase), out.Phase
		}
		bar.at(out.Read, out.Size)
		in = mind.GraphImportInput{Job: out.Job}
	}
}

// factsImported says what became of the facts in a file.
func (a *app) factsImported(name string, out *mind.GraphImportOutput) {
	switch {
	case out.Parts == 0 && (len(out.Problems) > 0 || out.Cut != ""):
		return
	case out.Added+out.Strengthened+out.Known == 0:
		a.note("%s has no facts in it", name)
		return
	}
	a.printf("%s added, %d strengthened, %d known already\n", plural(out.Added, "fact", "facts"), out.Strengthened, out.Known)
	if len(out.Taken) > 0 {
		a.note("left out, as they are names of other concepts here: %s", strings.Join(out.Taken, ", "))
	}
	if out.Moved > 0 {
		a.note("%s a project that is not known here, and went to this one", plural(out.Moved, "fact named", "facts named"))
	}
	for i, n := range out.NewIDs {
		if i == 0 {
			a.note("%s another id here, because theirs is that of another fact:", plural(out.Renamed, "fact has", "facts have"))
		}
		a.note("  %s is %s", n.Was, n.Is)
	}
}
