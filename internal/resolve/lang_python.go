package resolve

import (
	"path"
	"slices"
	"strings"

	"chitta/internal/code"
)

// Python's module of a file is its path from the project's root. An import is
// looked for from the folders above the importing file that are no packages
// themselves, as from the folder of a script; then under the names that files
// have within their outermost package, as where that is installed.

func pythonLanguage() *language {
	return &language{
		family: "python", unit: pythonUnit, find: pythonFind, reaches: pythonReaches, importsAreExports: true, newFileMovesAll: true,
		lastDefinition: true, dynamic: true, decorators: true, unique: true, sequences: true,
		callbacks: true, callsBack: pythonCallsBack, alsoCalls: pythonAlsoCalls,
		constructors: []string{"__init__", "__new__"}, inheritsConstructors: true, callOperator: "__call__",
		transparent: []string{"Optional", "ClassVar", "Final", "Required", "NotRequired", "Awaitable", "Coroutine"},
		selfTypes:   []string{"Self", "typing.Self"},
		typeOf:      func(name string) bool { return name == "type" || lastName(name) == "Type" }, typeVariable: pythonTypeVariable,
		builtin:   func(name string) bool { return pythonBuiltins[name] },
		parseType: pythonType, linear: pythonLinear, satisfies: pythonSatisfies, iterate: pythonIterate, special: pythonSpecial,
		assigned: pythonAssigned, getter: pythonGetter, quiet: pythonQuiet, puts: pythonPuts, pair: pythonPair, keyNames: pythonKeyNames,
		skipsReceiver: pythonSkips, callee: pythonCallee, passes: pythonPasses, self: pythonSelf, everywhere: func(name string) bool { return strings.HasPrefix(name, "__") || pythonMethods[name] },
	}
}

// pythonUnit is the dotted path of a file. The folders above are modules too,
// whether they have a file of their own or not.
func pythonUnit(p *Project, f *file) string {
	unit := pythonModule(f.Path)
	for at := parentKey(unit); at != ""; at = parentKey(at) {
		key := "python:" + at
		if _, ok := p.units[key]; ok {
			break
		}
		p.units[key] = nil
	}
	return unit
}

func pythonModule(file string) string {
	name := strings.TrimSuffix(file, path.Ext(file))
	if name == "__init__" {
		return ""
	}
	return strings.ReplaceAll(strings.TrimSuffix(name, "/__init__"), "/", ".")
}

func pythonFind(r *run, f *file, imp *code.Import) []string {
	if imp.Level > 0 {
		at := f.unit
		if path.Base(f.Path) != "__init__.py" && path.Base(f.Path) != "__init__.pyi" {
			at = parentKey(at)
		}
		for range imp.Level - 1 {
			at = parentKey(at)
		}
		return []string{join(at, imp.Module)}
	}
	if imp.Module == "" {
		return nil
	}
	var packages []string
	for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
		at := ""
		if dir != "." {
			at = strings.ReplaceAll(dir, "/", ".")
		}
		unit := join(at, imp.Module)
		if _, ok := r.p.units["python:"+unit]; ok && unit != "" {
			if !r.pythonPackage(at) {
				return []string{unit}
			}
			packages = append(packages, unit)
		}
		if dir == "." {
			break
		}
	}
	if unit, ok := r.pythonInstalled()[imp.Module]; ok {
		return []string{unit}
	}
	first, _, _ := strings.Cut(imp.Module, ".")
	if len(packages) > 0 && !pythonStandard[first] {
		return packages[:1] // a script within a package
	}
	return nil
}

// pythonReaches are the files of an import: `from p import m` reaches the module
// m where the package has one and nothing else of that name.
func pythonReaches(r *run, f *file, imp *code.Import) []*file {
	var out []*file
	for _, u := range f.lang.units(r, f, imp) {
		if imp.Name != "" && imp.Name != "*" {
			inner := join(u, imp.Name)
			if files := r.p.units[inner]; len(files) > 0 && slices.ContainsFunc(r.exported(u, imp.Name), func(v value) bool { return v.kind == aModule && v.key == inner }) {
				out = append(out, files...)
				continue
			}
		}
		out = append(out, r.p.units[u]...)
	}
	return out
}

// pythonPackage says that a folder is a package: it has a file of its own.
func (r *run) pythonPackage(unit string) bool {
	return unit != "" && len(r.p.units["python:"+unit]) > 0
}

// pythonInstalled are the modules by the name that they have from their
// outermost package on.
func (r *run) pythonInstalled() map[string]string {
	if r.installed == nil {
		r.installed = map[string]string{}
		for _, file := range r.p.paths() {
			f := r.p.files[file]
			if f.family != "python" {
				continue
			}
			top := f.unit
			for up := parentKey(top); r.pythonPackage(up); up = parentKey(up) {
				top = up
			}
			if name := strings.TrimPrefix(f.unit, parentKey(top)+"."); r.installed[name] == "" && (top != f.unit || path.Base(f.Path) == "__init__.py") {
				r.installed[name] = f.unit
			}
		}
	}
	return r.installed
}

// pythonType reads a type; a generator's first argument is what it yields.
func pythonType(text string) typeNode {
	n := parseType(text)
	return pythonNode(n)
}

func pythonNode(n typeNode) typeNode {
	switch lastName(n.name) {
	case "Generator", "AsyncGenerator", "Annotated":
		if len(n.args) > 1 {
			n.args = n.args[:1]
		}
	case "Callable", "None", "Any", "object": // it says nothing
		return typeNode{name: funcKey}
	case "Union":
		n.name = eitherOf
	}
	if lastName(n.name) == "Annotated" && len(n.args) == 1 {
		return pythonNode(n.args[0])
	}
	for i := range n.args {
		n.args[i] = pythonNode(n.args[i])
	}
	return n
}

// pythonTypeVariable: `T = TypeVar("T", bound=Base)` declares a generic name.
func pythonTypeVariable(r *run, f *file, scope int32, name string) ([]value, bool) {
	if strings.Contains(name, ".") {
		return nil, false
	}
	const anywhere = ^uint32(0)
	for _, v := range r.lookup(f, scope, name, anywhere) {
		if v.kind != aForeignI || v.f == nil || lastName(v.key) != "TypeVar" {
			continue
		}
		var out []value
		e := &v.f.Exprs[v.expr]
		if at := slices.Index(e.Keys, "bound"); at >= 0 && at < len(e.Args) && e.Args[at] > 0 {
			if bound := &v.f.Exprs[e.Args[at]]; bound.Kind == code.ConstExpr {
				out = r.typeText(v.f, bound.Scope, bound.Text)
			} else {
				out = instances(r.expr(v.f, e.Args[at]))
			}
		}
		return out, true
	}
	return nil, false
}

// pythonLinear is the method resolution order (C3).
func pythonLinear(r *run, key string) []string {
	var lists [][]string
	var direct []string
	for _, b := range r.bases(key) {
		if b.kind == aType && b.key != key {
			lists = append(lists, slices.Clone(r.linear(b.key)))
			direct = append(direct, b.key)
		}
	}
	if len(lists) == 1 {
		return onTop(key, lists[0])
	}
	lists = append(lists, direct)
	out := []string{key}
	for {
		lists = slices.DeleteFunc(lists, func(l []string) bool { return len(l) == 0 })
		if len(lists) == 0 {
			return out
		}
		next := ""
		for _, l := range lists {
			blocked := slices.ContainsFunc(lists, func(o []string) bool { return slices.Contains(o[1:], l[0]) })
			if !blocked {
				next = l[0]
				break
			}
		}
		if next == "" {
			next = lists[0][0] // no order: any
		}
		if !slices.Contains(out, next) {
			out = append(out, next)
		}
		for i := range lists {
			lists[i] = slices.DeleteFunc(lists[i], func(k string) bool { return k == next })
		}
	}
}

// pythonSatisfies lists the classes that have all that a protocol asks for.
func pythonSatisfies(r *run, key string) []string {
	var wants []string
	for _, s := range r.p.symbols[key] {
		for i := range s.f.Symbols {
			if m := &s.f.Symbols[i]; m.Parent == s.i && m.Kind == code.Method && m.Abstract {
				wants = append(wants, m.Name)
			}
		}
	}
	if len(wants) == 0 {
		return nil
	}
	var out []string
	for _, s := range r.p.byName[wants[0]] {
		class := parentKey(s.f.keys[s.i])
		if s.f.family != "python" || s.sym().Kind != code.Method || class == key || slices.Contains(out, class) {
			continue
		}
		if !slices.ContainsFunc(wants, func(name string) bool { return len(r.member(class, name)) == 0 }) {
			out = append(out, class)
		}
	}
	return out
}

// pythonIterate is what a loop over an instance gives.
func pythonIterate(r *run, x value) []value {
	var out []value
	for _, s := range append(r.member(x.key, "__iter__"), r.member(x.key, "__aiter__")...) {
		for _, it := range r.resultWith(s, argument{}) {
			if it.kind == anInst {
				for _, next := range append(r.member(it.key, "__next__"), r.member(it.key, "__anext__")...) {
					out = add(out, r.result(next)...)
				}
				continue
			}
			out = add(out, r.elements([]value{it})...)
		}
	}
	if len(out) == 0 {
		for _, s := range r.member(x.key, "__getitem__") {
			out = add(out, r.result(s)...)
		}
	}
	return out
}

// pythonGetter says that a method is a property.
func pythonGetter(s id) bool {
	for _, d := range s.sym().Decorators {
		switch e := &s.f.Exprs[max(d, 0)]; {
		case e.Kind == code.NameExpr && (e.Name == "property" || e.Name == "cached_property"):
			return true
		case e.Kind == code.MemberExpr && (e.Name == "cached_property" || e.Name == "setter"):
			return true
		}
	}
	return false
}

// pythonQuiet: loops and with statements call methods that the text does not
// name, mostly of what is built in.
func pythonQuiet(c *code.Call) bool {
	if c.Kind == code.Ctor && c.Name != "" && (c.Name[0] < 'A' || c.Name[0] > 'Z') {
		return true // raise of a value that is there already
	}
	if _, ok := pythonOperator(c.Name); ok && c.Kind == code.Indirect {
		return true
	}
	switch c.Name {
	case "__iter__", "__next__", "__enter__", "__exit__", "__aiter__", "__anext__", "__aenter__", "__aexit__":
		return c.Receiver == ""
	}
	return false
}

// pythonCallsBack: of what is built in, these call what they are given. What
// other modules do with a function nobody knows.
func pythonCallsBack(vs []value) bool {
	return slices.ContainsFunc(vs, func(v value) bool {
		switch v.key {
		case "threading.Thread", "threading.Timer", "multiprocessing.Process", "re.sub", "re.subn", "re.Pattern.sub", "re.Pattern.subn",
			"functools.cmp_to_key", "itertools.accumulate", "itertools.filterfalse", "heapq.nlargest", "heapq.nsmallest", "heapq.merge",
			"atexit.register", "signal.signal", "asyncio.to_thread", "concurrent.futures.ThreadPoolExecutor.submit",
			"concurrent.futures.ThreadPoolExecutor.map", "concurrent.futures.ProcessPoolExecutor.submit", "concurrent.futures.ProcessPoolExecutor.map":
			return true
		case "<builtin>.map", "<builtin>.filter", "<builtin>.sorted", "<builtin>.min", "<builtin>.max", "<builtin>.list.sort",
			"functools.reduce", "<builtin>.reduce", "itertools.starmap", "itertools.takewhile", "itertools.dropwhile", "itertools.groupby":
			return true
		}
		return false
	})
}

// pythonSkips: a method called through its class is given the instance first.
func pythonSkips(r *run, f *file, e *code.Expr, fn id) int {
	sym := fn.sym()
	if e.X <= 0 {
		return 0
	}
	if f.Exprs[e.X].Kind != code.MemberExpr {
		if sym.Kind == code.Method && !sym.Static && r.pythonUnbound(f, e, fn) {
			return -1
		}
		return 0
	}
	if sym.Kind == code.Function || sym.Kind == code.Lambda {
		return r.pythonInPlace(f, &f.Exprs[e.X], fn)
	}
	if sym.Kind != code.Method && sym.Kind != code.Constructor || sym.Static {
		return 0
	}
	for _, v := range r.expr(f, f.Exprs[e.X].X) {
		if v.kind == aType {
			return -1
		}
	}
	return 0
}

// pythonUnbound says that a method that is called by another name is given its
// instance: as a decorator has it, before it is one of an instance.
func (r *run) pythonUnbound(f *file, e *code.Expr, fn id) bool {
	if len(e.Args) == 0 || e.Args[0] <= 0 {
		return false
	}
	first := &f.Exprs[e.Args[0]]
	if first.Kind == code.NameExpr && first.Name == "self" {
		return true
	}
	class := parentKey(fn.f.keys[fn.i])
	return len(e.Args) > len(fn.sym().Params) && r.holds(r.expr(f, e.Args[0]), class)
}

// pythonInPlace: a function that stands in the place of a method is given the
// instance first.
func (r *run) pythonInPlace(f *file, member *code.Expr, fn id) int {
	for _, x := range r.expr(f, member.X) {
		if x.kind != anInst {
			continue
		}
		for _, m := range r.member(x.key, member.Name) {
			if m != fn && pythonReplacedBy(value{kind: aFunc, fn: m}) && !m.sym().Static {
				return 1
			}
		}
	}
	return 0
}

// pythonAssigned is all that an attribute or a variable of a module is set to.
func pythonAssigned(r *run, s id, declared []value) []value {
	sym := s.sym()
	if sym.Kind == code.Field && sym.Type != "" {
		if given := r.p.flows.into(s, pythonField); !known(declared) {
			declared = add(slices.Clone(declared), given...)
		} else {
			declared = add(slices.Clone(declared), functionsOf(given)...)
		}
	}
	if known(declared) && sym.Type != "" {
		return declared
	}
	scope := r.scopeOf(s)
	list := s.f.named(scope, sym.Name)
	var out []value
	if sym.Kind != code.Field {
		out, _ = r.inScope(s.f, scope, sym.Name, ^uint32(0), false)
	} else {
		for _, n := range list {
			if b := &s.f.Scopes[scope].Bindings[n]; b.Kind == code.Assigned && !pythonReplaced(s.f, scope, list, n) {
				out = add(out, r.bindingValue(s.f, scope, n, ByValue)...)
			}
		}
	}
	if !known(out) {
		out = add(out, declared...)
		out = add(out, r.given(s)...)
	}
	return out
}

// pythonReplaced says that an attribute's value in the body of its class is
// always replaced when an instance is made.
func pythonReplaced(f *file, class int32, list []int32, n int32) bool {
	b := &f.Scopes[class].Bindings[n]
	if b.Value <= 0 || f.Exprs[b.Value].Scope != class {
		return false
	}
	for _, other := range list {
		o := &f.Scopes[class].Bindings[other]
		if o.Kind != code.Assigned || o.Maybe || o.Value <= 0 {
			continue
		}
		if fn := f.Scopes[f.Exprs[o.Value].Scope].Symbol; fn != code.None && f.Symbols[fn].Name == "__init__" && f.Symbols[fn].Kind == code.Constructor {
			return true
		}
	}
	return false
}

var pythonBuiltins = words(`abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex
	delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int
	isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed
	round set setattr slice sorted staticmethod str sum super tuple type vars zip __import__ reduce unicode xrange raw_input basestring
	BaseException Exception ArithmeticError AssertionError AttributeError BlockingIOError BrokenPipeError BufferError ChildProcessError
	ConnectionError EOFError FileExistsError FileNotFoundError FloatingPointError GeneratorExit ImportError IndexError
	InterruptedError IOError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError
	NotADirectoryError NotImplementedError OSError OverflowError PermissionError ProcessLookupError RecursionError ReferenceError
	RuntimeError StopAsyncIteration StopIteration SyntaxError SystemError SystemExit TimeoutError TypeError UnboundLocalError
	UnicodeDecodeError UnicodeEncodeError UnicodeError ValueError Warning DeprecationWarning RuntimeWarning UserWarning ZeroDivisionError
	ConnectionResetError ConnectionRefusedError ConnectionAbortedError ExceptionGroup BaseExceptionGroup`)

// pythonMethods are methods of what is built in and of what programs get from
// the standard library without naming its type: files, matches, processes,
// locks, dates.
var pythonMethods = words(`capitalize casefold center encode decode endswith startswith expandtabs find rfind rindex format_map isalnum isalpha isascii
	isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper ljust rjust lower upper lstrip rstrip strip
	maketrans partition rpartition removeprefix removesuffix replace rsplit splitlines swapcase title translate zfill hex fromhex
	extend discard difference intersection union issubset issuperset isdisjoint setdefault popitem fromkeys
	flush readline readlines writelines seek tell truncate fileno isatty seekable readable writable readinto
	group groups groupdict span match fullmatch search sub subn findall finditer expand
	send throw cast tobytes bit_length conjugate is_integer as_integer_ratio
	acquire release wait notify notify_all is_alive is_set communicate poll terminate kill
	isoformat strftime strptime timestamp total_seconds timetuple astimezone utcoffset
	exists is_file is_dir mkdir iterdir read_text write_text read_bytes write_bytes resolve unlink
	writerow writerows debug info warning exception critical submit result done cancel fetchone fetchall execute executemany commit rollback cursor`)

// pythonStandard are modules of the standard library that files within a
// package often have the name of.
var pythonStandard = words(`abc argparse array ast asyncio base64 bisect calendar code codecs collections concurrent configparser
	contextlib copy csv ctypes dataclasses datetime decimal difflib dis email enum errno fnmatch fractions functools gc getpass glob
	gzip hashlib heapq hmac html http importlib inspect io ipaddress itertools json keyword locale logging math mimetypes
	multiprocessing numbers operator os parser pathlib pickle pkgutil platform plistlib pprint profile queue random re sched secrets
	select selectors shelve shlex shutil signal site socket sqlite3 ssl stat statistics string struct subprocess symbol sys
	tempfile test textwrap threading time timeit token tokenize trace traceback types typing unicodedata unittest urllib uuid
	warnings weakref xml zipfile zlib`)

func words(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(text) {
		out[w] = true
	}
	return out
}
