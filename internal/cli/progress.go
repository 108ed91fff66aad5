package cli

import (
	"fmt"
	"strings"
	"time"
)

// progress shows how far long work is: a bar on a terminal, a line of JSON
// now and then with --json, nothing otherwise.
type progress struct {
	a     *app
	what  string
	shown time.Time
	drawn bool
}

const (
	barCells   = 30
	drawEvery  = 100 * time.Millisecond
	eventEvery = time.Second
)

func (a *app) progress(what string) *progress { return &progress{a: a, what: what} }

func (p *progress) at(done, total int64) {
	now := time.Now()
	switch {
	case total <= 0:
	case p.a.json:
		if now.Sub(p.shown) >= eventEvery {
			p.shown = now
			fmt.Fprintf(p.a.err, `{"event":"progress","what":%q,"done":%d,"total":%d}`+"\n", p.what, done, total)
		}
	case isTerminal(p.a.err) && now.Sub(p.shown) >= drawEvery:
		p.shown, p.drawn = now, true
		filled := int(barCells * done / total)
		fmt.Fprintf(p.a.err, "\r%s [%s%s] %d of %d ", p.what, strings.Repeat("=", filled), strings.Repeat(" ", barCells-filled), done, total)
	}
}

// done wipes the bar.
func (p *progress) done() {
	if p.drawn {
		fmt.Fprintf(p.a.err, "\r\x1b[K")
	}
}
