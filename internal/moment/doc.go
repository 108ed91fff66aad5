// Package moment is what chitta does at the moments of a client's session:
// when it starts, when a person asks something, before and after a tool runs,
// when a turn ends, when the conversation is compacted, and when it is over.
//
// It composes operations of [mind.Mind] and decides what is worth handing to
// the agent, and what of a finished turn is worth keeping. It keeps tables of
// its own in the store: ledgers, visits, what hooks did. It never blocks a
// client: [Keeper.Attend] answers at once, and what takes longer is done by
// [Keeper.Run].
package moment
