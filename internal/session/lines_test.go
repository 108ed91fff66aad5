package session

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func readAll(t testing.TB, r io.Reader, offset int64, limit int) []Line {
	t.Helper()
	var all []Line
	lines := NewLines(r, offset, limit)
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		line.Bytes = bytes.Clone(line.Bytes)
		all = append(all, line)
	}
}

func TestLines(t *testing.T) {
	got := readAll(t, strings.NewReader("\uFEFFone\ntwo\r\n\nhalf"), 0, 0)
	want := []Line{
		{Bytes: []byte("one"), Offset: 0, Length: 7, Terminated: true},
		{Bytes: []byte("two"), Offset: 7, Length: 5, Terminated: true},
		{Bytes: []byte{}, Offset: 12, Length: 1, Terminated: true},
		{Bytes: []byte("half"), Offset: 13, Length: 4},
	}
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	for i := range want {
		g, w := got[i], want[i]
		if string(g.Bytes) != string(w.Bytes) || g.Offset != w.Offset || g.Length != w.Length || g.Terminated != w.Terminated {
			t.Errorf("line %d: %+v, want %+v", i, g, w)
		}
	}
}

func TestLinesFromAnOffset(t *testing.T) {
	got := readAll(t, strings.NewReader("\uFEFFx\n"), 100, 0)
	if got[0].Offset != 100 || string(got[0].Bytes) != "\uFEFFx" {
		t.Errorf("%+v", got[0])
	}
}

// A crash leaves NULs where a record was not written yet; what comes behind
// them on the line is a record like any other.
func TestLinesBehindNULs(t *testing.T) {
	const limit = 1000
	nulls := func(n int) string { return strings.Repeat("\x00", n) }
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"few", "a\n" + nulls(5) + "b\nc\n", []string{"a", "b", "c"}},
		{"more than the limit", nulls(limit+1) + "b\nc\n", []string{"b", "c"}},
		{"more than a read", nulls(3*readSize+17) + "b\nc\n", []string{"b", "c"}},
		{"as much as a read", nulls(readSize) + "b\nc\n", []string{"b", "c"}},
		{"before a byte order mark", nulls(3) + "\uFEFFb\n", []string{"b"}},
		{"inside a record", "a" + nulls(2) + "b\n", []string{"a" + nulls(2) + "b"}},
		{"nothing else", nulls(3) + "\nb\n", []string{nulls(3), "b"}},
		{"nothing else, more than a read", nulls(2*readSize) + "\nb\n", []string{nulls(1), "b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			end := int64(0)
			for _, line := range readAll(t, strings.NewReader(tt.text), 0, limit) {
				if line.TooLong || line.Offset != end {
					t.Errorf("%+v", line)
				}
				end = line.Offset + line.Length
				got = append(got, string(line.Bytes))
			}
			if !slices.Equal(got, tt.want) || end != int64(len(tt.text)) {
				t.Errorf("%.200q, want %.200q", got, tt.want)
			}
		})
	}
	rec, err := ClaudeCode{}.Line(readAll(t, strings.NewReader(nulls(900)+record("user", `"x"`)+"\n"), 0, 0)[0].Bytes)
	if err != nil || rec.Message == nil {
		t.Errorf("%+v, %v", rec, err)
	}
}

func TestLinesOverTheLimit(t *testing.T) {
	long := strings.Repeat("x", 3*readSize)
	for _, tt := range []struct {
		name, text string
		limit      int
		tooLong    []bool
	}{
		{"small", "abcdef\nabc\r\nabcd\n", 3, []bool{true, false, true}},
		{"larger than the buffer", long + "\nabc\n" + long, 2 * readSize, []bool{true, false, true}},
		{"just within", long + "\r\nabc\n", 3 * readSize, []bool{false, false}},
		{"just over", long + "\nabc\n", 3*readSize - 1, []bool{true, false}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := readAll(t, strings.NewReader(tt.text), 0, tt.limit)
			if len(got) != len(tt.tooLong) {
				t.Fatalf("%d lines", len(got))
			}
			var end int64
			for i, line := range got {
				if line.TooLong != tt.tooLong[i] || line.TooLong != (line.Bytes == nil) || line.Offset != end {
					t.Errorf("line %d: too long %v at %d, %d bytes", i, line.TooLong, line.Offset, len(line.Bytes))
				}
				end += line.Length
			}
			if end != int64(len(tt.text)) {
				t.Errorf("%d bytes in all, want %d", end, len(tt.text))
			}
		})
	}
}

func TestLinesReportReadErrors(t *testing.T) {
	broken := errors.New("disk on fire")
	lines := NewLines(io.MultiReader(strings.NewReader("one\ntw"), iotest.ErrReader(broken)), 0, 0)
	if line, err := lines.Next(); err != nil || string(line.Bytes) != "one" {
		t.Fatalf("%+v, %v", line, err)
	}
	if line, err := lines.Next(); !errors.Is(err, broken) {
		t.Fatalf("%+v, %v", line, err)
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\r\n\nc"), uint16(2))
	f.Add([]byte("\xEF\xBB\xBFabc\n"), uint16(0))
	f.Fuzz(func(t *testing.T, data []byte, limit uint16) {
		var end int64
		for _, line := range readAll(t, iotest.HalfReader(bytes.NewReader(data)), 0, int(limit)) {
			if line.Offset != end || line.Length <= 0 {
				t.Fatalf("%+v at %d", line, end)
			}
			end += line.Length
			raw := data[line.Offset:end]
			if !line.TooLong && !bytes.Contains(raw, line.Bytes) || bytes.IndexByte(line.Bytes, '\n') >= 0 {
				t.Fatalf("%q is not the line %q", line.Bytes, raw)
			}
			if line.Terminated != bytes.HasSuffix(raw, []byte("\n")) {
				t.Fatalf("terminated is %v for %q", line.Terminated, raw)
			}
		}
		if end != int64(len(data)) {
			t.Fatalf("%d of %d bytes", end, len(data))
		}
	})
}

// TestReleasedLines uses a buffer again that held another file.
func TestReleasedLines(t *testing.T) {
	for i := range 4 {
		text := strings.Repeat("x", i) + "\nend"
		l := NewLines(strings.NewReader(text), 0, 0)
		var got []string
		for line, err := l.Next(); err == nil; line, err = l.Next() {
			got = append(got, string(line.Bytes))
		}
		if strings.Join(got, "\n") != text {
			t.Errorf("%q, want %q", got, text)
		}
		l.Release()
		l.Release() // does nothing
	}
}
