package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// maxFileBytes bounds config.toml. A file with every key and a comment on each
// is under 10 KiB; anything near a megabyte is not a configuration.
const maxFileBytes = 1 * mib

// readFile reads the configuration file; a missing one is an empty one.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &FileError{Path: path, Err: err, Hint: "check who may read it"}
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, &FileError{Path: path, Err: errors.New("is not a regular file")}
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return nil, &FileError{Path: path, Err: err}
	}
	if len(data) > maxFileBytes {
		return nil, &FileError{Path: path, Err: fmt.Errorf("is larger than %d bytes", maxFileBytes)}
	}
	return data, nil
}

// parseFile sets in c what the TOML text says and notes in sources where each
// key was set. path is only for messages.
func parseFile(c *Config, data []byte, path string, sources map[string]string) error {
	// Some editors put a byte order mark in front of every file they save.
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		fe := &FileError{Path: path, Err: err}
		if de, ok := errors.AsType[*toml.DecodeError](err); ok {
			fe.Line, _ = de.Position()
		}
		return fe
	}
	known := make(map[string]setting)
	var keys []string
	for _, s := range settings(c) {
		known[s.key] = s
		keys = append(keys, s.key)
	}
	at := lineFinder(data, path)
	for _, area := range slices.Sorted(maps.Keys(tree)) {
		table, ok := tree[area].(map[string]any)
		if !ok {
			return topLevel(area, tree[area], at([]string{area}), keys)
		}
		if len(table) == 0 && !isArea(area, keys) {
			return unknownKey(area, at([]string{area}), areas(keys))
		}
		for _, key := range slices.Sorted(maps.Keys(table)) {
			name, source := area+"."+key, at([]string{area, key})
			s, ok := known[name]
			if !ok {
				return unknownKey(name, source, keys)
			}
			if err := s.set(table[key], source); err != nil {
				return err
			}
			sources[name] = source
		}
	}
	return nil
}

// topLevel is the error for a key outside any table, or an area that is not a
// table.
func topLevel(key string, value any, source string, keys []string) error {
	if !isArea(key, keys) {
		return unknownKey(key, source, keys)
	}
	return &FieldError{
		Field: key, Value: describe(value), Source: source, Problem: "is not a table",
		Hint: "write [" + key + "] on a line of its own and its keys below",
	}
}

func areas(keys []string) []string {
	var out []string
	for _, k := range keys {
		area, _, _ := strings.Cut(k, ".")
		if !slices.Contains(out, area) {
			out = append(out, area)
		}
	}
	return out
}

func isArea(name string, keys []string) bool { return slices.Contains(areas(keys), name) }

// lineFinder returns a function that tells where in the file a key was set.
// The decoded tree has no positions, so the text is walked a second time, and
// only for the errors and notes that need a line.
func lineFinder(data []byte, path string) func(key []string) string {
	lines := make(map[string]int)
	note := func(p *unstable.Parser, parts []string, node *unstable.Node) {
		for n := 1; n <= min(len(parts), 2); n++ {
			id := pathID(parts[:n])
			if _, ok := lines[id]; !ok {
				lines[id] = p.Shape(node.Raw).Start.Line
			}
		}
	}
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		parts, first := keyParts(e)
		if first == nil {
			continue
		}
		if e.Kind == unstable.Table || e.Kind == unstable.ArrayTable {
			table = parts
			note(&p, table, first)
			continue
		}
		full := append(slices.Clone(table), parts...)
		note(&p, full, first)
		if v := e.Value(); v.Kind == unstable.InlineTable && len(full) == 1 {
			for it := v.Children(); it.Next(); {
				if sub, subFirst := keyParts(it.Node()); subFirst != nil {
					note(&p, append(slices.Clone(full), sub...), subFirst)
				}
			}
		}
	}
	return func(key []string) string {
		if line, ok := lines[pathID(key)]; ok {
			return path + lineSuffix(line)
		}
		return path
	}
}

// pathID joins key parts with a character no part needs in a message.
func pathID(parts []string) string { return strings.Join(parts, "\x00") }

func keyParts(e *unstable.Node) (parts []string, first *unstable.Node) {
	switch e.Kind {
	case unstable.Table, unstable.ArrayTable, unstable.KeyValue:
	default:
		return nil, nil
	}
	for it := e.Key(); it.Next(); {
		n := it.Node()
		if first == nil {
			first = n
		}
		parts = append(parts, string(n.Data))
	}
	return parts, first
}

func lineSuffix(line int) string { return " line " + strconv.Itoa(line) }
