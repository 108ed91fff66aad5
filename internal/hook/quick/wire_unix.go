//go:build unix

package quick

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// reachable says that the daemon's socket can be spoken to without package net.
const reachable = true

const (
	// maxSocketPath is the longest name of a socket on all systems; package
	// config knows where that of a longer one is.
	maxSocketPath = 103
	// maxHeader bounds what comes before the body of an answer.
	maxHeader = 8 << 10
	// maxContext bounds the text of an answer; more than the tenth of it is
	// never handed over.
	maxContext = 128 << 10
)

// input reads standard input. A report is read whole and then acted upon, so it
// need not be read in the way of package os, which asks the kernel first whether
// it could wait for more than one thing.
type input struct{ file *os.File }

func (i input) Read(p []byte) (int, error) { return descriptor(i.file.Fd()).Read(p) }

// descriptor is an open file of the kernel.
type descriptor int

func (d descriptor) Read(p []byte) (int, error) {
	for {
		n, err := syscall.Read(int(d), p)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.EOF
		}
		return n, nil
	}
}

func (d descriptor) Write(p []byte) (int, error) {
	for done := 0; ; {
		n, err := syscall.Write(int(d), p[done:])
		if n > 0 {
			done += n
		}
		if err == syscall.EINTR {
			continue
		}
		if err != nil || done == len(p) {
			return done, err
		}
	}
}

// ask has the daemon attend to the event and prints its answer. It reports
// whether the call is over: it is not when no daemon listens here, and then
// nothing was sent. Nor is the start of a session when the daemon went away
// without a word: there may be none any more, a start may start one, and to
// attend to it twice does no harm.
func (c *Call) ask() (over bool) {
	home := c.Home()
	if !absolute(home) {
		return false
	}
	until := c.Until()
	conn, err := dial(home+"/chitta.sock", until)
	if err != nil {
		return false
	}
	text, answered, err := exchange(conn, c.Params(), until)
	_ = syscall.Close(int(conn))
	var refused *refusal
	switch {
	case err == nil:
		c.Say(descriptor(1), text)
	case errors.As(err, &refused):
		c.Note(Refusal(refused.code), refused.message)
	case err == syscall.EAGAIN || err == errTime:
		c.Note(NoAnswer, "")
	case !answered && c.Event == SessionStart:
		return false
	default:
		c.Note(Unreadable, err.Error())
	}
	return true
}

// dial connects to a socket. Its waits end at a time.
func dial(path string, until time.Time) (descriptor, error) {
	if len(path) > maxSocketPath {
		return 0, syscall.ENAMETOOLONG
	}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return 0, err
	}
	syscall.CloseOnExec(fd)
	wait := syscall.NsecToTimeval(max(time.Until(until), time.Millisecond).Nanoseconds())
	if err = syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &wait); err == nil {
		err = syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_SNDTIMEO, &wait)
	}
	if err == nil {
		err = syscall.Connect(fd, &syscall.SockaddrUnix{Name: path})
	}
	if err != nil {
		_ = syscall.Close(fd)
		return 0, err
	}
	return descriptor(fd), nil
}

// exchange sends the request and returns the text of the answer; answered is
// false when not even a first byte came. HTTP 1.0 keeps
// the answer free of chunks, and its connection is for one request as that of
// every client of the daemon.
func exchange(conn descriptor, params []byte, until time.Time) (text string, answered bool, err error) {
	const before, after = `{"jsonrpc":"2.0","id":1,"method":"hook","params":`, `}`
	request := append(make([]byte, 0, 512+len(params)), "POST /rpc HTTP/1.0\r\nHost: chitta\r\nContent-Type: application/json\r\nChitta-Client: hook\r\nChitta-Timeout-Ms: "...)
	request = appendInt(request, max(1, time.Until(until).Milliseconds()))
	request = append(request, "\r\nContent-Length: "...)
	request = appendInt(request, int64(len(before)+len(params)+len(after)))
	request = append(request, "\r\n\r\n"+before...)
	request = append(append(request, params...), after...)
	if _, err := conn.Write(request); err != nil {
		return "", false, err
	}
	s := &scanner{from: conn, until: until}
	if s.peek(); s.err != nil {
		return "", false, s.err
	}
	if !s.header() {
		return "", true, s.err
	}
	text, err = s.answer()
	return text, true, err
}

// header passes over what comes before the body of an answer.
func (s *scanner) header() bool {
	for n, newlines := 0, 0; n < maxHeader && s.err == nil; n++ {
		switch s.peek() {
		case '\n':
			newlines++
		case '\r':
		default:
			newlines = 0
		}
		if s.pos++; newlines == 2 {
			return true
		}
	}
	return s.fail(errJSON)
}

// refusal is an error of the daemon.
type refusal struct {
	code    int
	message string
}

func (r *refusal) Error() string { return r.message }

// answer takes the daemon's answer.
func (s *scanner) answer() (text string, err error) {
	var refused *refusal
	whole, result := true, false
	s.object(func(key string) {
		switch {
		case key == "result" && s.token() == '{':
			result = true
			s.object(func(key string) {
				if key == "context" {
					text, whole = s.word(maxContext)
				} else {
					s.skip()
				}
			})
		case key == "error" && s.token() == '{':
			refused = &refusal{}
			s.object(func(key string) {
				switch key {
				case "code":
					refused.code = s.number()
				case "message":
					refused.message, _ = s.word(maxDetail)
				default:
					s.skip()
				}
			})
		default:
			s.skip()
		}
	})
	switch {
	case s.err != nil:
		return "", s.err
	case refused != nil:
		return "", refused
	case !result, !whole && text != "":
		return "", errJSON
	}
	return text, nil
}

// number takes a whole number; anything else is passed over and 0.
func (s *scanner) number() (n int) {
	if c := s.token(); c != '-' && (c < '0' || c > '9') {
		s.skip()
		return 0
	}
	var word [maxScalar]byte
	digits := s.scalar(word[:0])
	negative := digits[0] == '-'
	if negative {
		digits = digits[1:]
	}
	for _, d := range digits {
		if d < '0' || d > '9' || n > 1<<30 {
			return 0
		}
		n = n*10 + int(d-'0')
	}
	if negative {
		n = -n
	}
	return n
}
