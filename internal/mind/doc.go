// Package mind holds the operations: what it means to remember, correct,
// forget and recall. It composes the packages below it and owns the rules
// that span them: the quality gate before a write, history with every change,
// what is derived in step with the store (packages follow and meaning),
// conversations taken over (package ingest) and read (package past), memories
// held against the code they name (package anchor).
//
// It knows nothing of sockets, commands or tools; callers hand in who is
// asking ([Caller]) and a typed input, and get a typed output or an error
// that says what is wrong and what to do ([memory.InputError],
// [memory.RefusedError], or an error of the store).
//
// Start with [Open], then [Mind.Remember] and [Mind.Recall].
package mind
