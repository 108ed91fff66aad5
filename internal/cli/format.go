package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

func sqrt(x float64) float64 { return math.Sqrt(max(0, x)) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// valueText says a value of a history entry briefly.
func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "–"
	case string:
		const most = 200
		if r := []rune(v); len(r) > most {
			v = string(r[:most]) + "…"
		}
		return fmt.Sprintf("%q", v)
	case float64:
		return fmt.Sprintf("%.3g", v)
	default:
		b, err := json.Marshal(v)
		if err != nil {
			return fmt.Sprint(v)
		}
		return string(b)
	}
}

// table prints rows in columns. The first row is the heading; columns whose
// heading starts with '>' are set to the right.
func (a *app) table(rows [][]string) {
	if len(rows) == 0 {
		return
	}
	widths := make([]int, len(rows[0]))
	right := make([]bool, len(rows[0]))
	for i, h := range rows[0] {
		right[i] = strings.HasPrefix(h, ">")
		rows[0][i] = strings.TrimPrefix(h, ">")
	}
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for n, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			if i > 0 {
				b.WriteString("  ")
			}
			if right[i] {
				b.WriteString(pad + cell)
			} else {
				b.WriteString(cell + pad)
			}
		}
		line := strings.TrimRight(b.String(), " ")
		if n == 0 {
			line = a.dim(line)
		}
		a.printf("%s\n", line)
	}
}
