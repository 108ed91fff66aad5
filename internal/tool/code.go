package tool

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"chitta/internal/codebase"
	"chitta/internal/mind"
)

// codePrefix begins the names of the operations on source code.
const codePrefix = "code_"

func codeTools() []Def {
	const g = GroupCode
	return []Def{
		define("code_index", g, "Index the source code of a project: files, symbols, what calls what. Only what changed is read again, and what is indexed is kept current. Returns after a moment with how far it is; call again with the job until it is done.", (*mind.Mind).CodeIndex, textCodeIndex),
		define("code_stats", g, "Say how much is known of a project's source code, when it was indexed and what was left out.", (*mind.Mind).CodeStats, textCodeStats, readOnly),
		define("code_find", g, "Find symbols of source code by name, exact ones first, then names that begin so, then names spelt alike.", (*mind.Mind).CodeFind, standing(textSymbols), readOnly, alias("find_symbol")),
		define("code_search", g, "Find symbols of source code by what they are about: by the words of names, signatures and comments, and by meaning.", (*mind.Mind).CodeSearch, standing(textSymbols), readOnly, alias("search_symbols")),
		define("code_read", g, "Show the source of a symbol with line numbers, as its file is now, and what was noted with it.", (*mind.Mind).CodeRead, standing(textCodeRead), readOnly, alias("read_symbol")),
		define("code_callers", g, "Say who calls a symbol, directly or through others, each with where, how that was found and how sure it is.", (*mind.Mind).CodeCallers, standing(textCallers), readOnly, alias("symbol_callers")),
		define("code_callees", g, "Say what a symbol calls, directly or through others, each with where, how that was found and how sure it is.", (*mind.Mind).CodeCallees, standing(textCallees), readOnly, alias("symbol_callees")),
		define("code_path", g, "Show the shortest way along calls from one symbol to another, or say that there is none.", (*mind.Mind).CodePath, standing(textCodePath), readOnly, alias("call_path")),
		define("code_types", g, "Show what a type takes from and which types take from it.", (*mind.Mind).CodeTypes, standing(textTypes), readOnly, alias("type_hierarchy")),
		define("code_imports", g, "Show what a file imports, and which files of the project that reaches.", (*mind.Mind).CodeImports, standing(textImports), readOnly, alias("file_imports")),
		define("code_dependents", g, "Show which files import a file or call what stands in it.", (*mind.Mind).CodeDependents, standing(textDependents), readOnly, alias("file_dependents")),
		define("code_overview", g, "Say what a project is made of: languages, folders, where programs begin, what is called most, what is largest.", (*mind.Mind).CodeOverview, standing(textOverview), readOnly),
		define("code_map", g, "Show the most important signatures of a project within a token budget, as seen from some files: what they lean on comes first.", (*mind.Mind).CodeMap, standing(textCodeMap), readOnly),
		define("code_unused", g, "List functions that nothing in the project seems to use. Use that is not written as a name is not seen.", (*mind.Mind).CodeUnused, standing(textUnused), readOnly, alias("unused_symbols")),
		define("code_describe", g, "Keep a note with a symbol: it is shown with the symbol, found by recall, and outlives the index.", (*mind.Mind).CodeDescribe, textDescribed, alias("describe_symbol")),
		define("code_clear", g, "Erase the index of a project's source code. The source itself is not touched.", (*mind.Mind).CodeClear, textJSON[mind.CodeClearOutput], destructive, peopleOnly),
	}
}

// standing adds to words what is to be known of the index that they come from.
func standing[Out interface{ Unfinished() string }](words func(Out) string) func(Out) string {
	return func(out Out) string {
		text := words(out)
		if note := out.Unfinished(); note != "" {
			text = strings.TrimRight(text, "\n") + "\n" + note + "\n"
		}
		return text
	}
}

func textCodeIndex(out mind.CodeIndexOutput) string {
	if out.Report != nil {
		return textCodeReport(out.Report)
	}
	s := "still " + out.Progress.Phase
	if out.Progress.Total > 0 {
		s += fmt.Sprintf(", %d of %d", out.Progress.Done, out.Progress.Total)
	}
	return s + "; call again with job " + out.Job
}

func textCodeReport(r *codebase.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d files, %d symbols, %d calls resolved, %d of other projects, %d not known\n",
		r.Root, r.Files, r.Symbols, r.Calls.Edges, r.Calls.External, r.Calls.Unknown)
	for _, lang := range slices.Sorted(maps.Keys(r.Languages)) {
		fmt.Fprintf(&b, "- %s: %d files\n", lang, r.Languages[lang])
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Left)) {
		l := r.Left[reason]
		fmt.Fprintf(&b, "- left out, %s: %d (%s)\n", reason, l.Files, codebase.ShownList(l.Examples))
	}
	if r.Problem != "" {
		fmt.Fprintf(&b, "- git could not be asked which files belong to the project: %s\n", r.Problem)
	}
	return b.String()
}

func textCodeStats(out mind.CodeStatsOutput) string {
	if len(out.Projects) == 0 {
		return "no project is indexed"
	}
	var b strings.Builder
	for _, p := range out.Projects {
		fmt.Fprintf(&b, "%s: %d files, %d symbols, %d calls resolved, %d of other projects, %d not known",
			p.Root, p.Counts.Files, p.Counts.Symbols, p.Counts.Edges, p.Counts.External, p.Counts.Unknown)
		if p.Indexed.IsZero() {
			b.WriteString("; the index has not come to its end")
		} else {
			fmt.Fprintf(&b, "; indexed %s, changed %s", p.Indexed.Format("2006-01-02 15:04"), p.Changed.Format("2006-01-02 15:04"))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
