package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"chitta/internal/mind"
	"chitta/internal/rpc"
)

func (a *app) exportCommand() *cobra.Command {
	var in mind.ExportInput
	cmd := &cobra.Command{
		Use: "export [FILE]", Short: "Write memories with their history as JSON lines",
		Annotations: map[string]string{localFiles: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{"chitta export takes at most one file", "try: chitta export --help"}
			}
			if len(args) == 0 || args[0] == "-" {
				_, err := a.export(cmd.Context(), in, a.out)
				return err
			}
			n, err := a.exportFile(cmd.Context(), in, args[0])
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]any{"file": args[0], "memories": n})
			}
			a.printf("%s written to %s\n", plural(n, "memory", "memories"), a.bold(args[0]))
			return nil
		},
	}
	cmd.Flags().StringVar(&in.Realm, "realm", "", "only this project")
	cmd.Flags().StringSliceVarP(&in.Kinds, "kind", "k", nil, "only these kinds")
	cmd.Flags().StringSliceVarP(&in.Tags, "tag", "t", nil, "only with all of these tags")
	return cmd
}

// export writes all pages and returns how many memories they had.
func (a *app) export(ctx context.Context, in mind.ExportInput, w io.Writer) (n int, err error) {
	for {
		page, _, err := invoke[struct {
			Lines []json.RawMessage `json:"lines"`
			Next  string            `json:"next"`
		}](ctx, a, "memory_export", in)
		if err != nil {
			return n, err
		}
		for _, line := range page.Lines {
			if bytes.HasPrefix(line, []byte(`{"memory"`)) {
				n++
			}
			if _, err := fmt.Fprintf(w, "%s\n", line); err != nil {
				return n, err
			}
		}
		if page.Next == "" {
			return n, nil
		}
		in.Cursor = page.Next
	}
}

// exportFile writes to a file that appears whole or not at all.
func (a *app) exportFile(ctx context.Context, in mind.ExportInput, path string) (n int, err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".chitta-export-*") // made for the owner only
	if err != nil {
		return 0, err
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	w := bufio.NewWriter(tmp)
	if n, err = a.export(ctx, in, w); err != nil {
		return n, err
	}
	if err := errors.Join(w.Flush(), tmp.Sync(), tmp.Close()); err != nil {
		return n, err
	}
	return n, os.Rename(tmp.Name(), path)
}

func (a *app) importCommand() *cobra.Command {
	var format, realm string
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Take over exported memories, or the log of a conversation", Args: exactly(1, "the file to import, or - for standard input"),
		Example: `  chitta import memories.jsonl
  chitta import --format turns chat.jsonl`,
		Annotations: map[string]string{localFiles: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != formatExport && format != formatTurns {
				return &usageError{fmt.Sprintf("--format %q is not known", format), "use chitta (what chitta export wrote) or turns"}
			}
			from := a.in
			var size int64
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return &usageError{err.Error(), "name a file that can be read"}
				}
				defer f.Close()
				if fi, err := f.Stat(); err == nil {
					size = fi.Size()
				}
				from = f
			}
			if format == formatTurns {
				return a.importTurns(cmd.Context(), from, size, realm)
			}
			return a.importMemories(cmd.Context(), from, size)
		},
	}
	cmd.Flags().StringVar(&format, "format", formatExport, "what the file is: chitta (what chitta export wrote) or turns (a conversation, one turn per line)")
	cmd.Flags().StringVar(&realm, "realm", "", "project that a conversation belongs to: id or name; default: that of the working directory")
	return cmd
}

// Formats of files to import.
const (
	formatExport = "chitta"
	formatTurns  = "turns"
)

// importMemories takes over what chitta export wrote.
func (a *app) importMemories(ctx context.Context, from io.Reader, size int64) error {
	total := mind.ImportOutput{Refused: []mind.ImportProblem{}}
	refused, err := a.sendLines(ctx, from, size, isExport, func(lines [][]byte) ([]mind.ImportProblem, error) {
		raw := make([]json.RawMessage, len(lines))
		var refused []mind.ImportProblem
		for i, line := range lines {
			if raw[i] = line; !json.Valid(line) {
				raw[i] = json.RawMessage("null")
				refused = append(refused, mind.ImportProblem{Line: i + 1, Why: "not JSON"})
			}
		}
		out, _, err := invoke[mind.ImportOutput](ctx, a, "memory_import", mind.ImportInput{Lines: raw})
		if err != nil {
			return nil, err
		}
		total.Added += out.Added
		total.Updated += out.Updated
		total.Known += out.Known
		total.Realms += out.Realms
		total.Redacted += out.Redacted
		for _, p := range out.Refused {
			if string(raw[p.Line-1]) != "null" {
				refused = append(refused, p)
			}
		}
		return refused, nil
	})
	if err != nil {
		return err
	}
	total.Refused = append(total.Refused, refused...)
	if a.json {
		if err := a.printJSON(total); err != nil {
			return err
		}
	} else {
		a.printf("%s added, %d updated, %d known already\n", plural(total.Added, "memory", "memories"), total.Updated, total.Known)
	}
	return a.refusals(refused)
}

// importTurns takes over conversations.
func (a *app) importTurns(ctx context.Context, from io.Reader, size int64, realm string) error {
	total := mind.SessionImportOutput{Refused: []mind.ImportProblem{}}
	refused, err := a.sendLines(ctx, from, size, nil, func(lines [][]byte) ([]mind.ImportProblem, error) {
		in := mind.SessionImportInput{Format: formatTurns, Realm: realm, Lines: make([]string, len(lines))}
		for i, line := range lines {
			in.Lines[i] = string(line)
		}
		out, _, err := invoke[mind.SessionImportOutput](ctx, a, "session_import", in)
		if err != nil {
			return nil, err
		}
		total.Added += out.Added
		total.Known += out.Known
		total.Sessions += out.Sessions
		total.Redacted += out.Redacted
		total.Realm = out.Realm
		return out.Refused, nil
	})
	if err != nil {
		return err
	}
	total.Refused = append(total.Refused, refused...)
	if a.json {
		if err := a.printJSON(total); err != nil {
			return err
		}
	} else {
		a.printf("%s added in %s, %d known already\n", plural(total.Added, "turn", "turns"), plural(total.Sessions, "new session", "new sessions"), total.Known)
		if total.Redacted > 0 {
			a.note("%s taken out", plural(total.Redacted, "secret", "secrets"))
		}
	}
	return a.refusals(refused)
}

// refusals names the lines that were not taken; there being any is a failure.
func (a *app) refusals(refused []mind.ImportProblem) error {
	if len(refused) == 0 {
		return nil
	}
	if !a.json {
		for _, r := range refused {
			a.note("line %d not taken: %s", r.Line, r.Why)
		}
	}
	return &silentError{exitFailure}
}

// isExport refuses a file whose first line is not that of an export.
func isExport(first []byte) error {
	if bytes.HasPrefix(first, []byte(`{"chitta":`)) {
		return nil
	}
	return &usageError{"this is not a file that chitta export wrote", `its first line would be {"chitta":1}; for a conversation use --format turns`}
}

const (
	// importBatch lines go in one call, or fewer when they are long.
	importBatch      = 200
	importBatchBytes = 4 << 20
	// maxLine is far beyond any line an export writes.
	maxLine = 64 << 20
)

// readLine reads a line without its end. Of one that is longer than maxLine
// it reads past the end and returns nothing; size is that of the whole line.
func readLine(r *bufio.Reader) (line []byte, size int64, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if size += int64(len(part)); size <= maxLine {
			line = append(line, part...)
		} else {
			line = nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && size > 0:
			return line, size, nil // the last line lacks its end
		default:
			return bytes.TrimSuffix(line, []byte("\n")), size, err
		}
	}
}

// sendLines reads the lines of a file, sends them in batches and returns
// those that were refused, by their number in the file. first, if not nil,
// looks at the first line.
func (a *app) sendLines(ctx context.Context, r io.Reader, fileSize int64, first func([]byte) error, send func(lines [][]byte) ([]mind.ImportProblem, error)) ([]mind.ImportProblem, error) {
	bar := a.progress("importing")
	defer bar.done()
	lines := bufio.NewReaderSize(r, 64<<10)
	var refused []mind.ImportProblem
	var batch [][]byte
	var numbers []int // of the batch's lines in the file
	var batchBytes int
	var read int64
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		out, err := send(batch)
		var remote *rpc.Error
		if errors.As(err, &remote) && remote.Code == rpc.CodeTooLarge && len(batch) == 1 {
			out, err = []mind.ImportProblem{{Line: 1, Why: remote.Message}}, nil
		}
		if err != nil {
			return fmt.Errorf("lines %d to %d: %w", numbers[0], numbers[len(numbers)-1], err)
		}
		for _, p := range out {
			refused = append(refused, mind.ImportProblem{Line: numbers[p.Line-1], Why: p.Why})
		}
		batch, numbers, batchBytes = nil, nil, 0
		bar.at(read, fileSize)
		return nil
	}
	refuse := func(n int, why string) {
		refused = append(refused, mind.ImportProblem{Line: n, Why: why})
	}
	for n := 1; ; n++ {
		line, size, err := readLine(lines)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return refused, fmt.Errorf("read line %d: %w", n, err)
		}
		read += size
		line = bytes.TrimSpace(line)
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
			if first != nil {
				if err := first(line); err != nil {
					return nil, err
				}
			}
		}
		switch {
		case size > maxLine:
			refuse(n, fmt.Sprintf("longer than %s", bytesText(maxLine)))
			continue
		case len(line) == 0:
			continue
		case !utf8.Valid(line):
			refuse(n, "not valid UTF-8")
			continue
		}
		if batchBytes > 0 && batchBytes+len(line) > importBatchBytes { // a long one goes alone
			if err := flush(); err != nil {
				return refused, err
			}
		}
		batch, numbers = append(batch, line), append(numbers, n)
		if batchBytes += len(line); len(batch) >= importBatch || batchBytes >= importBatchBytes {
			if err := flush(); err != nil {
				return refused, err
			}
		}
	}
	err := flush()
	slices.SortFunc(refused, func(a, b mind.ImportProblem) int { return a.Line - b.Line })
	return refused, err
}
