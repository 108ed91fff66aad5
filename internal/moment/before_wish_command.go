package moment

import (
	"path"
	"slices"
	"strings"
)

// stepsOf returns the commands that a command line, generalised, is made of, as
// words. One that runs another, such as sudo, is followed by that.
func stepsOf(general string) [][]string {
	var out [][]string
	for _, step := range strings.FieldsFunc(general, func(r rune) bool { return strings.ContainsRune(";|&\n", r) }) {
		args := strings.Fields(strings.Trim(step, " (){}"))
		for len(args) > 0 {
			if !strings.Contains(args[0], "=") {
				out = append(out, args)
			}
			if !strings.Contains(args[0], "=") && !runners[args[0]] {
				break
			}
			args = args[1:]
			for len(args) > 0 && strings.HasPrefix(args[0], "-") {
				args = args[1:]
			}
		}
	}
	return out
}

// runners are programs that run the command behind them.
var runners = wordSet("sudo env time then do else if while until ! command nohup nice exec")

// namesStep says whether a prohibition is against a command. branch is what is
// checked out where it runs.
func (p prohibition) namesStep(args []string, branch func() string) bool {
	words := slices.Clone(p.words)
	for len(words) > 0 && openers[strings.ToLower(words[0])] {
		words = words[1:]
	}
	onGit := len(words) > 1 && words[0] == "git"
	if onGit {
		words = words[1:]
	}
	switch verb, rest := gitVerb(words); {
	case verb != "":
		return gitDoes(args, verb, rest, branch) && (!p.conditional || len(names(rest)) > 0)
	case len(words) > 0 && allLongFlags(words):
		return hasAll(args, words) && (!onGit || args[0] == "git")
	}
	return namesProgram(p.words, args)
}

// openers are words between never and what is forbidden.
var openers = wordSet("ever again just directly please run use do call execute try to a the any plain using running")

// gitVerbs are what people call what git does, and how git calls it.
var gitVerbs = map[string]string{
	"push": "push", "pushing": "push", "commit": "commit", "committing": "commit", "rebase": "rebase", "rebasing": "rebase",
	"merge": "merge", "merging": "merge", "cherry-pick": "cherry-pick", "cherry-picking": "cherry-pick",
	"force-push": forcePush, "force-pushing": forcePush,
}

// forcePush is a push that overwrites what is there.
const forcePush = "push --force"

// gitVerb returns what a clause says of git, and the words behind it.
func gitVerb(words []string) (verb string, rest []string) {
	if len(words) == 0 {
		return "", nil
	}
	first := strings.ToLower(words[0])
	if len(words) > 1 && first == "force" && gitVerbs[strings.ToLower(words[1])] == "push" {
		return forcePush, words[2:]
	}
	return gitVerbs[first], words[1:]
}

// gitFillers are words behind what git does that name nothing.
var gitFillers = wordSet("to on onto the a an any our my branch branches remote directly straight here ever again anymore by yourself or and with using flag automatically yet it this that in for me from your own")

// names returns the words of a clause that name something.
func names(rest []string) (out []string) {
	for _, w := range rest {
		if !gitFillers[strings.ToLower(w)] {
			out = append(out, w)
		}
	}
	return out
}

// gitDoes says whether a command is git doing something to what is named.
// Where the words join by or, one of what they name is enough.
func gitDoes(args []string, verb string, rest []string, branch func() string) bool {
	if path.Base(args[0]) != "git" {
		return false
	}
	args = gitArgs(args[1:])
	sub, force := strings.CutSuffix(verb, " --force")
	if len(args) == 0 || args[0] != sub || force && !slices.ContainsFunc(args[1:], forces) {
		return false
	}
	wanted := names(rest)
	has := func(w string) bool {
		return slices.ContainsFunc(args[1:], func(a string) bool { return sameGitArg(a, w) }) || bareOn(args) && w == branch()
	}
	if slices.ContainsFunc(rest, func(w string) bool { return strings.EqualFold(w, "or") || strings.EqualFold(w, "and") }) {
		return slices.ContainsFunc(wanted, has)
	}
	return !slices.ContainsFunc(wanted, func(w string) bool { return !has(w) })
}

// gitArgs returns the arguments of git from what it is to do on.
func gitArgs(args []string) []string {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		skip := 1
		if args[0] == "-C" || args[0] == "-c" {
			skip = 2
		}
		args = args[min(skip, len(args)):]
	}
	return args
}

func forces(arg string) bool {
	return arg == "-f" || strings.HasPrefix(arg, "--force") || strings.HasPrefix(arg, "+")
}

// sameGitArg says whether an argument is what a word names: a flag, or a branch
// by itself or as what is pushed to.
func sameGitArg(arg, word string) bool {
	if arg == word || arg == "-f" && word == "--force" || arg == "--force" && word == "-f" {
		return true
	}
	arg = strings.TrimPrefix(arg, "+")
	if i := strings.LastIndexByte(arg, ':'); i >= 0 {
		arg = arg[i+1:]
	}
	return strings.TrimPrefix(arg, "refs/heads/") == word
}

// allLongFlags says whether a clause names flags alone, each long enough to mean
// the same to every program.
func allLongFlags(words []string) bool {
	const shortest = len("--force")
	flags := 0
	for _, w := range names(words) {
		if len(w) < shortest || !strings.HasPrefix(w, "--") {
			return false
		}
		flags++
	}
	return flags > 0
}

func hasAll(args, words []string) bool {
	return !slices.ContainsFunc(names(words), func(w string) bool { return !slices.Contains(args, w) })
}

// namesProgram says whether a clause names a program, then the subcommand if it
// names one, and all the flags.
func namesProgram(clause, args []string) bool {
	at := slices.Index(clause, path.Base(args[0]))
	if at < 0 || len(args[0]) < 2 || shellWords[args[0]] {
		return false
	}
	for i, w := range clause[at+1:] {
		if (strings.HasPrefix(w, "-") || i == 0 && !commonSubject[strings.ToLower(w)]) && !slices.Contains(args[1:], w) {
			return false
		}
	}
	return true
}

// shellWords stand where a program may and are none.
var shellWords = wordSet("for while until if then else elif fi do done case esac in function select time")

// commonSubject are words behind the name of a program that are no part of the
// command.
var commonSubject = wordSet("for in on to at here as and or directly by the a an this that these command commands again ever anymore with from")
