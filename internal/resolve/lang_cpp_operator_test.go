package resolve

import (
	"slices"
	"strings"
	"testing"
)

// TestCPPOperators lists the functions that operators and initialisers run.
func TestCPPOperators(t *testing.T) {
	const vec = "namespace geo { struct V { V(int a, int b); V &operator+=(const V &o) { return *this; } int operator[](int i) const { return i; } int go() { return 1; } };\nV operator*(const V &a, double k) { return a; }\nbool operator==(const V &a, const V &b) { return true; } }\n"
	tests := []struct {
		name, src string
		want, not []string
	}{
		{"members and functions beside the type", vec + "int f(geo::V a, geo::V b) { a += b; a[0]; a == b; return (a * 2.0).go(); }\n",
			[]string{"f -> geo.V.operator+= [receiver]", "f -> geo.V.operator[] [receiver]", "f -> geo.operator== [package]", "f -> geo.operator* [package]", "f -> geo.V.go [receiver]"}, nil},
		{"operators of what is built in say nothing", vec + "int f(int a, int b, int *c) { a += b; c[0]; return a == b; }\n", nil, []string{"f -> "}},
		{"operators of other types do not fit", vec + "struct W {};\nbool f(W a, W b) { return a == b; }\n", nil, []string{"f -> "}},
		{"an arrow of a type's own", "struct A { void go() {} };\nstruct P { A *operator->() { return &a; } A a; };\nvoid f(P p) { p->go(); }\n", []string{"f -> A.go [receiver]"}, nil},
		{"a copy runs nothing that is written", vec + "struct S { S(geo::V v) : v_(v) {} geo::V v_; };\n", nil, []string{"S.S -> geo.V"}},
		{"a function behind another name of its type", "struct C { using H = void (*)(int); C(H h) : h_(h) {} void run() { h_(1); } H h_; };\nstatic void t(int) {}\nvoid f() { C c(&t); c.run(); }\n", []string{"C.run -> t [value]"}, []string{"C.C -> C.H"}},
		{"an arrow counts before a member of the same name", "struct A { void go() {} };\nstruct P { void go() {} A *operator->() { return &a; } A a; };\nvoid f(P p) { p->go(); }\n",
			[]string{"f -> A.go [receiver]", "f -> P.operator-> [receiver]"}, []string{"f -> P.go"}},
		{"signs before and behind a value", "struct V { V operator-() { return *this; } V &operator++() { return *this; } V operator-(const V &o) { return o; } };\nvoid f(V v, int i) { -v; ++v; i++; }\n",
			[]string{"f -> V.operator- [receiver]", "f -> V.operator++ [receiver]"}, nil},
		{"a loop over a type's own iterator", "struct I { void use() {} };\nstruct It { I &operator*() { return i; } It &operator++() { return *this; } bool operator!=(const It &o) { return true; } I i; };\nstruct B { It begin() { return It(); } It end() { return It(); } };\nvoid f(B b) { for (auto &i : b) i.use(); }\n",
			[]string{"f -> B.begin [receiver]", "f -> B.end [receiver]", "f -> It.operator* [receiver]", "f -> It.operator++ [receiver]", "f -> It.operator!= [receiver]", "f -> I.use [receiver]"}, nil},
		{"what is deleted", "struct A { virtual ~A() {} };\nstruct B : A { ~B() {} };\nstruct C {};\nvoid f(A *a, C *c) { delete a; delete c; }\n",
			[]string{"f -> A.~A [receiver]", "f -> B.~B [implementors]"}, []string{"f -> C"}},
		{"the library runs what it is given", "#include <algorithm>\nusing namespace std;\nbool less(int a, int b) { return a < b; }\nstruct F { void operator()(int n) {} };\nvoid keep(int);\nvoid f(vector<int> v) { sort(v.begin(), v.end(), less); std::for_each(v.begin(), v.end(), F()); }\nvoid g(vector<bool (*)(int, int)> v) { v.push_back(less); }\n",
			[]string{"f -> less [value]", "f -> F.operator() [value]"}, []string{"g -> less"}},
		{"the global one of two names", "int size() { return 1; }\nstruct C { int size() { return ::size(); } };\n", []string{"C.size -> size [file]"}, []string{"C.size -> C.size"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := program(t, map[string]string{"a.cpp": tt.src})
			for _, w := range tt.want {
				if !slices.Contains(got, w) {
					t.Errorf("missing: %s in\n%s", w, strings.Join(got, "\n"))
				}
			}
			for _, part := range tt.not {
				if i := slices.IndexFunc(got, func(g string) bool { return strings.Contains(g, part) }); i >= 0 {
					t.Errorf("too much: %s", got[i])
				}
			}
		})
	}
}

// TestCPPUsingInHeader: a name that a header brings into a namespace is known in
// the files of that namespace which include it.
func TestCPPUsingInHeader(t *testing.T) {
	got := program(t, map[string]string{
		"v.hpp": "namespace geo { struct V { V(int a) {} }; }\n",
		"n.hpp": "#include \"v.hpp\"\nnamespace s { using geo::V; }\n",
		"n.cpp": "#include \"n.hpp\"\nnamespace s { void f() { V(1); } }\n",
	})
	if !slices.Contains(got, "s.f -> geo.V.V [constructor]") {
		t.Errorf("not found: %v", got)
	}
}
