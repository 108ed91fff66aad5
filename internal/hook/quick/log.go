package quick

import (
	"os"
	"time"
)

const (
	// LogName is the log of hooks in the folder of logs, and OldLogName what it
	// is called when it has grown too long.
	LogName    = "hook.log"
	OldLogName = "hook.log.1"
	// maxLog is where a new log is begun: some two thousand failures.
	maxLog = 256 << 10
	// maxDetail bounds what one line says of an error.
	maxDetail = 200
)

// Reasons why a hook did nothing, as they are in the log.
const (
	NotRunning     = "the daemon is not running"
	NoAnswer       = "the daemon did not answer in time"
	Busy           = "the daemon is busy"
	TooOld         = "the daemon is older than this hook"
	Refused        = "the daemon refused"
	Unreadable     = "the answer of the daemon is unreadable"
	Unfenced       = "the answer of the daemon is not marked as reference material"
	NotStarted     = "the daemon did not start"
	BadInput       = "the client's report is unreadable"
	SlowInput      = "the client's report did not come in time"
	UnknownEvent   = "the event is unknown"
	OtherEvent     = "the client reports another event"
	UnknownFlag    = "a flag is unknown"
	NotPrinted     = "the client did not take the answer"
	OutOfTime      = "the time was up"
	Panicked       = "the hook broke"
	BadHome        = "the data directory cannot be used"
	WithoutSession = "the client names no session"

	// These are of posted hooks only.
	OtherToken   = "a post with another token or none was refused"
	OtherHost    = "a post to another name of this machine was refused"
	FromPage     = "a post of a web page was refused"
	TooManyConns = "a connection beyond the limit was closed"
)

// Note writes a line about a hook that did nothing into the log of a data
// directory that exists. It says when, which event and session, why, and how
// long it took; never what was asked or answered. That it fails is of no
// consequence: there is nobody to tell.
func Note(home, event, session, reason, detail string, took time.Duration) {
	if home == "" {
		return
	}
	dir := home + string(os.PathSeparator) + "logs"
	path := dir + string(os.PathSeparator) + LogName
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		if os.Mkdir(dir, 0o700) != nil {
			return
		}
		if f, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
			return
		}
	}
	defer f.Close()
	line := append([]byte(`{"time":"`), time.Now().UTC().Format(time.RFC3339Nano)...)
	add := func(name, text string, limit int) {
		if text == "" {
			return
		}
		short, _ := clean([]byte(text), limit)
		line = appendString(append(append(append(line, `,"`...), name...), `":`...), short)
	}
	line = append(line, '"')
	add("event", event, maxID)
	add("session", session, maxID)
	add("reason", reason, maxDetail)
	add("detail", detail, maxDetail)
	line = append(appendInt(append(line, `,"ms":`...), took.Milliseconds()), '}', '\n')
	if info, err := f.Stat(); err == nil && info.Size()+int64(len(line)) > maxLog {
		f = renewed(f, info, path, dir)
		defer f.Close()
	}
	_, _ = f.Write(line)
}

// renewed puts a log that is full aside and returns a new one; when another hook
// was faster, the one that that hook made.
func renewed(f *os.File, full os.FileInfo, path, dir string) *os.File {
	if now, err := os.Stat(path); err == nil && os.SameFile(now, full) {
		if os.Rename(path, dir+string(os.PathSeparator)+OldLogName) != nil {
			return f
		}
	}
	fresh, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return f
	}
	return fresh
}
