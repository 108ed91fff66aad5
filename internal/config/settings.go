package config

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"chitta/internal/memory"
)

// setting is one key of the configuration: its dotted name and the field of
// the Config it was taken from. The struct tags are the only declaration;
// file, environment and flags all go through this.
type setting struct {
	key   string // "daemon.request_timeout"
	field reflect.Value
}

// settings lists every key of c in the order of declaration.
func settings(c *Config) []setting {
	var all []setting
	root := reflect.ValueOf(c).Elem()
	for i := range root.NumField() {
		area := root.Type().Field(i).Tag.Get("toml")
		if area == "-" {
			continue
		}
		table := root.Field(i)
		for j := range table.NumField() {
			key := table.Type().Field(j).Tag.Get("toml")
			all = append(all, setting{area + "." + key, table.Field(j)})
		}
	}
	return all
}

// Keys lists the dotted name of every setting in the order of declaration.
func Keys() []string {
	c := Default()
	all := settings(&c)
	keys := make([]string, len(all))
	for i, s := range all {
		keys[i] = s.key
	}
	return keys
}

// EnvName returns the environment variable of a dotted key.
func EnvName(key string) string {
	return "CHITTA_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// setText sets the field from a variable or a flag.
func (s setting) setText(text, source string) error {
	var value any = text
	switch k := s.field.Kind(); {
	case k == reflect.Bool:
		b, err := strconv.ParseBool(strings.TrimSpace(text))
		if err != nil {
			return s.wrongType(describe(text), source)
		}
		value = b
	case k != reflect.String && s.field.Type() != durationType():
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil {
			return s.wrongType(describe(text), source)
		}
		value = n
	}
	return s.set(value, source)
}

// set sets the field from a TOML value.
func (s setting) set(value any, source string) error {
	switch v := value.(type) {
	case string:
		if s.field.Type() == durationType() {
			d, err := time.ParseDuration(strings.TrimSpace(v))
			if err != nil {
				return s.wrongType(describe(v), source)
			}
			s.field.SetInt(int64(d))
			return nil
		}
		if s.field.Kind() == reflect.String {
			s.field.SetString(strings.TrimSpace(v))
			return nil
		}
	case bool:
		if s.field.Kind() == reflect.Bool {
			s.field.SetBool(v)
			return nil
		}
	case int64:
		k := s.field.Kind()
		if s.field.Type() != durationType() && (k == reflect.Int || k == reflect.Int64) {
			if k == reflect.Int && (v > math.MaxInt || v < math.MinInt) {
				return s.wrongType(strconv.FormatInt(v, 10), source)
			}
			s.field.SetInt(v)
			return nil
		}
	}
	return s.wrongType(describe(value), source)
}

func (s setting) wrongType(given, source string) error {
	e := &FieldError{Field: s.key, Value: given, Source: source}
	switch {
	case s.field.Type() == durationType():
		e.Problem, e.Hint = "is not a duration", `write it as text with a unit, such as "30s" or "1m30s"`
	case s.field.Kind() == reflect.Bool:
		e.Problem, e.Hint = "is not true or false", "write true or false, without quotes"
	case s.field.Kind() == reflect.String:
		e.Problem, e.Hint = "is not text", `write it in quotes, such as "info"`
	default:
		e.Problem, e.Hint = "is not a whole number", "write it without quotes, unit or fraction"
	}
	return e
}

func durationType() reflect.Type { return reflect.TypeFor[time.Duration]() }

// maxShown is how many bytes of a wrong value an error repeats.
const maxShown = 60

func describe(value any) string {
	var s string
	switch v := value.(type) {
	case map[string]any:
		return "a table"
	case []any:
		return "a list"
	case string:
		s = strconv.Quote(v)
	default:
		s = fmt.Sprint(v)
	}
	if len(s) > maxShown {
		s = strings.ToValidUTF8(s[:maxShown], "") + "…"
	}
	return s
}

// unknownKey is the error for a key that does not exist, with a suggestion
// when one is close.
func unknownKey(key, source string, known []string) error {
	e := &FieldError{Field: describe(key), Problem: "is not a setting", Source: source}
	if near := suggest(key, known); near != "" {
		e.Hint = "did you mean " + near + "?"
	} else {
		e.Hint = "remove it"
	}
	return e
}

// suggest looks for the key as written first, then for its last part in every
// area, so that a good key in the wrong table is found too.
func suggest(key string, known []string) string {
	if len(key) > 2*maxShown {
		return ""
	}
	last := key[strings.LastIndexByte(key, '.')+1:]
	for _, k := range known {
		if strings.HasSuffix(k, "."+last) {
			return k
		}
	}
	return memory.Nearest(key, known)
}
