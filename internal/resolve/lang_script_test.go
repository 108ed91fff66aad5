package resolve

import (
	"encoding/json"
	"testing"
)

// TestScriptCalls resolves small programs in JavaScript and TypeScript.
func TestScriptCalls(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"a name that is bound ends the search": {
			map[string]string{"a.js": "function f() {}\nfunction g(f) { f(); }\nfunction h() { const f = 1; f(); }"},
			[]string{"g -> f (loose)", "h -> <builtin>.number (outside)"},
		},
		"instanceof tells the class": {
			map[string]string{"a.js": "class A { go() {} }\nclass B { go() {} }\nfunction f(x) { if (x instanceof A) x.go(); }\nfunction g(x) { if (!(x instanceof B)) return; x.go(); }\nfunction h(x) { return x instanceof A ? x.go() : x; }\nfunction k(x) { if (x instanceof A) { x = new B(); x.go(); } }"},
			[]string{"f -> A.go [receiver]", "g -> B.go [receiver]", "h -> A.go [receiver]", "k -> B [constructor]", "k -> B.go [receiver]"},
		},
		"a class counts on those below it": {
			map[string]string{"a.js": "class A { run() { this.step(); } }\nclass B extends A { step() {} }"},
			[]string{"A.run -> B.step [implementors]"},
		},
		"mixins in mixins": {
			map[string]string{"a.js": "const M = (X) => class extends X { m() { this.b(); } };\nconst N = (X) => class extends X {};\nclass B { b() {} }\nconst C = N(M(B));\nclass D extends C { go() { this.m(); } }"},
			[]string{"<module> -> M [file]", "<module> -> N [file]", "D.go -> M.<anonymous1>.m [self]", "M.<anonymous1>.m -> B.b [implementors]"},
		},
		"a block has names of its own": {
			map[string]string{"a.js": "function f() {}\nfunction g() {}\nlet x = f;\n{ let x = g; x(); }\nx();"},
			[]string{"<module> -> f [value]", "<module> -> g [value]"},
		},
		"what is not known stays loose": {
			map[string]string{"a.js": "function f(x) { x.go(); nowhere(); }"},
			[]string{"f -> nowhere (loose)", "f -> x.go (loose)"},
		},
		"what is outside has its name": {
			map[string]string{"a.js": "import fs, { join as j } from 'node:path';\nimport * as os from 'os';\nj(); fs.x(); os.cpus(); console.log();"},
			[]string{
				"<module> -> <builtin>.console.log (outside)", "<module> -> node:path.default.x (outside)",
				"<module> -> node:path.join (outside)", "<module> -> os.cpus (outside)",
			},
		},
		"an import of what is not there": {
			map[string]string{"a.js": "import { f } from './gone';\nimport { g } from './b';\nf(); g();", "b.js": "function g() {}"},
			[]string{"<module> -> ./gone.f (outside)", "<module> -> g (loose)"},
		},
		"modules that import each other": {
			map[string]string{
				"a.js": "import { b } from './b';\nexport function a() { b(); }",
				"b.js": "import { a } from './a';\nexport function b() { a(); }",
			},
			[]string{"a -> b [import]", "b -> a [import]"},
		},
		"modules that re-export each other": {
			map[string]string{
				"a.js":    "export * from './b';\nexport function f() {}",
				"b.js":    "export * from './a';\nexport { f as g } from './a';",
				"main.js": "import { f, g, h } from './b';\nf(); g(); h();",
			},
			[]string{"<module> -> f [import]", "<module> -> h (loose)"},
		},
		"classes that extend each other": {
			map[string]string{"a.js": "class A extends B { f() { this.g(); this.h(); } }\nclass B extends A { g() {} }\nnew A().f();"},
			[]string{"<module> -> A [constructor]", "<module> -> A.f [receiver]", "A.f -> B.g [self]", "A.f -> <self>.h (loose)"},
		},
		"a module that is set to a function, and one to an object": {
			map[string]string{
				"f.js": "module.exports = function f() {};", "o.js": "const g = () => 1;\nmodule.exports = { g, sub: { h() {} } };",
				"main.js": "const f = require('./f'), o = require('./o');\nconst { g } = require('./o');\nf(); o.g(); g(); o.sub.h();",
			},
			[]string{"<module> -> f [import]", "<module> -> g [import]", "<module> -> g [value]", "<module> -> sub.h [value]"},
		},
		"what a module does not export cannot be had": {
			map[string]string{"a.js": "function hidden() {}\nexport function shown() {}", "b.js": "import * as a from './a';\na.hidden(); a.shown();"},
			[]string{"<module> -> a.hidden (loose)", "<module> -> shown [qualified]"},
		},
		"a folder stands for its index, and .js for .ts": {
			map[string]string{"lib/index.ts": "export const f = () => 1;", "a.ts": "import { f } from './lib';\nimport { f as g } from './lib/index.js';\nf(); g();"},
			[]string{"<module> -> f [import]"},
		},
		"functions as classes": {
			map[string]string{"a.js": "function A() {}\nA.prototype.f = function () { this.g(); };\nA.prototype.g = function () {};\n" +
				"function B() { A.call(this); }\nB.prototype = Object.create(A.prototype);\nnew B().f();"},
			[]string{
				"<module> -> A.f [receiver]", "<module> -> B [file]", "<module> -> <builtin>.Object.create (outside)",
				"A.f -> A.g [self]", "B -> A [file]",
			},
		},
		"this in an arrow is that around it": {
			map[string]string{"a.js": "class A { f() {} on(x) { x.go = () => this.f(); x.stop = function () { this.f(); }; } }"},
			[]string{"A.on.x.go -> A.f [self]", "A.on.x.stop -> <self>.f (loose)"},
		},
		"a type that only the compiler knows is not called": {
			map[string]string{"a.ts": "export type Ok = { v: number };\nexport const Ok = (v: number): Ok => ({ v });\nOk(1);"},
			[]string{"<module> -> Ok [file]"},
		},
		"an interface without a class has what objects are written for it": {
			map[string]string{"a.ts": "interface Log { info(): void }\nconst make = (): Log => ({ info: () => out() });\nfunction out() {}\nmake().info();"},
			[]string{"<module> -> make [file]", "<module> -> make.info [value]", "make.info -> out [file]"},
		},
		"an iterator that is its own": {
			map[string]string{"a.js": "function f() {}\nclass It { [Symbol.iterator]() { return this; } next() { return { value: f }; } }\nfor (const x of new It()) x();"},
			[]string{"<module> -> It [constructor]", "<module> -> f [value]"},
		},
		"a collection that is put into itself": {
			map[string]string{"a.js": "function f() {}\nlet m = new Map([['a', f]]);\nm = new Map([...m]);\nm.set('m', m);\nfor (const x of m.values()) x();"},
			[]string{
				"<module> -> <builtin>.Map (outside)", "<module> -> <builtin>.list.set (outside)",
				"<module> -> <builtin>.list.values (outside)", "<module> -> f [value]",
			},
		},
	} {
		t.Run(name, func(t *testing.T) { wantCalls(t, program(t, c.files), c.want...) })
	}
}

// TestScriptManifests finds modules by what tsconfig.json and package.json say.
func TestScriptManifests(t *testing.T) {
	lib := "export function f() {}"
	for name, c := range map[string]struct {
		files map[string]string
		found bool
	}{
		"paths": {map[string]string{"tsconfig.json": `{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}`, "src/lib.ts": lib, "a.ts": "import { f } from '@/lib'; f();"}, true},
		"paths of a file that is extended": {map[string]string{
			"app/tsconfig.json": `{"extends":"../tsconfig.base"}`, "tsconfig.base.json": `{"compilerOptions":{"paths":{"~/*":["lib/*"]}}}`,
			"lib/x.ts": lib, "app/a.ts": "import { f } from '~/x'; f();",
		}, true},
		"the main module of a folder's package": {map[string]string{"package.json": `{"name":"x","main":"lib/x.js"}`, "lib/x.js": lib, "test/a.js": "const { f } = require('..'); f();"}, true},
		"a base folder":                         {map[string]string{"jsconfig.json": `{"compilerOptions":{"baseUrl":"src"}}`, "src/lib.js": lib, "a.js": "import { f } from 'lib'; f();"}, true},
		"comments and commas at the end":        {map[string]string{"tsconfig.json": "{ // x\n\"compilerOptions\": { /* y */ \"baseUrl\": \"src\", }, }", "src/lib.ts": lib, "a.ts": "import { f } from 'lib'; f();"}, true},
		"a configuration that extends itself":   {map[string]string{"tsconfig.json": `{"extends":"./tsconfig.json"}`, "lib.ts": lib, "a.ts": "import { f } from './lib'; f();"}, true},
		"no JSON at all":                        {map[string]string{"tsconfig.json": "\x00{", "package.json": "[", "lib.ts": lib, "a.ts": "import { f } from './lib'; f();"}, true},
		"exports of a package": {map[string]string{
			"p/package.json": `{"name":"@x/p","exports":{"./deep/*":{"import":"./src/*.ts"}}}`, "p/src/lib.ts": lib, "a.ts": "import { f } from '@x/p/deep/lib'; f();",
		}, true},
		"the source of a built main":    {map[string]string{"p/package.json": `{"name":"p","main":"dist/main.js"}`, "p/src/main.ts": lib, "a.ts": "import { f } from 'p'; f();"}, true},
		"a name that only begins alike": {map[string]string{"p/package.json": `{"name":"p","main":"main.js"}`, "p/main.js": lib, "a.js": "import { f } from 'pp'; f();"}, false},
		"imports within a package":      {map[string]string{"package.json": `{"name":"q","imports":{"#lib":"./src/lib.js"}}`, "src/lib.js": lib, "a.js": "import { f } from '#lib'; f();"}, true},
		"a path out of the project":     {map[string]string{"lib.js": lib, "a.js": "import { f } from '../../lib'; f();"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := program(t, c.files)
			if found := len(got) == 1 && got[0] == "<module> -> f [import]"; found != c.found {
				t.Errorf("found %v: %q", found, got)
			}
		})
	}
}

func TestPlainJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": 1}`: `{"a": 1}`,
		"{// c\n\"a\": [1, 2,], /* x */ \"b\": {},}": `{"a":[1,2],"b":{}}`,
		`{"a": "// no, \" /* no */,]"}`:              `{"a":"// no, \" /* no */,]"}`,
	} {
		var got, expected any
		if err := json.Unmarshal(plainJSON([]byte(in)), &got); err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if err := json.Unmarshal([]byte(want), &expected); err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(expected)
		if string(a) != string(b) {
			t.Errorf("%s: %s", in, a)
		}
	}
	for _, broken := range []string{"", "/", "/*", `"`, `"\`, "//", "/* *"} {
		plainJSON([]byte(broken)) // must come back
	}
}

func TestScriptTypeTexts(t *testing.T) {
	for _, c := range []struct{ text, name, want string }{
		{"{ a: Foo; b: Bar }", "b", "Bar"},
		{"{ readonly a?: Foo<A, B>, b: { c: D } }", "a", "Foo<A, B>"},
		{"{ f: (x: A) => B; g: C }", "g", "C"},
		{"{ a: Foo }", "c", ""},
		{"{", "a", ""},
	} {
		if got := memberType(c.text, c.name); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.name, c.text, got, c.want)
		}
	}
	for _, c := range []struct {
		pattern, name, star string
		ok                  bool
	}{
		{"@/*", "@/a/b", "a/b", true}, {"@/*", "x", "", false}, {"exact", "exact", "", true}, {"a*a", "a", "", false}, {"*", "", "", true},
	} {
		if star, ok := matchStar(c.pattern, c.name); star != c.star || ok != c.ok {
			t.Errorf("%s with %s: %q %v", c.name, c.pattern, star, ok)
		}
	}
}

// TestScriptChanges changes a file that others call: their edges go to the same
// symbols, wherever they stand now, and go when they cannot be had any more.
func TestScriptChanges(t *testing.T) {
	p := load(t, map[string]string{
		"a.js": "function f() {}\nfunction g() {}\nexport { f, g };",
		"b.js": "import { f, g } from './a';\nf(); run(g);\nfunction run(fn) { fn(); }",
	})
	want := []string{"<module> -> f [import]", "<module> -> run [file]", "run -> g [value]"}
	wantCalls(t, calls(p), want...)

	put(t, p, "a.js", "function first() {}\nconst x = () => 1;\nfunction f() {}\nfunction g() {}\nexport { f, g };")
	p.Resolve()
	wantCalls(t, calls(p), want...)

	put(t, p, "a.js", "function f() {}\nfunction g() {}\nexport { g };")
	p.Resolve()
	wantCalls(t, calls(p), "<module> -> f (loose)", "<module> -> run [file]", "run -> g [value]")

	p.Remove("a.js")
	p.Resolve()
	wantCalls(t, calls(p), "<module> -> ./a.f (outside)", "<module> -> run [file]", "run -> fn (loose)")
}

// TestScriptSetFromEachOther: names that are set from each other, many times
// over, come to an end.
func TestScriptSetFromEachOther(t *testing.T) {
	src := "function go(a, b, c) {\n"
	for range 40 {
		src += "  a = b.next(c); b = a.next(c) || c.next(a); c = { ...a, ...b, ...c };\n"
	}
	src += "  a.run();\n}\n"
	got := program(t, map[string]string{"a.js": src})
	if len(got) == 0 {
		t.Error("no calls")
	}
}
