// Package vector is chitta's nearest-neighbour index: it keeps vectors in
// memory and answers which of them point in the direction of a query.
//
// It owns the compact form of the vectors ([Index]), the scan over it
// ([Index.Search]), the labels and times that filters ask for, and the numeric
// kernels ([Dot]). It knows items only as an id, a vector, labels and a time.
// It never reads a database or a file and keeps nothing that its caller cannot
// feed again: load at start with [Index.Apply], then apply what changes. It
// starts no goroutine that outlives a call.
//
// Every method of [Index] may be called from any goroutine.
//
// DESIGN.md beside this file describes the codes, the estimate they give, what
// was measured and the invariants that the tests hold.
package vector
