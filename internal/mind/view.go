package mind

import (
	"time"

	"chitta/internal/anchor"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// View is a memory as operations show it: confidence is what it is worth now.
type View struct {
	ID           string            `json:"id"`
	Kind         string            `json:"kind"`
	Content      string            `json:"content"`
	From         int               `json:"from,omitempty"` // the character the content begins at
	Tags         []string          `json:"tags"`
	Realm        string            `json:"realm"`
	Visibility   string            `json:"visibility"`
	State        string            `json:"state"`
	Pinned       bool              `json:"pinned"`
	Confidence   float64           `json:"confidence"`
	Belief       memory.Confidence `json:"belief"`
	DecayRate    float64           `json:"decay_rate"`
	Source       string            `json:"source"`
	Trust        string            `json:"trust"`
	Provenance   memory.Provenance `json:"provenance"`
	Supersedes   string            `json:"supersedes,omitempty"`
	SupersededBy string            `json:"superseded_by,omitempty"`
	Pair         string            `json:"pair,omitempty"`
	Files        []string          `json:"files,omitempty"`     // it is about; told by [Mind.Get] alone, as what follows
	Freshness    string            `json:"freshness,omitempty"` // against the code it names; "" if it names none
	Changed      string            `json:"changed,omitempty"`   // what of that changed, or where it is now
	Anchors      []anchor.State    `json:"anchors,omitempty"`   // the code it names
	Created      time.Time         `json:"created"`
	Updated      time.Time         `json:"updated"`
	Observed     time.Time         `json:"observed"`
	Accessed     time.Time         `json:"accessed,omitzero"`
	AccessCount  int               `json:"access_count"`
	Forgotten    time.Time         `json:"forgotten,omitzero"`
	Erased       time.Time         `json:"erased,omitzero"`
	Stated                         // what a change did to the facts that its text states
}

func viewOf(r *store.Record, now time.Time) View {
	tags := r.Tags
	if tags == nil {
		tags = []string{}
	}
	return View{
		ID: r.ID, Kind: r.Kind.String(), Content: r.Content, Tags: tags, Realm: r.Realm,
		Visibility: string(r.Visibility), State: string(r.State), Pinned: r.Pinned,
		Confidence: r.ConfidenceAt(now).Mean, Belief: r.Confidence, DecayRate: r.DecayRate,
		Source: string(r.Source), Trust: string(r.Trust), Provenance: r.Provenance,
		Supersedes: r.Supersedes, SupersededBy: r.SupersededBy, Pair: r.Pair,
		Created: r.Created, Updated: r.Updated, Observed: r.Observed, Accessed: r.Accessed,
		AccessCount: r.AccessCount, Forgotten: r.Forgotten, Erased: r.Erased,
	}
}
