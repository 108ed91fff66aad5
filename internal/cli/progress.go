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
	bytes bool // what is counted is bytes: show how fast it goes
	begun time.Time
	shown time.Time
	drawn bool
}

const (
	barCells   = 30
	drawEvery  = 100 * time.Millisecond
	eventEvery = time.Second
)

func (a *app) progress(what string) *progress { return &progress{a: a, what: what, begun: time.Now()} }

// byteProgress shows progress through bytes, with the rate and the time left.
func (a *app) byteProgress(what string) *progress {
	p := a.progress(what)
	p.bytes = true
	return p
}

func (p *progress) at(done, total int64) {
	now := time.Now()
	switch {
	case total <= 0:
	case p.a.json:
		if now.Sub(p.shown) >= eventEvery {
			p.shown = now
			fmt.Fprintf(p.a.err, `{"event":"progress","what":%q,"done":%d,"total":%d%s}`+"\n", p.what, done, total, p.pace(done, total, `,"bytes_per_second":%.0f,"seconds_left":%.0f`))
		}
	case isTerminal(p.a.err) && now.Sub(p.shown) >= drawEvery:
		p.shown, p.drawn = now, true
		filled := int(barCells * done / total)
		bar := fmt.Sprintf("\r%s [%s%s] ", p.what, strings.Repeat("=", filled), strings.Repeat(" ", barCells-filled))
		if p.bytes {
			rate, left := p.rate(done, total)
			fmt.Fprintf(p.a.err, "%s%s of %s, %s/s, %s left\x1b[K", bar, bytesText(done), bytesText(total), bytesText(int64(rate)), spanText(left))
		} else {
			fmt.Fprintf(p.a.err, "%s%d of %d ", bar, done, total)
		}
	}
}

// rate returns how many are done in a second and how long the rest takes at
// that.
func (p *progress) rate(done, total int64) (perSecond float64, left time.Duration) {
	perSecond = float64(done) / max(time.Since(p.begun).Seconds(), 1e-3)
	if perSecond <= 0 {
		return 0, 0
	}
	return perSecond, time.Duration(float64(total-done) / perSecond * float64(time.Second))
}

// pace is the rate and the seconds left in a format, for bytes.
func (p *progress) pace(done, total int64, format string) string {
	if !p.bytes {
		return ""
	}
	rate, left := p.rate(done, total)
	return fmt.Sprintf(format, rate, left.Seconds())
}

// waiting shows for how long something whose steps are not known has been
// going on, from the first second on: on a terminal, and with --json as events.
// The function it returns ends that.
func (a *app) waiting(what string) (done func()) {
	begun := time.Now()
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(eventEvery)
		defer tick.Stop()
		drawn := false
		for {
			select {
			case <-tick.C:
				seconds := int(time.Since(begun).Seconds())
				switch {
				case a.json:
					fmt.Fprintf(a.err, `{"event":"progress","what":%q,"seconds":%d}`+"\n", what, seconds)
				case isTerminal(a.err):
					drawn = true
					fmt.Fprintf(a.err, "\r%s … %d s\x1b[K", what, seconds)
				}
			case <-end:
				if drawn {
					fmt.Fprint(a.err, "\r\x1b[K")
				}
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// done wipes the bar.
func (p *progress) done() {
	if p.drawn {
		fmt.Fprintf(p.a.err, "\r\x1b[K")
	}
}
