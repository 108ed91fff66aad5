package cli

import (
	"fmt"

	"chitta/internal/hook"
	"chitta/internal/install"
	"chitta/internal/moment"
)

// nothingCame is how many hooks came to nothing in the last day before they
// reached chitta: the daemon cannot count those, the log of hooks has them. A log
// that cannot be read is for doctor to report.
func (a *app) nothingCame() int {
	_, paths, err := a.installer()
	if err != nil {
		return 0
	}
	s, err := hook.Failures(paths)
	if err != nil {
		return 0
	}
	return s.Count
}

// nothingText says so.
func nothingText(n int) string {
	return fmt.Sprintf("%s came to nothing in the last day before they reached chitta, see chitta doctor", plural(n, "hook", "hooks"))
}

// registered reports whether the client is told to call hooks.
func (a *app) registered() bool {
	in, _, err := a.installer()
	if err != nil {
		return false
	}
	for _, scope := range install.Scopes() {
		if r, err := in.Inspect(scope); err == nil && (len(r.Hooks) > 0 || r.Plugin) {
			return true
		}
	}
	return false
}

// hooksText says in a line what hooks cost and brought. nothing is how many came
// to nothing on the client's side.
func hooksText(c *moment.CostOutput, nothing int, registered bool) string {
	text := ""
	switch {
	case c.Calls > 0:
		slowest, learned := 0.0, 0
		for _, e := range c.Events {
			slowest = max(slowest, e.P99)
		}
		for _, n := range c.Kinds {
			learned += n
		}
		text = fmt.Sprintf("%s in 30 days, p99 %.0f ms or less; handed over %s, about %d tokens; learned %s", plural(c.Calls, "call", "calls"), slowest,
			plural(c.Injected, "time", "times"), c.Tokens, plural(learned, "memory", "memories"))
	case registered:
		text = "registered, none called in 30 days; they are from the next session on"
	default:
		text = "none was called in 30 days; chitta install claude-code sets them up"
	}
	if c.Failed > 0 {
		text += fmt.Sprintf("; %d failed, see chitta doctor", c.Failed)
	}
	if nothing > 0 {
		text += "; " + nothingText(nothing)
	}
	return text
}
