package anchor

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"chitta/internal/codebase"
)

// textSeen is what was seen of a file's text.
type textSeen struct {
	size     int64
	modified time.Time
	mark     codebase.Entry
	sum      [sha256.Size]byte // of the text
	name     string            // as git calls it
	plain    string            // hash of it without blank space at the ends of lines
}

const (
	// maxTexts bounds how many texts are remembered; each takes about 200 bytes.
	maxTexts = 20_000
	// settledFor is how old a file must be for its time to tell of every change.
	settledFor = 2 * time.Second
)

var errNoText = errors.New("no text")

// text reads a file, or remembers what it read while nothing tells of a change.
// A file that is not there gives [fs.ErrNotExist].
func (r *Room) text(full string) (textSeen, error) {
	fi, err := os.Stat(full)
	if errors.Is(err, syscall.ENOTDIR) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return textSeen{}, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > codebase.MaxFile {
		return textSeen{}, errNoText
	}
	mark := codebase.EntryOf(fi)
	r.mu.Lock()
	seen, ok := r.texts[full]
	r.mu.Unlock()
	if ok && seen.size == fi.Size() && seen.modified.Equal(fi.ModTime()) && seen.mark == mark {
		return seen, nil
	}
	text, err := readText(full)
	if err != nil {
		return textSeen{}, err
	}
	seen = textSeen{size: fi.Size(), modified: fi.ModTime(), mark: mark, sum: sha256.Sum256(text), name: blobName(text), plain: plainHash(text)}
	if time.Since(fi.ModTime()) < settledFor || time.Since(time.Unix(0, mark.Changed)) < settledFor {
		return seen, nil // it may be written again without its time telling
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.texts) >= maxTexts {
		r.texts = map[string]textSeen{}
	}
	r.texts[full] = seen
	return seen, nil
}

// forget has a file read again, whatever it looks like.
func (r *Room) forget(full string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.texts, full)
}

// blobName is what git calls a text: with it, a text that was committed at any
// time is found again.
func blobName(text []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(text))
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// readText reads a regular file.
func readText(full string) ([]byte, error) {
	f, _, err := codebase.OpenRegular(full)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, codebase.MaxFile+1))
	if len(text) > codebase.MaxFile {
		return nil, errNoText
	}
	return text, err
}

// plainHash is the hash of a text without blank space at the ends of its lines
// and of itself. Everything else counts: what looks like a comment may stand
// within a text, and blank space may be what the file is about.
func plainHash(text []byte) string {
	h := sha256.New()
	for line := range bytes.Lines(bytes.TrimRight(text, blanks)) {
		h.Write(bytes.TrimRight(line, blanks))
		h.Write([]byte{'\n'})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

const blanks = " \t\r\n"
