// Package quick is the part of a hook that runs before the rest of the binary
// is initialised.
//
// A client runs a hook at every step of its agent, so a hook may cost little
// more than the start of a process. The binary has hundreds of packages, and
// setting up their variables takes several times as long as everything a hook
// does. Go sets packages up in the order of their paths as soon as what they
// import is ready, so a package that imports next to nothing comes first: this
// one answers the hook in its init and ends the process there. That is why it
// has a scanner of its own for JSON, speaks HTTP on a bare socket, and must not
// import anything that os does not; a test holds that.
//
// What it cannot settle, above all a daemon that does not run, it leaves to
// package hook; see [Left]. It never starts a process, never creates the data
// directory, and never writes to standard error.
package quick
