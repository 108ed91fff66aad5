package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/moment"
)

// Def declares one capability.
type Def struct {
	Name        string
	Group       string
	Description string
	Aliases     []string // other names it is known by
	ReadOnly    bool     // changes nothing
	Destructive bool     // may remove something for good
	// PeopleOnly says that agents are not offered it: what cannot be undone, or
	// puts everything to work anew, is for people to decide.
	PeopleOnly bool
	// PeopleFields are the fields of its input for which the same holds.
	PeopleFields []string

	input, output reflect.Type
	call          func(ctx context.Context, r rooms, c mind.Caller, params json.RawMessage) (any, error)
	text          func(result json.RawMessage) (string, error)
}

// option refines a declaration.
type option func(*Def)

func readOnly(d *Def)    { d.ReadOnly = true }
func destructive(d *Def) { d.Destructive = true }
func peopleOnly(d *Def)  { d.PeopleOnly = true }

// alias gives an operation other names to be called by.
func alias(names ...string) option {
	return func(d *Def) { d.Aliases = names }
}

func peopleFields(names ...string) option {
	return func(d *Def) { d.PeopleFields = names }
}

// rooms are what operations belong to.
type rooms struct {
	mind   *mind.Mind
	keeper *moment.Keeper
}

// owner is the room that an operation is a method of.
type owner interface{ *mind.Mind | *moment.Keeper }

func ownerOf[R owner](r rooms) R {
	if k, ok := any(r.keeper).(R); ok {
		return k
	}
	return any(r.mind).(R)
}

// define declares an operation. text says its result in words for an agent.
func define[R owner, In, Out any](name, group, description string, op func(R, context.Context, mind.Caller, In) (Out, error), text func(Out) string, opts ...option) Def {
	d := Def{
		Name: name, Group: group, Description: description,
		input: reflect.TypeFor[In](), output: reflect.TypeFor[Out](),
		call: func(ctx context.Context, r rooms, c mind.Caller, params json.RawMessage) (any, error) {
			var in In
			if err := decode(params, &in); err != nil {
				return nil, err
			}
			return op(ownerOf[R](r), ctx, c, in)
		},
		text: func(result json.RawMessage) (string, error) {
			var out Out
			if err := json.Unmarshal(result, &out); err != nil {
				return "", fmt.Errorf("result of %s: %w", name, err)
			}
			return text(out), nil
		},
	}
	for _, o := range opts {
		o(&d)
	}
	return d
}

// InputSchema returns the JSON schema of the operation's input. Fields that
// take one of a few words say which.
func (d *Def) InputSchema() (*jsonschema.Schema, error) {
	s, err := schemaFor(d.Name, d.input)
	if err != nil {
		return nil, err
	}
	for _, f := range reflect.VisibleFields(d.input) {
		words := wordsFor(f.Tag.Get("words"))
		if words == nil {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := s.Properties[name]
		if p.Items != nil {
			p = p.Items
		}
		for _, w := range words {
			p.Enum = append(p.Enum, w)
		}
	}
	return s, nil
}

// wordsFor returns the words that the "words" tag of an input field stands
// for.
func wordsFor(set string) []string {
	switch set {
	case "kind":
		return memory.KindNames()
	case "visibility":
		return memory.Visibilities()
	case "trust":
		return memory.Trusts()
	case "source":
		return memory.Sources()
	case "state":
		return append(memory.Statuses(), "all")
	}
	return nil
}

// OutputSchema returns the JSON schema of the operation's output.
func (d *Def) OutputSchema() (*jsonschema.Schema, error) { return schemaFor(d.Name, d.output) }

// Text says a result of the operation in words.
func (d *Def) Text(result json.RawMessage) (string, error) { return d.text(result) }

func schemaFor(name string, t reflect.Type) (*jsonschema.Schema, error) {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {Type: "object"},
	}})
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", name, err)
	}
	return s, nil
}
