package session

import (
	"strconv"
	"strings"
)

// claudeResult is what the client notes about a tool's result beside the text
// for the model. Its shape depends on the tool, so nothing in it is required
// and nothing in it can be wrong.
type claudeResult struct {
	there       bool
	exitCode    *int
	shell       bool // a command that ran to its end
	interrupted bool
	unclear     bool // still running, or the status was explained away
	file        string
	agent       string
}

func (c *claudeResult) read(s *scanner) error {
	if s.peek() != '{' {
		return s.skip(1)
	}
	c.there = true
	more, err := s.open('}', 1)
	for more && err == nil {
		var key quoted
		if key, err = s.key(); err != nil {
			return err
		}
		switch string(key.raw) {
		case "exitCode", "exit_code":
			err = c.readExitCode(s)
		case "stdout":
			c.shell = true
			err = s.skip(2)
		case "interrupted":
			c.interrupted = s.peek() == 't'
			err = s.skip(2)
		case "backgroundTaskId", "returnCodeInterpretation":
			c.unclear = s.peek() == '"'
			err = s.skip(2)
		case "filePath":
			c.file, err = s.optional()
		case "agentId":
			c.agent, err = s.optional()
		case "file":
			err = c.readFile(s)
		default:
			err = s.skip(2)
		}
		if err != nil {
			return err
		}
		more, err = s.next('}')
	}
	return err
}

func (c *claudeResult) readExitCode(s *scanner) error {
	raw, err := s.raw(2)
	if err != nil {
		return err
	}
	if n, err := strconv.Atoi(string(raw)); err == nil {
		c.exitCode = &n
	}
	return nil
}

// readFile reads the description of a file that was read.
func (c *claudeResult) readFile(s *scanner) error {
	raw, err := s.raw(2)
	if err != nil {
		return err
	}
	for name, q := range texts(raw) {
		if name == "filePath" {
			c.file = q.text()
			break
		}
	}
	return nil
}

// optional reads a string, and passes over anything else, or a string that is
// no text.
func (s *scanner) optional() (string, error) {
	if s.peek() != '"' {
		return "", s.skip(2)
	}
	q, err := s.quoted()
	if err != nil {
		return "", err
	}
	text := q.text()
	return text, nil
}

// apply adds what is known to the parts. The note speaks of one result; when a
// record carries several, it cannot be told of which, and only the texts count.
func (c *claudeResult) apply(parts []Part) {
	var only *Part
	results := 0
	for i := range parts {
		if p := &parts[i]; p.Kind == ToolResult {
			p.ExitCode = statedExitCode(p)
			only = p
			results++
		}
	}
	if results != 1 || !c.there {
		return
	}
	if c.file != "" {
		only.Files = []string{c.file}
	}
	only.Agent = c.agent
	only.Failed = only.Failed || c.interrupted
	switch {
	case c.exitCode != nil:
		only.ExitCode = c.exitCode
	case only.ExitCode == nil && c.shell && !only.Failed && !c.unclear:
		only.ExitCode = new(int) // the client states every other status
	}
	only.Failed = only.Failed || only.ExitCode != nil && *only.ExitCode != 0
}

// statedExitCode reads the exit status from the text of a failed command,
// which begins with it.
func statedExitCode(p *Part) *int {
	if !p.Failed {
		return nil
	}
	rest, ok := strings.CutPrefix(strings.TrimPrefix(p.Text, "Error: "), "Exit code ")
	if !ok {
		return nil
	}
	digits, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.Atoi(strings.TrimSpace(digits))
	if err != nil {
		return nil
	}
	return &n
}
