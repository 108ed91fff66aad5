package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// WriteModel sets the model in a configuration file and leaves everything else
// in it as it is: other areas, comments, order, line ends. A missing file is
// made. The file is replaced whole or not at all, and is for its owner only.
// Keys that are empty now are emptied where they are set, and not added.
func WriteModel(path string, m Model) error {
	data, err := readFile(path)
	if err != nil {
		return err
	}
	before := Default()
	if err := parseFile(&before, data, path, map[string]string{}); err != nil {
		return err
	}
	edited := data
	for _, set := range [][2]string{{"use", m.Use}, {"name", m.Name}, {"key_variable", m.KeyVariable}} {
		edited = setKey(edited, "model", set[0], set[1])
	}
	// whatever way the file was written, it has to say what it said before,
	// and the new model
	after := Default()
	if err := parseFile(&after, edited, path, map[string]string{}); err != nil {
		return &FileError{Path: path, Err: fmt.Errorf("cannot be changed: %w", err), Hint: "edit [model] by hand"}
	}
	before.Model.Use, before.Model.Name, before.Model.KeyVariable = m.Use, m.Name, m.KeyVariable
	for i, want := range settings(&before) {
		if got := settings(&after)[i]; !want.field.Equal(got.field) {
			return &FileError{Path: path, Err: fmt.Errorf("cannot be changed: %s would become %v", want.key, got.field), Hint: "edit [model] by hand"}
		}
	}
	if err := replaceFile(path, edited); err != nil {
		return &FileError{Path: path, Err: err, Hint: "check who may write it"}
	}
	return nil
}

// place is where in a file a key is, or where it can be added.
type place struct {
	value  [2]int // of the key's value
	set    bool   // whether there is one
	insert int    // where to add the key, if found
	before string // what goes before "key = value" there
	behind string // and after it
	found  bool
}

// setKey sets a key of an area to a text.
func setKey(data []byte, area, key, value string) []byte {
	mark := []byte("\ufeff")
	text, marked := bytes.CutPrefix(data, mark)
	p := findKey(text, area, key)
	var out []byte
	switch {
	case p.set:
		out = slices.Concat(text[:p.value[0]], []byte(quote(value)), text[p.value[1]:])
	case value == "":
		return data
	case p.found:
		line := p.before + key + " = " + quote(value) + p.behind
		out = slices.Concat(text[:p.insert], []byte(line), text[p.insert:])
	default:
		eol := lineEnd(text)
		out = slices.Clone(text)
		if len(out) > 0 && out[len(out)-1] != '\n' {
			out = append(out, eol...)
		}
		if len(out) > 0 {
			out = append(out, eol...)
		}
		out = append(out, "["+area+"]"+eol+key+" = "+quote(value)+eol...)
	}
	if marked {
		out = append(mark, out...)
	}
	return out
}

// findKey walks the file's expressions. An area can be a table, an inline
// table, or the first part of dotted keys.
func findKey(text []byte, area, key string) (at place) {
	eol := lineEnd(text)
	var p unstable.Parser
	p.Reset(text)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		parts, first := keyParts(e)
		if first == nil {
			continue
		}
		if e.Kind == unstable.Table || e.Kind == unstable.ArrayTable {
			if table = parts; slices.Equal(table, []string{area}) {
				at.after(text, int(first.Raw.Offset), eol, "")
			}
			continue
		}
		full := append(slices.Clone(table), parts...)
		value := e.Value()
		switch {
		case slices.Equal(full, []string{area, key}):
			at.value, at.set = rangeOf(value.Raw), true
		case slices.Equal(full, []string{area}) && value.Kind == unstable.InlineTable:
			at.inline(&p, value, key)
		case len(full) == 2 && full[0] == area:
			dotted := strings.Join(full[len(table):len(full)-1], ".")
			if dotted != "" {
				dotted += "."
			}
			at.after(text, max(int(first.Raw.Offset), rangeOf(value.Raw)[1]), eol, dotted)
		}
	}
	return at
}

// after notes that the key can be added on the line below the one at an
// offset.
func (at *place) after(text []byte, offset int, eol, prefix string) {
	at.found, at.before, at.behind = true, prefix, eol
	end := bytes.IndexByte(text[offset:], '\n')
	if end < 0 { // the last line, without an end
		at.insert, at.before, at.behind = len(text), eol+prefix, ""
		return
	}
	at.insert = offset + end + 1
}

// inline looks for the key in an inline table, or notes that it can be added
// at its beginning.
func (at *place) inline(p *unstable.Parser, table *unstable.Node, key string) {
	at.found, at.insert, at.before = true, int(table.Raw.Offset)+1, " "
	at.behind = " "
	for it := table.Children(); it.Next(); {
		n := it.Node()
		at.behind = ","
		if parts, first := keyParts(n); first != nil && slices.Equal(parts, []string{key}) {
			at.value, at.set = rangeOf(n.Value().Raw), true
		}
	}
}

func rangeOf(r unstable.Range) [2]int { return [2]int{int(r.Offset), int(r.Offset + r.Length)} }

// lineEnd returns how the file ends its lines.
func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// quote writes a text as TOML does.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// replaceFile writes a file beside the one it replaces and renames it. A
// symbolic link stays one.
func replaceFile(path string, data []byte) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp") // for the owner only
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
