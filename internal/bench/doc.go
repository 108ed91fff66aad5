// Package bench measures what chitta promises: each benchmark prints its
// figures beside their targets, as text and as JSON.
//
// Machines are noisy, so figures are medians of many, CPU time where the
// system tells it, and ratios within one run. Nothing here is a test; tests
// assert behaviour, benchmarks show speed and quality.
//
// Start with [Store] and [Keyword].
package bench
