package anchor

import (
	"slices"
	"testing"

	"chitta/internal/code"
)

// TestWordsAndCode holds sentences of both kinds against a project that has
// names like words: what is said of code is anchored, what is not is not.
func TestWordsAndCode(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	g := newGround(t, map[string]string{
		"main.go": "package main\n\nfunc main() { run() }\n\nfunc run() { println(1) }\n\nfunc test() {}\n\nfunc deploy() {}\n\nconst GitHub = 1\n\n" +
			"type Conf struct { TypeScript bool; port int }\n\nfunc pay(x int) int {\n\treturn x\n}\n\nconst MAX_TRIES = 3\n\nvar maxWait = 4\n\ntype GitLab struct{}\n",
		"web/index.js": "function get() { return 1 }\n\nfunction renderAll(list) { return list }\n\nclass Router { open() { return 1 } }\n",
		"node.js":      "x = 1\n",
		"lib/store.py": "def load_rows(path):\n    return path\n\ndef save(rows):\n    return rows\n\nclass Table:\n    def insert(self, row):\n        return row\n",
		"docs/plan.md": "a plan\n",
		"Makefile":     "all:\n",
	})
	g.index()
	const main, web, store = "main.go:", "web/index.js:", "lib/store.py:"
	is := func(names ...string) []string { return append([]string{}, names...) }
	cases := []struct {
		text string
		want []string
	}{
		// of code
		{"`pay` charges only if x is not zero", is(main + "pay")},
		{"the function `pay` returns what it was given", is(main + "pay")},
		{"Whoever calls `pay` must check for zero first", is(main + "pay")},
		{"We found that `pay` returns what it was given", is(main + "pay")},
		{"Amounts are whole numbers in main.go's `pay`", is(main + "pay")},
		{"Amounts are checked by pay() before anything", is(main + "pay")},
		{"The `save` method keeps rows as they are", is(store + "save")},
		{"The function `get` gives one for all requests", is(web + "get")},
		{"`get` returns one for all requests there are", is(web + "get")},
		{"`run` in main.go prints a one and ends", is(main + "run")},
		{"run() prints a one and then ends itself", is(main + "run")},
		{"`load_rows` reads nothing, it gives the path", is(store + "load_rows")},
		{"load_rows gives the path that it was given", is(store + "load_rows")},
		{"renderAll wants a list and gives it back", is(web + "renderAll")},
		{"`renderAll` wants a list and gives it back", is(web + "renderAll")},
		{"Table.insert gives back the row it was given", is(store + "Table.insert")},
		{"`Table` has no way to remove rows again", is(store + "Table")},
		{"The class `Table` has no way to remove rows", is(store + "Table")},
		{"Router.open always says one, so do not trust it", is(web + "Router.open")},
		{"`Router#open` always says one, do not trust it", is(web + "Router.open")},
		{"MAX_TRIES is three, and that is enough for us", is(main + "MAX_TRIES")},
		{"`MAX_TRIES` is three, and that is enough", is(main + "MAX_TRIES")},
		{"maxWait is four seconds for reasons of old", is(main + "maxWait")},
		{"The field `port` is never read by anybody", is(main + "Conf.port")},
		{"`TypeScript` of `Conf` is never looked at", is(main+"Conf", main+"Conf.TypeScript")},
		{"`GitLab` is an empty struct that does nothing", is(main + "GitLab")},
		{"lib/store.py keeps all of what there is in rows", is("lib/store.py")},
		{"store.py keeps all of what there is in rows", is("lib/store.py")},
		{"docs/plan.md says what is to come after this", is("docs/plan.md")},
		{"See main.go:5 for what is printed at the end", is(main + "run")},
		{"`node.js` here sets one global and does no more", is("node.js")},
		{"lib/store.py:save keeps the rows it is given", is(store + "save")},
		{"What main.go prints is told by `run` alone", is("main.go", main+"run")},
		{"The helper `deploy` does nothing as of today", is(main + "deploy")},
		// of anything else
		{"Never push to `main` without a review first", is()},
		{"`main` is protected, push to a branch instead", is()},
		{"The user prefers TypeScript over plain JavaScript", is()},
		{"Releases are on GitHub, not on the file server", is()},
		{"Mirrors are on GitLab, for those who want them", is()},
		{"say `run` before `test` in the pipeline", is()},
		{"`test` must pass before anything is merged here", is()},
		{"Use HTTP `get` for checks of health, not head", is()},
		{"We deploy with node.js 20 on all the machines", is()},
		{"We deploy with Node.js 20 on all the machines", is()},
		{"The servers all have node.js installed already", is()},
		{"`deploy` needs the key of the cluster admin", is()},
		{"The branch `pay` is for the team of payments", is()},
		{"`pay` branch is for the team of payments", is()},
		{"Tag the ticket with `pay` if money is involved", is()},
		{"`npm run test` takes a minute on the laptop", is()},
		{"`make deploy` asks for a password each time", is()},
		{"The user wants to save time and pay attention", is()},
		{"Open the table and insert a row by hand, please", is()},
		{"The environment is called `test`, not staging", is()},
		{"`get` and `put` are all that the proxy lets through", is()},
		{"Answers are short. `save` tokens where you can", is()},
		{"Type `run` into the shell and wait for a prompt", is()},
		{"the column `port` of the sheet is in metres", is()},
		{"read/write access is only for the team itself", is()},
		{"e.g. the port is 8080 and i.e. not a privileged one", is()},
		{"see https://example.org/main.go for an example", is()},
		{"`pay` the bill of the cloud before the month ends", is()},
		{"`open` a ticket for each thing that is found", is()},
		{"version 1.2 of the tool came with Go 1.24 here", is()},
		{"macOS and iOS are not what we build for, ever", is()},
	}
	var right, wrong, missed int
	for _, c := range cases {
		id := g.remember(c.text)
		got := g.anchors(id)
		for _, a := range got {
			if slices.Contains(c.want, a) {
				right++
			} else {
				wrong++
			}
		}
		for _, a := range c.want {
			if !slices.Contains(got, a) {
				missed++
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
	t.Logf("%d sentences: precision %.2f, recall %.2f", len(cases), float64(right)/float64(right+wrong), float64(right)/float64(right+missed))
}

// TestKindsCalled: a word for a kind says which symbols can be meant.
func TestKindsCalled(t *testing.T) {
	all := []code.Kind{code.Function, code.Method, code.Class, code.Struct, code.Field, code.EnumMember, code.Constant, code.Variable}
	for word, want := range map[string][]code.Kind{
		"function": {code.Function, code.Method, code.Class, code.Struct}, "constructor": {code.Function, code.Method, code.Class, code.Struct},
		"the type": {code.Class, code.Struct}, "properties": {code.Field, code.EnumMember}, "constant": {code.EnumMember, code.Constant, code.Variable},
	} {
		kinds := kindsCalled(word)
		if got := slices.DeleteFunc(slices.Clone(all), func(k code.Kind) bool { return !kinds(k) }); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", word, got, want)
		}
	}
}
