package config

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// LoadOptions says where a configuration comes from. The zero value is the
// real environment without flags.
type LoadOptions struct {
	// Home is the data directory given by flag; empty when there was none.
	Home string
	// Overrides are settings given by flag: dotted key to text, such as
	// "log.level": "debug".
	Overrides map[string]string
	// Getenv looks up the environment; nil means os.Getenv.
	Getenv func(string) string
	// UserHomeDir finds the user's home directory; nil means os.UserHomeDir.
	UserHomeDir func() (string, error)
}

// Load finds the data directory, reads its config.toml if there is one, lays
// the environment and the flags over it, and validates the result. Errors are
// *[HomeError], *[FileError] or *[FieldError]. It creates nothing.
func Load(opts LoadOptions) (Config, error) {
	paths, err := Locate(opts)
	if err != nil {
		return Config{}, err
	}
	c := Default()
	c.Home = paths.Home()
	data, err := readFile(paths.ConfigFile())
	if err != nil {
		return Config{}, err
	}
	sources := make(map[string]string)
	if err := parseFile(&c, data, paths.ConfigFile(), sources); err != nil {
		return Config{}, err
	}
	if err := overlay(&c, opts, sources); err != nil {
		return Config{}, err
	}
	if err := c.Validate(); err != nil {
		if fe, ok := errors.AsType[*FieldError](err); ok {
			fe.Source = sources[fe.Field]
		}
		return Config{}, err
	}
	return c, nil
}

// overlay lays the environment and then the flags over c. An empty variable
// counts as unset: that is how shells and service files switch one off.
func overlay(c *Config, opts LoadOptions, sources map[string]string) error {
	getenv := opts.getenv()
	all := settings(c)
	known := make(map[string]setting, len(all))
	for _, s := range all {
		known[s.key] = s
		name := EnvName(s.key)
		text := getenv(name)
		if text == "" {
			continue
		}
		c.override(s.key, "environment "+name, sources)
		if err := s.setText(text, sources[s.key]); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(opts.Overrides)) {
		s, ok := known[key]
		if !ok {
			return unknownKey(key, "flag", Keys())
		}
		c.override(key, "flag", sources)
		if err := s.setText(opts.Overrides[key], "flag"); err != nil {
			return err
		}
	}
	return nil
}

// override notes that something stands above the file.
func (c *Config) override(key, source string, sources map[string]string) {
	if c.Overridden == nil {
		c.Overridden = make(map[string]string)
	}
	c.Overridden[key], sources[key] = source, source
}

func (o LoadOptions) getenv() func(string) string {
	if o.Getenv != nil {
		return o.Getenv
	}
	return os.Getenv
}

func (o LoadOptions) userHomeDir() (string, error) {
	if o.UserHomeDir != nil {
		return o.UserHomeDir()
	}
	return os.UserHomeDir()
}

// Locate finds the data directory (flag, then CHITTA_HOME, then ~/.chitta)
// without reading the configuration. The path is made absolute and symbolic
// links in it are resolved, so that every role derives the same socket and
// lock whichever way the user spelled it. It creates nothing.
func Locate(opts LoadOptions) (Paths, error) {
	home, err := chooseHome(opts)
	if err != nil {
		return Paths{}, err
	}
	if inClient(home) {
		return Paths{}, inClientError(home)
	}
	canonical, err := canonicalPath(home)
	if err != nil {
		return Paths{}, err
	}
	if inClient(canonical) {
		return Paths{}, inClientError(canonical)
	}
	return PathsFor(canonical), nil
}

func chooseHome(opts LoadOptions) (string, error) {
	if opts.Home != "" {
		home, err := expandTilde(opts.Home, opts)
		if err != nil {
			return "", err
		}
		// A flag is typed in a directory the user is looking at.
		abs, err := filepath.Abs(home)
		if err != nil {
			return "", &HomeError{Path: home, Err: err}
		}
		return abs, nil
	}
	if env := opts.getenv()("CHITTA_HOME"); env != "" {
		home, err := expandTilde(env, opts)
		if err != nil {
			return "", err
		}
		// A variable is inherited by processes in any directory: a relative
		// path would give each of them a memory of its own.
		if !filepath.IsAbs(home) {
			return "", &HomeError{
				Path: strconv.Quote(env), Err: ErrHomeRelative,
				Hint: "write the whole path, starting at the root",
			}
		}
		return filepath.Clean(home), nil
	}
	user, err := userHome(opts)
	if err != nil {
		return "", err
	}
	return filepath.Join(user, ".chitta"), nil
}

// expandTilde replaces a leading ~, which no shell has expanded when the value
// comes from a settings file of another program.
func expandTilde(path string, opts LoadOptions) (string, error) {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || (rest != "" && !os.IsPathSeparator(rest[0])) {
		return path, nil
	}
	user, err := userHome(opts)
	if err != nil {
		return "", err
	}
	return filepath.Join(user, rest), nil
}

func userHome(opts LoadOptions) (string, error) {
	user, err := opts.userHomeDir()
	if err != nil || !filepath.IsAbs(user) {
		return "", &HomeError{Err: ErrHomeUnknown, Hint: "set CHITTA_HOME to the directory to use"}
	}
	return user, nil
}
