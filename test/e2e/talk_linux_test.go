package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"time"
)

// turnTimeout ends a turn that hangs; one takes 1 to 2 s.
const turnTimeout = 60 * time.Second

// allowed are the tools that need no question: there is nobody to ask.
const allowed = "Bash,Edit,Write,Read,Agent,mcp__chitta,mcp__plugin_chitta_chitta"

// talk is a run of the client, which takes one prompt after another.
type talk struct {
	h      *home
	cmd    *exec.Cmd
	cancel context.CancelFunc
	stdin  io.WriteCloser
	events chan event
	stderr bytes.Buffer
	ended  bool

	// first is what the client says at the beginning: tools, servers.
	first event
	id    string // of the session
}

// event is a line that the client prints.
type event struct {
	Type    string   `json:"type"`
	Subtype string   `json:"subtype"`
	Session string   `json:"session_id"`
	Result  string   `json:"result"`
	IsError bool     `json:"is_error"`
	Tools   []string `json:"tools"`
	Servers []struct {
		Name   string `json:"name"`
		Status string `json:"status"`
	} `json:"mcp_servers"`
}

// turn is what came of a prompt.
type turn struct {
	event
	requests []request // that the client sent for it
}

// told is everything the model was told in a turn.
func (t *turn) told() string {
	var b strings.Builder
	for i := range t.requests {
		b.WriteString(t.requests[i].text())
	}
	return b.String()
}

// open starts the client in the project.
func (h *home) open(args ...string) *talk {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	k := &talk{h: h, cancel: cancel, events: make(chan event, 256)}
	args = append([]string{
		"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--allowedTools", allowed,
	}, args...)
	k.cmd = h.command(ctx, bench.client, args...)
	k.cmd.Stderr = &k.stderr
	var stdout io.Reader
	var err error
	if k.stdin, err = k.cmd.StdinPipe(); err == nil {
		stdout, err = k.cmd.StdoutPipe()
	}
	if err == nil {
		err = start(k.cmd)
	}
	if err != nil {
		cancel()
		h.t.Fatal(err)
	}
	h.talks = append(h.talks, k)
	go k.listen(stdout)
	return k
}

// listen passes on what the client prints until it ends.
func (k *talk) listen(stdout io.Reader) {
	defer close(k.events)
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) == nil && (e.Type == "result" || e.Subtype == "init") {
			k.events <- e
		}
		if err != nil {
			return
		}
	}
}

// ask sends a prompt, has the model answer by the steps, and waits until the
// turn is over.
func (k *talk) ask(prompt string, steps ...step) turn {
	k.h.t.Helper()
	if len(steps) > 0 {
		k.h.api.on(prompt, steps...)
	}
	from := k.h.api.sent()
	line, err := json.Marshal(map[string]any{"type": "user", "message": map[string]string{"role": "user", "content": prompt}})
	if err != nil {
		k.h.t.Fatal(err)
	}
	if _, err := k.stdin.Write(append(line, '\n')); err != nil {
		k.h.t.Fatalf("the client does not listen: %v: %s", err, k.stderr.String())
	}
	timeout := time.After(turnTimeout)
	for {
		select {
		case e, open := <-k.events:
			if !open {
				k.h.t.Fatalf("the client ended in the middle of a turn: %s", k.stderr.String())
			}
			k.id = e.Session
			if e.Subtype == "init" {
				k.first = e
			}
			if e.Type == "result" {
				if e.Result == unscripted {
					k.h.t.Fatalf("the script does not recognise the prompt %q", prompt)
				}
				return turn{e, k.h.api.since(from)}
			}
		case <-timeout:
			k.h.t.Fatalf("no end of the turn after %s: %s", turnTimeout, k.stderr.String())
		}
	}
}

// end closes the session and waits until the client has left.
func (k *talk) end() {
	k.h.t.Helper()
	k.ended = true
	before := len(k.h.late())
	k.stdin.Close()
	timer := time.AfterFunc(turnTimeout, k.cancel)
	defer timer.Stop()
	for range k.events {
	}
	if err := k.cmd.Wait(); err != nil {
		k.h.t.Errorf("the client ended with %v: %s", err, k.stderr.String())
	}
	k.h.again(k.id, k.h.late()[before:])
}

// kill ends the client if it has not ended.
func (k *talk) kill() {
	k.cancel()
	if !k.ended {
		k.ended = true
		k.cmd.Wait()
	}
}

// session has a whole session with one prompt. It returns its id too.
func (h *home) session(prompt string, steps ...step) (t turn, id string) {
	h.t.Helper()
	k := h.open()
	t = k.ask(prompt, steps...)
	k.end()
	return t, k.id
}
