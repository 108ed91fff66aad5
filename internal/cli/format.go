package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// printable makes text from elsewhere harmless for a terminal: line breaks
// and tabs stay, other control characters become visible, and marks that turn
// the direction of writing go.
func printable(s string) string {
	harmless := utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return visible(r) != r }) < 0
	if harmless {
		return s
	}
	return strings.Map(visible, s) // bytes that are no UTF-8 become U+FFFD
}

// visible returns what stands for a character on a terminal, negative for
// nothing.
func visible(r rune) rune {
	const pictures, pictureOfDelete = '\u2400', '\u2421'
	switch {
	case r == '\n' || r == '\t':
		return r
	case r < ' ':
		return pictures + r // ␀ to ␟; ESC is ␛
	case r == 0x7f:
		return pictureOfDelete
	case 0x80 <= r && r <= 0x9f:
		return utf8.RuneError
	case '\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u2069':
		return -1
	}
	return r
}

// harmless makes the texts among the arguments of a format printable.
func harmless(args []any) []any {
	out := make([]any, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case styled:
			out[i] = string(v)
		case string:
			out[i] = printable(v)
		case error:
			out[i] = printable(v.Error())
		case fmt.Stringer:
			out[i] = printable(v.String())
		default:
			if out[i] = arg; reflect.ValueOf(arg).Kind() == reflect.String {
				out[i] = printable(reflect.ValueOf(arg).String())
			}
		}
	}
	return out
}

// localFiles marks commands whose arguments are names of files that only this
// process opens; those may have any bytes.
const localFiles = "local-files"

// validText refuses arguments and flags that are not UTF-8.
func validText(cmd *cobra.Command, args []string) error {
	if _, ok := cmd.Annotations[localFiles]; !ok {
		names := strings.Fields(cmd.Use)[1:]
		for i, arg := range args {
			if utf8.ValidString(arg) {
				continue
			}
			name := "argument"
			if len(names) > 0 {
				name = strings.ToLower(strings.Trim(names[min(i, len(names)-1)], "[]…"))
			}
			return &encodingError{name}
		}
	}
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && f.Name != "home" && !utf8.ValidString(f.Value.String()) {
			err = &encodingError{f.Name}
		}
	})
	return err
}

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
