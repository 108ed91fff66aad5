package hook

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"chitta/internal/config"
	"chitta/internal/hook/quick"
)

// Failure is a call that came to nothing.
type Failure struct {
	Time    time.Time `json:"time"`
	Event   string    `json:"event"`
	Session string    `json:"session,omitempty"`
	Reason  string    `json:"reason"`
	Detail  string    `json:"detail,omitempty"`
	Ms      int64     `json:"ms"`
}

// Summary is what the log of hooks says of the last day.
type Summary struct {
	Count    int            `json:"count"`
	ByReason map[string]int `json:"by_reason"`
	Last     *Failure       `json:"last,omitempty"` // of all times
}

const (
	// lately is how far back failures count: older ones are over.
	lately = 24 * time.Hour
	// maxLine is beyond what a hook writes.
	maxLine = 64 << 10
)

// Log returns the file that hooks write to.
func Log(p config.Paths) string { return filepath.Join(filepath.Dir(p.LogFile()), quick.LogName) }

// Failures sums up why hooks did nothing. That there is no log is no error.
func Failures(p config.Paths) (Summary, error) {
	s := Summary{ByReason: map[string]int{}}
	dir := filepath.Dir(p.LogFile())
	since := time.Now().Add(-lately)
	for _, name := range []string{quick.OldLogName, quick.LogName} { // the older first
		if err := s.add(filepath.Join(dir, name), since); err != nil {
			return s, fmt.Errorf("read the log of hooks: %w", err)
		}
	}
	return s, nil
}

func (s *Summary) add(path string, since time.Time) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var line Failure
		if json.Unmarshal(lines.Bytes(), &line) != nil || line.Reason == "" {
			continue // torn by a full disk; the others count
		}
		if s.Last == nil || !line.Time.Before(s.Last.Time) {
			s.Last = &line
		}
		if line.Time.After(since) {
			s.Count++
			s.ByReason[line.Reason]++
		}
	}
	return lines.Err()
}
