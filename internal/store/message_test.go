package store

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// TestMessagesAreFoundByTheStartOfTheirHash asks for beginnings of every length,
// below and above what the index has.
func TestMessagesAreFoundByTheStartOfTheirHash(t *testing.T) {
	s := openTest(t)
	var want []Message
	err := s.Write(t.Context(), func(tx *Tx) error {
		x := Session{ID: "s1", Source: "turns", Realm: "p_1", Messages: 40}
		if err := tx.PutSession(&x); err != nil {
			return err
		}
		for i := range 40 {
			m := Message{Session: x.Seq, Position: int64(i), ID: fmt.Sprint(i), Raw: fmt.Appendf(nil, "record %d", i)}
			if err := tx.AddMessage(&m); err != nil {
				return err
			}
			want = append(want, m)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range want {
		digits := hex.EncodeToString(m.Hash[:])
		for n := 8; n <= len(digits); n++ {
			found, err := s.MessageByHash(t.Context(), digits[:n], 5)
			if err != nil || len(found) != 1 || found[0].ID != m.ID {
				t.Fatalf("%d digits of %s: %v %v", n, m.ID, found, err)
			}
		}
		if found, err := s.MessageByHash(t.Context(), digits[:20]+flip(digits[20:21]), 5); err != nil || len(found) != 0 {
			t.Errorf("another hash: %v %v", found, err)
		}
	}
	if found, err := s.MessageByHash(t.Context(), "no number", 5); err != nil || len(found) != 0 {
		t.Errorf("%v %v", found, err)
	}
	plan := planOf(t, s, `SELECT seq FROM message m WHERE substr(m.hash, 1, 8) BETWEEN ? AND ?`, []byte{0}, []byte{1})
	if !strings.Contains(plan, "message_by_hash") {
		t.Errorf("all messages are read: %s", plan)
	}
}

func flip(digit string) string {
	if digit == "0" {
		return "1"
	}
	return "0"
}

func planOf(t *testing.T, s *Store, query string, args ...any) string {
	t.Helper()
	lines, err := collect(context.Background(), s.reading, func(row scanner) (line string, err error) {
		var a, b, c any
		return line, row.Scan(&a, &b, &c, &line)
	}, `EXPLAIN QUERY PLAN `+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "; ")
}

// TestTouchedKeepsTheOrder asks which of several paths were ever touched.
func TestTouchedKeepsTheOrder(t *testing.T) {
	s := openTest(t)
	err := s.Write(t.Context(), func(tx *Tx) error {
		x := Session{ID: "s1", Source: "turns", Realm: "p_1", Messages: 1}
		if err := tx.PutSession(&x); err != nil {
			return err
		}
		m := Message{Session: x.Seq, ID: "1", Raw: []byte("{}")}
		if err := tx.AddMessage(&m); err != nil {
			return err
		}
		for i, path := range []string{"/b", "/a", `/odd "'数`} {
			if err := tx.AddFileTouch(&FileTouch{Message: m.Seq, N: i, Session: x.Seq, Path: path}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Touched(t.Context(), []string{"/a", "/x", `/odd "'数`, "/b"})
	if err != nil || strings.Join(got, " ") != `/a /odd "'数 /b` {
		t.Errorf("%v %v", got, err)
	}
	if got, err := s.Touched(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("%v %v", got, err)
	}
}

// TestReadMessagesAfter holds reading row by row against reading at once, with
// every bound, also where only the number of a message is left.
func TestReadMessagesAfter(t *testing.T) {
	s := openTest(t)
	err := s.Write(t.Context(), func(tx *Tx) error {
		x := Session{ID: "s1", Source: "turns", Realm: "p_1", Messages: 9}
		if err := tx.PutSession(&x); err != nil {
			return err
		}
		for i := range 9 {
			m := Message{Session: x.Seq, Position: int64(i), ID: fmt.Sprint(i), Time: fromMillis(int64(i)), Raw: []byte(strings.Repeat("\xffr", i))}
			if err := tx.AddMessage(&m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, after := range []int64{0, 3, 9} {
		for _, limit := range []int{1, 4, 100} {
			for _, size := range []int{1, 7, 1000} {
				want, err := s.MessagesAfter(t.Context(), after, limit, size)
				if err != nil {
					t.Fatal(err)
				}
				n := 0
				err = s.ReadMessagesAfter(t.Context(), after, limit, size, func(m *Said) {
					if n >= len(want) || m.Seq != want[n].Seq || m.Session != want[n].Session || !m.Time.Equal(want[n].Time) ||
						string(m.Raw) != string(want[n].Raw) || m.Gone() != want[n].Gone() || m.Realm != "p_1" || m.Source != "turns" {
						t.Errorf("message %d after %d: %+v", n, after, m)
					}
					n++
				})
				if err != nil || n != len(want) {
					t.Errorf("after %d, at most %d, %d bytes: %d messages, want %d, %v", after, limit, size, n, len(want), err)
				}
				heads, err := s.MessageHeadsAfter(t.Context(), after, limit, size)
				if err != nil || len(heads) != len(want) {
					t.Fatalf("after %d, at most %d, %d bytes: %d heads, want %d, %v", after, limit, size, len(heads), len(want), err)
				}
				for i, h := range heads {
					raw, err := s.RecordAt(t.Context(), h.Seq)
					if w := want[i]; err != nil || h.Seq != w.Seq || h.Session != w.Session || !h.Time.Equal(w.Time) || h.Hash != w.Hash || h.Raw != nil ||
						h.Size != len(w.Raw) || h.Realm != "p_1" || h.Source != "turns" || string(raw) != string(w.Raw) {
						t.Errorf("head %d after %d: %+v, %v", i, after, h, err)
					}
				}
			}
		}
	}
}
