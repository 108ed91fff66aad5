// Package log writes lines.
package log

type level int

const low level = 1

func (l level) above(o level) bool { return l > o }

var sink = console

// Setup prepares.
func Setup() { sink = silent }

// Info writes a line.
func Info(text string, n int) {
	if low.above(2) || level(n).above(low) {
		sink(text)
	}
}

func console(text string) {}

func silent(text string) {}
