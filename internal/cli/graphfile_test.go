package cli

import (
	"testing"

	"chitta/internal/graph"
)

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
