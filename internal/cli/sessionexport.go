package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"chitta/internal/past"
)

// sessionExport is an export of sessions.
type sessionExport struct {
	session, project string
	format, out      string
}

func (x *sessionExport) flags(f *pflag.FlagSet) {
	f.StringVar(&x.session, "session", "", "export this session instead of memories: its id or the start of it")
	f.StringVar(&x.project, "project", "", "export every session of this project, one file each, into the directory --out")
	f.StringVar(&x.format, "format", past.FormatJSONL, "of sessions: jsonl (records as stored, which a client can resume from), md (to read) or json (messages with their parts)")
	f.StringVar(&x.out, "out", "", "where sessions go: a file, - for standard output, or a directory")
}

// wanted reports that sessions are to be exported, not memories.
func (x *sessionExport) wanted() bool { return x.session != "" || x.project != "" }

// exportedFile is what became of a session.
type exportedFile struct {
	Session  string `json:"session"`
	File     string `json:"file"`
	Messages int    `json:"messages"`
}

func (a *app) exportSessions(ctx context.Context, x *sessionExport) error {
	switch {
	case x.session != "" && x.project != "":
		return &usageError{"--session and --project do not go together", "a session is exported whatever its project"}
	case !slices.Contains(past.Formats(), x.format):
		return &usageError{fmt.Sprintf("--format %q is not known", x.format), "use " + strings.Join(past.Formats(), ", ")}
	case x.project != "":
		return a.exportProject(ctx, x)
	}
	dir, isDir := directory(x.out)
	if isDir {
		files, err := a.exportInto(ctx, x, dir, past.ExportInput{ID: x.session}, map[string]bool{})
		if err != nil {
			return err
		}
		return a.exported(files)
	}
	in := past.ExportInput{ID: x.session, Format: x.format}
	if x.out == "" || x.out == "-" {
		page, _, err := a.writeSession(ctx, in, a.out)
		if err == nil {
			a.mainThreadOnly(x, page)
		}
		return err
	}
	var page past.ExportOutput
	var n int
	err := whole(x.out, func(w io.Writer) (err error) {
		page, n, err = a.writeSession(ctx, in, w)
		return err
	})
	if err != nil {
		return err
	}
	a.mainThreadOnly(x, page)
	return a.exported([]exportedFile{{page.Session.ID, x.out, n}})
}

// mainThreadOnly says what a single file of records leaves out.
func (a *app) mainThreadOnly(x *sessionExport, page past.ExportOutput) {
	if n := len(page.Agents); x.format == past.FormatJSONL && n > 0 {
		a.note("only the main thread: %s left out; --out DIR/ writes them beside it", plural(n, "subagent is", "subagents are"))
	}
}

// directory returns the directory that --out names, if it does.
func directory(out string) (string, bool) {
	if out == "" || out == "-" {
		return "", false
	}
	if strings.HasSuffix(out, "/") || strings.HasSuffix(out, string(filepath.Separator)) {
		return out, true
	}
	fi, err := os.Stat(out)
	return out, err == nil && fi.IsDir()
}

func (a *app) exported(files []exportedFile) error {
	if a.json {
		return a.printJSON(map[string]any{"files": files})
	}
	for _, f := range files {
		a.printf("%s  %s written to %s\n", f.Session, plural(f.Messages, "message", "messages"), a.bold(f.File))
	}
	return nil
}

// exportProject writes every session of a project to a file of its own.
func (a *app) exportProject(ctx context.Context, x *sessionExport) error {
	if x.out == "" || x.out == "-" {
		return &usageError{"the sessions of a project go into a directory", "name it with --out"}
	}
	bar := a.progress("exporting")
	defer bar.done()
	in := past.ListInput{Realm: x.project}
	files := []exportedFile{}
	taken := map[string]bool{}
	for {
		page, _, err := invoke[past.ListOutput](ctx, a, "session_list", in)
		if err != nil {
			return err
		}
		for _, s := range page.Sessions {
			more, err := a.exportInto(ctx, x, x.out, past.ExportInput{ID: s.ID, Realm: s.Realm}, taken)
			if err != nil {
				return fmt.Errorf("session %s: %w", s.ID, err)
			}
			files = append(files, more...)
			bar.at(int64(len(files)), int64(page.Total))
		}
		if page.Next == "" {
			break
		}
		in.Cursor = page.Next
	}
	bar.done()
	return a.exported(files)
}

// exportInto writes a session into a directory: records of subagents to files
// of their own, as the client keeps them, everything else to one file.
func (a *app) exportInto(ctx context.Context, x *sessionExport, dir string, in past.ExportInput, taken map[string]bool) ([]exportedFile, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	in.Format = x.format
	probe := in
	first, _, err := invoke[past.ExportOutput](ctx, a, "session_export", probe)
	if err != nil {
		return nil, err
	}
	base := freeName(fileName(first.Session.ID), taken)
	file := filepath.Join(dir, base+"."+x.format)
	var n int
	err = whole(file, func(w io.Writer) (err error) {
		_, n, err = a.writeSession(ctx, in, w)
		return err
	})
	if err != nil {
		return nil, err
	}
	files := []exportedFile{{first.Session.ID, file, n}}
	if x.format != past.FormatJSONL || len(first.Agents) == 0 {
		return files, nil
	}
	beside := filepath.Join(dir, base, "subagents")
	if err := os.MkdirAll(beside, 0o700); err != nil {
		return nil, err
	}
	agents := map[string]bool{}
	for _, t := range first.Agents {
		in.Agent = t.Agent
		file := filepath.Join(beside, "agent-"+freeName(fileName(t.Agent), agents)+".jsonl")
		err := whole(file, func(w io.Writer) (err error) {
			n, err = a.writeThread(ctx, in, w, "\n", nil)
			return err
		})
		if err != nil {
			return nil, err
		}
		files = append(files, exportedFile{first.Session.ID, file, n})
	}
	return files, nil
}

// writeSession writes a session to one file: of records the main thread, of
// everything else all threads. It returns the session and how many messages
// there were.
func (a *app) writeSession(ctx context.Context, in past.ExportInput, w io.Writer) (page past.ExportOutput, n int, err error) {
	end, separator := "\n", ""
	note := func(p *past.ExportOutput) error {
		page = *p
		if in.Format != past.FormatJSON || in.Agent != "" {
			return nil
		}
		head, err := json.Marshal(p.Session)
		if err == nil {
			_, err = fmt.Fprintf(w, "{\"session\":%s,\"messages\":[\n", head)
		}
		return err
	}
	if in.Format == past.FormatJSON {
		end, separator = "", ",\n"
	}
	out := &separated{to: w, with: separator}
	if n, err = a.writeThread(ctx, in, out, end, note); err != nil {
		return page, n, err
	}
	if in.Format != past.FormatJSONL {
		for _, t := range page.Agents {
			in.Agent = t.Agent
			more, err := a.writeThread(ctx, in, out, end, nil)
			if n += more; err != nil {
				return page, n, err
			}
		}
	}
	if in.Format == past.FormatJSON {
		_, err = io.WriteString(w, "\n]}\n")
	}
	return page, n, err
}

// separated writes pieces with something between them.
type separated struct {
	to    io.Writer
	with  string
	begun bool
}

func (s *separated) Write(p []byte) (int, error) {
	if s.begun && s.with != "" {
		if _, err := io.WriteString(s.to, s.with); err != nil {
			return 0, err
		}
	}
	s.begun = true
	return s.to.Write(p)
}

// writeThread writes all pages of a thread, each piece with an end, and
// returns how many messages there were. note, if not nil, sees the first page
// before anything is written.
func (a *app) writeThread(ctx context.Context, in past.ExportInput, w io.Writer, end string, note func(*past.ExportOutput) error) (n int, err error) {
	for {
		page, _, err := invoke[past.ExportOutput](ctx, a, "session_export", in)
		if err != nil {
			return n, err
		}
		if note != nil {
			if err := note(&page); err != nil {
				return n, err
			}
			note = nil
		}
		for _, piece := range page.Pieces {
			if _, err := io.WriteString(w, piece+end); err != nil {
				return n, err
			}
		}
		n += page.Messages
		if page.Next == "" {
			return n, nil
		}
		in.Cursor = page.Next
	}
}

// whole writes a file that appears whole or not at all, for the owner only.
func whole(path string, write func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // the file that is meant, not the name that leads there
	}
	if fi, err := os.Stat(path); err == nil && !fi.Mode().IsRegular() {
		return &usageError{path + " is not a file", "name a file, or use - for standard output"}
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".chitta-export-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	w := bufio.NewWriter(tmp)
	if err := write(w); err != nil {
		return err
	}
	if err := errors.Join(w.Flush(), tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// maxFileName leaves room for an extension within what file systems take.
const maxFileName = 200

// fileName makes a name for a file of an id from elsewhere.
func fileName(id string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, id)
	name = strings.TrimLeft(name, ".")
	if name == "" {
		return "session"
	}
	return name[:min(len(name), maxFileName)]
}

// freeName returns a name that was not given before, whatever the case of
// letters.
func freeName(name string, taken map[string]bool) string {
	free := name
	for i := 2; taken[strings.ToLower(free)]; i++ {
		free = fmt.Sprintf("%s-%d", name, i)
	}
	taken[strings.ToLower(free)] = true
	return free
}
