package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chitta/internal/mind"
	"chitta/internal/syntax"
)

// askProject is a small project, indexed.
func askProject(t *testing.T) (home, dir string) {
	t.Helper()
	home = freshHome(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeSource(t, dir, "go.mod", "module example.org/p\n")
	writeSource(t, dir, "server.go", `package p

// Server answers what is asked.
type Server struct{ open bool }

// Listen opens the server for questions.
func (s *Server) Listen(port int) error {
	s.start()
	return nil
}

func (s *Server) start() { s.open = true }

func forgotten() {}
`)
	writeSource(t, dir, "main.go", "package p\n\nfunc Run() {\n\ts := &Server{}\n\ts.Listen(80)\n}\n")
	writeSource(t, dir, "shapes.py", "import os\n\n\nclass Shape:\n    def area(self):\n        return 0\n\n\nclass Square(Shape):\n    def area(self):\n        return 1\n")
	if _, err := run(t, home, "code", "index", dir); err != nil {
		t.Fatal(err)
	}
	return home, dir
}

// TestCodeQuestions goes through the real binary; each answer is what a person
// reads.
func TestCodeQuestions(t *testing.T) {
	if !syntax.Available {
		home := freshHome(t)
		for _, args := range [][]string{{"find", "x"}, {"read", "x"}, {"callers", "x"}, {"overview"}, {"map"}} {
			if _, err := run(t, home, append([]string{"code"}, args...)...); err == nil || !strings.Contains(err.Error(), "cgo") {
				t.Errorf("%v: %v", args, err)
			}
		}
		return
	}
	home, dir := askProject(t)
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{[]string{"find", "Listen"}, []string{"server.go:7  method  func (s *Server) Listen(port int) error\n"}},
		{[]string{"find", "Lis"}, []string{"server.go:7  method  func (s *Server) Listen(port int) error  prefix\n"}},
		{[]string{"find", "Lisetn"}, []string{"Listen(port int) error  fuzzy\n"}},
		{[]string{"find", "area", "--lang", "go"}, []string{"no symbol fits"}},
		{[]string{"search", "open for questions"}, []string{"server.go:7  method"}},
		{[]string{"read", "Server.start"}, []string{"server.go:12  method", "12  func (s *Server) start() { s.open = true }\n"}},
		{[]string{"read", "server.go:8"}, []string{" 8  \ts.start()\n"}},
		{[]string{"callers", "Server.start", "--depth", "2"}, []string{"  server.go:7  method", "server.go:8  ", "    main.go:3  function  func Run()"}},
		{[]string{"callees", "Run"}, []string{"  server.go:7  method", "main.go:5  "}},
		{[]string{"path", "Run", "start"}, []string{"main.go:3  function  func Run()\n  server.go:7", "    server.go:12  method"}},
		{[]string{"path", "start", "Run"}, []string{"no way along calls leads from Server.start to Run"}},
		{[]string{"types", "Square"}, []string{"takes from\n  shapes.py:4  class  class Shape  extends\n", "taken from by nothing known"}},
		{[]string{"imports", "shapes.py"}, []string{"shapes.py\n  os  outside of the project\n"}},
		{[]string{"dependents", "server.go"}, []string{"server.go\n  main.go  call (1 call)\n"}},
		{[]string{"overview"}, []string{"3 files", "go  2 files", "python  1 file", "most called", "largest functions"}},
		{[]string{"map", filepath.Join(dir, "main.go")}, []string{"server.go\n", "   7 func (s *Server) Listen(port int) error\n", "as seen from main.go"}},
		{[]string{"unused"}, []string{"server.go:14  function  func forgotten()", "1 symbol seems unused", "is not seen"}},
		{[]string{"callers", "area"}, []string{"2 symbols fit; name one by its path, file:line or id"}},
	} {
		cmd := command(t, home, append([]string{"code"}, tt.args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v %s", tt.args, err, out)
		}
		for _, want := range tt.want {
			if !strings.Contains(string(out), want) {
				t.Errorf("%v: %q is not in\n%s", tt.args, want, out)
			}
		}
	}
	if _, err := run(t, home, "code", "callers", "Lissten", "--project", dir); err == nil || !strings.Contains(err.Error(), `did you mean Server.Listen (server.go:7)?`) {
		t.Errorf("a name that is not there: %v", err)
	}
	if _, err := run(t, home, "code", "find", "x", "--project", t.TempDir()); err == nil || !strings.Contains(err.Error(), "chitta code index") {
		t.Errorf("a project that is not indexed: %v", err)
	}
	for _, args := range [][]string{{"find", "x", "--kind", "nothing"}, {"callers", "Run", "--depth", "11"}, {"find", " "}, {"find"}, {"path", "Run"}, {"imports", "nope.go"}} {
		if out, err := run(t, home, append(append([]string{"code"}, args...), "--project", dir)...); err == nil {
			t.Errorf("%v: %s", args, out)
		}
	}
}

// TestCodeNotesAndRecall: a note is shown with its symbol, found by recall, and
// there after the project is indexed anew; recall finds symbols.
func TestCodeNotesAndRecall(t *testing.T) {
	if !syntax.Available {
		home := freshHome(t)
		if _, err := run(t, home, "recall", "Server.Listen", "--scope", "code"); err == nil || !strings.Contains(err.Error(), "cgo") {
			t.Errorf("%v", err)
		}
		if _, err := run(t, home, "recall", "Server.Listen"); err != nil {
			t.Errorf("%v", err)
		}
		return
	}
	home, dir := askProject(t)
	in := func(args ...string) string {
		t.Helper()
		cmd := command(t, home, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v %s", args, err, out)
		}
		return string(out)
	}
	if out := in("code", "describe", "Server.Listen", "holds", "the", "lock", "while", "it", "waits"); !strings.Contains(out, "note m_") {
		t.Errorf("describe: %s", out)
	}
	in("code", "clear")
	in("code", "index")
	for _, args := range [][]string{{"code", "read", "Listen"}, {"code", "find", "Listen"}} {
		if out := in(args...); !regexp.MustCompile("note m_\\w+ `Server.Listen` in server.go: holds the lock").MatchString(out) {
			t.Errorf("%v: %s", args, out)
		}
	}
	if out := in("recall", "who holds the lock"); !strings.Contains(out, "holds the lock while it waits") || strings.Contains(out, "s_") {
		t.Errorf("recall in words: %s", out)
	}
	var out mind.RecallOutput
	if err := json.Unmarshal([]byte(in("recall", "Server.Listen", "--json")), &out); err != nil {
		t.Fatal(err)
	}
	symbols := 0
	for _, r := range out.Results {
		if r.Place == "" {
			continue
		}
		symbols++
		if r.Kind != mind.KindSymbol || r.Place != "server.go:7" || len(r.Evidence) != 1 || r.Evidence[0].Source != "code" || r.Score != 0.5 {
			t.Errorf("%+v", r)
		}
	}
	if symbols != 1 {
		t.Errorf("%d symbols in %+v", symbols, out.Results)
	}
	if out := in("recall", "open for questions", "--scope", "code", "-n", "1"); !strings.Contains(out, "symbol of the code · server.go:7") {
		t.Errorf("code alone: %s", out)
	}
	elsewhere := t.TempDir()
	if err := os.Mkdir(filepath.Join(elsewhere, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, home, "recall", "Server.Listen", "--scope", "code")
	cmd.Dir = elsewhere
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "chitta code index") {
		t.Errorf("code of a project that is not indexed: %v %s", err, out)
	}
}

// TestOddNamesOfFiles: each symbol stays a line of its own.
func TestOddNamesOfFiles(t *testing.T) {
	if !syntax.Available {
		t.Skip("this build indexes nothing")
	}
	home := freshHome(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeSource(t, dir, "a\nb.go", "package p\n\nfunc Odd() {}\n")
	writeSource(t, dir, "\u202eog.go", "package p\n\nfunc Odder() {}\n")
	if _, err := run(t, home, "code", "index", dir); err != nil {
		t.Fatal(err)
	}
	out, err := run(t, home, "code", "find", "Odd", "--project", dir)
	if err != nil || !strings.Contains(out, "a␊b.go:3  function") || !strings.Contains(out, "\uFFFDog.go:3  function") {
		t.Errorf("%q %v", out, err)
	}
	raw, err := run(t, home, "code", "find", "Odd", "--json", "--project", dir)
	if err != nil || !strings.Contains(raw, `a\nb.go`) {
		t.Errorf("JSON has the name itself: %q %v", raw, err)
	}
}
