// Package capture decides what text may become a memory: it removes secrets
// and private passages, refuses what is too thin or damaged to be worth
// keeping, recognises text that chitta itself handed out, and says when two
// texts are the same thing said twice.
//
// It works on text alone. It never stores, logs or returns a secret: a
// [Finding] says which rule matched and where, not what.
//
// Start with [Redactor.Redact] and [Gate.Check].
package capture
