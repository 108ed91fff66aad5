package tool

import (
	"fmt"
	"strings"

	"chitta/internal/capture"
	"chitta/internal/moment"
)

// textReplay says what a session's prompts would have been answered with.
func textReplay(out moment.ReplayOutput) string {
	var b strings.Builder
	fmt.Fprintf(&b, "session %s: %d of %d prompts would have got something, about %d tokens", out.Session, out.Injected, len(out.Prompts), out.Tokens)
	for _, p := range out.Prompts {
		fmt.Fprintf(&b, "\n\n[%s]%s %s\n%s (%.2f of %.2f)", p.ID, when(p.Time), p.Prompt, p.Outcome, p.Best, p.Bar)
		if p.Text != "" {
			fmt.Fprintf(&b, ", about %d tokens:\n%s", p.Tokens, p.Text)
		}
	}
	for _, n := range out.Notes {
		b.WriteString("\n\nnote: " + n)
	}
	if out.Next != "" {
		fmt.Fprintf(&b, "\n\n%d of %d messages; more with cursor %s", out.Done, out.Total, out.Next)
	}
	return capture.Wrap(b.String())
}
