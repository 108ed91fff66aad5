package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/config"
)

func (a *app) logsCommand() *cobra.Command {
	var lines int
	var follow bool
	cmd := &cobra.Command{
		Use: "logs", Short: "Show the daemon's log", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if lines < 0 {
				return &usageError{fmt.Sprintf("--lines is %d", lines), "give how many lines to show, from 0 on"}
			}
			paths, err := config.Locate(config.LoadOptions{Home: a.home})
			if err != nil {
				return err
			}
			l := &logReader{path: paths.LogFile(), show: a.logLine}
			defer l.close()
			found, err := l.tail(lines)
			if err != nil {
				return err
			}
			if !found {
				a.note("there is no log yet")
			}
			if !follow {
				l.flush()
				return nil
			}
			return l.follow(cmd.Context())
		},
	}
	cmd.Flags().IntVarP(&lines, "lines", "n", 50, "how many lines from the end")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on showing what is added, also when the log is rotated")
	return cmd
}

// logLine prints a line of the log.
func (a *app) logLine(line string) error {
	if a.json {
		return a.printJSONLine(map[string]string{"line": line})
	}
	a.printf("%s\n", line)
	return a.out.err
}

const (
	// tailBytes is how far back in the file the last lines are looked for.
	tailBytes = 1 << 20
	// followEvery is how often the file is looked at for more.
	followEvery = 200 * time.Millisecond
)

// logReader reads a log that others write to and rotate.
type logReader struct {
	path string
	show func(line string) error

	file *os.File
	at   int64  // how far the file was read
	rest []byte // of a line whose end is not there yet
}

// tail shows the last lines and reports whether there is a log.
func (l *logReader) tail(lines int) (bool, error) {
	if ok, err := l.open(); !ok {
		return false, err
	}
	fi, err := l.file.Stat()
	if err != nil {
		return true, err
	}
	if l.at = max(0, fi.Size()-tailBytes); l.at > 0 {
		l.at-- // to see whether a line starts there
	}
	b, err := io.ReadAll(io.NewSectionReader(l.file, l.at, fi.Size()-l.at))
	if err != nil {
		return true, err
	}
	if l.at > 0 {
		_, b, _ = bytes.Cut(b, []byte("\n")) // the end of a line
	}
	l.at = fi.Size()
	end := bytes.LastIndexByte(b, '\n') + 1
	l.rest = bytes.Clone(b[end:])
	if len(l.rest) > 0 {
		lines-- // it is the last one
	}
	var all [][]byte
	if end > 0 {
		all = bytes.Split(b[:end-1], []byte("\n"))
	}
	for _, line := range all[max(0, len(all)-max(0, lines)):] {
		if err := l.show(string(line)); err != nil {
			return true, err
		}
	}
	if lines < 0 {
		l.rest = nil // not even that one
	}
	return true, nil
}

// follow shows what is added until ctx ends.
func (l *logReader) follow(ctx context.Context) error {
	for {
		if err := l.more(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			l.flush()
			return nil
		case <-time.After(followEvery):
		}
	}
}

// more shows what was added since. A file that was put in the place of the
// one being read is read from its start, after the rest of the old one.
func (l *logReader) more() error {
	if l.file == nil {
		if ok, err := l.open(); !ok {
			return err
		}
	}
	now, err := os.Stat(l.path)
	replaced := false
	if err == nil {
		reading, err := l.file.Stat()
		if err != nil {
			return err
		}
		replaced = !os.SameFile(now, reading)
		if !replaced && now.Size() < l.at {
			l.flush()
			l.at = 0 // emptied
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := l.read(); err != nil || !replaced {
		return err
	}
	l.flush()
	l.close()
	if ok, err := l.open(); !ok {
		return err
	}
	return l.read()
}

// read shows the whole lines that follow and keeps what is left of one.
func (l *logReader) read() error {
	if _, err := l.file.Seek(l.at, io.SeekStart); err != nil {
		return err
	}
	r := bufio.NewReader(l.file)
	for {
		part, err := r.ReadBytes('\n')
		l.at += int64(len(part))
		l.rest = append(l.rest, part...)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line := string(l.rest[:len(l.rest)-1])
		l.rest = nil
		if err := l.show(line); err != nil {
			return err
		}
	}
}

// flush shows a last line that has no end.
func (l *logReader) flush() {
	if len(l.rest) > 0 {
		_ = l.show(string(l.rest)) // the output keeps its first error
		l.rest = nil
	}
}

// open opens the file from its start and reports whether there is one.
func (l *logReader) open() (bool, error) {
	f, err := os.Open(l.path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	l.file, l.at = f, 0
	return true, nil
}

func (l *logReader) close() {
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
}
