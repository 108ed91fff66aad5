package install

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chitta/internal/memory"
)

// Scopes of an installation, in the client's words.
const (
	ScopeUser    = "user"    // this user, in every project
	ScopeProject = "project" // everybody in this project, by files that are shared
	ScopeLocal   = "local"   // this user, in this project
)

// Scopes lists them, the usual one first.
func Scopes() []string { return []string{ScopeUser, ScopeProject, ScopeLocal} }

// Modes of new files and folders. Shared ones are as others in a project; the
// client's own may hold secrets.
const (
	sharedFile   fs.FileMode = 0o644
	sharedFolder fs.FileMode = 0o755
	ownFile      fs.FileMode = 0o600
	ownFolder    fs.FileMode = 0o700
)

// target is a file that chitta has entries in.
type target struct {
	scope        string // if the record has to know it
	path         string
	key          string       // of the record; one file may have several entries
	file, folder fs.FileMode  // modes, if they have to be made
	locked       bool         // the client writes it too, under a lock
	noted        bool         // in the record even if it needs no change
	inProject    bool         // in somebody's repository, where copies would be in the way
	guard        func() error // says why it must not be written; nil if there is nothing to say
	edit         func(old []byte) ([]byte, []Change, error)
	without      func(old []byte, made []string) ([]byte, []Change, error)
	empty        func(text []byte) bool  // holds nothing worth a file
	notes        func(step) []string     // about what was found in it
	command      func(old []byte) string // of the MCP server in it
}

// targets returns the files of a scope: where the client looks for hooks, and
// where for MCP servers.
func (in *Installer) targets(scope string, want Want) ([]target, error) {
	hooks := target{
		file: ownFile, folder: ownFolder,
		edit:    func(old []byte) ([]byte, []Change, error) { return Settings(old, want.Hooks) },
		without: WithoutHooks, empty: holdsNothing, notes: foreignNotes,
	}
	servers := target{file: ownFile, folder: ownFolder, empty: holdsNothing}
	var path []string // to the servers
	switch scope {
	case ScopeUser:
		hooks.path, servers.path, servers.locked = filepath.Join(in.Config, "settings.json"), in.State, true
	case ScopeProject:
		top := repositoryTop(in.Work)
		hooks.path, servers.path = filepath.Join(top, ".claude", "settings.json"), filepath.Join(top, ".mcp.json")
		hooks.file, hooks.folder, servers.file, servers.folder = sharedFile, sharedFolder, sharedFile, sharedFolder
		hooks.inProject, servers.inProject = true, true
	case ScopeLocal:
		top := mainTop(in.Work)
		hooks.path, hooks.folder, hooks.inProject = filepath.Join(top, ".claude", "settings.local.json"), sharedFolder, true
		servers.path, servers.locked = in.State, true
		path = []string{"projects", top}
	default:
		return nil, &memory.UnknownValueError{Field: "scope", Value: scope, Allowed: Scopes()}
	}
	hooks.key, servers.key = hooks.path, servers.path+"#"+pointer(path...)
	servers.edit = func(old []byte) ([]byte, []Change, error) { return Servers(old, path, want.Server) }
	servers.without = func(old []byte, made []string) ([]byte, []Change, error) { return WithoutServer(old, path, made) }
	servers.command = func(old []byte) string { return registered(old, path) }
	servers.notes = func(s step) []string { return append(foreignNotes(s), goneNotes(s, s.command(s.old))...) }
	return []target{hooks, servers}, nil
}

// repositoryTop returns the top folder of the repository that a folder is in, or the
// folder itself, without symbolic links.
func repositoryTop(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// mainTop is repositoryTop, but of the main worktree: the client keeps what is local to
// a project there for all its worktrees.
func mainTop(dir string) string {
	top := repositoryTop(dir)
	link, err := os.ReadFile(filepath.Join(top, ".git"))
	if err != nil {
		return top // a folder: this is the main one
	}
	gitDir, ok := strings.CutPrefix(strings.TrimSpace(string(link)), "gitdir: ")
	if !ok {
		return top
	}
	gitDir = joined(top, gitDir)
	common, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
	if err != nil {
		return top // a submodule
	}
	commonDir := joined(gitDir, strings.TrimSpace(string(common)))
	if filepath.Base(commonDir) != ".git" {
		return top // a bare repository has no worktree of its own
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(commonDir)); err == nil {
		return real
	}
	return top
}

func joined(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

// Executable returns the path to write down for a running binary: the one it is
// found by on the search path, as that stays the same when a new version is
// installed, else its own. It reports whether the search path leads to it.
func Executable(self string, look func(string) (string, error)) (path string, found bool, err error) {
	if strings.Contains(self, string(filepath.Separator)+"go-build") {
		return "", false, fmt.Errorf("this binary is a temporary one (%s): build or install chitta first", self)
	}
	own, err := os.Stat(self)
	if err != nil {
		return "", false, fmt.Errorf("this binary is no longer where it was started from: start the installed one: %w", err)
	}
	path, err = look(serverName)
	if err != nil || !filepath.IsAbs(path) {
		return self, false, nil
	}
	if other, err := os.Stat(path); err == nil && os.SameFile(own, other) {
		return path, true, nil
	}
	return self, false, nil
}
