package realm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"chitta/internal/memory"
)

const (
	// gitTimeout bounds one git process. Finding the work tree takes
	// milliseconds; walking a million commits for the roots some seconds.
	gitTimeout = 5 * time.Second
	// pipeGrace is how long to wait for git's output after git was stopped.
	pipeGrace = 200 * time.Millisecond
	// maxRoots bounds the root commits reported; the oldest are kept.
	maxRoots = 16
)

// Notes on identities that say less than they could.
const (
	NoteNoGit     = "git was not found, so the project is known by its path alone"
	NoteShallow   = "shallow clone, so its root commits are unknown"
	noteRefused   = "git refused the repository: "
	noteRootsLost = "root commits could not be read: "
)

// Detect returns the identity of the project that a directory belongs to. A
// directory that does not exist is an error; one outside git, or a machine
// without git, is not.
func Detect(ctx context.Context, dir string) (memory.Identity, error) {
	id, _, err := detect(ctx, dir)
	return id, err
}

// layout is where git keeps things for one directory.
type layout struct {
	gitDir string // HEAD of this worktree; empty outside git
}

func detect(ctx context.Context, dir string) (memory.Identity, layout, error) {
	path, err := canonicalDir(dir)
	if err != nil {
		return memory.Identity{}, layout{}, err
	}
	plain := memory.Identity{Path: path, Name: memory.ProjectName("", path)}

	out, err := git(ctx, path, "rev-parse", "--git-common-dir", "--absolute-git-dir", "--is-bare-repository", "--show-toplevel")
	lines := strings.Split(strings.TrimRight(string(out), "\r\n"), "\n")
	const withoutTopLevel = 3 // a bare repository has none, which git reports as failure
	if err != nil && len(lines) < withoutTopLevel {
		var failed *gitError
		switch {
		case errors.Is(err, exec.ErrNotFound):
			plain.Note = NoteNoGit
			return plain, layout{}, nil
		case errors.As(err, &failed) && failed.notARepository():
			return plain, layout{}, nil
		case errors.As(err, &failed):
			plain.Note = noteRefused + failed.reason()
			return plain, layout{}, nil
		}
		return memory.Identity{}, layout{}, fmt.Errorf("look at %s: %w", path, err)
	}
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}

	id := memory.Identity{Path: path, Git: true}
	id.CommonDir = canonical(fromGit(path, lines[0]))
	at := layout{gitDir: canonical(fromGit(path, lines[1]))}
	bare := lines[2] == "true"
	switch {
	case len(lines) > withoutTopLevel:
		id.TopLevel = canonical(fromGit(path, lines[3]))
	case !bare && filepath.Base(id.CommonDir) == ".git":
		id.TopLevel = filepath.Dir(id.CommonDir) // asked from inside .git
	}
	id.Remote = memory.NormalizeRemote(readRemote(id.CommonDir))
	id.Name = memory.ProjectName(id.Remote, cmp.Or(id.TopLevel, id.CommonDir))

	if isShallow(id.CommonDir) {
		id.Note = NoteShallow
		return id, at, nil
	}
	id.Roots, err = roots(ctx, path)
	if err != nil {
		if ctx.Err() != nil {
			return memory.Identity{}, layout{}, fmt.Errorf("look at %s: %w", path, err)
		}
		id.Note = noteRootsLost + err.Error()
	}
	return id, at, nil
}

// roots returns the root commits of everything but the stash and notes, whose
// commits are no part of the project's history. Oldest first: the oldest root
// is the one that clones most surely have in common.
func roots(ctx context.Context, dir string) ([]string, error) {
	out, err := git(ctx, dir, "rev-list", "--max-parents=0", "--timestamp",
		"--exclude=refs/stash", "--exclude=refs/notes/*", "--all")
	if err != nil {
		return nil, err
	}
	type root struct {
		hash string
		time int64
	}
	var found []root
	for line := range strings.Lines(string(out)) {
		stamp, hash, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		when, _ := strconv.ParseInt(stamp, 10, 64) // an unreadable time sorts as the oldest
		found = append(found, root{hash, when})
	}
	slices.SortFunc(found, func(a, b root) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.hash, b.hash))
	})
	hashes := make([]string, 0, min(len(found), maxRoots))
	for _, r := range found[:min(len(found), maxRoots)] {
		hashes = append(hashes, r.hash)
	}
	return hashes, nil
}

// isShallow reports whether history was cut off. Git would then report the
// cut as root commits, and each shallow clone has its own.
func isShallow(commonDir string) bool {
	info, err := os.Stat(filepath.Join(commonDir, "shallow"))
	return err == nil && info.Size() > 0
}

// git runs one git process that only reads.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-replace-objects"}, args...)...)
	cmd.Dir = dir
	cmd.Env = gitEnv(os.Environ())
	cmd.WaitDelay = pipeGrace
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return stdout.Bytes(), nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("git %s: %w", args[0], ctx.Err())
	case errors.As(err, &exit):
		return stdout.Bytes(), &gitError{args[0], stderr.String(), err}
	}
	return nil, fmt.Errorf("run git: %w", err)
}

// gitEnv returns the environment for git: what tells it which repository to
// use is dropped, because chitta may itself run below a git hook; prompts,
// locks and fetching of missing objects are off; messages are in English.
func gitEnv(environ []string) []string {
	env := make([]string, 0, len(environ)+5)
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		switch name {
		case "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH",
			"GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM":
		default:
			if strings.HasPrefix(name, "GIT_") {
				continue
			}
		}
		env = append(env, kv)
	}
	return append(env, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C", "LANGUAGE=")
}

// gitError is a git process that ended with a failure of its own.
type gitError struct {
	command, stderr string
	err             error
}

func (e *gitError) Error() string { return fmt.Sprintf("git %s: %s", e.command, e.reason()) }
func (e *gitError) Unwrap() error { return e.err }

func (e *gitError) notARepository() bool {
	return strings.Contains(strings.ToLower(e.stderr), "not a git repository")
}

// reason returns the first line git complained with.
func (e *gitError) reason() string {
	line, _, _ := strings.Cut(strings.TrimSpace(e.stderr), "\n")
	line = strings.TrimPrefix(strings.TrimSpace(line), "fatal: ")
	return cmp.Or(line, e.err.Error())
}

// canonicalDir returns the one true path of an existing directory.
func canonicalDir(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("no directory given")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("directory %q: %w", dir, err)
	}
	path, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", fmt.Errorf("directory %q: %w", dir, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("directory %q: %w", dir, err)
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%q is not a directory", dir)
	}
	return filepath.Clean(path), nil
}

// canonical resolves links where it can.
func canonical(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return filepath.Clean(real)
	}
	return filepath.Clean(path)
}

// fromGit makes a path printed by git absolute: it may be relative to the
// directory git ran in, and on Windows has forward slashes.
func fromGit(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
