package mind

import (
	"context"
	"fmt"
	"slices"

	"chitta/internal/codebase"
	"chitta/internal/syntax"
)

func (m *Mind) doctorCode(ctx context.Context) Finding {
	const name = "source code"
	if !syntax.Available {
		return Finding{name, FindingWarn, codebase.ErrOff.Error(), "use a chitta that was built with cgo, if you want source code indexed"}
	}
	base, err := m.codeIfThere(ctx)
	if err != nil {
		return Finding{name, FindingFail, err.Error(), "remove " + m.Paths().Code() + " and index again"}
	}
	if base == nil {
		return Finding{Name: name, Status: FindingOK, Detail: "nothing is indexed"}
	}
	projects, err := base.Projects(ctx)
	if err != nil {
		return Finding{name, FindingFail, err.Error(), "remove " + m.Paths().Code() + " and index again"}
	}
	there, gone := standingProjects(projects)
	detail := projectsIndexed(len(there))
	if len(gone) > 0 {
		return Finding{name, FindingWarn, detail + "; the folder of " + gone[0].Root + " is gone, its index is kept", "if it does not come back: chitta code clear " + gone[0].Root}
	}
	if i := slices.IndexFunc(projects, func(p codebase.Project) bool { return p.Indexed.IsZero() }); i >= 0 {
		return Finding{name, FindingWarn, detail + "; the index of " + projects[i].Root + " did not come to its end", "go on with it: chitta code index " + projects[i].Root}
	}
	if w := base.WatchStatus(); w.Problem != "" {
		return Finding{name, FindingWarn, detail + "; changes are noticed once a minute only: " + w.Problem, "raise fs.inotify.max_user_watches"}
	}
	return Finding{Name: name, Status: FindingOK, Detail: detail}
}

// standingProjects tells projects whose folder is there from those whose is gone.
func standingProjects(projects []codebase.Project) (there, gone []codebase.Project) {
	for _, p := range projects {
		if isFolder(p.Root) {
			there = append(there, p)
		} else {
			gone = append(gone, p)
		}
	}
	return there, gone
}

func projectsIndexed(n int) string {
	if n == 1 {
		return "1 project indexed"
	}
	return fmt.Sprintf("%d projects indexed", n)
}

// CodeStatus says how source code stands.
type CodeStatus struct {
	Projects int    `json:"projects"`          // that are indexed and on the disk
	Gone     int    `json:"gone,omitempty"`    // that are indexed, and whose folder is not there
	Problem  string `json:"problem,omitempty"` // why nothing can be said
}

func (c CodeStatus) String() string {
	switch {
	case c.Problem != "":
		return "not to be read: " + c.Problem
	case c.Projects+c.Gone == 0:
		return "nothing is indexed"
	case c.Gone > 0:
		return fmt.Sprintf("%s, %d more whose folder is gone", projectsIndexed(c.Projects), c.Gone)
	}
	return projectsIndexed(c.Projects)
}

// codeStatus says how source code stands, whatever is wrong with it.
func (m *Mind) codeStatus(ctx context.Context) (out CodeStatus) {
	if !syntax.Available {
		return CodeStatus{Problem: codebase.ErrOff.Error()}
	}
	base, err := m.codeIfThere(ctx)
	if err != nil {
		return CodeStatus{Problem: err.Error()}
	}
	if base == nil {
		return out
	}
	projects, err := base.Projects(ctx)
	if err != nil {
		return CodeStatus{Problem: err.Error()}
	}
	there, gone := standingProjects(projects)
	return CodeStatus{Projects: len(there), Gone: len(gone)}
}
