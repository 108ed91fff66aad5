// Package recall finds what is worth knowing for a query: the resonance
// pipeline. Finders propose candidates, side by side; refiners then look at
// all of them together; every step leaves evidence on the candidates it
// touched, and the final score is a function of that evidence, so an answer
// can always explain itself.
//
// It never writes and never decides what is stored. A finder that fails or is
// missing is named in the answer, which is made of what the others found.
//
// Start with [Pipeline.Run].
package recall
