package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// goForeignInterfaces are interfaces of the standard library that types of a
// project are made for: their methods with how many values these take.
var goForeignInterfaces = map[string]map[string]int{
	"error":                    {"Error": 0},
	"fmt.Stringer":             {"String": 0},
	"io.Reader":                {"Read": 1},
	"io.Writer":                {"Write": 1},
	"io.Closer":                {"Close": 0},
	"io.ReadCloser":            {"Read": 1, "Close": 0},
	"io.WriteCloser":           {"Write": 1, "Close": 0},
	"io.ReadWriter":            {"Read": 1, "Write": 1},
	"io.ReadWriteCloser":       {"Read": 1, "Write": 1, "Close": 0},
	"net/http.Handler":         {"ServeHTTP": 2},
	"net/http.RoundTripper":    {"RoundTrip": 1},
	"sort.Interface":           {"Len": 0, "Less": 2, "Swap": 2},
	"container/heap.Interface": {"Len": 0, "Less": 2, "Swap": 2, "Push": 1, "Pop": 0},
	"flag.Value":               {"String": 0, "Set": 1},
}

// maxForeignTypes bounds how many types of a project a value of such an interface
// is taken to be of: with more it is as likely one from outside.
const maxForeignTypes = 3

// goForeignMember: a method of the standard library's interfaces is that of the
// project's types which have all of them.
func goForeignMember(r *run, f *file, x value, name string) ([]value, bool) {
	methods := goForeignInterfaces[strings.TrimPrefix(x.key, "<builtin>.")]
	if _, ok := methods[name]; !ok || x.kind != aForeignI {
		return nil, false
	}
	var out []value
	for _, s := range r.p.byName[name] {
		sym := s.sym()
		if s.f.family != "go" || sym.Kind != code.Method || sym.Owner == "" || strings.HasSuffix(s.f.Path, "_test.go") && !strings.HasSuffix(f.Path, "_test.go") {
			continue
		}
		key := parentKey(s.f.keys[s.i])
		all := true
		for want, n := range methods {
			all = all && slices.ContainsFunc(r.own(key, want), func(m id) bool { return len(m.sym().Params) == n })
		}
		if all {
			out = add(out, value{kind: aFunc, fn: s, rule: ByImplementor})
		}
		if len(out) > maxForeignTypes {
			return nil, false
		}
	}
	return out, len(out) > 0
}
