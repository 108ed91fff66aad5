package cli

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"

	"chitta/internal/graph"
)

// TestLineReader: whoever reads records through it is told the line of each,
// however long the lines before are.
func TestLineReader(t *testing.T) {
	long := strings.Repeat("n", 100_000)
	text := "subject,predicate,object,source\na,causes,b,\n\nc,causes,d," + long + "\ne,causes,f,"
	lines := &lineReader{from: bufio.NewReaderSize(strings.NewReader(text), 16)}
	var got []int
	for _, err := range graph.Read(graph.CSV, lines) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, lines.lines)
	}
	if len(got) != 3 || got[0] != 2 || got[1] != 4 || got[2] != 5 || lines.bytes != int64(len(text)) {
		t.Errorf("lines %v, %d bytes", got, lines.bytes)
	}
	all, err := io.ReadAll(&lineReader{from: bufio.NewReader(strings.NewReader(text))})
	if err != nil || !bytes.Equal(all, []byte(text)) {
		t.Errorf("%d bytes of %d, %v", len(all), len(text), err)
	}
}

func TestGraphFormat(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       graph.Format
	}{
		{"", "a.csv", graph.CSV}, {"", "a.DOT", graph.DOT}, {"", "a.gv", graph.DOT}, {"", "a.jsonld", graph.JSONLD}, {"", "a.json", graph.JSONLD},
		{"json-ld", "", graph.JSONLD}, {"csv", "a.dot", graph.CSV}, {"", "a.txt", ""}, {"xml", "a.csv", ""}, {"", "", ""},
	} {
		if got, err := graphFormat(c.name, c.file); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q %q: %q %v", c.name, c.file, got, err)
		}
	}
}
