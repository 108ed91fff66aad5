// Package ranking holds what retrieval benchmarks have in common: the data
// sets, the metrics and the report.
//
// It knows nothing of how a ranking is made: [Run] asks a [Ranker] every
// question of a [Set] and holds the answers against what is known to be
// relevant. Loaders read what is there of a data set, count what they could
// not use, and never correct the labels.
//
// Start with [LoCoMo], [SciFact] or [Pairs] for the data, then [Run].
package ranking
