package codebase

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

func makeFIFO(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestReaderAnswers(t *testing.T) {
	needsParsers(t)
	root := tempDir(t)
	write(t, root, map[string]string{"a.go": "package a\n\nfunc F() {}\n", "big.go": strings.Repeat("// x\n", MaxFile/5+1)})
	makeFIFO(t, filepath.Join(root, "pipe.go"))
	if err := os.Mkdir(filepath.Join(root, "dir.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := &reader{}
	a := r.answer(request{Root: root, Path: "a.go", Lang: syntax.Go})
	f, err := code.Decode(a.facts)
	if err != nil || a.Left != "" || len(f.Symbols) != 1 || f.Symbols[0].Name != "F" || a.Size != 23 {
		t.Errorf("%+v %v", a, err)
	}
	if again := r.answer(request{Root: root, Path: "a.go", Lang: syntax.Go, Known: a.Hash}); !again.Same || again.facts != nil {
		t.Errorf("%+v", again)
	}
	tests := []struct{ path, left string }{{"big.go", LeftLarge}, {"pipe.go", LeftUnreadable}, {"dir.go", LeftUnreadable}}
	for _, tt := range tests {
		if a := r.answer(request{Root: root, Path: tt.path, Lang: syntax.Go}); a.Left != tt.left {
			t.Errorf("%s: %+v", tt.path, a)
		}
	}
	if a := r.answer(request{Root: root, Path: "missing.go", Lang: syntax.Go}); !a.Gone {
		t.Errorf("%+v", a)
	}
	if a := r.answer(request{Root: root, Path: "a.go", Lang: "klingon"}); a.Left != LeftFailed || a.Why == "" {
		t.Errorf("%+v", a)
	}
}

// TestFileThatKeepsChanging: each read sees another file, and none is half one
// and half the other.
func TestFileThatKeepsChanging(t *testing.T) {
	root := tempDir(t)
	path := filepath.Join(root, "a.go")
	texts := [][]byte{bytes.Repeat([]byte("a"), 300_000), bytes.Repeat([]byte("b"), 200_000)}
	if err := os.WriteFile(path, texts[0], 0o644); err != nil {
		t.Fatal(err)
	}
	var stop atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for i := 0; !stop.Load(); i++ {
			_ = os.WriteFile(path, texts[i%2], 0o644)
		}
	}()
	r := &reader{}
	for range 300 {
		a := r.look(request{Root: root, Path: "a.go"})
		switch {
		case a.Left == LeftChanging, a.Gone:
		case a.Left != "":
			t.Fatalf("%+v", a)
		case len(r.text) > 0 && int64(len(r.text)) != a.Size:
			t.Fatalf("%d bytes were read of a file of %d", len(r.text), a.Size)
		}
	}
	stop.Store(true)
	<-ended
	if a := r.look(request{Root: root, Path: "a.go"}); a.Left != "" || a.Hash == nil {
		t.Errorf("a file that is quiet again: %+v", a)
	}
}

// TestFrames: messages come back as they were, and what is no message is told.
func TestFrames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`(?s).{0,20}`)
		some := func() []byte {
			if b := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes"); len(b) > 0 {
				return b
			}
			return nil
		}
		a := answer{Path: word.Draw(t, "path"), Hash: some(), Size: rapid.Int64().Draw(t, "size"), Modified: rapid.Int64().Draw(t, "modified"),
			Same: rapid.Bool().Draw(t, "same"), Gone: rapid.Bool().Draw(t, "gone"), Left: word.Draw(t, "left"), Why: word.Draw(t, "why"), facts: some()}
		var b bytes.Buffer
		if err := writeFrame(bufio.NewWriter(&b), &a); err != nil {
			t.Fatal(err)
		}
		whole := b.Bytes()
		var got answer
		if err := readFrame(bufio.NewReader(bytes.NewReader(whole)), &got); err != nil || !reflect.DeepEqual(a, got) {
			t.Fatalf("%+v came back as %+v, %v", a, got, err)
		}
		cut := rapid.IntRange(0, len(whole)-1).Draw(t, "cut")
		if err := readFrame(bufio.NewReader(bytes.NewReader(whole[:cut])), &got); err == nil {
			t.Fatalf("%d of %d bytes were taken for a message", cut, len(whole))
		}
		longer := binary.BigEndian.AppendUint32(nil, uint32(len(whole)-3))
		longer = append(append(longer, whole[4:]...), 0)
		if err := readFrame(bufio.NewReader(bytes.NewReader(longer)), &answer{}); err == nil {
			t.Fatal("a byte too many was not noticed")
		}
	})
}

func TestWorkerEndsByItself(t *testing.T) {
	t.Run("with its input", func(t *testing.T) {
		if err := work(strings.NewReader(""), io.Discard, time.Minute, nil); err != nil {
			t.Error(err)
		}
	})
	t.Run("without work", func(t *testing.T) {
		r, w := io.Pipe()
		defer w.Close()
		if err := work(r, io.Discard, 20*time.Millisecond, nil); err != nil {
			t.Error(err)
		}
	})
	t.Run("on nonsense", func(t *testing.T) {
		for _, in := range []string{"\x00\x00\x00\x05hello", "\xff\xff\xff\xff", "\x00\x00\x00\x50short"} {
			if err := work(strings.NewReader(in), io.Discard, time.Minute, nil); err == nil {
				t.Errorf("%q was taken for a request", in)
			}
		}
	})
	t.Run("when nobody listens", func(t *testing.T) {
		r, w := io.Pipe()
		r.Close()
		if err := work(strings.NewReader(""), w, time.Minute, nil); err == nil {
			t.Error("no error")
		}
	})
}

// TestWorkerEndsWithItsParent kills a process that has started a worker: no
// worker outlives it.
func TestWorkerEndsWithItsParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere a worker ends with its input")
	}
	cmd, err := testWorker("parent")()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	eventually(t, "the end of the worker", func() bool { return !alive(pid) })
}

// alive reports whether a process is there and has not ended.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// TestWorkerOfAnotherVersion is of no use, and no file is blamed for it.
func TestWorkerOfAnotherVersion(t *testing.T) {
	needsParsers(t)
	for _, mode := range []string{"old", "off", "mute"} {
		b := openBase(t, mode)
		root := gitRepo(t, map[string]string{"a.go": "package a\n"})
		_, err := b.Index(t.Context(), root, "", nil)
		if err == nil || mode == "off" != errors.Is(err, ErrOff) {
			t.Errorf("%s: %v", mode, err)
		}
		if n := queryStrings(t, b, `SELECT count(*) FROM file`); n[0] != "0" {
			t.Errorf("%s: %s files are stored", mode, n[0])
		}
	}
	missing := openBase(t, "good")
	missing.pool.command = func() (*exec.Cmd, error) { return exec.Command("/nonexistent/worker"), nil }
	if _, err := missing.Index(t.Context(), gitRepo(t, map[string]string{"a.go": "package a\n"}), "", nil); err == nil {
		t.Error("a worker that is not there")
	}
}

func TestWithoutParsers(t *testing.T) {
	if syntax.Available {
		// the greeting of such a worker is tested above
		var out bytes.Buffer
		if err := work(strings.NewReader(""), &out, time.Minute, nil); err != nil {
			t.Fatal(err)
		}
		var g greeting
		if err := readFrame(bufio.NewReader(&out), &g); err != nil || g.Off != "" || g.Version != code.Version {
			t.Errorf("%+v %v", g, err)
		}
		return
	}
	b := openBase(t, "good")
	if _, err := b.Index(t.Context(), t.TempDir(), "", nil); !errors.Is(err, ErrOff) {
		t.Error(err)
	}
	if err := b.Refresh(t.Context(), t.TempDir(), []string{"x"}); !errors.Is(err, ErrOff) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b.Run(ctx) // returns at once
}
