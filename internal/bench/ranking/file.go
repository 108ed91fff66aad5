package ranking

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

const (
	// maxFileBytes is far above the largest public set of this kind and far
	// below what would exhaust a machine's memory.
	maxFileBytes = 1 << 30
	// maxLineBytes holds a turn that pastes a whole log file.
	maxLineBytes = 16 << 20
)

// boundedFile is a file that fails to read on beyond a size.
type boundedFile struct {
	*os.File
	left int64
}

func openBounded(path string) (*boundedFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &boundedFile{f, maxFileBytes}, nil
}

func (b *boundedFile) Read(p []byte) (int, error) {
	n, err := b.File.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return 0, fmt.Errorf("larger than %d MiB", maxFileBytes>>20)
	}
	return n, err
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// withoutMark returns a reader that skips a byte order mark.
func withoutMark(r io.Reader) io.Reader {
	buffered := bufio.NewReader(r)
	if start, err := buffered.Peek(len(byteOrderMark)); err == nil && bytes.Equal(start, byteOrderMark) {
		_, _ = buffered.Discard(len(byteOrderMark))
	}
	return buffered
}

// eachLine calls fn for every line that is not blank. Errors name the file and
// the line.
func eachLine(path string, fn func(number int, line []byte) error) error {
	f, err := openBounded(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(withoutMark(f))
	lines.Buffer(nil, maxLineBytes)
	number := 0
	for lines.Scan() {
		number++
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		if err := fn(number, line); err != nil {
			return fmt.Errorf("%s:%d: %w", path, number, err)
		}
	}
	err = lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("longer than %d MiB", maxLineBytes>>20)
	}
	if err != nil {
		return fmt.Errorf("%s:%d: %w", path, number+1, err)
	}
	return nil
}
