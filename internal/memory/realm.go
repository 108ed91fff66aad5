package memory

import (
	"crypto/sha256"
	"path"
	"slices"
	"strings"
	"time"
)

// UserRealm is the id of the realm of the user, which belongs to no project.
const UserRealm = "user"

// IsProject says whether a realm is that of a project, which can have code.
func IsProject(realm string) bool { return realm != "" && realm != UserRealm }

// RealmKind says what sort of owner a realm is.
type RealmKind string

// The kinds of realm.
const (
	RealmProject RealmKind = "project"
	RealmUser    RealmKind = "user"
	RealmTeam    RealmKind = "team"
)

// Realm is an owner of memories: a project, the user, or a team. For a
// project it also holds everything it was recognised by so far.
type Realm struct {
	ID   string    `json:"id"`
	Name string    `json:"name"`
	Kind RealmKind `json:"kind"`
	// Visibility is what a new memory gets unless it says otherwise.
	Visibility Visibility `json:"visibility"`
	Roots      []string   `json:"roots,omitempty"`   // root commits
	Remotes    []string   `json:"remotes,omitempty"` // normalised
	Dirs       []string   `json:"dirs,omitempty"`    // git common directories, newest last
	Paths      []string   `json:"paths,omitempty"`   // working directories, newest last
	Created    time.Time  `json:"created"`
	Updated    time.Time  `json:"updated"`
}

// Bounds on what a realm remembers of itself. A project seen from more places
// than this forgets the oldest ones; its root commits still identify it.
const (
	maxRoots   = 32
	maxRemotes = 8
	maxDirs    = 32
	maxPaths   = 32
)

// Identity is what one directory shows of the project it belongs to.
type Identity struct {
	Path      string   `json:"path"`                 // the directory asked about, canonical
	TopLevel  string   `json:"top_level,omitempty"`  // top of the work tree; empty when bare
	CommonDir string   `json:"common_dir,omitempty"` // shared by all worktrees of a clone
	Remote    string   `json:"remote,omitempty"`     // normalised
	Roots     []string `json:"roots,omitempty"`      // root commits, oldest first; empty when unknown
	Name      string   `json:"name"`
	Git       bool     `json:"git"`
	Note      string   `json:"note,omitempty"` // why less is known than could be
}

// WorkDir returns the directory the project's files are in.
func (id Identity) WorkDir() string {
	if id.TopLevel != "" {
		return id.TopLevel
	}
	return id.Path
}

// ProjectID derives the id of a new realm from the strongest thing known, so
// that two machines with a clone of the same repository agree.
func ProjectID(id Identity) string {
	var parts []string
	switch {
	case len(id.Roots) > 0 && id.Remote != "":
		parts = []string{"root+remote", id.Roots[0], id.Remote}
	case len(id.Roots) > 0:
		parts = []string{"root", id.Roots[0]}
	case id.Remote != "":
		parts = []string{"remote", id.Remote}
	case id.CommonDir != "":
		parts = []string{"dir", id.CommonDir}
	default:
		parts = []string{"path", id.Path}
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "p_" + idAlphabet.EncodeToString(sum[:idBytes])
}

// NewProject returns a realm for a project not seen before.
func NewProject(id Identity, now time.Time) Realm {
	return Merge(Realm{ID: ProjectID(id), Kind: RealmProject, Visibility: Private, Created: now, Updated: now}, id)
}

// Match finds the known realm that a directory belongs to. The rules, in
// order of strength; a directory in git:
//
//  1. Same common directory and a shared root commit.
//  2. A shared root commit and the same remote, or a remote that is the path
//     of one of the realm's own clones. Clones by ssh or https, wherever they
//     lie, are one project.
//  3. Same common directory while one side has no known roots: a repository
//     before its first commit, or a shallow clone. Several candidates are
//     decided by the remote.
//  4. Same remote while one side has no known roots, when exactly one realm
//     has that remote: a shallow clone.
//  5. A shared root commit while one side has no remote, when exactly one
//     realm qualifies, realms without a remote first: a renamed or copied
//     folder, a repository that got its remote later.
//  6. The work tree is the path of a realm that knows no git: it was
//     initialised since.
//
// So the same root with different remotes is another project (a fork, a
// template), and so is the same common directory with disjoint roots (a
// folder used again). Outside git the canonical path decides.
//
// Last, a realm whose id is the one a new realm would get is the same.
func Match(known []Realm, id Identity) (idx int, ok bool) {
	if i := match(known, id); i >= 0 {
		return i, true
	}
	fresh := ProjectID(id)
	for i, r := range known {
		if r.recognisable() && r.ID == fresh {
			return i, true
		}
	}
	return -1, false
}

func match(known []Realm, id Identity) int {
	find := func(fits func(Realm) bool) []int {
		var at []int
		for i, r := range known {
			if r.recognisable() && fits(r) {
				at = append(at, i)
			}
		}
		return at
	}
	if !id.Git {
		return matchPath(known, find(func(r Realm) bool { return slices.Contains(r.Paths, id.Path) }))
	}

	sameDir := func(r Realm) bool { return id.CommonDir != "" && slices.Contains(r.Dirs, id.CommonDir) }
	sameRoot := func(r Realm) bool { return overlap(r.Roots, id.Roots) }
	sameRemote := func(r Realm) bool { return id.Remote != "" && slices.Contains(r.Remotes, id.Remote) }
	rootsUnknown := func(r Realm) bool { return len(r.Roots) == 0 || len(id.Roots) == 0 }
	remoteUnknown := func(r Realm) bool { return len(r.Remotes) == 0 || id.Remote == "" }

	if at := find(func(r Realm) bool { return sameDir(r) && sameRoot(r) }); len(at) > 0 {
		return at[0]
	}
	if at := find(func(r Realm) bool { return sameRoot(r) && (sameRemote(r) || r.clonedTo(id.Remote)) }); len(at) > 0 {
		return at[0]
	}
	at := find(func(r Realm) bool { return sameDir(r) && rootsUnknown(r) })
	if len(at) > 1 {
		at = slices.DeleteFunc(at, func(i int) bool { return !sameRemote(known[i]) })
	}
	if len(at) == 1 {
		return at[0]
	}
	if at := find(func(r Realm) bool { return sameRemote(r) && rootsUnknown(r) }); len(at) == 1 {
		return at[0]
	}
	at = find(func(r Realm) bool { return sameRoot(r) && remoteUnknown(r) })
	if len(at) > 1 {
		at = slices.DeleteFunc(at, func(i int) bool { return len(known[i].Remotes) > 0 })
	}
	if len(at) == 1 {
		return at[0]
	}
	at = find(func(r Realm) bool { return !r.inGit() && id.TopLevel != "" && slices.Contains(r.Paths, id.TopLevel) })
	if len(at) > 0 {
		return at[0]
	}
	return -1
}

// matchPath chooses among realms that have seen a path: one outside git
// first, else the one known last, for a folder that changed hands.
func matchPath(known []Realm, at []int) int {
	for _, i := range at {
		if !known[i].inGit() {
			return i
		}
	}
	if len(at) == 0 {
		return -1
	}
	return at[len(at)-1]
}

// recognisable reports whether directories can belong to the realm: to every
// one but the user's own.
func (r Realm) recognisable() bool { return r.Kind != RealmUser }

func (r Realm) inGit() bool { return len(r.Roots) > 0 || len(r.Dirs) > 0 || len(r.Remotes) > 0 }

// clonedTo reports whether a remote is the path of one of the realm's clones.
func (r Realm) clonedTo(remote string) bool {
	if !strings.HasPrefix(remote, fileRemote) {
		return false
	}
	is := func(dir string) bool { return NormalizeRemote(dir) == remote }
	return slices.ContainsFunc(r.Dirs, is) || slices.ContainsFunc(r.Paths, is)
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// Merge returns the realm with what the identity adds to it.
func Merge(r Realm, id Identity) Realm {
	if r.Name == "" {
		r.Name = id.Name
	}
	r.Roots = slices.Clone(r.Roots)
	for _, root := range id.Roots {
		if !slices.Contains(r.Roots, root) && len(r.Roots) < maxRoots {
			r.Roots = append(r.Roots, root)
		}
	}
	r.Remotes = withNewest(r.Remotes, id.Remote, maxRemotes)
	r.Dirs = withNewest(r.Dirs, id.CommonDir, maxDirs)
	r.Paths = withNewest(r.Paths, id.WorkDir(), maxPaths)
	return r
}

// withNewest returns a list of at most limit values with the given one last.
func withNewest(list []string, value string, limit int) []string {
	list = slices.Clone(list)
	if value == "" {
		return list
	}
	list = slices.DeleteFunc(list, func(s string) bool { return s == value })
	list = append(list, value)
	if over := len(list) - limit; over > 0 {
		list = slices.Delete(list, 0, over)
	}
	return list
}

// ProjectName returns a short name for a project: the last part of its
// remote, else of its directory.
func ProjectName(remote, dir string) string {
	from := remote
	if from == "" {
		from = dir
	}
	from = strings.TrimSuffix(strings.ReplaceAll(from, `\`, "/"), "/")
	from = strings.TrimSuffix(from, "/.git")
	if from == "" {
		return "/"
	}
	return strings.TrimSuffix(path.Base(from), ".git")
}
