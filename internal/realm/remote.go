package realm

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxConfigBytes bounds what is read of a repository's configuration.
const maxConfigBytes = 1 << 20

// readRemote returns the address of the remote "origin", or of the first one,
// from the repository's own configuration. The file is read directly: that
// saves a process, and rewriting rules in a user's global configuration would
// make the same clone look different from machine to machine. A path relative
// to the repository is made absolute.
func readRemote(commonDir string) string {
	f, err := os.Open(filepath.Join(commonDir, "config"))
	if err != nil {
		return ""
	}
	defer f.Close()
	url := parseRemote(bufio.NewScanner(io.LimitReader(f, maxConfigBytes)))
	if isRelativePath(url) {
		base := commonDir
		if filepath.Base(base) == ".git" {
			base = filepath.Dir(base)
		}
		url = filepath.Join(base, filepath.FromSlash(url))
	}
	return url
}

func parseRemote(lines *bufio.Scanner) string {
	first, remote := "", ""
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			remote = ""
			if name, ok := remoteSection(line); ok {
				remote = name
			}
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if remote == "" || !ok || !strings.EqualFold(strings.TrimSpace(key), "url") {
			continue
		}
		url := configValue(value)
		if remote == "origin" && url != "" {
			return url
		}
		if first == "" {
			first = url
		}
	}
	return first
}

// remoteSection returns the name in a line like [remote "origin"].
func remoteSection(line string) (string, bool) {
	const kind = "[remote"
	if len(line) < len(kind) || !strings.EqualFold(line[:len(kind)], kind) {
		return "", false
	}
	_, rest, ok := strings.Cut(line[len(kind):], `"`)
	if !ok {
		return "", false
	}
	end := strings.LastIndexByte(rest, '"')
	if end <= 0 {
		return "", false
	}
	return rest[:end], true
}

// configValue returns a value without comment, quotes and escapes.
func configValue(raw string) string {
	var b strings.Builder
	quoted := false
	raw = strings.TrimSpace(raw)
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\' && i+1 < len(raw):
			i++
			b.WriteByte(raw[i])
		case c == '"':
			quoted = !quoted
		case (c == '#' || c == ';') && !quoted:
			return strings.TrimSpace(b.String())
		default:
			b.WriteByte(c)
		}
	}
	return strings.TrimSpace(b.String())
}

// isRelativePath reports whether a remote is a path that only means something
// from where the repository lies.
func isRelativePath(url string) bool {
	return url == "." || url == ".." || strings.HasPrefix(url, "./") || strings.HasPrefix(url, "../") ||
		strings.HasPrefix(url, `.\`) || strings.HasPrefix(url, `..\`)
}
