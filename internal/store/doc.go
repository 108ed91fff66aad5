// Package store is the only package that speaks SQL. It owns the database
// file: opening it safely, migrating its schema, reading and writing rows,
// checking its invariants, backing it up and restoring it.
//
// It never decides what is worth storing or how results rank; those rules
// live above it. One connection writes, in transactions that either happen
// whole or not at all; a small pool of connections reads beside it.
//
// Start with [Open]; write through [Store.Write], read through the methods of
// [Store]. Errors that callers act on are [ErrNotFound], [ErrFull],
// [ErrReadOnly], [ErrDamaged] and [NewerSchemaError].
package store
