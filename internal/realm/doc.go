// Package realm finds out which project a directory belongs to, by asking
// git: the work tree, the directory all worktrees of a clone share, the root
// commits and the remote.
//
// It only looks. It never writes to a repository, takes no locks in it, never
// reaches the network, and decides nothing: which known realm an identity
// belongs to is settled by [memory.Match].
//
// [Detect] looks once; a [Detector] remembers what it saw and looks again
// only when the repository has changed.
package realm
