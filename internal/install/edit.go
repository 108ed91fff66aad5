package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// defaultIndent is one level of indentation, as the client writes it.
const defaultIndent = "  "

// list makes a path lead into an array.
const list = "[]"

// add puts a value at the end of the object or array that a path leads to, and
// makes what is missing on the way. A path that ends in [list] leads to an
// array.
func (d *document) add(path []string, key string, value any) error {
	at := pointer(append(slices.Clone(path), key)...)
	keys := path
	inArray := len(keys) > 0 && keys[len(keys)-1] == list
	if inArray {
		keys = keys[:len(keys)-1]
		at = pointer(keys...)
	}
	container, known := d.find(keys)
	want := byte('{')
	if known == len(keys) && inArray {
		want = '['
	}
	if container != nil && byte(container.Value.Kind()) != want {
		return d.errorAt(container.StartOffset, "%s is not %s", pointer(keys[:known]...), map[byte]string{'{': "an object { … }", '[': "a list [ … ]"}[want])
	}
	var made []string
	name := key
	if known < len(keys) { // the first missing one holds all the others
		for i := known; i < len(keys); i++ {
			made = append(made, pointer(keys[:i+1]...))
		}
		if inArray {
			value = []any{value}
		} else {
			value = object{{key, value}}
		}
		for i := len(keys) - 1; i > known; i-- {
			value = object{{keys[i], value}}
		}
		name = keys[known]
	} else if inArray {
		name = ""
	}
	change := Change{At: at, Kind: Added, Made: made}
	if container == nil {
		return d.create(change, object{{name, value}})
	}
	return d.append(container, change, name, value)
}

// create fills a file that holds nothing.
func (d *document) create(c Change, value any) error {
	c.Offset, c.Old = d.start, string(d.text[d.start:])
	c.New = render(value, "", d.lineEnd(), defaultIndent) + d.lineEnd()
	return d.splice(c)
}

// append adds a member, or an element if it has no name, as the last one of a
// container, in the way its neighbours are written.
func (d *document) append(container *hujson.Value, c Change, name string, value any) error {
	items, after := contents(container)
	eol, unit := d.lineEnd(), d.unit()
	outer := d.indentAt(container.StartOffset)
	inner := outer + unit
	end := container.EndOffset - len("}") - len(after)
	lined := d.multiline()
	if n := len(items); n > 0 {
		last := items[n-1]
		inner, lined = lineStart(last.before)
		if last.comma < 0 { // so that a comment stays on the line it is on
			comma := Change{At: c.At, Kind: Added, Offset: last.end, New: ","}
			if err := d.splice(comma); err != nil {
				return err
			}
			end++
		}
		if !lined {
			return d.splice(c.at(end, spacing(items)+named(name, compact(value))+last.ending()))
		}
		return d.splice(c.at(end+sameLine(after), eol+inner+named(name, render(value, inner, eol, unit))+last.ending()))
	}
	if !lined {
		return d.splice(c.at(end+len(after), named(name, compact(value))))
	}
	entry := eol + inner + named(name, render(value, inner, eol, unit))
	if len(bytes.TrimSpace(after)) == 0 {
		c.Offset, c.Old, c.New = end, string(after), entry+eol+outer
		return d.splice(c)
	}
	at := sameLine(after)
	if !bytes.Contains(after[at:], []byte("\n")) {
		entry += eol + outer
	}
	return d.splice(c.at(end+at, entry))
}

// at completes a change that only adds.
func (c Change) at(offset int, text string) Change {
	c.Offset, c.New = offset, text
	return c
}

// remove takes out an item of a container: the value, its name, and the comma
// that goes with it. Comments around it stay.
func (d *document) remove(container *hujson.Value, i int, at string) error {
	items, after := contents(container)
	it := items[i]
	c := Change{At: at, Kind: Removed}
	before := bytes.TrimRight(it.before, " \t\r\n")
	from := it.start - (len(it.before) - len(before))
	to := it.end
	if it.comma >= 0 {
		to = it.comma + 1
		if between := d.text[it.end:it.comma]; len(bytes.TrimSpace(between)) > 0 {
			c.New = string(between) // a comment stays
		}
	} else if len(items) == 1 && len(bytes.TrimSpace(it.before)) == 0 && len(bytes.TrimSpace(after)) == 0 {
		to += len(after)
	}
	if endsInLineComment(before) && !startsLine(append([]byte(c.New), d.text[to:]...)) {
		from += bytes.IndexByte(d.text[from:], '\n') + 1 // or the comment would go on
	}
	c.Offset, c.Old = from, string(d.text[from:to])
	if err := d.splice(c); err != nil {
		return err
	}
	if it.comma < 0 && i > 0 { // the one before it is the last now
		comma := items[i-1].comma
		return d.splice(Change{At: at, Kind: Removed, Offset: comma, Old: ","})
	}
	return nil
}

// replace writes another value in the place of one.
func (d *document) replace(v *hujson.Value, at string, value any) error {
	old := string(d.text[v.StartOffset:v.EndOffset])
	fresh := compact(value)
	if strings.Contains(old, "\n") {
		fresh = render(value, d.indentAt(v.StartOffset), d.lineEnd(), d.unit())
	}
	return d.splice(Change{At: at, Kind: Updated, Offset: v.StartOffset, Old: old, New: fresh})
}

// item is a member of an object or an element of an array.
type item struct {
	before     []byte // spaces and comments before it
	start, end int    // with its name
	comma      int    // offset of the comma behind it, negative without one
	last       bool
}

// ending is what has to follow an item that comes after this one.
func (it item) ending() string {
	if it.comma >= 0 {
		return ","
	}
	return ""
}

// contents returns what is in a container, and the spaces and comments before
// its end.
func contents(v *hujson.Value) (items []item, after []byte) {
	var before [][]byte
	var starts []int
	var values []hujson.Value
	switch c := v.Value.(type) {
	case *hujson.Object:
		after = c.AfterExtra
		for _, m := range c.Members {
			before, starts, values = append(before, m.Name.BeforeExtra), append(starts, m.Name.StartOffset), append(values, m.Value)
		}
	case *hujson.Array:
		after = c.AfterExtra
		for _, e := range c.Elements {
			before, starts, values = append(before, e.BeforeExtra), append(starts, e.StartOffset), append(values, e)
		}
	}
	for i, value := range values {
		it := item{before: before[i], start: starts[i], end: value.EndOffset, comma: -1, last: i == len(values)-1}
		if !it.last || value.AfterExtra != nil { // set where a comma follows
			it.comma = value.EndOffset + len(value.AfterExtra)
		}
		items = append(items, it)
	}
	return items, after
}

// object keeps the order of its members.
type object []struct {
	key   string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	members := make([]string, len(o))
	for i, m := range o {
		members[i] = named(m.key, compact(m.value))
	}
	return []byte("{" + strings.Join(members, ",") + "}"), nil
}

func compact(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("values of this package are always JSON: %v", err))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// render writes a value on several lines, all but the first indented.
func render(v any, indent, eol, unit string) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(compact(v)), indent, unit); err != nil {
		panic(fmt.Sprintf("values of this package are always JSON: %v", err))
	}
	return strings.ReplaceAll(b.String(), "\n", eol)
}

func named(name, value string) string {
	if name == "" {
		return value
	}
	return compact(name) + ": " + value
}
