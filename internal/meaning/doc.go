// Package meaning finds texts by what they mean: it opens the embedding model,
// has it make a vector of everything that can be found, and searches them.
//
// A [Library] holds it all. It follows the feeds it is given a batch at a time
// ([Library.Round]), so whoever schedules background work decides how long that
// takes. Another model needs other vectors; while it makes them the one before
// goes on answering ([Library.Choose]). A [Finder] searches one feed.
package meaning
