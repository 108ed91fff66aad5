package past

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/store"
)

func TestMatchFiles(t *testing.T) {
	all := []store.TouchedFile{
		{Path: "/w/app/main.go"}, {Path: "/w/app/cmd/x/main.go"}, {Path: "/home/ada/app/main.go"}, {Path: "/old/clone/cmd/x/main.go"}, {Path: "/etc/hosts"},
		{Path: "cmd/y/run.go"}, {Path: "/w/app/cmd/y/run.go"}, {Path: "/w/app/.ci/run.go"}, {Path: "/else/ci/run.go"},
	}
	roots := []string{"/w/app", "/home/ada/app"}
	for _, tt := range []struct {
		name, file, cwd string
		want            []string
	}{
		{"from the top", "main.go", "/w/app", []string{"/w/app/main.go", "/home/ada/app/main.go"}},
		{"from a folder", "main.go", "/w/app/cmd/x", []string{"/w/app/cmd/x/main.go", "/old/clone/cmd/x/main.go"}},
		{"upwards", "../../main.go", "/w/app/cmd/x", []string{"/w/app/main.go", "/home/ada/app/main.go"}},
		{"absolute", "/home/ada/app/main.go", "", []string{"/w/app/main.go", "/home/ada/app/main.go"}},
		{"outside", "/etc/hosts", "/w/app", []string{"/etc/hosts"}},
		{"the end of a path", "x/main.go", "/w/app", []string{"/w/app/cmd/x/main.go", "/old/clone/cmd/x/main.go"}},
		{"not a part of a name", "ain.go", "/w/app", nil},
		{"absolute and unknown", "/main.go", "/w/app", nil},
		{"nothing", ".", "/w/app", nil},
		{"named without its place", "/w/app/cmd/y/run.go", "", []string{"cmd/y/run.go", "/w/app/cmd/y/run.go"}},
		{"without a place to stand", "cmd/y/run.go", "", []string{"cmd/y/run.go", "/w/app/cmd/y/run.go"}},
		{"a hidden folder", ".ci/run.go", "", []string{"/w/app/.ci/run.go"}},
	} {
		if diff := cmp.Diff(tt.want, matchFiles(tt.file, tt.cwd, roots, all)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
