package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"chitta/internal/embed"
)

const (
	shortestText = 40  // bytes; less says nothing
	longestText  = 300 // bytes; about a sentence or two
	textsAtOnce  = 256
)

// realVectors embeds texts found under a path, all different, until there are
// n of them.
func realVectors(ctx context.Context, path string, n int, progress func(done, total int64)) ([][]float32, error) {
	m, err := embed.Builtin()
	if err != nil {
		return nil, err
	}
	defer m.Close()
	e := embed.New(m, embed.Options{CacheEntries: -1})
	var vectors [][]float32
	var batch []string
	flush := func() error {
		v, err := e.Embed(ctx, batch)
		vectors, batch = append(vectors, v...), batch[:0]
		progress(int64(len(vectors)), int64(n))
		return err
	}
	seen := map[string]bool{}
	err = eachText(path, func(text string) error {
		if seen[text] {
			return nil
		}
		seen[text] = true
		if batch = append(batch, text); len(vectors)+len(batch) >= n {
			return errors.Join(flush(), fs.SkipAll)
		}
		if len(batch) < textsAtOnce {
			return nil
		}
		return flush()
	})
	switch {
	case err != nil && !errors.Is(err, fs.SkipAll):
		return nil, err
	case len(vectors) < n:
		return nil, fmt.Errorf("%s has %d texts, %d are needed", path, len(vectors)+len(batch), n)
	}
	return vectors, nil
}

// eachText calls fn with every sentence-like piece of the files under a path.
func eachText(path string, fn func(string) error) error {
	return filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			if !utf8.Valid(lines.Bytes()) {
				break // not a text
			}
			for _, text := range pieces(lines.Text()) {
				if err := fn(text); err != nil {
					return err
				}
			}
		}
		return nil // a line beyond all bounds ends the file
	})
}

// pieces cuts a line into sentences of a size worth embedding.
func pieces(line string) []string {
	var out []string
	for _, s := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(".!?\"{}[]\\", r) }) {
		s = strings.Join(strings.Fields(s), " ")
		if len(s) > longestText {
			s = strings.ToValidUTF8(s[:longestText], "")
		}
		if len(s) >= shortestText && strings.Count(s, " ") >= 4 {
			out = append(out, s)
		}
	}
	return out
}
