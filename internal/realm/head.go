package realm

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
)

// Head returns the commit that is checked out in a work tree, or "". It reads
// what git keeps and starts no process: it is asked for with every memory.
func Head(top string) string {
	dir := gitDir(top)
	head := firstLine(filepath.Join(dir, "HEAD"))
	ref, symbolic := strings.CutPrefix(head, "ref: ")
	if !symbolic {
		return commitID(head)
	}
	if !filepath.IsLocal(ref) {
		return ""
	}
	common := commonOf(dir)
	for _, d := range []string{dir, common} {
		if id := commitID(firstLine(filepath.Join(d, filepath.FromSlash(ref)))); id != "" {
			return id
		}
	}
	return packedRef(filepath.Join(common, "packed-refs"), ref)
}

// gitDir is where git keeps what belongs to a work tree.
func gitDir(top string) string {
	dir := filepath.Join(top, ".git")
	to, ok := strings.CutPrefix(firstLine(dir), "gitdir: ")
	switch {
	case !ok:
		return dir
	case filepath.IsAbs(to):
		return to
	}
	return filepath.Join(top, to)
}

func packedRef(path, ref string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if id, name, ok := strings.Cut(s.Text(), " "); ok && name == ref {
			return commitID(id)
		}
	}
	return ""
}

// lineBytes is more than any line that is read here.
const lineBytes = 4 << 10

// firstLine reads the first line of a regular file.
func firstLine(path string) string {
	if fi, err := os.Stat(path); err != nil || !fi.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _, _ := bufio.NewReaderSize(f, lineBytes).ReadLine()
	return strings.TrimSpace(string(line))
}

// commitID returns what is the name of a commit, and "" for anything else.
func commitID(s string) string {
	if len(s) < 40 || len(s) > 64 || strings.Trim(s, "0123456789abcdef") != "" {
		return ""
	}
	return s
}
