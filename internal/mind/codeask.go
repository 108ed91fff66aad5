package mind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/codebase"
	"chitta/internal/memory"
	"chitta/internal/syntax"
)

// Questions about source code: who asks names a project by a path, or means that
// of the directory of work, and a symbol as codebase.Ask.Named takes it.

const (
	codeLimit = 20  // results by default
	codeMost  = 500 // results at most
	// codeDepth is how far calls are followed by default: who calls it.
	codeDepth = 1
	// codeLines is how many lines of a symbol are read by default.
	codeLines = 300
	// codeMostLines is how many are read at most.
	codeMostLines = 5000
	maxSymbolRef  = 1024
)

// askCode returns who answers about the project that is meant.
func (m *Mind) askCode(ctx context.Context, c Caller, project string) (*codebase.Ask, error) {
	if !syntax.Available {
		return nil, codeError(codebase.ErrOff, project)
	}
	path, err := codePath(c, "project", project)
	if err != nil {
		return nil, err
	}
	base, err := m.codeIfThere(ctx)
	if err != nil {
		return nil, err
	}
	if base == nil {
		return nil, codeError(codebase.ErrUnknown, path)
	}
	ask, err := base.Ask(ctx, path)
	if err != nil {
		return nil, codeError(err, path)
	}
	return ask, nil
}

// codeAnswer says what to do about an error of a question.
func codeAnswer(err error, ref string) error {
	var symbol *codebase.UnknownSymbolError
	var file *codebase.UnknownFileError
	var left *codebase.LeftOutError
	switch {
	case errors.As(err, &symbol) && symbol.File != "":
		return &memory.NotFoundError{What: "symbol", ID: symbol.Ref, Hint: notInSymbol(symbol)}
	case errors.As(err, &symbol):
		return &memory.NotFoundError{What: "symbol", ID: symbol.Ref, Hint: nearSymbols(symbol.Near)}
	case errors.As(err, &file):
		hint := "name one from the top of the project; chitta code stats says what was left out"
		switch {
		case file.Folder:
			hint = "it is a folder; name a file of it, as " + codebase.ShownList(file.Near)
		case len(file.Near) > 0:
			hint = "did you mean " + codebase.ShownList(file.Near) + "?"
		}
		return &memory.NotFoundError{What: "indexed file", ID: file.Path, Hint: hint}
	case errors.As(err, &left):
		return &memory.NotFoundError{What: "code of", ID: left.Path, Hint: fmt.Sprintf("the file was left out: %s", left.Why)}
	case errors.Is(err, codebase.ErrFileGone):
		return &memory.NotFoundError{What: "symbol", ID: ref, Hint: "its file is gone; chitta code index reads what is there now"}
	case errors.Is(err, codebase.ErrGone):
		return &memory.NotFoundError{What: "symbol", ID: ref, Hint: "its file changed; find it again by name"}
	}
	return codeError(err, ref)
}

// notInSymbol says what to do with a file that was named where a symbol was meant.
func notInSymbol(e *codebase.UnknownSymbolError) string {
	file := codebase.Shown(e.File)
	if e.Line > 0 {
		return fmt.Sprintf("no symbol stands at line %d of %s; callees %s tells what the file's own code calls", e.Line, file, file)
	}
	return fmt.Sprintf("%s is a file; name a symbol of it, or a place: %s:LINE. Of files there are callees, imports and dependents", file, file)
}

func nearSymbols(near []codebase.Symbol) string {
	if len(near) == 0 {
		return "look for it with: chitta code search; chitta code index reads what is new"
	}
	list := make([]string, len(near))
	for i, s := range near {
		list[i] = fmt.Sprintf("%s (%s:%d)", codebase.Shown(s.Path), codebase.Shown(s.File), s.Line)
	}
	return "did you mean " + strings.Join(list, ", ") + "?"
}

func checkRef(field, ref string) error {
	if err := memory.CheckText(field, ref, maxSymbolRef); err != nil {
		return err
	}
	if strings.TrimSpace(ref) == "" {
		return &memory.InputError{Field: field, Problem: "is empty", Hint: "name a symbol: Server.Listen, server.go:12, or an id"}
	}
	return nil
}

// mostSeveral is how many symbols that a name fits are listed to choose from.
const mostSeveral = 50

// What kinds of symbols a question is about.
func anyKind(code.Kind) bool    { return true }
func aType(k code.Kind) bool    { return k.Type() }
func callable(k code.Kind) bool { return k.Callable() || k.Type() }

// symbolMeant finds the symbol that is meant. If a name fits several of the kind
// that is asked about, those are returned instead.
func (m *Mind) symbolMeant(ctx context.Context, c Caller, ask *codebase.Ask, field, ref string, about func(code.Kind) bool) (*codebase.Symbol, []codebase.Symbol, error) {
	if err := checkRef(field, ref); err != nil {
		return nil, nil, err
	}
	list, err := ask.Named(ctx, ref, c.Cwd)
	if err != nil {
		return nil, nil, notWhole(ask, codeAnswer(err, ref))
	}
	if fits := slices.DeleteFunc(slices.Clone(list), func(s codebase.Symbol) bool { return !about(code.Kind(s.Kind)) }); len(fits) > 0 {
		list = fits
	}
	if len(list) > 1 {
		return nil, list[:min(len(list), mostSeveral)], nil
	}
	if err := m.addNotes(ctx, c, ask, list); err != nil {
		return nil, nil, err
	}
	return &list[0], nil, nil
}

// CodeFindInput says which symbols are looked for.
type CodeFindInput struct {
	Name    string   `json:"name" jsonschema:"name of a symbol, or the end of its path: Listen, Server.Listen, a::b; names that begin so or are spelt alike are found as well"`
	Kinds   []string `json:"kinds,omitempty" jsonschema:"only these kinds of symbol: function, method, class, struct, interface, …"`
	Langs   []string `json:"langs,omitempty" jsonschema:"only these languages: go, python, typescript, …"`
	Limit   int      `json:"limit,omitempty" jsonschema:"most results; default 20"`
	Project string   `json:"project,omitempty" jsonschema:"a folder of the project; default: the directory of work"`
}

// CodeSymbolsOutput is symbols that were found, the best first.
type CodeSymbolsOutput struct {
	Project  string           `json:"project"`
	Symbols  []codebase.Match `json:"symbols"`
	Degraded []string         `json:"degraded,omitempty"` // what could not take part, and why
	codebase.Standing
}

// CodeFind finds symbols by name.
func (m *Mind) CodeFind(ctx context.Context, c Caller, in CodeFindInput) (CodeSymbolsOutput, error) {
	if err := checkRef("name", in.Name); err != nil {
		return CodeSymbolsOutput{}, err
	}
	ask, filter, limit, err := m.codeQuery(ctx, c, in.Project, in.Kinds, in.Langs, in.Limit)
	if err != nil {
		return CodeSymbolsOutput{}, err
	}
	found, err := ask.Find(ctx, in.Name, filter, limit)
	if err != nil {
		return CodeSymbolsOutput{}, codeAnswer(err, in.Name)
	}
	out := CodeSymbolsOutput{Project: ask.Root(), Symbols: found, Standing: ask.Standing()}
	return out, m.noteMatches(ctx, c, ask, out.Symbols)
}

func (m *Mind) codeQuery(ctx context.Context, c Caller, project string, kinds, langs []string, limit int) (*codebase.Ask, codebase.Filter, int, error) {
	var f codebase.Filter
	var err error
	if f.Kinds, err = parseEach[string]("kinds", kinds, codebase.Kinds()); err != nil {
		return nil, f, 0, err
	}
	if f.Langs, err = parseEach[string]("langs", langs, codeLangs()); err != nil {
		return nil, f, 0, err
	}
	if limit, err = memory.CheckLimit(limit, codeLimit, codeMost, "ask for less"); err != nil {
		return nil, f, 0, err
	}
	ask, err := m.askCode(ctx, c, project)
	return ask, f, limit, err
}

func codeLangs() []string {
	list := []syntax.Lang{syntax.CPP, syntax.CSharp, syntax.Go, syntax.Java, syntax.JavaScript, syntax.Python, syntax.Ruby, syntax.Rust, syntax.TypeScript}
	out := make([]string, len(list))
	for i, l := range list {
		out[i] = string(l)
	}
	return out
}

// CodeSymbolInput names a symbol.
type CodeSymbolInput struct {
	Symbol  string `json:"symbol" jsonschema:"the symbol: its id, name, path (Server.Listen, pkg.Server.Listen, a::b) or place (server.go:12)"`
	Project string `json:"project,omitempty" jsonschema:"a folder of the project; default: the directory of work"`
}

// CodeSeveral lists the symbols that a name fits, if these are several: name one
// of them.
type CodeSeveral struct {
	Several []codebase.Symbol `json:"several,omitempty"`
	codebase.Standing
}

// CodeReadInput says what to read.
type CodeReadInput struct {
	CodeSymbolInput
	Lines int `json:"lines,omitempty" jsonschema:"most lines; default 300"`
}

// CodeReadOutput is a symbol's source as its file is now.
type CodeReadOutput struct {
	CodeSeveral
	Source *codebase.Reading `json:"source,omitempty"`
}

// CodeRead returns the source of a symbol as its file is now.
func (m *Mind) CodeRead(ctx context.Context, c Caller, in CodeReadInput) (out CodeReadOutput, err error) {
	lines, err := memory.CheckLimit(in.Lines, codeLines, codeMostLines, "read the file itself")
	if err != nil {
		if wrong := (*memory.InputError)(nil); errors.As(err, &wrong) {
			wrong.Field = "lines"
		}
		return out, err
	}
	ask, err := m.askCode(ctx, c, in.Project)
	if err != nil {
		return out, err
	}
	out.Standing = ask.Standing()
	s, several, err := m.symbolMeant(ctx, c, ask, "symbol", in.Symbol, anyKind)
	if err != nil || s == nil {
		out.Several = several
		return out, err
	}
	read, err := ask.Read(ctx, s, lines)
	if err != nil {
		return out, codeAnswer(err, in.Symbol)
	}
	read.Symbol.Notes = s.Notes
	out.Source = &read
	return out, nil
}

// CodeCallsInput asks who calls a symbol, or what it calls.
type CodeCallsInput struct {
	CodeSymbolInput
	Depth int `json:"depth,omitempty" jsonschema:"how many steps to follow, 1 to 10; default 1"`
	Limit int `json:"limit,omitempty" jsonschema:"most results; default 50"`
}

// CodeCallsOutput is who calls a symbol, or what it calls.
type CodeCallsOutput struct {
	CodeSeveral
	Symbol *codebase.Symbol `json:"symbol,omitempty"`
	codebase.CallList
}

// callsLimit is how many calls are shown by default.
const callsLimit = 50

func checkDepth(depth, byDefault int) (int, error) {
	if depth < 0 || depth > codebase.MaxDepth {
		return 0, &memory.InputError{Field: "depth", Problem: fmt.Sprintf("is %d", depth), Hint: fmt.Sprintf("use a number from 1 to %d", codebase.MaxDepth)}
	}
	return cmp.Or(depth, byDefault), nil
}

// CodeCallers returns who calls a symbol.
func (m *Mind) CodeCallers(ctx context.Context, c Caller, in CodeCallsInput) (CodeCallsOutput, error) {
	return m.codeCalls(ctx, c, in, (*codebase.Ask).Callers, false)
}

// CodeCallees returns what a symbol calls, or the code of a file.
func (m *Mind) CodeCallees(ctx context.Context, c Caller, in CodeCallsInput) (CodeCallsOutput, error) {
	return m.codeCalls(ctx, c, in, (*codebase.Ask).Callees, true)
}

func (m *Mind) codeCalls(ctx context.Context, c Caller, in CodeCallsInput, of func(*codebase.Ask, context.Context, *codebase.Symbol, int, int) (codebase.CallList, error), files bool) (CodeCallsOutput, error) {
	out := CodeCallsOutput{CallList: codebase.CallList{Calls: []codebase.Call{}, Loose: []codebase.LooseCall{}}}
	depth, err := checkDepth(in.Depth, codeDepth)
	if err != nil {
		return out, err
	}
	limit, err := memory.CheckLimit(in.Limit, callsLimit, codeMost, "ask for less")
	if err != nil {
		return out, err
	}
	ask, err := m.askCode(ctx, c, in.Project)
	if err != nil {
		return out, err
	}
	out.Standing = ask.Standing()
	out.Symbol, out.Several, err = m.symbolMeant(ctx, c, ask, "symbol", in.Symbol, callable)
	if missing := (*memory.NotFoundError)(nil); files && errors.As(err, &missing) {
		own, fileErr := ask.FileCode(ctx, in.Symbol, c.Cwd)
		if fileErr == nil && own != nil {
			out.Symbol, err = own, nil
		}
	}
	if err != nil || out.Symbol == nil {
		return out, err
	}
	list, err := of(ask, ctx, out.Symbol, depth, limit)
	if err != nil {
		return out, codeAnswer(err, in.Symbol)
	}
	out.CallList = list
	return out, nil
}

// CodePathInput names two symbols.
type CodePathInput struct {
	From    string `json:"from" jsonschema:"the symbol that calls"`
	To      string `json:"to" jsonschema:"the symbol that is called in the end"`
	Project string `json:"project,omitempty" jsonschema:"a folder of the project; default: the directory of work"`
}

// CodePathOutput is the shortest way from one symbol to another.
type CodePathOutput struct {
	CodeSeveral
	Path *codebase.CallPath `json:"path,omitempty"`
}

// CodePath finds the shortest way along calls between two symbols.
func (m *Mind) CodePath(ctx context.Context, c Caller, in CodePathInput) (out CodePathOutput, err error) {
	ask, err := m.askCode(ctx, c, in.Project)
	if err != nil {
		return out, err
	}
	out.Standing = ask.Standing()
	var ends [2]*codebase.Symbol
	for i, ref := range []string{in.From, in.To} {
		if ends[i], out.Several, err = m.symbolMeant(ctx, c, ask, []string{"from", "to"}[i], ref, callable); err != nil || ends[i] == nil {
			return out, err
		}
	}
	path, err := ask.Path(ctx, ends[0], ends[1])
	if err != nil {
		return out, codeAnswer(err, in.From)
	}
	out.Path = &path
	return out, nil
}

// CodeTypesInput names a type.
type CodeTypesInput struct {
	CodeSymbolInput
	Depth int `json:"depth,omitempty" jsonschema:"how many steps to follow, 1 to 10; default 10"`
}

// CodeTypesOutput is what a type takes from, and which types take from it.
type CodeTypesOutput struct {
	CodeSeveral
	Hierarchy *codebase.Hierarchy `json:"hierarchy,omitempty"`
}

// CodeTypes follows inheritance up and down.
func (m *Mind) CodeTypes(ctx context.Context, c Caller, in CodeTypesInput) (out CodeTypesOutput, err error) {
	depth, err := checkDepth(in.Depth, codebase.MaxDepth)
	if err != nil {
		return out, err
	}
	ask, err := m.askCode(ctx, c, in.Project)
	if err != nil {
		return out, err
	}
	out.Standing = ask.Standing()
	s, several, err := m.symbolMeant(ctx, c, ask, "symbol", in.Symbol, aType)
	if err != nil || s == nil {
		out.Several = several
		return out, err
	}
	if kind := code.Kind(s.Kind); !aType(kind) {
		return out, &memory.InputError{Field: "symbol", Problem: fmt.Sprintf("%s is no type but a %s", s.Path, kind), Hint: "name a class, struct, interface or the like; who calls a function is told by callers"}
	}
	h, err := ask.Hierarchy(ctx, s, depth)
	if err != nil {
		return out, codeAnswer(err, in.Symbol)
	}
	out.Hierarchy = &h
	return out, nil
}
