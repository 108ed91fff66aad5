// Package session turns transcripts into messages and messages into chunks.
//
// It owns what a transcript line means ([ClaudeCode], [Turns], chosen by
// [Detect]), how lines are read from a file that may still be growing
// ([Lines]), how a conversation is cut into pieces worth searching
// ([Chunks]), which files and commands it touched ([FileTouches],
// [CommandRuns]), and the clocks that order what several agents did side by
// side ([Clock]).
//
// It is pure: it works on readers and values, starts nothing, stores nothing
// and redacts nothing. [RewriteStrings], [RewriteNames] and, for a line that
// is no JSON, [Unescape] let a caller redact a raw line.
//
// Transcripts are foreign input. A line that cannot be understood is an error
// that says what is wrong with it, for the caller to put aside; it never stops
// a file and never panics.
package session
