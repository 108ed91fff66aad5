package ingest

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"chitta/internal/store"
)

// TestStillThere looks for what was read, as files know it that were read
// before and after all of it was summed up.
func TestStillThere(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789abcdef"), 20<<10)
	offset := int64(len(text) - 100)
	whole := sha256.Sum256(text[:offset])
	edges, err := prefixSum(bytes.NewReader(text), offset)
	if err != nil {
		t.Fatal(err)
	}
	changed := func(at int) []byte {
		text := bytes.Clone(text)
		text[at] = 'X'
		return text
	}
	before, after := store.SourceFile{Offset: offset, Prefix: edges}, store.SourceFile{Offset: offset, Whole: whole[:]}
	tests := []struct {
		name  string
		known store.SourceFile
		text  []byte
		want  bool
	}{
		{"summed up, as it was", after, text, true},
		{"summed up, the beginning changed", after, changed(1), false},
		{"summed up, the middle changed", after, changed(len(text) / 2), false},
		{"summed up, the end changed", after, changed(int(offset) - 1), false},
		{"summed up, what follows changed", after, changed(int(offset)), true},
		{"summed up, cut off", after, text[:offset-1], false},
		{"by its edges, as it was", before, text, true},
		{"by its edges, the beginning changed", before, changed(1), false},
		{"by its edges, the end changed", before, changed(int(offset) - 1), false},
		{"by its edges, cut off", before, text[:offset-1], false},
		{"nothing is known of it", store.SourceFile{Offset: offset}, text, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := source{SourceFile: tt.known, size: int64(len(tt.text)), sum: sha256.New()}
			got, err := s.stillThere(bytes.NewReader(tt.text))
			if err != nil || got != tt.want {
				t.Fatalf("%v %v", got, err)
			}
			if want := sha256.Sum256(tt.text[:min(int(offset), len(tt.text))]); got && !bytes.Equal(s.sum.Sum(nil), want[:]) {
				t.Error("the sum that goes on is not that of what was read")
			}
		})
	}
}
