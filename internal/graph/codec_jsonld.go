package graph

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// jsonldHead begins a document: statements in the words of RDF, so that other
// programs understand subject, predicate and object, and the rest as ours.
const jsonldHead = `{"@context": {"@vocab": "urn:chitta:", "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "xsd": "http://www.w3.org/2001/XMLSchema#", ` +
	`"Statement": "rdf:Statement", "subject": "rdf:subject", "predicate": "rdf:predicate", "object": "rdf:object", ` +
	`"confidence": {"@type": "xsd:double"}, "valid_from": {"@type": "xsd:dateTime"}, "valid_until": {"@type": "xsd:dateTime"}, "recorded": {"@type": "xsd:dateTime"}},
"@graph": [`

// jsonldID makes an id of ours one that is unique in the world.
const jsonldID = "urn:chitta:"

func jsonldLine(r *Record, all []field, first bool) string {
	var b strings.Builder
	if !first {
		b.WriteByte(',')
	}
	b.WriteString("\n" + `{"@type": "Statement"`)
	for _, f := range all {
		value := f.get(r)
		switch {
		case value == "":
		case f.name == "id":
			b.WriteString(`, "@id": ` + jsonText(jsonldID+value))
		case f.name == "confidence":
			b.WriteString(`, "confidence": ` + value)
		default:
			b.WriteString(`, "` + f.name + `": ` + jsonText(value))
		}
	}
	b.WriteByte('}')
	return b.String()
}

func jsonText(s string) string {
	b, _ := json.Marshal(s) // a string always can be
	return string(b)
}

// lineReader counts the lines of what it hands out, and refuses to read on when
// too much of it waits to be understood.
type lineReader struct {
	in     io.Reader
	offset func() int64 // how far it was understood
	read   int64
	ends   []int64 // offsets behind line ends that lie beyond what was asked for
	line   int
}

func (l *lineReader) Read(p []byte) (int, error) {
	if l.read-l.offset() > maxRecord {
		return 0, errTooLong
	}
	n, err := l.in.Read(p)
	for i := 0; i < n; {
		end := bytes.IndexByte(p[i:n], '\n')
		if end < 0 {
			break
		}
		i += end + 1
		l.ends = append(l.ends, l.read+int64(i))
	}
	l.read += int64(n)
	return n, err
}

// at returns the line of an offset. Offsets must be asked for in order.
func (l *lineReader) at(offset int64) int {
	for len(l.ends) > 0 && l.ends[0] <= offset {
		l.ends = l.ends[1:]
		l.line++
	}
	return l.line + 1
}

func readJSONLD(r io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		lines := &lineReader{in: r}
		in := json.NewDecoder(lines)
		lines.offset = in.InputOffset
		fail := func(err error) bool { return yield(Record{}, &LineError{lines.at(in.InputOffset()), err}) }
		if err := toGraph(in); err != nil {
			fail(err)
			return
		}
		all := fields()
		for in.More() {
			var raw map[string]json.RawMessage
			err := in.Decode(&raw)
			var kind *json.UnmarshalTypeError
			if errors.As(err, &kind) {
				if !fail(errors.New("a statement must be an object")) {
					return
				}
				continue
			}
			if err != nil {
				yield(Record{}, &LineError{lines.at(in.InputOffset() + gap(in.Buffered())), jsonError(err)})
				return
			}
			rec, err := jsonldRecord(raw, all)
			if err != nil {
				if !fail(err) {
					return
				}
				continue
			}
			if !yield(rec, nil) {
				return
			}
		}
		if _, err := in.Token(); err != nil { // the ] of the list
			fail(jsonError(err))
		} else if _, err := in.Token(); err != nil { // and what follows it
			fail(jsonError(err))
		}
	}
}

// gap returns how far it is to the next statement: what could not be read
// stands behind it, not where the last one ended.
func gap(rest io.Reader) (n int64) {
	for b := bufio.NewReader(rest); ; n++ {
		if c, err := b.ReadByte(); err != nil || !strings.ContainsRune(", \t\r\n", rune(c)) {
			return n
		}
	}
}

func jsonError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the document ends too early; part of the file may be missing")
	}
	return err
}

// toGraph goes to the list of statements, whatever stands before it.
func toGraph(in *json.Decoder) error {
	first, err := in.Token()
	if err != nil {
		return jsonError(err)
	}
	if first != json.Delim('{') {
		return errors.New(`a document must be an object with "@graph"`)
	}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return jsonError(err)
		}
		if name == "@graph" {
			if list, err := in.Token(); err != nil || list != json.Delim('[') {
				return errors.New(`"@graph" must be a list`)
			}
			return nil
		}
		var skipped json.RawMessage
		if err := in.Decode(&skipped); err != nil {
			return jsonError(err)
		}
	}
	return errors.New(`the document has no "@graph"`)
}

func jsonldRecord(raw map[string]json.RawMessage, all []field) (Record, error) {
	var r Record
	for _, f := range all {
		name := f.name
		if name == "id" {
			name = "@id"
		}
		value, ok := raw[name]
		if !ok {
			continue
		}
		var text string
		if len(value) > 0 && (value[0] == '"' || string(value) == "null") {
			if err := json.Unmarshal(value, &text); err != nil {
				return r, fmt.Errorf("%s: %w", name, err)
			}
		} else if name == "confidence" {
			text = string(value)
		} else {
			return r, fmt.Errorf("%s must be a text", name)
		}
		if name == "@id" {
			text = strings.TrimPrefix(text, jsonldID)
		}
		if err := f.set(&r, text); err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
	}
	return r, r.check(all)
}
