package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// record remembers what was done to which file, so that it can be taken back
// exactly.
type record struct {
	Version int              `json:"version"`
	Files   map[string]entry `json:"files"`
}

// recordVersion is the form of the record. Another one is not read: entries
// are then found by looking for them.
const recordVersion = 1

// entry is what was done to one file.
type entry struct {
	// SHA256 is of the file as it was left. If it is another, somebody changed
	// the file since.
	SHA256 string `json:"sha256"`
	// Existed says whether there was a file.
	Existed bool `json:"existed"`
	// MadeFolder is the folder that was made for it, if any.
	MadeFolder string   `json:"made_folder,omitempty"`
	Changes    []Change `json:"changes"`
	// Whole says that taking back the changes leads to the file as it was
	// before chitta.
	Whole bool `json:"whole"`
	// Made names the objects and lists that were made, see [Change].
	Made []string `json:"made"`
	// Scope is of a CLAUDE.md the one it was asked for in, and goes with.
	Scope string `json:"scope,omitempty"`
}

// made reports whether a folder was made for a file.
func (r record) made(folder string) bool {
	for _, e := range r.Files {
		if e.MadeFolder == folder {
			return true
		}
	}
	return false
}

func sum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}

// extend notes further changes of a file. old is its text before them, had
// whether chitta was in it already.
func (e *entry) extend(old, text []byte, existed, had bool, changes []Change) entry {
	next := entry{SHA256: sum(text), Existed: existed, Changes: changes, Whole: !had, Made: []string{}}
	if e != nil && had {
		next.Existed, next.MadeFolder, next.Made = e.Existed, e.MadeFolder, e.Made
		if e.SHA256 == sum(old) {
			next.Changes, next.Whole = slices.Concat(e.Changes, changes), e.Whole
		}
	}
	for _, c := range changes {
		next.Made = append(next.Made, c.Made...)
	}
	return next
}

// restore returns a file without chitta: as it was before, if nobody changed it
// since, else without chitta's entries.
func (e *entry) restore(text []byte, without func([]byte, []string) ([]byte, []Change, error)) ([]byte, []Change, error) {
	if e == nil {
		return without(text, nil)
	}
	if e.SHA256 != sum(text) {
		return without(text, e.Made)
	}
	_, shown, err := without(text, e.Made)
	if err != nil {
		return nil, nil, err
	}
	back, err := Undo(text, e.Changes)
	if err != nil || e.Whole {
		return back, shown, err
	}
	back, _, err = without(back, e.Made)
	return back, shown, err
}

func (in *Installer) readRecord() (record, error) {
	rec := record{Version: recordVersion, Files: map[string]entry{}}
	text, exists, err := readFile(in.Record)
	if err != nil || !exists {
		return rec, err
	}
	var stored record
	if json.Unmarshal(text, &stored) == nil && stored.Version == recordVersion && stored.Files != nil {
		return stored, nil
	}
	return rec, nil // without it, entries are found by looking for them
}

func (in *Installer) writeRecord(rec record) error {
	was, _, err := readFile(in.Record)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(rec, "", "  ")
	if err != nil {
		return err
	}
	if err := writeFile(in.Record, append(text, '\n'), was, ownFile); err != nil {
		return fmt.Errorf("note what was done: %w", err)
	}
	return nil
}
