// Package graph owns the language and the arithmetic of knowledge: what
// concepts are called, which relations there are between them, how both are
// written down, asked about and said again.
//
// Its language side has five entries. [CanonicalName] and [Key] say how a
// concept is shown and by what it is compared. [LookupPredicate] turns the
// many words for a relation into one. [Parse] finds notation in free text,
// where almost everything that looks like it is code or prose, and
// [ParseFile] reads a text whose author means nothing else. [Route] finds the
// relation that a question asks for. [Sentences] says facts in few words.
//
// It is pure: values in, values out. It stores nothing and starts nothing.
package graph
