package past

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/session"
)

// TestHowIsNotDeceived: a status that says nothing of what was done makes no
// command one that worked.
func TestHowIsNotDeceived(t *testing.T) {
	m := open(t)
	s := &work{id: "one", dir: "/w/app"}
	s.add("user", "Deploy the storefront to staging")
	s.runs("make deploy-staging || true", "make: *** [deploy-staging] Error 2")
	s.runs("npm run deploy:staging; echo done", "done")
	s.runs("yarn deploy-staging | tail -3", "nothing to see")
	s.runs("task deploy-staging; echo done", "0 errors\ndone")
	s.runs("cd /w/app && just deploy-staging", "")
	m.take(session.ClaudeCode{}, s.dir, s.lines...)
	out, err := m.How(t.Context(), person, HowInput{Task: "deploy staging", Realm: "app", Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range out.Commands {
		got = append(got, c.Command)
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"just deploy-staging", "task deploy-staging; echo done"}, got); diff != "" {
		t.Error(diff)
	}
}
