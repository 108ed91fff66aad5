package rpc

import "golang.org/x/mod/semver"

// Newer tells whether version a is strictly newer than b. Versions are semantic
// ones without a leading v; one that is not is never newer and never older, so
// that a hand-made build does not throw out a running daemon.
func Newer(a, b string) bool {
	va, vb := "v"+a, "v"+b
	return semver.IsValid(va) && semver.IsValid(vb) && semver.Compare(va, vb) > 0
}
