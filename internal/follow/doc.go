// Package follow keeps what is derived from the store in step with it. Every
// change moves a row to the end of a sequence, so catching up is always the
// same act: take what comes after the last change that is known, and note how
// far that is.
//
// A [Feed] is one such sequence, of memories, chunks, conversations or
// messages, as indexes file it. An [Indexer] keeps a keyword index of a feed,
// a [Timeline] the order of chunks, a [Linker] the edges between them. None of
// them holds facts: each can be dropped and made anew.
package follow
