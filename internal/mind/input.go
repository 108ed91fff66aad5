package mind

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chitta/internal/memory"
)

func parseKinds(names []string) ([]memory.Kind, error) {
	var kinds []memory.Kind
	for _, n := range names {
		k, err := memory.ParseKind(n)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

// parseEach turns names into one of the typed values allowed for a field.
func parseEach[T ~string](field string, names, allowed []string) ([]T, error) {
	var out []T
	for _, n := range names {
		v, err := memory.ParseOneOf(field, n, allowed)
		if err != nil {
			return nil, err
		}
		out = append(out, T(v))
	}
	return out, nil
}

const (
	maxTags     = 32
	maxTagRunes = 64
)

// cleanTags returns tags lower-cased, trimmed, sorted and without repeats.
func cleanTags(tags []string) ([]string, error) {
	out := []string{}
	for _, t := range tags {
		t = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(t), "#"))
		switch {
		case t == "":
			return nil, &memory.InputError{Field: "tags", Problem: "contain an empty tag", Hint: "leave it out"}
		case !utf8.ValidString(t) || strings.ContainsFunc(t, func(r rune) bool { return unicode.IsControl(r) || r == ',' }):
			return nil, &memory.InputError{Field: "tags", Problem: fmt.Sprintf("contain %q, which has a comma or control character", t), Hint: "use letters, digits, -, _, / and ."}
		case utf8.RuneCountInString(t) > maxTagRunes:
			return nil, &memory.InputError{Field: "tags", Problem: fmt.Sprintf("contain one of more than %d characters", maxTagRunes), Hint: "shorten it"}
		}
		out = append(out, t)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > maxTags {
		return nil, &memory.InputError{Field: "tags", Problem: fmt.Sprintf("are %d, more than %d", len(out), maxTags), Hint: "keep the telling ones"}
	}
	return out, nil
}
