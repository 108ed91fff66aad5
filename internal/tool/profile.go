package tool

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"chitta/internal/memory"
)

// Offer is a tool as an agent sees it: one operation, or a few that belong
// together behind an action. A small set of distinct verbs is easier to
// choose from than a hundred names.
type Offer struct {
	Name        string
	Description string
	AlwaysLoad  bool // in the agent's view without having to be searched for
	ReadOnly    bool
	Destructive bool
	Schema      *jsonschema.Schema

	actions map[string]*Def // by action; "" for a single operation
}

// Profiles an agent can be given.
const (
	ProfileDefault = "default"
	ProfileFull    = "full"
)

// Profiles lists the names of the profiles.
func Profiles() []string { return []string{ProfileDefault, ProfileFull} }

// Offers returns the tools of a profile.
func Offers(profile string) ([]Offer, error) {
	name, err := memory.ParseOneOf("profile", profile, Profiles())
	if err != nil {
		return nil, err
	}
	defs := map[string]*Def{}
	all := All()
	for i := range all {
		defs[all[i].Name] = &all[i]
	}
	var offers []Offer
	add := func(o Offer, err2 error) {
		offers = append(offers, o)
		if err == nil {
			err = err2
		}
	}
	if name == ProfileFull {
		for i := range all {
			if !all[i].PeopleOnly {
				add(single(&all[i], alwaysLoaded(all[i].Name)))
			}
		}
		return offers, err
	}
	for _, n := range []string{"recall", "remember", "context", "search", "explain", "predict"} {
		add(single(defs[n], alwaysLoaded(n)))
	}
	add(grouped("memory", "Look after single memories: list or get them, edit, tag, forget, bring back, see their history.",
		defs, "get", "list", "update", "tag", "untag", "forget", "unforget", "history"))
	add(grouped("feedback", "Say how a memory proved: strengthen what was right or useful, weaken what was not, correct what is wrong by what is right, reject what is wrong. verify lists what has gone stale because its code changed, or accepts one that still holds.",
		defs, "strengthen", "weaken", "correct", "reject", "verify"))
	add(grouped("session", "Earlier conversations: list them, show one a page at a time or around a message that search or recall found, or resume one.",
		map[string]*Def{"list": defs["session_list"], "show": defs["session_show"], "resume": defs["session_resume"]}, "list", "show", "resume"))
	add(grouped("history", "Ask the history of this project: who changed a file and why (blame), what was done about an error before and whether it helped (fix), which commands worked for a task (how).",
		defs, "blame", "fix", "how"))
	add(grouped("graph", "Facts about concepts and how they hang together: add one, remove one that holds no longer, parse a text in notation, query a pattern, show a concept, see what is around a concept, ways between two, similar ones, what comes to mind (activate), what follows (infer), what contradicts, what was so when (timeline), how much is known (stats).",
		actionsOf(graphPrefix, defs), "add", "remove", "parse", "query", "concept", "neighbours", "paths", "similar", "activate", "infer", "contradictions", "timeline", "stats"))
	add(grouped("code", "Source code of the project: find symbols by name, search them by what they are about, read one, who calls it, what it calls, a path of calls, types up and down, imports and dependents of a file, an overview, a map within a budget, unused functions; describe one with a note; index the project, stats.",
		actionsOf(codePrefix, defs), "find", "search", "read", "callers", "callees", "path", "types", "imports", "dependents", "overview", "map", "unused", "describe", "index", "stats"))
	add(grouped("ledger", "How things stand, kept for the next session: save it, load what was saved last, list and get earlier ones, checkpoint this session from what it shows, or hand over (a brief to paste).",
		ledgerActions(defs), "save", "load", "list", "get", "checkpoint", "handoff"))
	add(grouped("status", "How chitta itself stands: what is stored, what it costs, whether all is sound, which projects it knows.",
		defs, "status", "stats", "hook_cost", "doctor", "check", "realm_list"))
	return offers, err
}

func alwaysLoaded(name string) bool {
	return name == "recall" || name == "remember" || name == "context"
}

func single(d *Def, alwaysLoad bool) (Offer, error) {
	schema, err := d.offeredSchema()
	if err != nil {
		return Offer{}, err
	}
	return Offer{
		Name: d.Name, Description: d.Description, AlwaysLoad: alwaysLoad, ReadOnly: d.ReadOnly,
		Destructive: d.Destructive, Schema: schema, actions: map[string]*Def{"": d},
	}, nil
}

// offeredSchema is the input as agents see it: without what is for people.
func (d *Def) offeredSchema() (*jsonschema.Schema, error) {
	s, err := d.InputSchema()
	if err != nil {
		return nil, err
	}
	for _, name := range d.PeopleFields {
		delete(s.Properties, name)
		s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(p string) bool { return p == name })
	}
	return s, nil
}

// refusePeopleFields refuses what an agent was not offered and passes anyway.
func (d *Def) refusePeopleFields(args json.RawMessage) error {
	var fields map[string]json.RawMessage
	if len(d.PeopleFields) == 0 || json.Unmarshal(args, &fields) != nil {
		return nil // what is no object is refused where it is decoded
	}
	for name := range fields {
		for _, p := range d.PeopleFields {
			if strings.EqualFold(name, p) {
				return WireError(&memory.InputError{Field: name, Problem: "cannot be undone and is for people to decide", Hint: "leave it out, or ask the person to do it: chitta " + d.Name + " --" + p})
			}
		}
	}
	return nil
}

// grouped puts several operations behind one name. The schema is made of
// theirs: the action, and every field any of them takes.
func grouped(name, description string, defs map[string]*Def, actions ...string) (Offer, error) {
	o := Offer{Name: name, Description: description, ReadOnly: true, actions: map[string]*Def{}}
	schema := &jsonschema.Schema{Type: "object", Required: []string{"action"}, Properties: map[string]*jsonschema.Schema{}}
	var values []any
	var lines []string
	for _, a := range actions {
		d := defs[a]
		s, err := d.offeredSchema()
		if err != nil {
			return Offer{}, err
		}
		o.actions[a] = d
		o.ReadOnly = o.ReadOnly && d.ReadOnly
		o.Destructive = o.Destructive || d.Destructive
		values = append(values, a)
		line := a
		if len(s.Required) > 0 {
			line += " (needs " + strings.Join(s.Required, ", ") + ")"
		}
		lines = append(lines, line)
		for field, fs := range s.Properties {
			if _, ok := schema.Properties[field]; !ok {
				schema.Properties[field] = fs
			}
		}
	}
	schema.Properties["action"] = &jsonschema.Schema{Type: "string", Enum: values, Description: "one of: " + strings.Join(lines, "; ")}
	schema.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	schema.PropertyOrder = append([]string{"action"}, slices.Sorted(maps.Keys(withoutAction(schema.Properties)))...)
	o.Schema = schema
	return o, nil
}

func withoutAction(p map[string]*jsonschema.Schema) map[string]*jsonschema.Schema {
	p = maps.Clone(p)
	delete(p, "action")
	return p
}

// Resolve says which operation a call of the tool means and with which
// params. Fields that belong to another action are refused there.
func (o *Offer) Resolve(args json.RawMessage) (*Def, json.RawMessage, error) {
	if d, ok := o.actions[""]; ok {
		return d, args, d.refusePeopleFields(args)
	}
	var fields map[string]json.RawMessage
	if len(args) > 0 {
		if err := json.Unmarshal(args, &fields); err != nil {
			return nil, nil, WireError(&memory.InputError{Field: "arguments", Problem: "must be an object", Hint: "pass fields by name"})
		}
	}
	action, problem := o.action(fields["action"])
	if problem != "" {
		names := slices.Sorted(maps.Keys(o.actions))
		hint := "use one of: " + strings.Join(names, ", ")
		if near := memory.Nearest(action, names); near != "" {
			hint = fmt.Sprintf("did you mean %q? %s", near, hint)
		}
		return nil, nil, WireError(&memory.InputError{Field: "action", Problem: problem, Hint: hint})
	}
	delete(fields, "action")
	rest, err := json.Marshal(fields)
	if err == nil {
		err = o.actions[action].refusePeopleFields(rest)
	}
	return o.actions[action], rest, err
}

// action reads which action is meant, and says what is wrong with it.
func (o *Offer) action(raw json.RawMessage) (action, problem string) {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "", "is missing"
	case json.Unmarshal(raw, &action) != nil:
		return "", "must be a text"
	case o.actions[action] == nil:
		return action, fmt.Sprintf("%q is not one of this tool's", action)
	}
	return action, ""
}
