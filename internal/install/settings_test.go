package install_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"chitta/internal/install"
)

const binary = "/opt/my tools/chitta"

// hooks wants two events, one of them with a matcher.
var hooks = install.Hooks{Command: binary, Events: []install.Event{
	{Name: "SessionStart", Timeout: 10},
	{Name: "PreToolUse", Matcher: "Edit|Bash", Timeout: 5},
}}

func TestSettingsAreWrittenAsTheirNeighbours(t *testing.T) {
	one := install.Hooks{Command: binary, Events: hooks.Events[:1]}
	const group = `{"hooks":[{"type":"command","command":"/opt/my tools/chitta","args":["hook","SessionStart"],"timeout":10}]}`
	tests := []struct{ name, old, want string }{
		{"compact", `{"a":1}`, `{"a":1,"hooks": {"SessionStart":[` + group + `]}}`},
		{"missing", "", `{
  "hooks": {
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "/opt/my tools/chitta",
            "args": [
              "hook",
              "SessionStart"
            ],
            "timeout": 10
          }
        ]
      }
    ]
  }
}
`},
		{"tabs, another's hooks, comments", `{
	// mine
	"hooks": {
		"SessionStart": [
			{"hooks": []} // theirs
		],
	},
}`, `{
	// mine
	"hooks": {
		"SessionStart": [
			{"hooks": []}, // theirs
			{
				"hooks": [
					{
						"type": "command",
						"command": "/opt/my tools/chitta",
						"args": [
							"hook",
							"SessionStart"
						],
						"timeout": 10
					}
				]
			}
		],
	},
}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, changes, err := install.Settings([]byte(tt.old), one)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
			without, _, err := install.WithoutHooks(got, nil)
			if err != nil {
				t.Fatal(err)
			}
			if tt.old != "" && string(without) != tt.old {
				t.Errorf("without hooks again:\n%s\nwant\n%s", without, tt.old)
			}
			if back := undo(t, got, changes); string(back) != tt.old {
				t.Errorf("taken back:\n%s\nwant\n%s", back, tt.old)
			}
		})
	}
}

// posted is hooks with everything by way of HTTP that can be.
var posted = install.Hooks{Command: binary, Events: install.Events(), HTTP: "http://127.0.0.1:7371"}

func TestHooksByHTTP(t *testing.T) {
	text, changes, err := install.Settings([]byte("{}"), posted)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Type, URL, Command string
				Headers            map[string]string
				AllowedEnvVars     []string
			}
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for _, e := range install.Events() {
		h := got.Hooks[e.Name][0].Hooks[0]
		if e.Name == "SessionStart" || e.Name == "SessionEnd" {
			if h.Type != "command" || h.Command != binary || h.URL != "" {
				t.Errorf("%s is %+v, want a command", e.Name, h)
			}
			continue
		}
		if h.Type != "http" || h.URL != "http://127.0.0.1:7371/hook/"+e.Name || h.Headers["Authorization"] != "Bearer ${CHITTA_HTTP_TOKEN}" ||
			!slices.Equal(h.AllowedEnvVars, []string{install.TokenVariable}) {
			t.Errorf("%s is %+v", e.Name, h)
		}
	}
	if back := undo(t, text, changes); string(back) != "{}" {
		t.Errorf("taken back: %s", back)
	}
	// the way can be changed where it stands, and every way is taken out
	commands, _, err := install.Settings(text, install.Hooks{Command: binary, Events: install.Events()})
	if err != nil || strings.Contains(string(commands), "http") || strings.Count(string(commands), binary) != len(install.Events()) {
		t.Errorf("as commands: %v\n%s", err, commands)
	}
	for _, text := range [][]byte{text, commands} {
		if bare, _, err := install.WithoutHooks(text, nil); err != nil || string(bare) != "{}" {
			t.Errorf("without: %s, %v", bare, err)
		}
	}
	const others = `{"hooks":{"Stop":[{"hooks":[{"type":"http","url":"http://127.0.0.1:1/hook/Stop","headers":{"Authorization":"x"}}]}]}}`
	if bare, _, err := install.WithoutHooks([]byte(others), nil); err != nil || string(bare) != others {
		t.Errorf("a hook of somebody else: %s, %v", bare, err)
	}
}

func TestSettingsThatCannotBeEdited(t *testing.T) {
	tests := []struct{ name, old, want string }{
		{"cut off", "{\n  \"a\": [1,\n", "line 3, column 1: not JSON"},
		{"no JSON", "{\n  'a': 1}", "line 2, column 3: not JSON"},
		{"a list", "[]", "line 1, column 1: there is no object"},
		{"NUL", "{\"a\": \x00}", "line 1, column 7: not JSON"},
		{"mark and mistake", "\ufeff{]", "line 1, column 5: not JSON"},
		{"hooks is a list", "{\n\"hooks\": []}", "line 2, column 10: /hooks is not an object"},
		{"event is an object", `{"hooks": {"SessionStart": {}}}`, "line 1, column 28: /hooks/SessionStart is not a list"},
		{"hooks is null", `{"hooks": null}`, "line 1, column 11: /hooks is not an object"},
		{"endless nesting", strings.Repeat(`{"a":[`, 1<<20), "nested deeper than"},
		{"endless nesting past strings", strings.Repeat(`["]",`, 1<<20), "nested deeper than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, changes, err := install.Settings([]byte(tt.old), hooks)
			var syntax *install.SyntaxError
			if !errors.As(err, &syntax) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if got != nil || changes != nil {
				t.Error("something was changed all the same")
			}
		})
	}
}

func TestABinaryThatHasMovedIsUpdatedInPlace(t *testing.T) {
	old := install.Hooks{Command: "/old/chitta", Events: install.Events()}
	before, _, err := install.Settings([]byte(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"other"}]}]},"z":1}`), old)
	if err != nil {
		t.Fatal(err)
	}
	after, changes, err := install.Settings(before, install.Hooks{Command: binary, Events: install.Events()})
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.ReplaceAll(string(before), "/old/chitta", binary); string(after) != want {
		t.Errorf("got\n%s\nwant\n%s", after, want)
	}
	if len(changes) != len(install.Events()) {
		t.Errorf("%d changes for %d events", len(changes), len(install.Events()))
	}
	fewer, _, err := install.Settings(after, install.Hooks{Command: binary, Events: install.Events()[:1]})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(fewer), binary); n != 1 {
		t.Errorf("%d hooks after all but one event went", n)
	}
}

// TestAHookAmongOthers is about a hook that its owner moved into a group with
// others.
func TestAHookAmongOthers(t *testing.T) {
	const ours = `{"type":"command","command":"/old/chitta","args":["hook","Stop"],"timeout":10}`
	const text = `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}, ` + ours + `]},{"hooks":[` + ours + `]}]}}`
	got, _, err := install.Settings([]byte(text), install.Hooks{Command: "/new/chitta", Events: []install.Event{{Name: "Stop", Timeout: 10}}})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}, ` + strings.Replace(ours, "old", "new", 1) + `]}]}}`; string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got, _, err = install.WithoutHooks([]byte(text), nil)
	if want := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}`; err != nil || string(got) != want {
		t.Errorf("got  %s (%v)\nwant %s", got, err, want)
	}
}

func TestForeign(t *testing.T) {
	for text, want := range map[string]bool{"": false, "{}\n": false, "\ufeff{\"a\": [1]}": false, "{} // c": true, `{"a": [1,]}`: true, "{": false} {
		if got := install.Foreign([]byte(text)); got != want {
			t.Errorf("Foreign(%q) = %v", text, got)
		}
	}
}

// The properties below hold for arbitrary settings.

func TestInstallAndUninstallGiveBackEveryByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, _ := drawSettings(t)
		hooks := rapid.SampledFrom([]install.Hooks{hooks, posted, {Command: binary, Events: install.Events()}}).Draw(t, "hooks")
		text, changes, err := install.Settings(old, hooks)
		if err != nil {
			t.Fatalf("%q: %v", old, err)
		}
		if back := undo(t, text, changes); !bytes.Equal(back, old) {
			t.Fatalf("%q\nbecame %q\nand then %q", old, text, back)
		}
		again, more, err := install.Settings(text, hooks)
		if err != nil || !bytes.Equal(again, text) || len(more) > 0 {
			t.Fatalf("a second time changes %q\ninto %q (%v)", text, again, err)
		}
	})
}

// TestWhatIsNotOursStays takes hooks out by looking for them, as after another
// change of the file. Comments and all other bytes stay; only spaces within
// objects and lists that were empty before may differ.
func TestWhatIsNotOursStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, _ := drawSettings(t)
		text, changes, err := install.Settings(old, hooks)
		if err != nil {
			t.Fatal(err)
		}
		for name := range strings.SplitSeq("SessionStart PreToolUse", " ") {
			if !strings.Contains(string(text), `"`+name+`"`) {
				t.Fatalf("%q has no hook for %s", text, name)
			}
		}
		made := []string{}
		for _, c := range changes {
			made = append(made, c.Made...)
		}
		back, _, err := install.WithoutHooks(text, made)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decode(t, old), decode(t, back)); diff != "" {
			t.Fatalf("%q\nbecame %q\nand then %q\n%s", old, text, back, diff)
		}
		if a, b := withoutSpaces(old), withoutSpaces(back); a != b && !blank(old) {
			t.Fatalf("%q\nbecame %q\nand then %q", old, text, back)
		}
	})
}

// TestByteForByteWithoutARecord is the stronger property that holds when
// nothing on the way to the hooks was empty.
func TestByteForByteWithoutARecord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, empty := drawSettings(t)
		if empty || blank(old) {
			return
		}
		hooks := rapid.SampledFrom([]install.Hooks{hooks, posted}).Draw(t, "hooks")
		text, _, err := install.Settings(old, hooks)
		if err != nil {
			t.Fatal(err)
		}
		if back, _, err := install.WithoutHooks(text, nil); err != nil || !bytes.Equal(back, old) {
			t.Fatalf("%q\nbecame %q\nand then %q (%v)", old, text, back, err)
		}
	})
}

func undo(t interface{ Fatal(...any) }, text []byte, changes []install.Change) []byte {
	back, err := install.Undo(text, changes)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func decode(t interface{ Fatal(...any) }, text []byte) any {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if blank(text) {
		return map[string]any{}
	}
	standard, err := hujson.Standardize(append(slices.Clip(text), '\n'))
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(standard, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func blank(b []byte) bool { return len(bytes.TrimLeft(b, "\ufeff \t\r\n")) == 0 }

func withoutSpaces(b []byte) string {
	return strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "").Replace(string(b))
}

// drawSettings writes settings the way people do, and worse: comments
// anywhere, trailing commas, any layout, hooks of other tools. It reports
// whether an object or list is empty.
func drawSettings(t *rapid.T) (text []byte, empty bool) {
	w := &writer{t: t, eol: rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol"), comments: rapid.Bool().Draw(t, "comments")}
	mark := rapid.SampledFrom([]string{"", "", "\ufeff"}).Draw(t, "mark")
	if rapid.IntRange(0, 20).Draw(t, "blank") == 0 {
		return []byte(mark + rapid.SampledFrom([]string{"", "\n", " \t\r\n"}).Draw(t, "spaces")), false
	}
	all := mark + w.extra() + w.object(0, "") + w.extra()
	if rapid.Bool().Draw(t, "final comment") {
		all += "// end"
	}
	return []byte(all), w.empty
}

type writer struct {
	t        *rapid.T
	eol      string
	comments bool
	empty    bool
}

func (w *writer) extra() string {
	kinds := []string{"", "", " ", "\t", w.eol, w.eol + "    "}
	if w.comments {
		kinds = append(kinds, " // it's \"odd\" {"+w.eol, "/* * / [ */", "//"+w.eol+"  ", "/* two"+w.eol+"lines */ ")
	}
	return rapid.SampledFrom(kinds).Draw(w.t, "extra")
}

func (w *writer) sequence(open, end string, items []string) string {
	text := open + w.extra()
	if len(items) == 0 {
		w.empty = true
		return text + end
	}
	for i, item := range items {
		text += item + w.extra()
		if i < len(items)-1 || w.comments && rapid.Bool().Draw(w.t, "trailing comma") {
			text += "," + w.extra()
		}
	}
	return text + end
}

func (w *writer) object(depth int, in string) string {
	keys := []string{"a", "ключ", `\u0068ooks2`, "permissions"}
	switch {
	case in == "" && depth == 0:
		keys = append(keys, "hooks", "hooks")
	case in == "hooks":
		keys = []string{"SessionStart", "PreToolUse", "Stop", `Pre\u0054oolUse`}
	}
	var items []string
	used := map[string]bool{}
	for range rapid.IntRange(0, 4).Draw(w.t, "members") {
		key := rapid.SampledFrom(keys).Draw(w.t, "key")
		name := strings.ReplaceAll(key, `\u0054`, "T")
		if used[name] {
			continue
		}
		used[name] = true
		var value string
		switch {
		case in == "hooks":
			value = w.groups()
		case key == "hooks":
			value = w.object(depth+1, "hooks")
		default:
			value = w.value(depth + 1)
		}
		items = append(items, `"`+key+`"`+w.extra()+":"+w.extra()+value)
	}
	return w.sequence("{", "}", items)
}

func (w *writer) groups() string {
	return w.sequence("[", "]", rapid.SliceOfN(rapid.SampledFrom([]string{
		`{"hooks":[{"type":"command","command":"/usr/bin/other hook Stop"}]}`,
		`{"matcher": "Bash", "hooks": [{"type": "command", "command": "x", "args": ["hook", "PreToolUse"]}]}`,
		`{}`, `"chitta"`, `{"hooks": null}`,
	}), 0, 3).Draw(w.t, "groups"))
}

func (w *writer) value(depth int) string {
	switch n := rapid.IntRange(0, 6).Draw(w.t, "kind"); {
	case n == 0 && depth < 4:
		return w.object(depth, "other")
	case n == 1 && depth < 4:
		return w.sequence("[", "]", []string{w.value(depth + 1), "1"})
	default:
		return rapid.SampledFrom([]string{"null", "true", "-1.5e3", `"\" // no /* comment"`, `"عربى 😀"`, "\"\xff\""}).Draw(w.t, "literal")
	}
}

// TestHooksThatTheirOwnerMoved takes out hooks that stand where install would
// not put them.
func TestHooksThatTheirOwnerMoved(t *testing.T) {
	const ours = `{"hooks":[{"type":"command","command":"C:\\bin\\chitta.exe","args":["hook","Stop"]}]}`
	tests := []struct{ name, old, want string }{
		{"a comment that would go on", "{\"hooks\":{\"Stop\":[ // note\n  " + ours + "]}}", "{\"hooks\":{\"Stop\":[ // note\n]}}"},
		{"a comment before the comma", `{"hooks":{"Stop":[` + ours + ` /* mine */, {"x":1}]}}`, `{"hooks":{"Stop":[ /* mine */ {"x":1}]}}`},
		{"a line comment before the comma", "{\"hooks\":{\"Stop\":[\n{},\n" + ours + " // mine\n]}}", "{\"hooks\":{\"Stop\":[\n{} // mine\n]}}"},
		{"the last of two keys counts", `{"hooks":{"Stop":[]},"hooks":{"Stop":[{}, ` + ours + `]}}`, `{"hooks":{"Stop":[]},"hooks":{"Stop":[{}]}}`},
		{"in the middle", `{"hooks":{"Stop":[{"a":1}, ` + ours + `, {"b":2}]}}`, `{"hooks":{"Stop":[{"a":1}, {"b":2}]}}`},
		{"first, other events after it", "{\"hooks\":{\n  \"Stop\": [" + ours + "],\n  \"X\": []\n}}", "{\"hooks\":{\n  \"X\": []\n}}"},
		{"under another event", `{"hooks":{"X":[` + ours + `]}}`, `{"hooks":{"X":[` + ours + `]}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, changes, err := install.WithoutHooks([]byte(tt.old), nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
			if back := undo(t, got, changes); string(back) != tt.old {
				t.Errorf("taken back: %s", back)
			}
		})
	}
}
