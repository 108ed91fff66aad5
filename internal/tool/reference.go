package tool

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// WriteReference writes the reference page of all operations.
func WriteReference(w io.Writer) error {
	var b strings.Builder
	b.WriteString(`# Operations

This page is generated from the registry by ` + "`chitta tools --markdown`" + `; a test fails when it is out of date.

Every operation is an RPC method (` + "`POST /rpc`" + ` on the socket), a tool of ` + "`chitta mcp --profile full` unless it is for people" + `, and a
command: ` + "`chitta call NAME '{json}'`" + `. Fields in **bold** are required.
`)
	all := All()
	for _, g := range Groups() {
		fmt.Fprintf(&b, "\n## %s: %s\n", g[0], strings.ToLower(g[1][:1])+g[1][1:])
		for i := range all {
			if all[i].Group != g[0] {
				continue
			}
			if err := referenceOf(&b, &all[i]); err != nil {
				return err
			}
		}
	}
	b.WriteString("\n## What an agent sees by default\n\n| tool | always loaded | what it does |\n|---|---|---|\n")
	offers, err := Offers(ProfileDefault)
	if err != nil {
		return err
	}
	for _, o := range offers {
		always := ""
		if o.AlwaysLoad {
			always = "yes"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", o.Name, always, o.Description)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

func referenceOf(b *strings.Builder, d *Def) error {
	in, err := d.InputSchema()
	if err != nil {
		return err
	}
	out, err := d.OutputSchema()
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n### `%s`\n\n%s", d.Name, d.Description)
	switch {
	case d.ReadOnly:
		b.WriteString(" Changes nothing.")
	case d.Destructive:
		b.WriteString(" May remove something for good.")
	}
	if d.PeopleOnly {
		b.WriteString(" For people: agents are not offered it.")
	}
	b.WriteString("\n")
	if len(d.Aliases) > 0 {
		fmt.Fprintf(b, "\nAlso known as: `%s`.\n", strings.Join(d.Aliases, "`, `"))
	}
	if len(in.Properties) > 0 {
		b.WriteString("\n| field | type | meaning |\n|---|---|---|\n")
		for _, name := range in.PropertyOrder {
			shown := "`" + name + "`"
			if slices.Contains(in.Required, name) {
				shown = "**" + shown + "**"
			}
			meaning := in.Properties[name].Description
			if slices.Contains(d.PeopleFields, name) {
				meaning += "; for people, agents are not offered it"
			}
			fmt.Fprintf(b, "| %s | %s | %s |\n", shown, schemaType(in.Properties[name]), meaning)
		}
	}
	fmt.Fprintf(b, "\nReturns: %s.\n", strings.Join(outputNames(out), ", "))
	return nil
}

func outputNames(s *jsonschema.Schema) []string {
	names := make([]string, len(s.PropertyOrder))
	for i, n := range s.PropertyOrder {
		names[i] = "`" + n + "`"
	}
	return names
}

func schemaType(s *jsonschema.Schema) string {
	types := s.Types
	if s.Type != "" {
		types = []string{s.Type}
	}
	types = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" })
	t := strings.Join(types, " or ")
	if s.Items != nil {
		t += " of " + schemaType(s.Items)
	}
	return t
}

// Snapshot returns everything the registry promises, as JSON that changes
// only when a promise does.
func Snapshot() ([]byte, error) {
	type shot struct {
		Name        string             `json:"name"`
		Group       string             `json:"group"`
		Description string             `json:"description"`
		Aliases     []string           `json:"aliases,omitempty"`
		ReadOnly    bool               `json:"read_only"`
		Destructive bool               `json:"destructive"`
		PeopleOnly  bool               `json:"people_only,omitempty"`
		Input       *jsonschema.Schema `json:"input"`
		Output      *jsonschema.Schema `json:"output"`
	}
	var shots []shot
	for _, d := range All() {
		in, err := d.InputSchema()
		if err != nil {
			return nil, err
		}
		out, err := d.OutputSchema()
		if err != nil {
			return nil, err
		}
		shots = append(shots, shot{d.Name, d.Group, d.Description, d.Aliases, d.ReadOnly, d.Destructive, d.PeopleOnly, in, out})
	}
	return json.MarshalIndent(shots, "", "  ")
}
