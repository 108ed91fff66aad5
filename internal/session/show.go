package session

// Call says in one line what the call p was for: the tool and what tells the
// call from others. Paths below cwd are shown from there on. A plan and a
// script keep their lines.
func (p *Part) Call(cwd string) string { return callLine(p, cwd) }

// Outcome says how the call p ended, given its result: the exit status, the
// first lines of an error, the first line of what came out otherwise. It is
// empty when there is nothing to say.
func (p *Part) Outcome(result *Part) string { return outcome(p, result) }

// Strings calls fn with every string in the input of the call p, as far as
// that is JSON.
func (p *Part) Strings(fn func(string)) {
	// nothing is rewritten, and what is not JSON has no strings
	_, _ = RewriteStrings([]byte(p.Input), func(s string) string {
		fn(s)
		return s
	})
}
