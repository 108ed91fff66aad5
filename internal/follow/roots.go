package follow

import (
	"context"
	"path"
	"slices"
	"strings"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// mostRoots is how many directories a project is looked for in.
const mostRoots = 32

// RealmRoots returns the directories in which a project's files lie.
func RealmRoots(ctx context.Context, st *store.Store, realm string) ([]string, error) {
	known, err := st.Realms(ctx)
	if err != nil {
		return nil, err
	}
	var own []string
	if i := slices.IndexFunc(known, func(r memory.Realm) bool { return r.ID == realm }); i >= 0 {
		own = known[i].Paths
	}
	dirs, err := st.SessionDirs(ctx, realm, mostRoots)
	return projectRoots(own, dirs), err
}

// projectRoots returns the directories that are tops of a project: those known
// as such, and directories of work unless they lie within another, where they
// are parts of it. A worktree within a clone is a top again.
func projectRoots(known, dirs []string) []string {
	var roots []string
	for _, d := range known {
		roots = append(roots, path.Clean(strings.ReplaceAll(d, `\`, "/")))
	}
	all := slices.Clone(dirs)
	for i, d := range all {
		all[i] = path.Clean(strings.ReplaceAll(d, `\`, "/"))
	}
	for _, d := range all {
		within := slices.ContainsFunc(slices.Concat(roots, all), func(top string) bool {
			rest, ok := strings.CutPrefix(d, top+"/")
			return ok && !strings.Contains("/"+rest, "/.") && !strings.Contains("/"+rest, "/worktrees/")
		})
		if !within && d != "/" && d != "." && !slices.Contains(roots, d) {
			roots = append(roots, d)
		}
	}
	return roots[:min(len(roots), mostRoots)]
}

// RelativeTo returns a file's path below the innermost of the roots it is in. A
// path that does not say where it begins is taken to begin at the top.
func RelativeTo(roots []string, file string) (string, bool) {
	if !path.IsAbs(file) && !strings.Contains(file, ":") && !strings.HasPrefix(file, "~") {
		rel := path.Clean(file)
		return rel, rel != "." && rel != ".." && !strings.HasPrefix(rel, "../")
	}
	best, found := "", false
	for _, root := range roots {
		if rest, ok := strings.CutPrefix(file, root+"/"); ok && (!found || len(rest) < len(best)) {
			best, found = rest, true
		}
	}
	return best, found
}

// ShownPath is a file's path below the top of its project, or as it is.
func ShownPath(roots []string, file string) string {
	if rel, ok := RelativeTo(roots, file); ok {
		return rel
	}
	return file
}
