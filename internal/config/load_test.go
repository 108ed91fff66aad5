package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// options loads from dir with a made-up environment.
func options(dir string, env map[string]string) LoadOptions {
	return LoadOptions{
		Home:        dir,
		Getenv:      func(name string) string { return env[name] },
		UserHomeDir: func() (string, error) { return "", errors.New("none") },
	}
}

func writeConfig(t *testing.T, text string) string {
	t.Helper()
	dir := realTemp(t)
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// realTemp is a temporary directory without symbolic links in its path.
func realTemp(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestLoadOrder(t *testing.T) {
	dir := writeConfig(t, `
# what I like
[daemon]
request_timeout = "5s"
max_workers = 4
max_body_bytes = 1_048_576

[log]
level = "warn"

[recall]
limit = 3
`)
	opts := options(dir, map[string]string{
		"CHITTA_DAEMON_MAX_WORKERS": "6",
		"CHITTA_LOG_LEVEL":          "error",
		"CHITTA_LOG_FILES":          "", // as good as unset
		"CHITTA_LOG_LEVLE":          "ignored",
		"CHITTA_SOMETHING":          "ignored",
	})
	opts.Overrides = map[string]string{"log.level": "debug", "daemon.drain_timeout": "1m30s"}
	got, err := Load(opts)
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Home = dir
	want.Daemon.RequestTimeout = 5 * time.Second // file
	want.Daemon.MaxBodyBytes = 1 << 20
	want.Recall.Limit = 3
	want.Daemon.MaxWorkers = 6 // environment over file
	want.Log.Level = "debug"   // flag over environment
	want.Daemon.DrainTimeout = 90 * time.Second
	want.Overridden = map[string]string{
		"daemon.max_workers": "environment CHITTA_DAEMON_MAX_WORKERS", "log.level": "flag", "daemon.drain_timeout": "flag",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got.Paths().DB() != filepath.Join(dir, "chitta.db") {
		t.Errorf("paths of %s", got.Paths().Home())
	}
}

func TestLoadWithoutFile(t *testing.T) {
	dir := filepath.Join(realTemp(t), "not", "there")
	got, err := Load(options(dir, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Home = dir
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Error("loading has created something")
	}
}

func TestLoadErrors(t *testing.T) {
	tests := []struct {
		name  string
		file  string
		env   map[string]string
		flags map[string]string
		want  []string // parts of the message
	}{
		{name: "unknown key", file: "[daemon]\n\nrequst_timeout = \"5s\"", want: []string{"config.toml line 3", `"daemon.requst_timeout" is not a setting`, "did you mean daemon.request_timeout?"}},
		{name: "unknown area", file: "[deamon]\nrequest_timeout = \"5s\"", want: []string{"line 2", "did you mean daemon.request_timeout?"}},
		{name: "unknown empty area", file: "[deamon]", want: []string{"line 1", "did you mean daemon?"}},
		{name: "key in the wrong area", file: "[log]\nmax_workers = 3", want: []string{`"log.max_workers"`, "did you mean daemon.max_workers?"}},
		{name: "key outside an area", file: "level = \"info\"", want: []string{"line 1", `"level" is not a setting`, "did you mean log.level?"}},
		{name: "nothing near", file: "[daemon]\nxyzzyplugh = 1", want: []string{`"daemon.xyzzyplugh" is not a setting`}},
		{name: "dotted key", file: "log.levle = \"info\"", want: []string{"line 1", "did you mean log.level?"}},
		{name: "inline table", file: "# one\nlog = { level = \"info\", fils = 3 }", want: []string{"line 2", "did you mean log.files?"}},
		{name: "area that is no table", file: "log = 3", want: []string{"line 1", "log = 3 is not a table", "write [log]"}},
		{name: "array of tables", file: "[[log]]\nlevel = \"info\"", want: []string{"log = a list is not a table"}},
		{name: "table for a value", file: "[log.level]\na = 1", want: []string{"log.level = a table is not text"}},
		{name: "number for a duration", file: "[daemon]\nslow_request = 5", want: []string{"line 2", "daemon.slow_request = 5 is not a duration", `"30s"`}},
		{name: "duration without unit", file: "[daemon]\nslow_request = \"5\"", want: []string{`daemon.slow_request = "5" is not a duration`}},
		{name: "text for a number", file: "[recall]\nlimit = \"8\"", want: []string{`recall.limit = "8" is not a whole number`}},
		{name: "fraction", file: "[recall]\nlimit = 8.5", want: []string{"recall.limit = 8.5 is not a whole number"}},
		{name: "number for text", file: "[log]\nlevel = 3", want: []string{"log.level = 3 is not text"}},
		{name: "doubled key", file: "[log]\nlevel = \"info\"\nlevel = \"warn\"", want: []string{"line 3", "level"}},
		{name: "not TOML", file: "[log\n", want: []string{"config.toml line 1"}},
		{name: "invalid UTF-8", file: "[log]\nlevel = \"\xff\"", want: []string{"config.toml line 2"}},
		{name: "out of range in file", file: "[recall]\nbudget = 0", want: []string{"config.toml line 2", "recall.budget = 0 is out of range", "1 to 1000000"}},
		{name: "out of range in environment", env: map[string]string{"CHITTA_RECALL_LIMIT": "-1"}, want: []string{"environment CHITTA_RECALL_LIMIT", "recall.limit = -1"}},
		{name: "wrong type in environment", env: map[string]string{"CHITTA_DAEMON_MAX_BODY_BYTES": "16MB"}, want: []string{"environment CHITTA_DAEMON_MAX_BODY_BYTES", `daemon.max_body_bytes = "16MB" is not a whole number`}},
		{name: "wrong duration in environment", env: map[string]string{"CHITTA_DAEMON_REQUEST_TIMEOUT": "soon"}, want: []string{`"soon" is not a duration`}},
		{name: "wrong level by flag", flags: map[string]string{"log.level": "loud"}, want: []string{"flag: ", `log.level = "loud" is not known`, "debug, info, warn, error"}},
		{name: "unknown flag", flags: map[string]string{"log.lvl": "info"}, want: []string{"flag: ", `"log.lvl" is not a setting`}},
		{name: "workers contradict", file: "[daemon]\nmin_workers = 20", want: []string{"daemon.max_workers = 16 is less than daemon.min_workers, which is 20"}},
		{name: "an address of the network", file: "[http]\nlisten = \"0.0.0.0:7371\"", want: []string{"line 2", `http.listen = "0.0.0.0:7371" is not on the loopback`, "127.0.0.1:7371"}},
		{name: "a name for an address", env: map[string]string{"CHITTA_HTTP_LISTEN": "localhost:7371"}, want: []string{"is not on the loopback"}},
		{name: "no port", flags: map[string]string{"http.listen": "127.0.0.1"}, want: []string{"is not an address and a port"}},
		{name: "no such port", flags: map[string]string{"http.listen": "[::1]:99999"}, want: []string{"has no port"}},
		{name: "too large", file: strings.Repeat("# long\n", 200_000), want: []string{"larger than"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts := options(writeConfig(t, tt.file), tt.env)
			opts.Overrides = tt.flags
			_, err := Load(opts)
			if err == nil {
				t.Fatal("no error")
			}
			var field *FieldError
			var file *FileError
			if !errors.As(err, &field) && !errors.As(err, &file) {
				t.Errorf("type %T", err)
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("message %q lacks %q", err, part)
				}
			}
		})
	}
}

func TestLoadOddFiles(t *testing.T) {
	if _, err := Load(options(writeConfig(t, "\ufeff[log]\r\nlevel = \"warn\"\r\n"), nil)); err != nil {
		t.Errorf("as saved by some editors: %v", err)
	}
	dir := realTemp(t)
	if err := os.Mkdir(filepath.Join(dir, "config.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(options(dir, nil)); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a directory: %v", err)
	}
}

func TestDefaultIsValid(t *testing.T) {
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
}

// Every key can be set, in every way, and every field has a key.
func TestEverySetting(t *testing.T) {
	c := Default()
	for _, s := range settings(&c) {
		if strings.HasSuffix(s.key, ".") {
			t.Errorf("a field of area %s has no name", s.key)
		}
		value := map[string]string{"string": "debug", "time.Duration": "42s", "bool": "true"}[s.field.Type().String()]
		if value == "" {
			value = "42"
		}
		if err := s.setText(value, ""); err != nil {
			t.Error(err)
		}
		if s.field.IsZero() {
			t.Errorf("%s was not set", s.key)
		}
	}
	if got := EnvName("daemon.request_timeout"); got != "CHITTA_DAEMON_REQUEST_TIMEOUT" {
		t.Errorf("environment name %s", got)
	}
	if n := len(Keys()); n != 25 {
		t.Errorf("%d keys", n)
	}
}

// FuzzParseFile: whatever is in the file, it is taken completely and within
// the limits of Validate, or refused with a typed error.
func FuzzParseFile(f *testing.F) {
	for _, seed := range []string{
		"", "[daemon]\nrequest_timeout = \"5s\"\n", "log.level = \"info\"", "log = { level = \"x\", a.b = 1 }",
		"[[log]]\n[log.level]\n", "a = [1, {b = 2}]", "\"log\".\"le\\u0076el\" = '''warn'''", "[recall]\nlimit = 9223372036854775808",
		"[a.b.c]\nd = 1979-05-27T07:32:00Z", "\ufeff", "x = \xff", "[daemon]\nslow_request = inf",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := Default()
		sources := make(map[string]string)
		err := parseFile(&c, data, "config.toml", sources)
		if err != nil {
			var field *FieldError
			var file *FileError
			if !errors.As(err, &field) && !errors.As(err, &file) {
				t.Fatalf("error of type %T: %v", err, err)
			}
			if err.Error() == "" {
				t.Fatal("empty message")
			}
			return
		}
		for key, source := range sources {
			if !strings.HasPrefix(source, "config.toml line ") {
				t.Fatalf("%s has no line: %q", key, source)
			}
		}
		_ = c.Validate()
	})
}
