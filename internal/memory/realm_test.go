package memory

import (
	"encoding/json"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestNormalizeRemote(t *testing.T) {
	const repo = "github.com/owner/repo"
	tests := []struct {
		name, in, want string
	}{
		{"empty", "", ""},
		{"blank", "  \n", ""},
		{"scp", "git@github.com:owner/repo.git", repo},
		{"scp without suffix", "git@github.com:owner/repo", repo},
		{"scp without user", "github.com:owner/repo.git", repo},
		{"scp with leading slash", "git@github.com:/owner/repo.git", repo},
		{"ssh", "ssh://git@github.com/owner/repo.git", repo},
		{"ssh with port", "ssh://git@github.com:22/owner/repo.git", repo},
		{"ssh over the https port", "ssh://git@ssh.github.com:443/owner/repo.git", repo},
		{"https", "https://github.com/owner/repo.git", repo},
		{"https trailing slash", "https://github.com/owner/repo/", repo},
		{"https suffix and slash", "https://github.com/owner/repo.git/", repo},
		{"https with user", "https://someone@github.com/owner/repo.git", repo},
		{"https with token", "https://x-access-token:s3cr3t@github.com/owner/repo.git", repo},
		{"https with an at sign in the password", "https://u:p@ss@github.com/owner/repo.git", repo},
		{"http with port", "http://github.com:8080/owner/repo", repo},
		{"git", "git://github.com/owner/repo.git", repo},
		{"git+ssh", "git+ssh://git@github.com/owner/repo.git", repo},
		{"host case", "https://GitHub.COM/owner/repo", repo},
		{"name case where the host ignores it", "git@github.com:Owner/Repo.git", repo},
		{"query and fragment", "https://github.com/owner/repo?x=1#y", repo},
		{"doubled slashes", "https://github.com//owner//repo.git", repo},
		{"spaces around", " https://github.com/owner/repo.git\n", repo},
		{"name case elsewhere is kept", "https://git.example.org/Owner/Repo.git", "git.example.org/Owner/Repo"},
		{"self-hosted ssh port", "ssh://git@git.example.org:2222/a/b.git", "git.example.org/a/b"},
		{"subgroups", "https://gitlab.com/group/sub/repo.git", "gitlab.com/group/sub/repo"},
		{"escaped", "https://git.example.org/a%20b/c.git", "git.example.org/a b/c"},
		{"ipv6", "ssh://git@[2001:DB8::1]:2222/a/b.git", "2001:db8::1/a/b"},
		{"ipv6 scp", "git@[::1]:a/b.git", "::1/a/b"},
		{"azure https", "https://org@dev.azure.com/Org/Proj/_git/Repo", "dev.azure.com/org/proj/repo"},
		{"azure ssh", "git@ssh.dev.azure.com:v3/Org/Proj/Repo", "dev.azure.com/org/proj/repo"},
		{"helper", "codecommit::https://git.example.org/a/b", "git.example.org/a/b"},
		{"host only", "https://git.example.org/", "git.example.org"},
		{"absolute path", "/srv/git/repo.git", "file:/srv/git/repo"},
		{"path to a work tree", "/home/u/repo/.git", "file:/home/u/repo"},
		{"path with slash", "/srv/git/repo/", "file:/srv/git/repo"},
		{"file url", "file:///srv/git/repo.git", "file:/srv/git/repo"},
		{"file url with localhost", "file://localhost/srv/git/repo.git", "file:/srv/git/repo"},
		{"relative path", "../repo.git", "file:../repo"},
		{"path with a colon after a slash", "./a:b", "file:a:b"},
		{"windows path", `C:\work\repo.git`, "file:c:/work/repo"},
		{"windows forward slashes", "c:/work/repo", "file:c:/work/repo"},
		{"windows file url", "file:///C:/work/repo.git", "file:c:/work/repo"},
		{"windows share", `\\server\share\repo.git`, "file:/server/share/repo"},
		{"only a suffix", "https://git.example.org/.git", "git.example.org/.git"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := NormalizeRemote(tt.in); got != tt.want {
				t.Errorf("NormalizeRemote(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestNormalizeRemoteDropsCredentials(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[A-Z]{8}[!$%&@:]{0,2}[A-Z]{4}`).Draw(t, "secret")
		scheme := rapid.SampledFrom([]string{"https", "http", "ssh", "git", "ftp"}).Draw(t, "scheme")
		got := NormalizeRemote(scheme + "://user:" + secret + "@host.example/a/b.git")
		if got != "host.example/a/b" {
			t.Fatalf("got %q", got)
		}
	})
}

func FuzzNormalizeRemote(f *testing.F) {
	for _, s := range []string{"", "git@h:p", "://", "a::b", "[::", "@:", `\\`, "file://", "https://u:p@h:1/x?y#z", "%zz"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		// A byte that is not UTF-8 becomes a replacement character of three.
		if got := NormalizeRemote(s); len(got) > 3*len(s)+len(fileRemote)+3 {
			t.Errorf("%q grew to %q", s, got)
		}
	})
}

func project(id string, roots, remotes, dirs, paths []string) Realm {
	return Realm{ID: id, Kind: RealmProject, Roots: roots, Remotes: remotes, Dirs: dirs, Paths: paths}
}

func list(s ...string) []string { return s }

func TestMatch(t *testing.T) {
	const gh, fork = "github.com/o/r", "github.com/fork/r"
	git := func(top, remote string, roots ...string) Identity {
		return Identity{Git: true, Path: top, TopLevel: top, CommonDir: top + "/.git", Remote: remote, Roots: roots}
	}
	plain := func(path string) Identity { return Identity{Path: path} }
	inA := project("A", list("X"), list(gh), list("/a/.git"), list("/a"))
	tests := []struct {
		name  string
		known []Realm
		id    Identity
		want  int // -1: a new project
	}{
		{"nothing known", nil, git("/a", gh, "X"), -1},
		{"the same folder", []Realm{inA}, git("/a", gh, "X"), 0},
		{"worktree: same common dir, other folder", []Realm{inA},
			Identity{Git: true, Path: "/w", TopLevel: "/w", CommonDir: "/a/.git", Remote: gh, Roots: list("X")}, 0},
		{"another clone", []Realm{inA}, git("/b", gh, "X"), 0},
		{"fork: same root, other remote", []Realm{inA}, git("/b", fork, "X"), -1},
		{"remote changed in place", []Realm{inA}, git("/a", fork, "X"), 0},
		{"folder reused: same dir, other root", []Realm{inA}, git("/a", "", "Y"), -1},
		{"folder reused, same remote even", []Realm{inA}, git("/a", gh, "Y"), -1},
		{"same remote, disjoint roots", []Realm{inA}, git("/b", gh, "Y"), -1},
		{"merged history: one root of many in common", []Realm{project("A", list("X", "Z"), list(gh), nil, nil)}, git("/b", gh, "Y", "Z"), 0},
		{"copied folder without remote", []Realm{inA}, git("/copy", "", "X"), 0},
		{"renamed folder, never had a remote", []Realm{project("A", list("X"), nil, list("/old/.git"), list("/old"))}, git("/new", "", "X"), 0},
		{"gains a remote after a rename", []Realm{project("A", list("X"), nil, list("/old/.git"), list("/old"))}, git("/new", gh, "X"), 0},
		{"no remote, two forks known", []Realm{inA, project("B", list("X"), list(fork), nil, nil)}, git("/c", "", "X"), -1},
		{"no remote, two forks and one without", []Realm{inA, project("B", list("X"), list(fork), nil, nil), project("C", list("X"), nil, nil, nil)}, git("/c", "", "X"), 2},
		{"the right fork of two", []Realm{inA, project("B", list("X"), list(fork), nil, nil)}, git("/c", fork, "X"), 1},
		{"new fork beside one without remote", []Realm{project("A", list("X"), nil, nil, nil)}, git("/c", fork, "X"), 0},
		{"first commit made", []Realm{project("A", nil, nil, list("/a/.git"), list("/a"))}, git("/a", "", "X"), 0},
		{"no commit yet, known dir", []Realm{inA}, git("/a", ""), 0},
		{"no commit yet, dir of two realms", []Realm{inA, project("B", list("Y"), nil, list("/a/.git"), nil)}, git("/a", ""), -1},
		{"no commit yet, dir of two realms, remote decides", []Realm{project("B", list("Y"), nil, list("/a/.git"), nil), inA}, git("/a", gh), 1},
		{"dir of two realms, root decides", []Realm{inA, project("B", list("Y"), nil, list("/a/.git"), nil)}, git("/a", "", "Y"), 1},
		{"shallow clone of a known remote", []Realm{inA}, git("/s", gh), 0},
		{"shallow clone, two realms of that remote", []Realm{inA, project("B", list("Y"), list(gh), nil, nil)}, git("/s", gh), -1},
		{"shallow clone of an unknown remote", []Realm{inA}, git("/s", fork), -1},
		{"full clone after a shallow one", []Realm{project("A", nil, list(gh), list("/s/.git"), list("/s"))}, git("/b", gh, "X"), 0},
		{"clone of a local folder", []Realm{inA}, git("/b", "file:/a", "X"), 0},
		{"clone of a local folder with another root", []Realm{inA}, git("/b", "file:/a", "Y"), -1},
		{"clone of some other local folder", []Realm{inA}, git("/b", "file:/elsewhere", "X"), -1},
		{"unrelated repository", []Realm{inA}, git("/b", "github.com/z/z", "Z"), -1},
		{"two empty repositories", []Realm{project("A", nil, nil, list("/a/.git"), list("/a"))}, git("/b", ""), -1},
		{"plain folder", []Realm{project("P", nil, nil, nil, list("/p"))}, plain("/p"), 0},
		{"other plain folder", []Realm{project("P", nil, nil, nil, list("/p"))}, plain("/p/q"), -1},
		{"plain folder that became a repository", []Realm{project("P", nil, nil, nil, list("/p"))}, git("/p", gh, "X"), 0},
		{"repository inside a plain folder", []Realm{project("P", nil, nil, nil, list("/p"))}, git("/p/q", "", "X"), -1},
		{"git gone, path still known", []Realm{inA}, plain("/a"), 0},
		{"git gone, path of a plain realm first", []Realm{inA, project("P", nil, nil, nil, list("/a"))}, plain("/a"), 1},
		{"git gone, path of two, latest", []Realm{inA, project("B", list("Y"), nil, nil, list("/a"))}, plain("/a"), 1},
		{"the user realm never matches", []Realm{{ID: UserRealm, Kind: RealmUser, Paths: list("/p")}}, plain("/p"), -1},
		{"bare repository, same remote", []Realm{inA}, Identity{Git: true, Path: "/b.git", CommonDir: "/b.git", Remote: gh, Roots: list("X")}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Match(tt.known, tt.id)
			if got != tt.want || ok != (tt.want >= 0) {
				t.Errorf("Match = %d, %v; want %d", got, ok, tt.want)
			}
		})
	}
}

// A project once stored is found again by the same identity, and by no rule
// does storing it change which realm that is.
func TestMatchFindsWhatWasMerged(t *testing.T) {
	pick := func(t *rapid.T, name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
	rapid.Check(t, func(t *rapid.T) {
		var known []Realm
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			top := pick(t, "top", "/a", "/b", "/c")
			id := Identity{Path: top, Name: top[1:]}
			if rapid.Bool().Draw(t, "git") {
				id.Git, id.TopLevel, id.CommonDir = true, top, top+"/.git"
				id.Remote = pick(t, "remote", "", "h/x", "h/y")
				id.Roots = rapid.SliceOfNDistinct(rapid.SampledFrom(list("X", "Y", "Z")), 0, 2, rapid.ID[string]).Draw(t, "roots")
			}
			i, ok := Match(known, id)
			if ok {
				known[i] = Merge(known[i], id)
			} else {
				known = append(known, NewProject(id, time.Time{}))
				i = len(known) - 1
			}
			if len(id.Roots) == 0 && id.Git {
				continue // an identity that thin may fit several by now
			}
			if again, ok := Match(known, id); !ok || (again != i && id.Git) {
				t.Fatalf("%+v went to %d, then to %d (%v) of %+v", id, i, again, ok, known)
			}
		}
		seen := map[string]bool{}
		for _, r := range known {
			if seen[r.ID] {
				t.Fatalf("two realms with id %s in %+v", r.ID, known)
			}
			seen[r.ID] = true
		}
	})
}

func TestProjectID(t *testing.T) {
	full := Identity{Git: true, Path: "/a", CommonDir: "/a/.git", Remote: "h/r", Roots: list("X", "Y")}
	elsewhere := Identity{Git: true, Path: "/other", CommonDir: "/other/.git", Remote: "h/r", Roots: list("X")}
	if ProjectID(full) != ProjectID(elsewhere) {
		t.Error("two machines with the same clone disagree")
	}
	ids := map[string]string{}
	for name, id := range map[string]Identity{
		"root and remote": full,
		"other remote":    {Git: true, Remote: "h/s", Roots: list("X")},
		"root":            {Git: true, CommonDir: "/a/.git", Roots: list("X")},
		"remote":          {Git: true, CommonDir: "/a/.git", Remote: "h/r"},
		"common dir":      {Git: true, CommonDir: "/a"},
		"path":            {Path: "/a"},
	} {
		got := ProjectID(id)
		if !regexp.MustCompile(`^p_[0-9a-z]{16}$`).MatchString(got) {
			t.Errorf("%s: id %q", name, got)
		}
		if other, clash := ids[got]; clash {
			t.Errorf("%s and %s share the id %s", name, other, got)
		}
		ids[got] = name
	}
	// Ids are stored; this one must stay what it is.
	if got := ProjectID(Identity{Path: "/a"}); got != "p_3m1yrt3gke29e1ma" {
		t.Errorf("id of /a is %q", got)
	}
}

func TestMerge(t *testing.T) {
	at := time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
	r := NewProject(Identity{Path: "/a", Name: "a"}, at)
	before := r
	id := Identity{Git: true, Path: "/a/sub", TopLevel: "/a", CommonDir: "/a/.git", Remote: "h/r", Roots: list("X"), Name: "r"}
	got := Merge(Merge(r, id), id)
	want := Realm{ID: r.ID, Name: "a", Kind: RealmProject, Visibility: Private, Roots: list("X"), Remotes: list("h/r"), Dirs: list("/a/.git"), Paths: list("/a"), Created: at, Updated: at}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, r); diff != "" {
		t.Errorf("the argument changed:\n%s", diff)
	}

	for i := range 100 {
		got = Merge(got, Identity{Git: true, Path: fmt.Sprint("/p", i), CommonDir: fmt.Sprint("/d", i), Remote: fmt.Sprint("h/", i), Roots: list(fmt.Sprint("R", i))})
	}
	if len(got.Paths) != maxPaths || len(got.Dirs) != maxDirs || len(got.Remotes) != maxRemotes || len(got.Roots) != maxRoots {
		t.Errorf("not bounded: %d paths, %d dirs, %d remotes, %d roots", len(got.Paths), len(got.Dirs), len(got.Remotes), len(got.Roots))
	}
	if got.Paths[maxPaths-1] != "/p99" || got.Roots[0] != "X" {
		t.Errorf("newest path %q, first root %q", got.Paths[maxPaths-1], got.Roots[0])
	}
	got = Merge(got, Identity{Path: "/p80"})
	if got.Paths[maxPaths-1] != "/p80" || len(got.Paths) != maxPaths {
		t.Errorf("a path seen again is not the newest: %v", got.Paths)
	}

	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var back Realm
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, back); diff != "" {
		t.Errorf("round trip:\n%s", diff)
	}
}

func TestProjectName(t *testing.T) {
	tests := []struct {
		name, remote, dir, want string
	}{
		{"remote", "github.com/o/r", "/x/folder", "r"},
		{"folder", "", "/x/folder", "folder"},
		{"bare", "", "/x/repo.git", "repo"},
		{"windows", "", `C:\x\folder`, "folder"},
		{"root", "", "/", "/"},
		{"inside .git", "", "/x/repo/.git", "repo"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ProjectName(tt.remote, tt.dir); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
