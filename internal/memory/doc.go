// Package memory holds the words every other package shares: the kinds of
// memory and how fast each fades, confidence as a belief with a mean and a
// variance, where a memory came from and how far that is trusted, its state
// and visibility, the realm it belongs to, the checks of what operations are
// handed, and the errors that say what is wrong with a request and what to do.
//
// It is pure: no I/O, no clock, no randomness of its own. Time and random
// bytes are passed in, so every rule here can be tested exactly. It imports
// nothing of chitta.
//
// Start with [Memory], then [Kind] and [Confidence].
package memory
