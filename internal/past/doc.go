// Package past reads what was said and done: it lists and shows sessions, finds
// messages word for word, carries a session over into another, exports it, and
// tells what became of a file, an error or a task.
//
// It reads only. What it needs is handed in ([Options]): the store and two
// indexes of words, who knows projects, who compares texts. It decides itself
// what a [Reader] may see. It knows nothing of memories.
//
// Start with [New], then [Archive.Show] and [Archive.Search]. One file has one
// subject: session.go, find.go and message.go how sessions and messages are
// shown and named, thread.go what belongs to a fork, reading.go how records
// become readable, search.go, searching.go and query.go verbatim search,
// blame.go, fix.go with story.go, and how.go the histories.
package past
