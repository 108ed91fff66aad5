// Package ingest takes conversations over: lines of transcripts become
// messages in the store, with the chunks, files and commands that are derived
// from them.
//
// There is one way for all. Lines come from a file ([Ingester.ReadFile]), from
// a folder that is watched ([Ingester.Watch]) or with a call
// ([Ingester.ReadLines]). They are read and cleaned of secrets (read.go,
// clean.go), stored with everything derived from them in one transaction per
// batch (store.go, thread.go, chunk.go), and then followed by the indexes. What
// is derived can be made again ([Ingester.DeriveAll]).
//
// Which project a directory belongs to, and what happens after a batch, are
// handed in ([Options]): the package knows nothing of indexes or callers.
package ingest
