package resolve

import (
	"strings"
	"testing"
)

// show writes a type for comparison.
func (n typeNode) show() string {
	var args []string
	for _, a := range n.args {
		args = append(args, a.show())
	}
	if n.name == eitherOf {
		return strings.Join(args, " or ")
	}
	if len(args) == 0 {
		return n.name
	}
	return n.name + "<" + strings.Join(args, ",") + ">"
}

func TestTypesAreTakenApart(t *testing.T) {
	for text, want := range map[string]string{
		"Foo":                          "Foo",
		"pkg.Foo":                      "pkg.Foo",
		"a::b::Foo":                    "a.b.Foo",
		"*Foo":                         "Foo",
		"**pkg.Foo":                    "pkg.Foo",
		"[]*Foo":                       "[]<Foo>",
		"[4]Foo":                       "[]<Foo>",
		"[][]Foo":                      "[]<[]<Foo>>",
		"map[string]*pkg.Foo":          "map<string,pkg.Foo>",
		"<-chan Foo":                   "Foo",
		"func(a int, b Foo) *Bar":      "=><Bar>",
		"func()":                       "=>",
		"(Foo, error)":                 "()<Foo,error>",
		"(a Foo, err error)":           "()<Foo,error>",
		"List[K, V]":                   "List<K,V>",
		"...Foo":                       "Foo",
		"Optional[Foo]":                "Optional<Foo>",
		"Foo | None":                   "Foo or None",
		"'Foo'":                        "Foo",
		`"List[Foo]"`:                  "List<Foo>",
		"Dict[str, List[Foo]]":         "Dict<str,List<Foo>>",
		"Callable[[int], Foo]":         "Callable<[]<int>,Foo>",
		"Foo<Bar, Baz<Qux>>":           "Foo<Bar,Baz<Qux>>",
		"Foo[]":                        "[]<Foo>",
		"readonly Foo[]":               "[]<Foo>",
		"Promise<Foo | undefined>":     "Promise<Foo or undefined>",
		"(x: number, y: Foo) => Bar":   "=><Bar>",
		"[Foo, Bar]":                   "()<Foo,Bar>",
		"{ a: Foo }":                   "{}",
		"A & B":                        "A or B",
		"? extends Foo":                "Foo",
		"final Foo":                    "Foo",
		"@Nullable Foo":                "Foo",
		"Map<String, List<Foo>>":       "Map<String,List<Foo>>",
		"Foo?":                         "Foo",
		"ref Foo":                      "Foo",
		"&'a mut Foo":                  "Foo",
		"&dyn Foo":                     "Foo",
		"Box<dyn Foo + Send>":          "Box<Foo or Send>",
		"impl Foo":                     "Foo",
		"[Foo; 3]":                     "[]<Foo>",
		"&[Foo]":                       "[]<Foo>",
		"Result<Foo, Box<dyn Error>>":  "Result<Foo,Box<Error>>",
		"fn(i32) -> Foo":               "=><Foo>",
		"const std::vector<Foo> &":     "std.vector<Foo>",
		"Foo *const":                   "Foo",
		"std::shared_ptr<ns::Foo>":     "std.shared_ptr<ns.Foo>",
		"unsigned int":                 "int",
		"struct Foo *":                 "Foo",
		"std::map<std::string, Foo>&&": "std.map<std.string,Foo>",
		"typename T::Inner":            "T.Inner",
		"":                             "?",
		"  ":                           "?",
		"<<<":                          "?",
	} {
		if got := parseType(text).show(); got != want {
			t.Errorf("%q is %q, expected %q", text, got, want)
		}
	}
}

// FuzzType takes any text apart and expects an end.
func FuzzType(f *testing.F) {
	for _, s := range []string{"Foo<Bar>", "map[string]*T", "(a: B) => C", "[[[[", "<<<<", "'a", `"x`, "@", "A|", strings.Repeat("(", 1000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n := parseType(s); n.name == "" && len(n.args) == 0 {
			t.Errorf("%q is nothing", s)
		}
	})
}
