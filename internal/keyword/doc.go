// Package keyword is chitta's text index: it turns text into terms, keeps an
// inverted index of them on disk and answers ranked queries with BM25.
//
// It owns text analysis ([Analyzer]), the segment files and the manifest of an
// index directory ([Open]), and top-k scoring ([Index.Search]). It knows
// documents only as an id, a role, one text per field, labels and a time; it
// never reads the store, speaks no SQL, starts no goroutine, and keeps nothing
// that cannot be rebuilt. Damage is therefore an error ([ErrDamaged]) that the
// caller answers with [Remove] and a refeed, never something repaired in place.
//
// One process at a time may have a directory open; the caller's lock on the
// data directory sees to that. Within the process every method of [Index] may
// be called from any goroutine, and searches never wait for disk writes.
//
// DESIGN.md beside this file describes the file format, the scoring and the
// invariants that the tests hold.
package keyword
