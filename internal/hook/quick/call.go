package quick

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// Call is one run of a hook.
type Call struct {
	Begun   time.Time
	Event   string // as the command line says
	Report  Report
	NoStart bool     // --no-start
	Set     []string // values of --set, for a daemon that is started
	home    string   // --home
	read    bool     // the report has been read
	session atomic.Pointer[string]
	place   atomic.Pointer[string] // where notes go; nil is Home
	spoken  atomic.Bool
}

// Wanted reports whether a command line asks for a hook, and not for help about
// it.
func Wanted(args []string) bool {
	if len(args) == 0 || args[0] != "hook" {
		return false
	}
	for _, a := range args[1:] {
		if a == "--help" || a == "-h" {
			return false
		}
	}
	return true
}

// New reads the command line of a hook, what follows "hook". Nothing on it is
// an error: the client would show one to its user at every step.
func New(args []string, begun time.Time) *Call {
	c := &Call{Begun: begun}
	unknown := ""
	for i := 0; i < len(args); i++ {
		name, value, has := cut(args[i])
		switch {
		case name == "--home" || name == "--set":
			if !has && i+1 < len(args) {
				i++
				value = args[i]
			}
			if name == "--home" {
				c.home = value
			} else {
				c.Set = append(c.Set, value)
			}
		case name == "--no-start":
			c.NoStart = value != "false"
		case name == "--json": // all it prints is JSON
		case name != "" && name[0] == '-':
			unknown = name
		case c.Event == "":
			c.Event = name
		default:
			unknown = name
		}
	}
	if unknown != "" {
		c.Note(UnknownFlag, unknown)
	}
	return c
}

// Guard ends the process with success when the event's time is up, whatever
// hangs.
func (c *Call) Guard() {
	time.AfterFunc(c.Left()-logReserve, func() {
		if c.spoken.Load() {
			os.Exit(0)
		}
		go func() {
			c.Note(OutOfTime, "")
			os.Exit(0)
		}()
		time.Sleep(logReserve)
		os.Exit(0)
	})
}

// Left is how much of the event's time is left, but for what a busy machine may
// take.
func (c *Call) Left() time.Duration {
	rule, _ := RuleOf(c.Event)
	return rule.Limit - rule.Limit/latePart - started - time.Since(c.Begun)
}

// Until is when the daemon has to have answered.
func (c *Call) Until() time.Time { return time.Now().Add(c.Left() - printReserve) }

// Read reads the client's report once, and reports whether there is anything to
// ask the daemon.
func (c *Call) Read(from io.Reader) bool {
	if c.read {
		return true
	}
	c.read = true
	if _, known := RuleOf(c.Event); !known {
		return c.fail(UnknownEvent, "")
	}
	// Half of the time for reading leaves the other half for the daemon.
	var err error
	c.Report, err = Read(from, time.Now().Add(c.Left()/2))
	c.session.Store(&c.Report.Session)
	switch {
	case errors.Is(err, errTime):
		return c.fail(SlowInput, "")
	case err != nil:
		return c.fail(BadInput, err.Error())
	case c.Report.Session == "":
		return c.fail(WithoutSession, "")
	case c.Report.Event != "" && c.Report.Event != c.Event:
		return c.fail(OtherEvent, c.Report.Event)
	}
	return true
}

// Params are the parameters of the daemon's operation.
func (c *Call) Params() []byte { return c.Report.Params(c.Event, started+time.Since(c.Begun)) }

// Say prints what the daemon has for the agent.
func (c *Call) Say(to io.Writer, text string) {
	out, err := Output(c.Event, text)
	if err != nil {
		c.Note(Unfenced, "")
		return
	}
	if len(out) == 0 {
		return
	}
	c.spoken.Store(true) // from here on there is nothing more to report
	if _, err := to.Write(out); err != nil {
		c.Note(NotPrinted, err.Error())
	}
}

// Note writes down why a call came to nothing. The watchdog does so at any time.
func (c *Call) Note(reason, detail string) {
	session := ""
	if s := c.session.Load(); s != nil {
		session = *s
	}
	home := ""
	if p := c.place.Load(); p != nil {
		home = *p
	} else {
		home = c.Home()
	}
	Note(home, c.Event, session, reason, detail, started+time.Since(c.Begun))
}

// NoteIn says in which data directory notes are made from now on: for who knows
// better than [Call.Home] where it is.
func (c *Call) NoteIn(home string) { c.place.Store(&home) }

func (c *Call) fail(reason, detail string) bool {
	c.Note(reason, detail)
	return false
}

// Refusal says why a daemon refused, by the code of its error.
func Refusal(code int) string {
	switch code {
	case codeUnavailable, codeTimeout:
		return Busy
	case codeUpgrade, codeMethodNotFound:
		return TooOld
	}
	return Refused
}

// Codes of package rpc, which is out of reach here.
const (
	codeUnavailable    = -32000
	codeTimeout        = -32004
	codeUpgrade        = -32007
	codeMethodNotFound = -32601
)

// Flag is the data directory as the command line gives it.
func (c *Call) Flag() string { return c.home }

// Home is the data directory, found the quick way: as it is written, without
// following links. It is "" where only package config can tell.
func (c *Call) Home() string {
	home := c.home
	if home == "" {
		if home = os.Getenv("CHITTA_HOME"); home != "" && home[0] != '~' && !absolute(home) {
			return ""
		}
	}
	if home == "" {
		home = "~" + string(os.PathSeparator) + ".chitta"
	}
	if home == "~" || len(home) > 1 && home[0] == '~' && os.IsPathSeparator(home[1]) {
		user, err := os.UserHomeDir()
		if err != nil || !absolute(user) {
			return ""
		}
		home = user + home[1:]
	}
	if inClient(home) {
		return ""
	}
	for len(home) > 1 && os.IsPathSeparator(home[len(home)-1]) {
		home = home[:len(home)-1]
	}
	return home
}

// absolute is for systems that have a quick way; elsewhere nothing is, so that
// nothing is found by it.
func absolute(path string) bool { return path != "" && path[0] == os.PathSeparator }

// inClient reports whether a path leads into the client's own folder, where the
// data directory may not be.
func inClient(path string) bool {
	part := 0
	for i := 0; i <= len(path); i++ {
		if i < len(path) && !os.IsPathSeparator(path[i]) {
			continue
		}
		if isFolder(path[part:i]) {
			return true
		}
		part = i + 1
	}
	return false
}

// isFolder compares with the name of the client's folder, whatever the case:
// some file systems ignore it.
func isFolder(name string) bool {
	const folder = ".claude"
	if len(name) != len(folder) {
		return false
	}
	for i := range len(folder) {
		if c := name[i]; c != folder[i] && c|0x20 != folder[i] {
			return false
		}
	}
	return true
}

// cut splits a flag from its value.
func cut(arg string) (name, value string, has bool) {
	for i := range len(arg) {
		if arg[i] == '=' {
			return arg[:i], arg[i+1:], true
		}
	}
	return arg, "", false
}
