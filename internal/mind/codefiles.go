package mind

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"chitta/internal/codebase"
	"chitta/internal/memory"
)

// CodeFileInput names a file.
type CodeFileInput struct {
	File    string `json:"file" jsonschema:"a file of the project: absolute, from the directory of work, from the project's root, or the end of its path"`
	Depth   int    `json:"depth,omitempty" jsonschema:"how many steps to follow, 1 to 10; default 1"`
	Project string `json:"project,omitempty" jsonschema:"a folder of the project; default: the directory of work"`
}

func (in *CodeFileInput) check() (depth int, err error) {
	if err := memory.CheckText("file", in.File, memory.MaxPath); err != nil {
		return 0, err
	}
	if strings.TrimSpace(in.File) == "" {
		return 0, &memory.InputError{Field: "file", Problem: "is empty", Hint: "name a file of the project"}
	}
	return checkDepth(in.Depth, codeDepth)
}

// CodeImportsOutput is what a file imports.
type CodeImportsOutput struct {
	File    string                `json:"file"`
	Imports []codebase.ImportLine `json:"imports"`
	codebase.Standing
}

// CodeImports returns what a file imports.
func (m *Mind) CodeImports(ctx context.Context, c Caller, in CodeFileInput) (out CodeImportsOutput, err error) {
	depth, err := in.check()
	if err != nil {
		return out, err
	}
	ask, err := m.askCode(ctx, c, in.Project)
	if err != nil {
		return out, err
	}
	if out.File, out.Imports, err = ask.Imports(ctx, in.File, c.Cwd, depth); err != nil {
		return out, notWhole(ask, codeAnswer(err, in.File))
	}
	out.Standing = ask.Standing()
	return out, nil
}

// CodeDependentsOutput is which files depend on a file.
type CodeDependentsOutput struct {
	File       string               `json:"file"`
	Dependents []codebase.Dependent `json:"dependents"`
	codebase.Standing
}

// CodeDependents returns which files import a file or call what stands in it.
func (m *Mind) CodeDependents(ctx context.Context, c Caller, in CodeFileInput) (out CodeDependentsOutput, err error) {
	depth, err := in.check()
	if err != nil {
		return out, err
	}
	ask, err := m.askCode(ctx, c, in.Project)
	if err != nil {
		return out, err
	}
	if out.File, out.Dependents, err = ask.Dependents(ctx, in.File, c.Cwd, depth); err != nil {
		return out, notWhole(ask, codeAnswer(err, in.File))
	}
	out.Standing = ask.Standing()
	return out, nil
}

// CodeOverviewInput says which project is meant.
type CodeOverviewInput struct {
	Project string `json:"project,omitempty" jsonschema:"a folder of the project; default: the directory of work"`
}

// CodeOverview says what a project is made of.
func (m *Mind) CodeOverview(ctx context.Context, c Caller, in CodeOverviewInput) (codebase.Overview, error) {
	ask, err := m.askCode(ctx, c, in.Project)
	if err != nil {
		return codebase.Overview{}, err
	}
	out, err := ask.Overview(ctx)
	out.Standing = ask.Standing()
	return out, err
}

// CodeUnusedInput says what to look for.
type CodeUnusedInput struct {
	Exported bool   `json:"exported,omitempty" jsonschema:"also what other files or packages could use"`
	Limit    int    `json:"limit,omitempty" jsonschema:"most results; default 50"`
	Project  string `json:"project,omitempty" jsonschema:"a folder of the project; default: the directory of work"`
}

// CodeUnusedOutput is functions that nothing in the project uses.
type CodeUnusedOutput struct {
	Project string            `json:"project"`
	Symbols []codebase.Symbol `json:"symbols"`
	Found   int               `json:"found"` // before the limit
	codebase.Standing
}

// CodeUnused returns functions and methods that nothing in the project uses.
func (m *Mind) CodeUnused(ctx context.Context, c Caller, in CodeUnusedInput) (out CodeUnusedOutput, err error) {
	limit, err := memory.CheckLimit(in.Limit, callsLimit, codeMost, "ask for less")
	if err != nil {
		return out, err
	}
	ask, err := m.askCode(ctx, c, in.Project)
	if err != nil {
		return out, err
	}
	out.Project, out.Standing = ask.Root(), ask.Standing()
	out.Symbols, out.Found, err = ask.Unused(ctx, in.Exported, limit)
	return out, err
}

// CodeMapInput says from where a map is seen, and how large it may be.
type CodeMapInput struct {
	Files   []string `json:"files,omitempty" jsonschema:"files the map is seen from; default: those of this session, or those that changed last"`
	Budget  int      `json:"budget,omitempty" jsonschema:"most tokens, estimated; default 1000"`
	Project string   `json:"project,omitempty" jsonschema:"a folder of the project; default: the directory of work"`
}

// CodeMapOutput is the most important of a project.
type CodeMapOutput struct {
	Project string `json:"project"`
	codebase.Map
	codebase.Standing
}

const (
	mapBudget     = 1000
	mapMostBudget = 100_000
	mapMostFiles  = 50
	// mapTouched is how many files of the session a map is seen from.
	mapTouched = 10
)

// CodeMap returns the most important symbols of a project, as seen from some
// files, within a number of tokens.
func (m *Mind) CodeMap(ctx context.Context, c Caller, in CodeMapInput) (out CodeMapOutput, err error) {
	if in.Budget < 0 || in.Budget > mapMostBudget {
		return out, &memory.InputError{Field: "budget", Problem: fmt.Sprintf("is %d", in.Budget), Hint: fmt.Sprintf("use a number of tokens up to %d", mapMostBudget)}
	}
	if len(in.Files) > mapMostFiles {
		return out, &memory.InputError{Field: "files", Problem: fmt.Sprintf("are %d, more than %d", len(in.Files), mapMostFiles), Hint: "name those that matter"}
	}
	for _, f := range in.Files {
		if err := memory.CheckText("files", f, memory.MaxPath); err != nil {
			return out, err
		}
	}
	ask, err := m.askCode(ctx, c, in.Project)
	if err != nil {
		return out, err
	}
	seeds, dir := in.Files, c.Cwd
	if len(seeds) == 0 && c.Session != "" {
		if seeds, err = m.touchedHere(ctx, c, ask); err != nil {
			return out, err
		}
		dir = ""
	}
	out.Project, out.Standing = ask.Root(), ask.Standing()
	if out.Map, err = ask.Map(ctx, seeds, dir, cmp.Or(in.Budget, mapBudget)); err != nil {
		return out, notWhole(ask, codeAnswer(err, ""))
	}
	return out, nil
}

// touchedHere returns the indexed files that the caller's session touched.
func (m *Mind) touchedHere(ctx context.Context, c Caller, ask *codebase.Ask) ([]string, error) {
	sessions, err := m.store.SessionByID(ctx, c.Session, 1)
	if err != nil || len(sessions) == 0 || sessions[0].ID != c.Session {
		return nil, err
	}
	touched, err := m.store.TouchedIn(ctx, sessions[0].Seq, mapTouched)
	if err != nil {
		return nil, err
	}
	return ask.Known(ctx, touched)
}
