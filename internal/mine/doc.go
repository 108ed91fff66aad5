// Package mine finds in texts what the knowledge graph can hold of them: which
// files and symbols they name.
//
// Precision comes first: a name that is none links texts that have nothing to
// do with each other, and one that was missed can still be found by its words.
// So only what is written the way names are written counts, and code blocks are
// not read at all.
//
// It is pure: a text in, names out. Start with [Mentions].
package mine
