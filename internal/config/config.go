package config

import (
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	kib = 1 << 10
	mib = 1 << 20
)

// Config is everything a user can set. Each area is a table of config.toml;
// each key can also be set as CHITTA_<AREA>_<KEY> in the environment.
type Config struct {
	// Home is the canonical data directory the configuration was loaded for.
	// It is chosen before the file is read, so the file cannot set it.
	Home string `toml:"-"`
	// Overridden says which settings the environment or a flag sets, and which
	// of them: what config.toml says of those has no effect.
	Overridden map[string]string `toml:"-"`

	Daemon Daemon `toml:"daemon"`
	Log    Log    `toml:"log"`
	Memory Memory `toml:"memory"`
	Recall Recall `toml:"recall"`
	Store  Store  `toml:"store"`
	Model  Model  `toml:"model"`

	Sessions Sessions `toml:"sessions"`
	HTTP     HTTP     `toml:"http"`
	Graph    Graph    `toml:"graph"`
}

// Daemon is about serving requests.
type Daemon struct {
	// RequestTimeout is the longest a request may take, waiting included.
	RequestTimeout time.Duration `toml:"request_timeout"`
	// SlowRequest is the age at which a running request is reported in the log.
	SlowRequest time.Duration `toml:"slow_request"`
	// MaxBodyBytes is the largest request body accepted.
	MaxBodyBytes int64 `toml:"max_body_bytes"`
	// MinWorkers is how many workers are kept when nothing is going on.
	MinWorkers int `toml:"min_workers"`
	// MaxWorkers is how many requests may run at once.
	MaxWorkers int `toml:"max_workers"`
	// QueueLimit is how many requests may wait for a worker; more are refused.
	QueueLimit int `toml:"queue_limit"`
	// DrainTimeout is how long running requests may take to finish when the
	// daemon is asked to stop.
	DrainTimeout time.Duration `toml:"drain_timeout"`
}

// Log is about the daemon's log file.
type Log struct {
	// Level is the least severe level written: debug, info, warn or error.
	Level string `toml:"level"`
	// MaxSizeMB is the size in megabytes at which the log file is rotated.
	MaxSizeMB int `toml:"max_size_mb"`
	// Files is how many rotated log files are kept.
	Files int `toml:"files"`
}

// Memory is about what may be stored.
type Memory struct {
	// MaxContentBytes is the longest text one memory may hold.
	MaxContentBytes int `toml:"max_content_bytes"`
	// UndoDays is for how many days a forgotten memory can be brought back.
	UndoDays int `toml:"undo_days"`
	// MinContentChars is the shortest text worth remembering.
	MinContentChars int `toml:"min_content_chars"`
}

// Recall is about answers.
type Recall struct {
	// Limit is how many memories an answer holds unless the caller says.
	Limit int `toml:"limit"`
	// Budget is how many tokens an answer may cost unless the caller says.
	Budget int `toml:"budget"`
}

// Store is about the database.
type Store struct {
	// Readers is how many read connections are kept open.
	Readers int `toml:"readers"`
	// MaxReaders is how many read connections may be open at once.
	MaxReaders int `toml:"max_readers"`
}

// Model is about the embedding model, which finds by meaning.
type Model struct {
	// Use says which one: "builtin", "none", the absolute path of a folder with
	// a BERT model, "ollama:NAME", or "openai:URL".
	Use string `toml:"use"`
	// Name is the model's name at an OpenAI-compatible endpoint.
	Name string `toml:"name"`
	// KeyVariable names the environment variable that holds the key of an
	// endpoint. The key itself is never written down.
	KeyVariable string `toml:"key_variable"`
	// Timeout bounds one request to an endpoint.
	Timeout time.Duration `toml:"timeout"`
}

// Sessions is about the transcripts that the client writes.
type Sessions struct {
	// Watch says whether the daemon reads them as they grow.
	Watch bool `toml:"watch"`
	// Dir is the folder they are in; empty means the client's.
	Dir string `toml:"dir"`
}

// HTTP is about hooks that the client posts instead of starting a process.
type HTTP struct {
	// Listen is the address of the loopback they are taken on, such as
	// "127.0.0.1:7371"; empty means that they are not. A port of 0 is one that
	// is free, and another at each start.
	Listen string `toml:"listen"`
}

// Graph is about the knowledge graph.
type Graph struct {
	// Mine says whether facts are looked for in what is remembered and said, as
	// it comes.
	Mine bool `toml:"mine"`
}

// Default returns the configuration used where nothing else is said.
func Default() Config {
	return Config{
		Daemon: Daemon{
			RequestTimeout: 30 * time.Second,
			SlowRequest:    time.Second,
			MaxBodyBytes:   16 * mib,
			MinWorkers:     2,
			MaxWorkers:     16,
			QueueLimit:     256,
			DrainTimeout:   10 * time.Second,
		},
		Log:    Log{Level: "info", MaxSizeMB: 10, Files: 5},
		Memory: Memory{MaxContentBytes: 256 * kib, UndoDays: 30, MinContentChars: 10},
		Recall: Recall{Limit: 8, Budget: 2000},
		Store:  Store{Readers: 4, MaxReaders: 8},
		Model:  Model{Use: "builtin", Timeout: 10 * time.Second},

		Sessions: Sessions{Watch: true},
		Graph:    Graph{Mine: true},
	}
}

// Paths returns the paths of the data directory this was loaded for.
func (c Config) Paths() Paths { return PathsFor(c.Home) }

// Validate reports the first setting that makes no sense as a *[FieldError].
func (c Config) Validate() error {
	d, m := c.Daemon, c.Memory
	checks := []error{
		durationWithin("daemon.request_timeout", d.RequestTimeout, 10*time.Millisecond, time.Hour),
		durationWithin("daemon.slow_request", d.SlowRequest, time.Millisecond, time.Hour),
		within("daemon.max_body_bytes", d.MaxBodyBytes, kib, 1024*mib),
		within("daemon.min_workers", int64(d.MinWorkers), 1, 1024),
		within("daemon.max_workers", int64(d.MaxWorkers), 1, 1024),
		atLeast("daemon.max_workers", d.MaxWorkers, "daemon.min_workers", d.MinWorkers),
		within("daemon.queue_limit", int64(d.QueueLimit), 1, 100_000),
		durationWithin("daemon.drain_timeout", d.DrainTimeout, 10*time.Millisecond, 10*time.Minute),
		oneOf("log.level", c.Log.Level, "debug", "info", "warn", "error"),
		within("log.max_size_mb", int64(c.Log.MaxSizeMB), 1, 10_000),
		within("log.files", int64(c.Log.Files), 1, 1000),
		within("memory.max_content_bytes", int64(m.MaxContentBytes), kib, 64*mib),
		within("memory.undo_days", int64(m.UndoDays), 0, 36_500),
		within("memory.min_content_chars", int64(m.MinContentChars), 1, 1000),
		within("recall.limit", int64(c.Recall.Limit), 1, 100),
		within("recall.budget", int64(c.Recall.Budget), 1, 1_000_000),
		within("store.readers", int64(c.Store.Readers), 1, 256),
		within("store.max_readers", int64(c.Store.MaxReaders), 1, 256),
		atLeast("store.max_readers", c.Store.MaxReaders, "store.readers", c.Store.Readers),
		modelSource(c.Model.Use),
		durationWithin("model.timeout", c.Model.Timeout, 100*time.Millisecond, 10*time.Minute),
		absoluteOrEmpty("sessions.dir", c.Sessions.Dir),
		loopbackOrEmpty("http.listen", c.HTTP.Listen),
	}
	for _, err := range checks {
		if err != nil {
			return err
		}
	}
	return nil
}

func within(field string, value, low, high int64) error {
	if value >= low && value <= high {
		return nil
	}
	return &FieldError{
		Field: field, Value: strconv.FormatInt(value, 10), Problem: "is out of range",
		Hint: fmt.Sprintf("use a number from %d to %d", low, high),
	}
}

func durationWithin(field string, value, low, high time.Duration) error {
	if value >= low && value <= high {
		return nil
	}
	return &FieldError{
		Field: field, Value: value.String(), Problem: "is out of range",
		Hint: fmt.Sprintf("use a duration from %v to %v", low, high),
	}
}

func atLeast(field string, value int, other string, least int) error {
	if value >= least {
		return nil
	}
	return &FieldError{
		Field: field, Value: strconv.Itoa(value),
		Problem: fmt.Sprintf("is less than %s, which is %d", other, least),
		Hint:    fmt.Sprintf("raise %s or lower %s", field, other),
	}
}

// modelSource checks the form of a model's source; whether it can be opened is
// seen when it is.
func modelSource(use string) error {
	kind, rest, _ := strings.Cut(use, ":")
	switch {
	case use == "builtin", use == "none", filepath.IsAbs(use):
		return nil
	case (kind == "ollama" || kind == "openai") && rest != "":
		return nil
	}
	return &FieldError{
		Field: "model.use", Value: strconv.Quote(use), Problem: "is not known",
		Hint: `use "builtin", "none", the absolute path of a model folder, "ollama:NAME" or "openai:URL"`,
	}
}

// absoluteOrEmpty refuses a relative path: the daemon has no directory that
// somebody could mean.
func absoluteOrEmpty(field, value string) error {
	if value == "" || filepath.IsAbs(value) {
		return nil
	}
	return &FieldError{Field: field, Value: strconv.Quote(value), Problem: "is not an absolute path", Hint: "write the whole path"}
}

// loopbackOrEmpty refuses an address that others on the network could reach.
func loopbackOrEmpty(field, value string) error {
	if value == "" {
		return nil
	}
	e := &FieldError{Field: field, Value: strconv.Quote(value), Hint: `use a port of the loopback, such as "127.0.0.1:7371"`}
	host, port, err := net.SplitHostPort(value)
	if err != nil {
		e.Problem = "is not an address and a port"
		return e
	}
	if ip, err := netip.ParseAddr(host); err != nil || !ip.IsLoopback() {
		e.Problem = "is not on the loopback"
		return e
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		e.Problem = "has no port"
		return e
	}
	return nil
}

func oneOf(field, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	return &FieldError{
		Field: field, Value: strconv.Quote(value), Problem: "is not known",
		Hint: "use one of " + strings.Join(allowed, ", "),
	}
}
