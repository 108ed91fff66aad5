package memory

import (
	"net/url"
	"path"
	"strings"
)

// fileRemote marks a normalised remote that is a path rather than a host.
const fileRemote = "file:"

// NormalizeRemote reduces a git remote to "host/path", the same text for
// every way to write one repository: ssh, https and git URLs, the scp form,
// with or without user, token, port, ".git" or a trailing slash. Ports are
// dropped because one server is commonly reached as ssh on one port and as
// https on another. A path on disk becomes "file:" and the path with forward
// slashes. Credentials never survive. An empty text stays empty.
func NormalizeRemote(remote string) string {
	s := strings.TrimSpace(remote)
	if i := strings.Index(s, "::"); i > 0 && isScheme(s[:i]) {
		s = s[i+2:] // a remote helper in front of the address
	}
	switch {
	case s == "":
		return ""
	case isWindowsPath(s):
		return fileRemote + cleanFilePath(strings.ReplaceAll(s, `\`, "/"))
	}
	if i := strings.Index(s, "://"); i > 0 && isScheme(s[:i]) {
		scheme, rest := strings.ToLower(s[:i]), s[i+3:]
		if scheme == "file" {
			return fileRemote + cleanFilePath(fileURLPath(unescape(rest)))
		}
		authority, repo, _ := strings.Cut(rest, "/")
		if at := strings.LastIndexByte(authority, '@'); at >= 0 {
			authority = authority[at+1:]
		}
		if cut := strings.IndexAny(repo, "?#"); cut >= 0 {
			repo = repo[:cut]
		}
		return hostAndPath(dropPort(authority), unescape(repo))
	}
	if host, repo, ok := cutSCP(s); ok {
		return hostAndPath(host, repo)
	}
	return fileRemote + cleanFilePath(s)
}

// cutSCP takes "user@host:path" apart. As git does, it takes a text for a
// path when a slash comes before the first colon.
func cutSCP(s string) (host, repo string, ok bool) {
	from := 0
	if at := strings.IndexByte(s, '@'); at >= 0 {
		from = at + 1
	}
	colon := strings.IndexByte(s[from:], ':')
	if strings.HasPrefix(s[from:], "[") { // an IPv6 host
		if end := strings.Index(s[from:], "]:"); end > 0 {
			colon = end + 1
		}
	}
	if colon <= 0 || strings.Contains(s[:from+colon], "/") {
		return "", "", false
	}
	return s[from : from+colon], s[from+colon+1:], true
}

func hostAndPath(host, repo string) string {
	host = strings.ToLower(strings.Trim(host, "[]"))
	host = strings.TrimSuffix(host, ".")
	repo = cleanRepoPath(repo)
	switch host { // other doors to the same house
	case "ssh.github.com":
		host = "github.com"
	case "altssh.gitlab.com":
		host = "gitlab.com"
	case "altssh.bitbucket.org":
		host = "bitbucket.org"
	case "ssh.dev.azure.com":
		host, repo = "dev.azure.com", strings.TrimPrefix(repo, "v3/")
	}
	switch host {
	case "github.com", "gitlab.com", "bitbucket.org", "codeberg.org":
		repo = strings.ToLower(repo) // these hosts ignore case in names
	case "dev.azure.com":
		repo = strings.ToLower(strings.Replace(repo, "/_git/", "/", 1))
	}
	if repo == "" {
		return host
	}
	return host + "/" + repo
}

func cleanRepoPath(p string) string {
	p = strings.Trim(path.Clean("/"+p), "/")
	return trimGitSuffix(p)
}

func cleanFilePath(p string) string {
	p = strings.TrimSuffix(path.Clean(p), "/")
	p = strings.TrimSuffix(p, "/.git") // the repository inside a work tree
	if len(p) >= 2 && p[1] == ':' {
		p = strings.ToLower(p[:1]) + p[1:]
	}
	return trimGitSuffix(p)
}

// trimGitSuffix drops ".git" unless it is the whole last name.
func trimGitSuffix(p string) string {
	if cut := strings.TrimSuffix(p, ".git"); cut != "" && !strings.HasSuffix(cut, "/") {
		return cut
	}
	return p
}

// fileURLPath returns the path of a file URL after "file://": the host
// "localhost" is none, and "/C:/x" means the drive.
func fileURLPath(rest string) string {
	rest = strings.TrimPrefix(rest, "localhost")
	if len(rest) >= 3 && rest[0] == '/' && isDrive(rest[1:]) {
		return rest[1:]
	}
	if !strings.HasPrefix(rest, "/") {
		return "//" + rest // a share on another host
	}
	return rest
}

func dropPort(authority string) string {
	if strings.HasPrefix(authority, "[") {
		if end := strings.IndexByte(authority, ']'); end > 0 {
			return authority[:end+1]
		}
	}
	host, _, _ := strings.Cut(authority, ":")
	return host
}

func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.')) {
			return false
		}
	}
	return s != ""
}

func isWindowsPath(s string) bool {
	return strings.HasPrefix(s, `\\`) || isDrive(s) && len(s) > 2 && (s[2] == '\\' || s[2] == '/')
}

func isDrive(s string) bool {
	return len(s) >= 2 && s[1] == ':' && s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z'
}

func unescape(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}
