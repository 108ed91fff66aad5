// Package distil finds what one finished turn of a conversation teaches: the
// files that were changed and what for, errors and what ended them, attempts
// that were given up, corrections, decisions and standing wishes of the person,
// commands that work, and what is left to do. [Turn] returns them; [Account]
// says what a whole session came to.
//
// It reads by fixed rules and no language model, so the same turn always gives
// the same lessons, and it would rather miss a lesson than invent one. The
// rules for what people say know English only; the rules for work (edits,
// errors, commands) know no language. docs/distil.md lists them.
//
// It is pure: it stores nothing, asks nobody and redacts nothing. Whoever keeps
// a lesson passes it through the same gate as any other memory.
package distil
