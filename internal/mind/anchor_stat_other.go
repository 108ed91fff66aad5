//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package mind

// markOf knows no more of a file here than its size and time tell.
func markOf(string) inodeMark { return inodeMark{} }
