// Package cli is the command line for people: it parses, calls the daemon
// through the RPC client, and prints. It opens no data itself; the commands
// that run a role (daemon run, mcp) hand over to that role's package.
//
// What it prints follows four rules. Answers go to standard output, everything
// else to standard error. With --json the answer is the operation's own output
// and nothing more. Colour appears on a terminal only, and never with
// NO_COLOR. An error is one line in lower case, and a hint line where there is
// something to do about it.
//
// Start with [Run].
package cli
