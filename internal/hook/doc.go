// Package hook is what the client runs at the events of a session: it reads the
// client's report, asks the daemon once, and prints what the daemon has for the
// agent, if anything.
//
// Whatever happens it ends with success, within the time of the event, and
// without a word to standard error: a memory that fails must not disturb who
// uses it. Why nothing came of a call is a line in logs/hook.log, which
// [Failures] sums up. Nearly all calls are settled by package quick, before the
// rest of the binary is initialised; [Main] does what that leaves, which is to
// find data directories in unusual places and, at the start of a session, to
// start the daemon.
package hook
