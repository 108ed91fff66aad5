package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"chitta/internal/memory"
)

// decode reads params into the struct that in points to. It is strict: an
// unknown field, a missing one or a wrong type is an error that names the
// field.
func decode(params json.RawMessage, in any) error {
	if len(bytes.TrimSpace(params)) == 0 || string(bytes.TrimSpace(params)) == "null" {
		params = json.RawMessage("{}")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(params, &given); err != nil {
		return &memory.InputError{Field: "params", Problem: "must be an object", Hint: `pass fields by name, e.g. {"query": "…"}`}
	}
	v := reflect.ValueOf(in).Elem()
	fields := fieldsOf(v.Type())
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	for key := range given {
		if !slices.Contains(names, key) {
			return unknownField(key, names)
		}
	}
	for _, f := range fields {
		raw, ok := given[f.name]
		if !ok || string(raw) == "null" {
			if f.required {
				return &memory.InputError{Field: f.name, Problem: "is missing", Hint: "it is required" + describe(f)}
			}
			continue
		}
		if err := json.Unmarshal(raw, v.FieldByIndex(f.index).Addr().Interface()); err != nil {
			return wrongType(f, err)
		}
	}
	return nil
}

type inputField struct {
	name     string
	index    []int
	required bool
	typ      reflect.Type
	about    string
}

// inputFields keeps the fields of inputs by their types: there are a few, and
// hooks ask at every step.
var inputFields sync.Map

// fieldsOf lists the fields of an input struct by their JSON names. Inputs
// are flat, those of an embedded struct stand beside the others; a field
// without omitempty is required. The list is shared with others.
func fieldsOf(t reflect.Type) []inputField {
	if known, ok := inputFields.Load(t); ok {
		return known.([]inputField)
	}
	var out []inputField
	for _, f := range reflect.VisibleFields(t) {
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" || f.Anonymous {
			continue
		}
		out = append(out, inputField{
			name: name, index: f.Index, typ: f.Type, about: f.Tag.Get("jsonschema"),
			required: !strings.Contains(opts, "omitempty"),
		})
	}
	inputFields.Store(t, out)
	return out
}

func unknownField(key string, names []string) error {
	if key == "" {
		return &memory.InputError{Field: "params", Problem: "have a field without a name", Hint: "leave it out"}
	}
	hint := "it takes no fields"
	if len(names) > 0 {
		hint = "the fields are: " + strings.Join(names, ", ")
		if near := memory.Nearest(key, names); near != "" {
			hint = fmt.Sprintf("did you mean %q? %s", near, hint)
		}
	}
	return &memory.InputError{Field: key, Problem: "is not a field of this operation", Hint: hint}
}

func wrongType(f inputField, err error) error {
	problem := "has the wrong type"
	var te *json.UnmarshalTypeError
	if errors.As(err, &te) {
		problem = fmt.Sprintf("is a %s, not %s", te.Value, typeName(f.typ))
	}
	return &memory.InputError{Field: f.name, Problem: problem, Hint: "give " + typeName(f.typ) + describe(f)}
}

func describe(f inputField) string {
	if f.about == "" {
		return ""
	}
	return ": " + f.about
}

func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeName(t.Elem())
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list of " + typeName(t.Elem())
	default:
		return "an object"
	}
}
