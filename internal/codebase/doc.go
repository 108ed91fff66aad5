// Package codebase keeps the index of the user's source: which files a project
// has, what each of them says, and what calls what.
//
// It walks a project's files ([Walk]), has them parsed by child processes (the
// process that owns the data never calls a grammar, which is C and may crash),
// what calls what found by another ([Solve]), keeps facts and edges in code.db,
// and keeps them current while files change.
// It says nothing about code itself: facts are those of internal/extract, edges
// those of internal/resolve.
//
// Start with [Open], then [Base.Index]; [Base.Run] keeps what is indexed
// current. The tables are described in internal/store/code.sql.
package codebase
