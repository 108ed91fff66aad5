// Package causal walks along what led to what: from a chunk of a conversation
// one step at a time to those before or after it, along the edges between
// chunks. How far a step counts is measured in hops on vector clocks, and what
// is reached fades with them ([Decay]).
//
// At every step the chunks that could be next are ranked by how much they
// resemble the question, and only the best go on ([Options.Beam]): following
// everything would lead everywhere.
//
// It is pure: where edges come from ([Graph]) and what resembles what
// ([Similar]) is for the caller to say. It starts nothing and stores nothing.
//
// [Walk] goes one way and keeps how it came; [Chain] picks the best single way
// out of that; [Reach] goes both ways from the results of a search and returns
// what it came by with a score, as a stage of recall needs it.
package causal
