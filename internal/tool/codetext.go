package tool

import (
	"cmp"
	"fmt"
	"strings"

	"chitta/internal/capture"
	"chitta/internal/codebase"
	"chitta/internal/mind"
)

// What source code says, in words for agents: short lines, places that can be
// read, ids to go on with. Signatures, comments and text are other people's, so
// they are marked as reference material.

// symbolLine is a symbol in one line.
func symbolLine(s *codebase.Symbol) string {
	if s.Kind == codebase.KindFile {
		return fmt.Sprintf("%s:%d file", codebase.Shown(s.File), s.Line)
	}
	return fmt.Sprintf("%s:%d %s %s", codebase.Shown(s.File), s.Line, s.Kind, signatureOf(s))
}

// signatureRunes is how much of a signature a line has room for.
const signatureRunes = 160

// signatureOf says what a symbol looks like, with its type where the signature
// does not say it.
func signatureOf(s *codebase.Symbol) string {
	text := cmp.Or(s.Signature, s.Path)
	switch {
	case text == s.Name:
		text = s.Path
	case s.Kind == codebase.KindLambda:
		text = s.Path + ": " + text
	}
	if r := []rune(text); len(r) > signatureRunes {
		text = string(r[:signatureRunes]) + "…"
	}
	return codebase.Shown(text)
}

// symbolItem is a symbol in one line with what it is named by.
func symbolItem(s *codebase.Symbol) string {
	line := symbolLine(s) + " [" + s.ID + "]"
	if s.Path != s.Name {
		line += " " + codebase.Shown(s.Path)
	}
	for _, n := range s.Notes {
		line += "\n  note " + n.ID + ": " + n.Text
	}
	return line
}

func symbolItems(list []codebase.Symbol) []string {
	items := make([]string, len(list))
	for i := range list {
		items[i] = symbolItem(&list[i])
	}
	return items
}

// textSeveral offers the symbols that a name fits, "" if it was one.
func textSeveral(list []codebase.Symbol) string {
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("%d symbols fit; name one by path, file:line or id:\n", len(list)) + wrapped(symbolItems(list), "symbols")
}

func textSymbols(out mind.CodeSymbolsOutput) string {
	note := degradedNote(out.Degraded)
	if len(out.Symbols) == 0 {
		return "no symbol fits" + note
	}
	items := make([]string, len(out.Symbols))
	for i := range out.Symbols {
		m := &out.Symbols[i]
		items[i] = symbolItem(&m.Symbol)
		if m.How == codebase.FoundPrefix || m.How == codebase.FoundFuzzy {
			items[i] = m.How + ": " + items[i]
		}
	}
	return wrapped(items, "symbols") + note
}

func textCodeRead(out mind.CodeReadOutput) string {
	if s := textSeveral(out.Several); s != "" {
		return s
	}
	src := out.Source
	var b strings.Builder
	b.WriteString(symbolItem(&src.Symbol) + "\n")
	for i, line := range src.Lines {
		fmt.Fprintf(&b, "%d\t%s\n", src.From+i, line)
	}
	s := capture.Wrap(strings.TrimRight(b.String(), "\n"))
	if src.Left > 0 {
		s += fmt.Sprintf("\n%d lines of it are left out; raise lines", src.Left)
	}
	return s
}

func callItems(list []codebase.Call) []string {
	items := make([]string, len(list))
	for i := range list {
		c := &list[i]
		items[i] = fmt.Sprintf("%s%s · at %s · %s %.2f", strings.Repeat("  ", c.Depth-1), symbolLine(&c.Symbol), placesOf(codebase.Shown(c.File), c.Lines), c.Rule, c.Confidence)
		if c.Symbol.ID != "" {
			items[i] += " [" + c.Symbol.ID + "]"
		}
	}
	return items
}

// mostPlaces is how many places of one caller are named.
const mostPlaces = 5

func placesOf(file string, lines []int) string {
	var b strings.Builder
	b.WriteString(file)
	for i, n := range lines[:min(len(lines), mostPlaces)] {
		b.WriteString([]string{":", ","}[min(i, 1)])
		fmt.Fprint(&b, n)
	}
	if more := len(lines) - mostPlaces; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

func textCallers(out mind.CodeCallsOutput) string {
	return textCalls(out, "nothing is known to call it", "may also call it (unresolved)")
}

func textCallees(out mind.CodeCallsOutput) string {
	return textCalls(out, "it is not known to call anything of the project", "calls without a target in the project")
}

func textCalls(out mind.CodeCallsOutput, none, loosely string) string {
	if s := textSeveral(out.Several); s != "" {
		return s
	}
	items := []string{symbolItem(out.Symbol)}
	if len(out.Calls) == 0 {
		items = append(items, none)
	}
	items = append(items, callItems(out.Calls)...)
	if len(out.Loose) > 0 {
		items = append(items, loosely+":")
	}
	for _, l := range out.Loose {
		item := fmt.Sprintf("  %s:%d %s", codebase.Shown(l.File), l.Line, codebase.Shown(l.Name))
		if l.From != "" {
			item += " in " + codebase.Shown(l.From)
		}
		if l.External {
			item += " (outside)"
		}
		items = append(items, item)
	}
	s := wrapped(items, "lines")
	if out.Found > len(out.Calls) {
		s += fmt.Sprintf("\n%d of %d shown; raise limit", len(out.Calls), out.Found)
	}
	return s + cutNote(out.Cut)
}

func textCodePath(out mind.CodePathOutput) string {
	if s := textSeveral(out.Several); s != "" {
		return s
	}
	p := out.Path
	if len(p.Steps) == 0 {
		if p.From.ID == p.To.ID {
			return "both are the same symbol"
		}
		return fmt.Sprintf("no way along calls from %s to %s", p.From.Path, p.To.Path) + cutNote(p.Cut)
	}
	items := append([]string{symbolItem(&p.From)}, callItems(p.Steps)...)
	return wrapped(items, "steps") + fmt.Sprintf("\nconfidence of all steps together %.2f", p.Confidence)
}

func textTypes(out mind.CodeTypesOutput) string {
	if s := textSeveral(out.Several); s != "" {
		return s
	}
	h := out.Hierarchy
	items := []string{symbolItem(&h.Type)}
	for _, side := range []struct {
		head  string
		links []codebase.TypeLink
	}{{"takes from:", h.Up}, {"taken from by:", h.Down}} {
		if len(side.links) == 0 {
			items = append(items, side.head+" nothing known")
			continue
		}
		items = append(items, side.head)
		for _, l := range side.links {
			what := l.Text + " (outside)"
			if l.Symbol != nil {
				what = symbolLine(l.Symbol) + " [" + l.Symbol.ID + "]"
			}
			items = append(items, strings.Repeat("  ", l.Depth)+l.How+" "+what)
		}
	}
	return wrapped(items, "types")
}

func textImports(out mind.CodeImportsOutput) string {
	if len(out.Imports) == 0 {
		return codebase.Shown(out.File) + " imports nothing"
	}
	items := []string{codebase.Shown(out.File) + " imports"}
	for _, l := range out.Imports {
		item := strings.Repeat("  ", l.Depth) + l.Module
		if len(l.Names) > 0 {
			item += " (" + strings.Join(l.Names, ", ") + ")"
		}
		switch {
		case len(l.Files) > 0:
			item += " → " + shortList(l.Files)
		case l.External != "":
			item += " (outside)"
		default:
			item += " (not found)"
		}
		items = append(items, item)
	}
	return wrapped(items, "imports")
}

// shortList names a few of many.
func shortList(list []string) string {
	const most = 3
	if len(list) <= most {
		return codebase.ShownList(list)
	}
	return fmt.Sprintf("%s and %d more", codebase.ShownList(list[:most]), len(list)-most)
}

func textDependents(out mind.CodeDependentsOutput) string {
	if len(out.Dependents) == 0 {
		return "no file is known to depend on " + codebase.Shown(out.File)
	}
	items := []string{"these depend on " + codebase.Shown(out.File)}
	for _, d := range out.Dependents {
		item := strings.Repeat("  ", d.Depth) + codebase.Shown(d.File)
		if d.Line > 0 {
			item += fmt.Sprintf(":%d", d.Line)
		}
		item += " by " + d.How
		if d.Calls > 0 {
			item += fmt.Sprintf(" (%d)", d.Calls)
		}
		if d.Via != "" {
			item += " of " + codebase.Shown(d.Via)
		}
		items = append(items, item)
	}
	return wrapped(items, "files")
}

func textOverview(out codebase.Overview) string {
	items := []string{fmt.Sprintf("%s: %d files, %d symbols", out.Root, out.Files, out.Symbols)}
	add := func(head string, lines []string) {
		if len(lines) > 0 {
			items = append(items, head+"\n  "+strings.Join(lines, "\n  "))
		}
	}
	var lines []string
	for _, l := range out.Languages {
		lines = append(lines, fmt.Sprintf("%s: %d files, %d symbols", l.Lang, l.Files, l.Symbols))
	}
	add("languages:", lines)
	lines = nil
	for _, m := range out.Modules {
		lines = append(lines, fmt.Sprintf("%s: %d files, %d symbols", codebase.Shown(m.Path), m.Files, m.Symbols))
	}
	add("largest folders:", lines)
	lines = nil
	for i := range out.Entries {
		lines = append(lines, symbolLine(&out.Entries[i]))
	}
	add("programs begin at:", lines)
	for _, x := range []struct {
		head, unit string
		list       []codebase.RankedUse
	}{{"most called:", "calls", out.Called}, {"largest functions:", "lines", out.Largest}} {
		lines = nil
		for i := range x.list {
			lines = append(lines, fmt.Sprintf("%s · %d %s", symbolLine(&x.list[i].Symbol), x.list[i].Count, x.unit))
		}
		add(x.head, lines)
	}
	return wrapped(items, "parts")
}

func textCodeMap(out mind.CodeMapOutput) string {
	if len(out.Files) == 0 {
		return "nothing fits the budget, or nothing is indexed"
	}
	var items []string
	for _, f := range out.Files {
		items = append(items, mapItem(&f))
	}
	s := wrapped(items, "files")
	if out.Left > 0 {
		s += fmt.Sprintf("\n%d files do not fit the budget", out.Left)
	}
	return s
}

func mapItem(f *codebase.MapFile) string {
	var b strings.Builder
	b.WriteString(codebase.Shown(f.File))
	for i := range f.Symbols {
		fmt.Fprintf(&b, "\n  %d: %s", f.Symbols[i].Line, signatureOf(&f.Symbols[i]))
	}
	if f.Left > 0 {
		fmt.Fprintf(&b, "\n  … %d more", f.Left)
	}
	return b.String()
}

// unseen is what a look for unused functions cannot tell.
const unseen = "use that is not written as a name (reflection, names put together, templates, other projects) is not seen"

func textUnused(out mind.CodeUnusedOutput) string {
	if len(out.Symbols) == 0 {
		return "nothing is found unused; " + unseen
	}
	s := wrapped(symbolItems(out.Symbols), "symbols")
	if out.Found > len(out.Symbols) {
		s += fmt.Sprintf("\n%d of %d shown; raise limit", len(out.Symbols), out.Found)
	}
	return s + "\n" + unseen
}

func textDescribed(out mind.CodeDescribeOutput) string {
	if s := textSeveral(out.Several); s != "" {
		return s
	}
	return textRemember(*out.Memory) + "; shown with " + symbolLine(out.Symbol)
}
