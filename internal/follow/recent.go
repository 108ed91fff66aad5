package follow

import (
	"sync"

	"chitta/internal/session"
)

// maxRecent bounds the records whose messages are kept, in bytes: somewhat more
// than an import stores in one transaction.
const maxRecent = 12 << 20

// Recent keeps messages that were just stored as they were read, until the index
// has taken them: to read a record again costs as much as the first time. They
// go by source and hash of the record, and what a record says follows from
// these, so they are right whatever becomes of the rows meanwhile. What is not
// here is read from the store.
type Recent struct {
	mu   sync.Mutex
	said map[recordKey]recentMessage
	size int
}

type recordKey struct {
	source string
	hash   [32]byte
}

type recentMessage struct {
	*session.Message
	size int
}

// Put keeps the message of a record of a size. When there are too many all are
// forgotten: nobody took them.
func (r *Recent) Put(source string, hash [32]byte, size int, m *session.Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.said == nil || r.size+size > maxRecent {
		r.said, r.size = map[recordKey]recentMessage{}, 0
	}
	key := recordKey{source, hash}
	r.size += size - r.said[key].size
	r.said[key] = recentMessage{m, size}
}

// take returns the message of a record and lets go of it; nil if it is not here.
func (r *Recent) take(source string, hash [32]byte) *session.Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := recordKey{source, hash}
	m := r.said[key]
	r.size -= m.size
	delete(r.said, key)
	return m.Message
}

// Len returns how many messages are here.
func (r *Recent) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.said)
}
