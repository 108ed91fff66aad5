package cli

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"chitta/internal/mind"
	"chitta/internal/rpc"
)

// importMemories takes over what chitta export wrote.
func (a *app) importMemories(ctx context.Context, from io.Reader, size int64) (mind.ImportOutput, error) {
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
	total.Refused = append(total.Refused, refused...)
	return total, err
}

// showMemories says what became of an export.
func (a *app) showMemories(total mind.ImportOutput) error {
	if a.json {
		if err := a.printJSON(total); err != nil {
			return err
		}
	} else {
		a.printf("%s added, %d updated, %d known already\n", plural(total.Added, "memory", "memories"), total.Updated, total.Known)
	}
	return a.refusals(total.Refused)
}

// importLines takes over conversations from a stream.
func (a *app) importLines(ctx context.Context, from io.Reader, format, realm string) error {
	total := mind.SessionImportOutput{Refused: []mind.ImportProblem{}}
	unnamed := "" // turns that name no session are one, told from others by their beginning
	refused, err := a.sendLines(ctx, from, 0, func(first []byte) error {
		sum := sha256.Sum256(first)
		unnamed = fmt.Sprintf("stdin-%x", sum[:6])
		return nil
	}, func(lines [][]byte) ([]mind.ImportProblem, error) {
		in := mind.SessionImportInput{Format: format, Realm: realm, Session: unnamed, Lines: make([]string, len(lines))}
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

// exportStart is how the first line of an export begins.
const exportStart = `{"chitta":`

// isExport refuses a file whose first line is not that of an export.
func isExport(first []byte) error {
	if bytes.HasPrefix(first, []byte(exportStart)) {
		return nil
	}
	return &usageError{"this is not a file that chitta export wrote", `its first line would be {"chitta":1}; for a conversation use --format turns or --format claude-code`}
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
