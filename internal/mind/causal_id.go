package mind

import (
	"context"
	"fmt"
	"strings"

	"chitta/internal/memory"
	"chitta/internal/recall"
	"chitta/internal/store"
)

// formOfID reports whether a word has the form that ids of turns have, such as
// D1:3 or 17: digits, and what separates them. Words of a question have not.
func formOfID(word string) bool {
	if strings.ContainsAny(word, " \t\n") || len(word) > maxIDBytes || !strings.ContainsAny(word, "0123456789") {
		return false
	}
	return strings.ContainsAny(word, ":-_#") || strings.Trim(word, "0123456789") == ""
}

// idElsewhere returns the realm of a message that has an id and is not of the
// realm that was asked for, "" if there is none, or it is nothing that the
// caller may know.
func (m *Mind) idElsewhere(c Caller, q *recall.Query, found []store.Said) string {
	if !c.Person() || q.Realm == "" || !formOfID(q.Text) {
		return ""
	}
	for i := range found {
		if f := &found[i]; f.ID == q.Text && f.Realm != q.Realm {
			return f.Realm
		}
	}
	return ""
}

// notHere refuses an id of another realm: looking for it as text would answer
// another question than was asked.
func (m *Mind) notHere(ctx context.Context, id, realm string) error {
	names, err := m.store.RealmNames(ctx)
	if err != nil {
		return err
	}
	name := names[realm]
	if name == "" {
		name = realm
	}
	return &memory.InputError{
		Field: "query", Problem: fmt.Sprintf("%q is the id of a message in another project, %s", id, name),
		Hint: fmt.Sprintf("ask there with --realm %s; to look for it as text, write a sentence", name),
	}
}
