package store

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// go test ./internal/store -run Released -update keeps a database of the
// present schema, to be done once when a schema is released.
var update = flag.Bool("update", false, "write the fixture of the present schema")

// TestReleasedSchemasOpen opens a database of every released schema, brings
// it up to date and reads what was stored in it.
func TestReleasedSchemasOpen(t *testing.T) {
	known, err := latestSchema(embedded())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		writeFixture(t, fixture(known))
	}
	for v := int64(1); v <= known; v++ {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "chitta.db")
			if err := copyFile(fixture(v), path); err != nil {
				t.Fatalf("%v; a released schema has a fixture, see the flag -update", err)
			}
			s, err := Open(t.Context(), Options{Path: path})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got, err := s.SchemaVersion(t.Context()); err != nil || got != known {
				t.Errorf("schema %d after opening, %v", got, err)
			}
			if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
				t.Errorf("check: %v %v", problems, err)
			}
			r, err := s.Get(t.Context(), "m_test0001")
			if err != nil || r.Content != "memory number 1" || len(r.Tags) != 2 {
				t.Errorf("%+v %v", r, err)
			}
			if v >= 2 {
				chunks, err := s.ChunksAfter(t.Context(), 0, 10)
				if err != nil || len(chunks) != 1 || chunks[0].Text != "said once" || chunks[0].Realm != "p_1" {
					t.Errorf("chunks: %+v %v", chunks, err)
				}
			}
			if v >= 7 {
				facts, err := s.Triples(t.Context(), TripleFilter{AsOf: testTime})
				if err != nil || len(facts) != 1 || facts[0].SubjectName != "a" || facts[0].ObjectName != "b" {
					t.Errorf("facts: %+v %v", facts, err)
				}
			}
			if h, err := s.Changes(t.Context(), r.ID); err != nil || len(h[r.ID]) != 1 {
				t.Errorf("history: %v %v", h, err)
			}
		})
	}
}

func fixture(version int64) string {
	return filepath.Join("testdata", fmt.Sprintf("schema-%05d.db", version))
}

func writeFixture(t *testing.T, path string) {
	t.Helper()
	s := openTest(t)
	for i := range 3 {
		insert(t, s, testRecord(i))
	}
	err := s.Write(t.Context(), func(tx *Tx) error {
		x := Session{ID: "s1", Source: "turns", Realm: "p_1", Title: "a talk", Messages: 1}
		if err := tx.PutSession(&x); err != nil {
			return err
		}
		m := Message{Session: x.Seq, ID: "t1", Role: "user", Raw: []byte(`{"id":"t1","text":"said once"}`)}
		if err := tx.AddMessage(&m); err != nil {
			return err
		}
		if err := tx.AddChunk(&Chunk{Session: x.Seq, Role: "user", Hash: "h", Text: "said once"}); err != nil {
			return err
		}
		a, b := Concept{Realm: "p_1", Name: "a", Key: "a"}, Concept{Realm: "p_1", Name: "b", Key: "b"}
		for _, c := range []*Concept{&a, &b} {
			if _, err := tx.EnsureConcept(c); err != nil {
				return err
			}
		}
		_, _, err := tx.Assert(Assertion{ID: "t_1", Subject: a.Seq, Object: b.Seq, Predicate: "causes", Evidence: Evidence{Confidence: 0.5, ValidFrom: testTime, At: testTime}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
}
