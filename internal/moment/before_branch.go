package moment

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// branchOf returns the branch that a command line commits or pushes where it
// does not say which: that of its directory, as git has it written down. It is
// "" where that is not certain: the line goes somewhere that only a shell can
// tell, names another repository, or changes the branch itself before.
func (u use) branchOf() string {
	dir := u.dir
	for _, args := range shellSteps(firstBytes(u.command, textLooked)) {
		switch {
		case path.Base(args[0]) == "cd":
			if dir = changed(dir, args[1:]); dir == "" {
				return ""
			}
		case path.Base(args[0]) != "git":
		case len(args) < 2 || strings.HasPrefix(args[1], "-"):
			return "" // it may be another repository
		case args[1] == "checkout" || args[1] == "switch" || args[1] == "worktree" || args[1] == "branch":
			return ""
		case args[1] == "commit" || args[1] == "push":
			return checkedOut(dir)
		}
	}
	return ""
}

// changed returns the directory that cd leads to, "" if that is not certain.
func changed(from string, args []string) string {
	if len(args) != 1 || args[0] == "" || strings.ContainsAny(args[0], "$`~*?") || args[0] == "-" {
		return ""
	}
	if filepath.IsAbs(args[0]) {
		return filepath.Clean(args[0])
	}
	return filepath.Join(from, args[0])
}

// shellSteps returns the commands of a line as words, without quotes, each with
// what it is given.
func shellSteps(line string) [][]string {
	var out [][]string
	var args []string
	var word strings.Builder
	var quote rune
	open := false // a word, also an empty one in quotes
	end := func() {
		if open {
			args = append(args, word.String())
		}
		word.Reset()
		open = false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, open = r, true
		case strings.ContainsRune(";|&\n(){}", r):
			end()
			if len(args) > 0 {
				out = append(out, args)
			}
			args = nil
		case r == ' ' || r == '\t':
			end()
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if end(); len(args) > 0 {
		out = append(out, args)
	}
	return out
}

// headBytes is more than the name of a branch or the path of a repository takes.
const headBytes = 4 << 10

// checkedOut returns the branch that is checked out in a directory, "" if there
// is none.
func checkedOut(dir string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		git := filepath.Join(at, ".git")
		if fi, err := os.Stat(git); err == nil {
			if !fi.IsDir() { // a worktree: it says where
				to, ok := strings.CutPrefix(firstLine(git), "gitdir: ")
				if !ok {
					return ""
				}
				if git = to; !filepath.IsAbs(git) {
					git = filepath.Join(at, git)
				}
			}
			if branch, ok := strings.CutPrefix(firstLine(filepath.Join(git, "HEAD")), "ref: refs/heads/"); ok {
				return branch
			}
			return ""
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// firstLine is that of a small file, "" if it cannot be read.
func firstLine(name string) string {
	fi, err := os.Stat(name)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > headBytes {
		return ""
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}

// bareOn says whether git, by its arguments, does something to the branch that
// is checked out without naming it: every commit, and a push of nothing else.
func bareOn(args []string) bool {
	if args[0] == "commit" {
		return true
	}
	if args[0] != "push" || slices.ContainsFunc(args[1:], func(a string) bool { return otherPush[a] }) {
		return false
	}
	var given []string
	for _, a := range args[1:] {
		if !strings.HasPrefix(a, "-") {
			given = append(given, a)
		}
	}
	return len(given) < 2 || len(given) == 2 && given[1] == "HEAD" // a remote, and at most what is checked out
}

// otherPush are ways to push something else than the branch that is checked out,
// or nothing.
var otherPush = wordSet("--all --branches --mirror --tags --delete -d --dry-run -n")
