package mind

import (
	"encoding/json"
	"testing"
)

// FuzzImportLine feeds arbitrary lines to import: it never fails as a whole,
// never panics, and what it accepts leaves the store sound.
func FuzzImportLine(f *testing.F) {
	f.Add([]byte(`{"chitta":1}`))
	f.Add([]byte(`{"realm":{"id":"p_1","name":"x","kind":"project","visibility":"private","created":"2026-01-01T00:00:00Z","updated":"2026-01-01T00:00:00Z"}}`))
	f.Add([]byte(`{"memory":{"id":"m_0123","kind":"wisdom","content":"content of ten","tags":["a"],"realm":"user","visibility":"global","state":"active","confidence":{"mean":0.5,"variance":0.1,"n":0,"tau":0},"source":"conscious","trust":"user","created":"2026-01-01T00:00:00Z","updated":"2026-01-01T00:00:00Z","observed":"2026-01-01T00:00:00Z"},"history":[{"at":"2026-01-01T00:00:00Z","actor":"x","op":"y","detail":{"content":["a","b"]}}]}`))
	f.Add([]byte(`{"memory":{"id":"m_0123","kind":"wisdom","content":"changed content","tags":null,"realm":"user","visibility":"global","state":"forgotten","forgotten":"2026-01-01T00:00:00Z","confidence":{"mean":1,"variance":0.25,"n":3,"tau":1e300},"decay_rate":1e308,"source":"conscious","trust":"user","created":"9999-01-01T00:00:00Z","updated":"9999-01-01T00:00:00Z","observed":"0001-01-01T00:00:01Z"}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if !json.Valid(line) {
			return
		}
		m, _ := openTest(t) // proves the store sound at the end
		out, err := m.Import(t.Context(), person, ImportInput{Lines: []json.RawMessage{line}})
		if err != nil {
			t.Fatalf("a line failed the whole import: %v", err)
		}
		if n := out.Added + out.Updated + out.Known + out.Realms + len(out.Refused); n > 1 {
			t.Errorf("one line counted %d times: %+v", n, out)
		}
	})
}
