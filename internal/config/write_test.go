package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteModel(t *testing.T) {
	endpoint := Model{Use: "openai:https://example.com/v1", Name: "small", KeyVariable: "KEY"}
	builtin := Model{Use: "builtin"}
	tests := []struct {
		name         string
		model        Model
		before, want string
	}{
		{"empty file", builtin, "", "[model]\nuse = \"builtin\"\n"},
		{"other areas", endpoint,
			"# mine\n[log]\nlevel = \"debug\" # loud\n\n[memory]\nundo_days = 7",
			"# mine\n[log]\nlevel = \"debug\" # loud\n\n[memory]\nundo_days = 7\n\n[model]\nuse = \"openai:https://example.com/v1\"\nname = \"small\"\nkey_variable = \"KEY\"\n"},
		{"existing keys keep their place and comments", builtin,
			"[model]\n# the fast one\nuse   = 'ollama:nomic' # since May\nname = \"old\"\ntimeout = \"5s\"\n\n[log]\nfiles = 3\n",
			"[model]\n# the fast one\nuse   = \"builtin\" # since May\nname = \"\"\ntimeout = \"5s\"\n\n[log]\nfiles = 3\n"},
		{"a key in comments is none", builtin,
			"[model]\n#use = \"none\"\n# name = \"x\"\n[log]\nfiles = 3\n",
			"[model]\nuse = \"builtin\"\n#use = \"none\"\n# name = \"x\"\n[log]\nfiles = 3\n"},
		{"after the last key", builtin,
			"[model]\ntimeout = \"5s\"\n# more to come\n\n[log]\nfiles = 3\n",
			"[model]\ntimeout = \"5s\"\nuse = \"builtin\"\n# more to come\n\n[log]\nfiles = 3\n"},
		{"CRLF", endpoint,
			"[log]\r\nfiles = 3\r\n[model]\r\nuse = \"builtin\"\r\n",
			"[log]\r\nfiles = 3\r\n[model]\r\nuse = \"openai:https://example.com/v1\"\r\nname = \"small\"\r\nkey_variable = \"KEY\"\r\n"},
		{"CRLF, no model", builtin, "[log]\r\nfiles = 3\r\n", "[log]\r\nfiles = 3\r\n\r\n[model]\r\nuse = \"builtin\"\r\n"},
		{"byte order mark", builtin, "\ufeff[model]\nuse = \"none\"\n", "\ufeff[model]\nuse = \"builtin\"\n"},
		{"last line without an end", builtin, "[model]", "[model]\nuse = \"builtin\""},
		{"dotted keys", builtin, "model.timeout = \"5s\"\n[log]\nfiles = 3\n", "model.timeout = \"5s\"\nmodel.use = \"builtin\"\n[log]\nfiles = 3\n"},
		{"dotted key replaced", builtin, "model.use = \"none\"\n", "model.use = \"builtin\"\n"},
		{"inline table", builtin, "model = { timeout = \"5s\" }\n", "model = { use = \"builtin\", timeout = \"5s\" }\n"},
		{"inline key replaced", builtin, "model = { use = \"none\", timeout = \"5s\" } # all of it\n", "model = { use = \"builtin\", timeout = \"5s\" } # all of it\n"},
		{"empty inline table", builtin, "model = {}\n", "model = { use = \"builtin\" }\n"},
		{"value on several lines", builtin, "[model]\nname = \"\"\"\nold\"\"\"\n", "[model]\nname = \"\"\nuse = \"builtin\"\n"},
		{"value on several lines stays", Model{Use: "builtin"}, "[model]\nuse = \"none\"\ntimeout = '''5s\n'''\n", "[model]\nuse = \"builtin\"\ntimeout = '''5s\n'''\n"},
		{"odd folder", Model{Use: `/models/a "b" \c`}, "[model]\nuse = \"none\"\n", "[model]\nuse = \"/models/a \\\"b\\\" \\\\c\"\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := writeConfig(t, tt.before)
			file := filepath.Join(dir, "config.toml")
			for range 2 { // doing it again changes nothing
				if err := WriteModel(file, tt.model); err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, string(got)); diff != "" {
					t.Fatalf("(-want +got):\n%s", diff)
				}
			}
			c, err := Load(options(dir, nil))
			if err != nil || c.Model.Use != tt.model.Use || c.Model.Name != tt.model.Name {
				t.Errorf("%+v %v", c.Model, err)
			}
			if left, err := filepath.Glob(filepath.Join(dir, "*.tmp")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v %v", left, err)
			}
		})
	}
}

func TestWriteModelMakesTheFile(t *testing.T) {
	file := filepath.Join(realTemp(t), "config.toml")
	if err := WriteModel(file, Model{Use: "none"}); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", fi, err)
	}
}

func TestWriteModelFollowsALink(t *testing.T) {
	dir := writeConfig(t, "[log]\nfiles = 3\n")
	link := filepath.Join(realTemp(t), "config.toml")
	if err := os.Symlink(filepath.Join(dir, "config.toml"), link); err != nil {
		t.Skip(err)
	}
	if err := WriteModel(link, Model{Use: "none"}); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Lstat(link); err != nil || fi.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", fi, err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "config.toml")); err != nil || !strings.Contains(string(got), "none") {
		t.Errorf("%s %v", got, err)
	}
}

func TestWriteModelLeavesABrokenFileAlone(t *testing.T) {
	for name, text := range map[string]string{
		"not TOML":    "[model\nuse = \"none\"\n",
		"unknown key": "[model]\nuze = \"none\"\n",
		"array":       "[[model]]\nuse = \"none\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(writeConfig(t, text), "config.toml")
			if err := WriteModel(file, Model{Use: "builtin"}); err == nil {
				t.Error("changed")
			}
			if got, err := os.ReadFile(file); err != nil || string(got) != text {
				t.Errorf("%q %v", got, err)
			}
		})
	}
}
