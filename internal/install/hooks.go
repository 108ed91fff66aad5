package install

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Event is an event of the client that a hook answers.
type Event struct {
	// Name is the client's.
	Name string
	// Matcher limits an event of tools to some of them.
	Matcher string
	// Timeout is after how many seconds the client gives up. The hook has a
	// much shorter limit of its own; this one is for a machine that hangs.
	Timeout int
}

// Timeouts in seconds. Those that the user waits for are short. SessionEnd
// needs one at all: without it the client kills the hook after 1.5 s.
const (
	waitedFor = 5
	beside    = 10
)

// Events lists every event that chitta has a use for.
func Events() []Event {
	const changes = "Edit|Write|MultiEdit|NotebookEdit|Bash"
	return []Event{
		{Name: "SessionStart", Timeout: beside}, // may have to start the daemon
		{Name: "UserPromptSubmit", Timeout: waitedFor},
		{Name: "PreToolUse", Matcher: changes, Timeout: waitedFor},
		{Name: "PostToolUse", Timeout: waitedFor},
		{Name: "PostToolUseFailure", Timeout: waitedFor},
		{Name: "Stop", Timeout: beside},
		{Name: "SubagentStart", Timeout: waitedFor},
		{Name: "SubagentStop", Timeout: beside},
		{Name: "PreCompact", Timeout: beside},
		{Name: "SessionEnd", Timeout: beside},
	}
}

// hookCommand is the command of the binary that answers an event.
const hookCommand = "hook"

// Hooks is what settings should call, and for what.
type Hooks struct {
	// Command is the binary. It is started as it is, without a shell, so that
	// spaces in its path need no care.
	Command string
	// Args follow "hook EVENT".
	Args   []string
	Events []Event
	// HTTP is where the daemon listens, such as http://127.0.0.1:7371. If it is
	// set, events that allow it are posted there instead of starting Command.
	HTTP string
}

// TokenVariable is the variable of the client's environment that holds the
// token for [Hooks.HTTP]. Settings name it and do not hold the token: they are
// copied, shared and often readable for others.
const TokenVariable = "CHITTA_HTTP_TOKEN"

// tokenHeader is what the client makes of the variable.
const tokenHeader = "Bearer ${" + TokenVariable + "}"

// posted reports whether an event is posted. SessionStart cannot be, the client
// does not call such a hook for it, and it is what starts the daemon.
// SessionEnd is not: the client is about to leave, and a process of its own is
// the surer way.
func (h Hooks) posted(e Event) bool {
	return h.HTTP != "" && e.Name != "SessionStart" && e.Name != "SessionEnd"
}

func (h Hooks) handler(e Event) object {
	if h.posted(e) {
		return object{
			{"type", "http"},
			{"url", h.HTTP + httpPath(e.Name)},
			{"headers", object{{"Authorization", tokenHeader}}},
			{"allowedEnvVars", []string{TokenVariable}},
			{"timeout", e.Timeout},
		}
	}
	return object{
		{"type", "command"},
		{"command", h.Command},
		{"args", append([]string{hookCommand, e.Name}, h.Args...)},
		{"timeout", e.Timeout},
	}
}

// httpPath is where the daemon takes an event.
func httpPath(event string) string { return "/" + hookCommand + "/" + event }

func (h Hooks) group(e Event) object {
	handlers := []object{h.handler(e)}
	if e.Matcher == "" {
		return object{{"hooks", handlers}}
	}
	return object{{"matcher", e.Matcher}, {"hooks", handlers}}
}

// Settings adds hooks to the text of a settings file. Hooks of chitta that are
// there already are brought up to date where they stand, and those of events
// that are not wanted go; everything else stays byte for byte. [Undo] is its
// exact reverse.
func Settings(old []byte, want Hooks) (text []byte, changes []Change, err error) {
	return settings(old, want, nil)
}

// WithoutHooks takes chitta's hooks out of settings that were changed since
// they were added. Objects and lists that become empty go too if made names
// them, see [Change]; nil stands for all.
func WithoutHooks(old []byte, made []string) (text []byte, changes []Change, err error) {
	return settings(old, Hooks{}, made)
}

func settings(old []byte, want Hooks, made []string) ([]byte, []Change, error) {
	if err := validText("the path of the binary", want.Command); err != nil {
		return nil, nil, err
	}
	d, err := parseDocument(old)
	if err != nil {
		return nil, nil, err
	}
	wanted := map[string]Event{}
	for _, e := range want.Events {
		wanted[e.Name] = e
	}
	for _, name := range d.hookEvents() {
		e, ok := wanted[name]
		updated, err := d.refresh(name, e, ok, want, made)
		if err != nil {
			return nil, nil, err
		}
		if updated {
			delete(wanted, name)
		}
	}
	for _, e := range want.Events {
		if _, missing := wanted[e.Name]; !missing {
			continue
		}
		if err := d.add([]string{hooksKey, e.Name, list}, "", want.group(e)); err != nil {
			return nil, nil, err
		}
	}
	return d.text, d.changes, nil
}

// hooksKey is the part of settings that has the hooks.
const hooksKey = "hooks"

// hookEvents lists the events that settings have hooks for.
func (d *document) hookEvents() (names []string) {
	hooks, known := d.find([]string{hooksKey})
	if known == 0 || hooks == nil {
		return nil
	}
	if obj, ok := hooks.Value.(*hujson.Object); ok {
		for _, m := range obj.Members {
			if name, ok := m.Name.Value.(hujson.Literal); ok && !slices.Contains(names, name.String()) {
				names = append(names, name.String())
			}
		}
	}
	return names
}

// refresh goes through chitta's hooks of an event: the first is brought up to
// date if the event is wanted, the others go. It reports whether one is left.
func (d *document) refresh(name string, e Event, wanted bool, want Hooks, made []string) (kept bool, err error) {
	path := []string{hooksKey, name}
	for i := 0; ; {
		groups, known := d.find(path)
		if known < len(path) || i >= len(elements(groups)) {
			return kept, nil
		}
		group := &elements(groups)[i]
		handlers := member(group, "hooks")
		own := ownHandler(handlers, name)
		switch {
		case own < 0:
			i++
		case wanted && !kept:
			kept = true
			if len(elements(handlers)) == 1 {
				err = d.update(group, pointer(path...), want.group(e))
			} else {
				err = d.update(&elements(handlers)[own], pointer(path...), want.handler(e))
			}
			i++
		case len(elements(handlers)) > 1:
			err = d.remove(handlers, own, pointer(path...))
		default:
			err = d.removeUp(path, i, made)
		}
		if err != nil {
			return kept, err
		}
	}
}

// ownHandler finds a hook of chitta among the handlers of a group.
func ownHandler(handlers *hujson.Value, event string) int {
	return slices.IndexFunc(elements(handlers), func(h hujson.Value) bool {
		if text(member(&h, "type")) == "http" {
			header := text(member(member(&h, "headers"), "Authorization"))
			return header == tokenHeader && strings.HasSuffix(text(member(&h, "url")), httpPath(event))
		}
		args := elements(member(&h, "args"))
		return isBinary(text(member(&h, "command"))) && len(args) > 1 &&
			text(&args[0]) == hookCommand && text(&args[1]) == event
	})
}

// isBinary recognises chitta by its name, wherever it is: it may have moved.
func isBinary(command string) bool {
	name := command[strings.LastIndexAny(command, `/\`)+1:]
	name = strings.TrimSuffix(name, filepath.Ext(name))
	return name == "chitta" || strings.HasPrefix(name, "chitta-")
}

// update writes a value anew unless it says the same already.
func (d *document) update(v *hujson.Value, at string, value any) error {
	if same(v, value) {
		return nil
	}
	return d.replace(v, at, value)
}

// same reports whether a value in a file says what another does.
func same(v *hujson.Value, value any) bool {
	standard := v.Clone()
	standard.Standardize()
	var a, b any
	return json.Unmarshal(standard.Pack(), &a) == nil && json.Unmarshal([]byte(compact(value)), &b) == nil && reflect.DeepEqual(a, b)
}

// removeUp takes an item out of the container a path leads to, and the
// container itself if nothing is left in it, and so on upward.
func (d *document) removeUp(path []string, i int, made []string) error {
	at := pointer(path...)
	for {
		container, _ := d.find(path)
		items, after := contents(container)
		bare := len(items) == 1 && !hasComment(items[0].before) && !hasComment(after)
		if !bare || len(path) == 0 || made != nil && !slices.Contains(made, pointer(path...)) {
			return d.remove(container, i, at)
		}
		parent, _ := d.find(path[:len(path)-1])
		i = memberIndex(parent, path[len(path)-1])
		path = path[:len(path)-1]
	}
}

// memberIndex returns the place of a key; of several the last.
func memberIndex(v *hujson.Value, key string) int {
	obj := v.Value.(*hujson.Object)
	for i := len(obj.Members) - 1; i >= 0; i-- {
		if obj.Members[i].Name.Value.(hujson.Literal).String() == key {
			return i
		}
	}
	return -1
}

func hasComment(extra []byte) bool { return strings.TrimSpace(string(extra)) != "" }
