package strings

import "strings"

func Clean(s string) string { return trim(strings.ToLower(s)) }

func trim(s string) string { return strings.TrimSpace(s) }
