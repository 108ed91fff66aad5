package mind

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chitta/internal/memory"
)

// TestCodePathsMustBeThere: a path that is not there means no project, and what
// is erased is named by its root.
func TestCodePathsMustBeThere(t *testing.T) {
	needsParsers(t)
	g := newGround(t, map[string]string{"go.mod": "module shop\n", "config.go": configGo, "sub/x.go": "package sub\n"})
	g.index()
	sub := filepath.Join(g.dir, "sub")
	within := Caller{Actor: ActorCLI, Cwd: sub}
	clear := func(path string) error {
		_, err := g.m.CodeClear(g.Context(), g.who, CodeClearInput{Path: path})
		return err
	}
	stats := func(path string) error {
		_, err := g.m.CodeStats(g.Context(), g.who, CodeStatsInput{Path: path})
		return err
	}
	find := func(path string) error {
		_, err := g.m.CodeFind(g.Context(), g.who, CodeFindInput{Name: "parse", Project: path})
		return err
	}
	for _, tt := range []struct {
		name string
		ask  func(string) error
		path string
		want string // in the error, "" for none
	}{
		{"clear what is not there", clear, "nonexist", "cannot be read"},
		{"clear what is not there, absolute", clear, filepath.Join(g.dir, "nonexist"), "cannot be read"},
		{"clear a folder within", clear, "sub", "not the root of the project, which is " + g.dir},
		{"clear a file", clear, "config.go", "not the root"},
		{"clear a bad name", clear, "a\xff", "path"},
		{"stats of what is not there", stats, "nonexist", "cannot be read"},
		{"stats below a file", stats, "config.go/x", "cannot be read"},
		{"stats of a folder within", stats, "sub", ""},
		{"a question about what is not there", find, "nonexist", "cannot be read"},
		{"a question about a folder within", find, "sub", ""},
		{"a question about a file", find, "config.go", ""},
	} {
		var input *memory.InputError
		err := tt.ask(tt.path)
		if tt.want == "" && err != nil || tt.want != "" && (!errors.As(err, &input) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if err := stats(""); err != nil {
		t.Fatalf("something was erased: %v", err)
	}
	if out, err := g.m.CodeClear(g.Context(), within, CodeClearInput{}); err != nil || out.Root != g.dir {
		t.Errorf("from within, without a path: %+v %v", out, err)
	}
	g.index()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(g.dir, link); err != nil {
		t.Fatal(err)
	}
	if err := clear(link); err != nil {
		t.Errorf("by a link: %v", err)
	}
}

// TestProjectThatIsGone: what is known of a project outlives its folder, is not
// counted with the others, and can be erased by its root.
func TestProjectThatIsGone(t *testing.T) {
	needsParsers(t)
	g := newGround(t, map[string]string{"go.mod": "module shop\n", "config.go": configGo})
	st, err := g.m.Status(g.Context(), g.who, NoInput{})
	if err != nil || st.Code.String() != "nothing is indexed" || st.Disk.Code != 0 {
		t.Errorf("before: %+v %v", st.Code, err)
	}
	g.index()
	if st, err = g.m.Status(g.Context(), g.who, NoInput{}); err != nil || st.Code.String() != "1 project indexed" || st.Disk.Code == 0 {
		t.Errorf("status: %+v %+v %v", st.Code, st.Disk, err)
	}
	if f := g.m.doctorCode(g.Context()); f.Status != FindingOK || f.Detail != "1 project indexed" {
		t.Errorf("doctor: %+v", f)
	}
	if err := os.RemoveAll(g.dir); err != nil {
		t.Fatal(err)
	}
	if st, err = g.m.Status(g.Context(), g.who, NoInput{}); err != nil || st.Code != (CodeStatus{Gone: 1}) || !strings.Contains(st.Code.String(), "1 more whose folder is gone") {
		t.Errorf("status: %+v %v", st.Code, err)
	}
	if f := g.m.doctorCode(g.Context()); f.Status != FindingWarn || !strings.HasPrefix(f.Detail, "0 projects indexed") || !strings.HasSuffix(f.Hint, "chitta code clear "+g.dir) {
		t.Errorf("doctor: %+v", f)
	}
	elsewhere := Caller{Actor: ActorCLI, Cwd: t.TempDir()}
	out, err := g.m.CodeStats(g.Context(), elsewhere, CodeStatsInput{All: true})
	if err != nil || len(out.Gone) != 1 || out.Gone[0] != g.dir {
		t.Errorf("stats: %+v %v", out, err)
	}
	if _, err := g.m.CodeClear(g.Context(), elsewhere, CodeClearInput{Path: filepath.Join(g.dir, "sub")}); err == nil {
		t.Error("a folder within what is gone stood for it")
	}
	if cleared, err := g.m.CodeClear(g.Context(), elsewhere, CodeClearInput{Path: g.dir}); err != nil || cleared.Root != g.dir {
		t.Errorf("clear: %+v %v", cleared, err)
	}
}
