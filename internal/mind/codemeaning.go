package mind

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"chitta/internal/meaning"
)

// CodeMeaning says how far the symbols of a project can be found by meaning.
type CodeMeaning struct {
	Have   int `json:"have"`   // symbols with a vector
	Want   int `json:"want"`   // that are to have one
	Beyond int `json:"beyond"` // that get none: a project has too many
	Most   int `json:"most"`   // how many get one
	// Behind says that these are the numbers of an earlier state of the code: what
	// changed since is yet to be listed. Off is why nothing is, "" if it will be.
	Behind bool   `json:"behind,omitempty"`
	Off    string `json:"off,omitempty"`
}

func (c CodeMeaning) String() string {
	if c.Behind && c.Want == 0 {
		if c.Off != "" {
			return "off: " + c.Off
		}
		return "not begun; the background does it"
	}
	text := fmt.Sprintf("%s of %s symbols", grouped(c.Have), grouped(c.Want))
	switch {
	case c.Behind:
		text += " before the last change, which is not counted yet"
	case c.Have < c.Want:
		text += " so far"
	}
	if c.Off != "" {
		text += "; no more are made: " + c.Off
	}
	if c.Beyond > 0 {
		text += fmt.Sprintf(", %s by words alone: more than %s have no room", grouped(c.Beyond), grouped(c.Most))
	}
	return text
}

// grouped writes a number with a comma before each three digits.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// count says how far the symbols of a project can be found by meaning. The
// caller holds mu.
func (r *meantRoom) count(ctx context.Context, root string) (CodeMeaning, error) {
	if c, ok := r.counts[root]; ok {
		return c, nil
	}
	listed, have, err := r.db.Counts(ctx, root)
	if err != nil {
		return CodeMeaning{}, err
	}
	c := CodeMeaning{Have: have, Want: min(listed, mostMeant), Beyond: max(0, listed-mostMeant), Most: mostMeant}
	r.counts[root] = c
	return c, nil
}

// CodeMeaningOf says how far the symbols of a project can be found by meaning.
// changed is when the project last did.
func (m *Mind) CodeMeaningOf(ctx context.Context, root string, changed time.Time) (CodeMeaning, error) {
	c, err := m.countMeant(ctx, root, changed)
	if st := m.semantic.Status(); st.State == meaning.Off {
		c.Off = cmp.Or(st.Problem, "there is no model")
	}
	if c.Behind && c.Off == "" {
		m.signal() // nobody told the background of the change
	}
	return c, err
}

// meaningAfter says how far the symbols of a project that was just indexed can be
// found by meaning; nil if the project was erased meanwhile.
func (m *Mind) meaningAfter(ctx context.Context, root string) (*CodeMeaning, error) {
	base, err := m.Code(ctx)
	if err != nil {
		return nil, err
	}
	projects, err := base.Projects(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range projects {
		if p.Root == root {
			c, err := m.CodeMeaningOf(ctx, root, p.Changed)
			return &c, err
		}
	}
	return nil, nil
}

func (m *Mind) countMeant(ctx context.Context, root string, changed time.Time) (CodeMeaning, error) {
	r := &m.senses
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := os.Stat(m.Paths().CodeVectors()); r.db == nil && err != nil {
		return CodeMeaning{Most: mostMeant, Behind: true}, nil
	}
	if _, err := m.openMeant(ctx); err != nil {
		return CodeMeaning{}, err
	}
	c, err := r.count(ctx, root)
	listed, ok := r.listed[root]
	c.Behind = !ok || !listed.Equal(changed)
	return c, err
}
