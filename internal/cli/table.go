package cli

import (
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
	"golang.org/x/text/width"
)

const (
	columnGap = "  "
	// leastColumn is how narrow a column of text gets at least: ids have up to
	// 18 characters, and a part of one is no use.
	leastColumn = 20
)

// table prints rows in columns. The first row is the heading; columns whose
// heading starts with '>' are set to the right. On a terminal long texts are
// cut so that a row fits a line; elsewhere they stay whole, for programs and
// files.
func (a *app) table(rows [][]string) {
	if len(rows) == 0 {
		return
	}
	for n, line := range columns(rows, a.lineWidth()) {
		if n == 0 {
			a.printf("%s\n", a.dim(line))
			continue
		}
		a.printf("%s\n", line)
	}
}

// lineWidth is how many cells a line of the terminal has, 0 if there is none.
func (a *app) lineWidth() int {
	f, ok := a.out.to.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return w
}

// columns sets rows in columns, within a width unless that is 0.
func columns(rows [][]string, line int) []string {
	widths := make([]int, len(rows[0]))
	right := make([]bool, len(rows[0]))
	for i, h := range rows[0] {
		right[i] = strings.HasPrefix(h, ">")
		rows[0][i] = strings.TrimPrefix(h, ">")
	}
	for _, row := range rows {
		for i, cell := range row {
			row[i] = strings.NewReplacer("\n", " ", "\t", " ").Replace(printable(cell))
			widths[i] = max(widths[i], cells(row[i]))
		}
	}
	if line > 0 {
		narrow(widths, right, line-len(columnGap)*(len(widths)-1))
	}
	lines := make([]string, len(rows))
	for n, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			cell = shortened(cell, widths[i])
			pad := strings.Repeat(" ", widths[i]-cells(cell))
			if i > 0 {
				b.WriteString(columnGap)
			}
			if right[i] {
				b.WriteString(pad + cell)
			} else {
				b.WriteString(cell + pad)
			}
		}
		lines[n] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// narrow takes from the widest columns of text until all fit into the room
// there is, or none can be narrower. Numbers stay whole.
func narrow(widths []int, right []bool, room int) {
	sum := 0
	for i := range widths {
		if !right[i] {
			widths[i] = min(widths[i], max(room, leastColumn))
		}
		sum += widths[i]
	}
	for ; sum > room; sum-- {
		widest := -1
		for i, w := range widths {
			if !right[i] && w > leastColumn && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
	}
}

// shortened cuts a text to a number of cells: a path in the middle, because
// its end says most, anything else at the end.
func shortened(s string, most int) string {
	if cells(s) <= most {
		return s
	}
	const ellipsis = "…"
	room := most - cells(ellipsis)
	if !strings.ContainsAny(s, "/\\") || strings.Contains(s, " ") {
		return head(s, room) + ellipsis
	}
	const headShare = 3 // a third of what is left shows where the path begins
	start := head(s, room/headShare)
	return start + ellipsis + tail(s, room-cells(start))
}

// head returns the beginning of a text that fits into so many cells.
func head(s string, most int) string {
	for i, r := range s {
		if most -= runeCells(r); most < 0 {
			return s[:i]
		}
	}
	return s
}

// tail returns the end of a text that fits into so many cells.
func tail(s string, most int) string {
	runes := []rune(s)
	i := len(runes)
	for i > 0 {
		if most -= runeCells(runes[i-1]); most < 0 {
			break
		}
		i--
	}
	return string(runes[i:])
}

// cells is how much room a text takes on a terminal.
func cells(s string) int {
	n := 0
	for _, r := range s {
		n += runeCells(r)
	}
	return n
}

func runeCells(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r < unicode.MaxLatin1:
		return 1
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
