package mind

import (
	"context"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// GraphRenameInput gives a concept another name.
type GraphRenameInput struct {
	Concept string `json:"concept" jsonschema:"the concept: its name or an alias"`
	To      string `json:"to" jsonschema:"the new name; the old one stays as an alias"`
	Realm   string `json:"realm,omitempty" jsonschema:"project: id or name; default: that of the working directory"`
	Global  bool   `json:"global,omitempty" jsonschema:"a concept of what concerns the user in every project"`
}

// GraphAliasInput gives a concept one more name.
type GraphAliasInput struct {
	Concept string `json:"concept" jsonschema:"the concept: its name or an alias"`
	Alias   string `json:"alias" jsonschema:"another name to find it by"`
	Realm   string `json:"realm,omitempty" jsonschema:"project: id or name; default: that of the working directory"`
	Global  bool   `json:"global,omitempty" jsonschema:"a concept of what concerns the user in every project"`
}

// GraphNamesOutput is what a concept is called.
type GraphNamesOutput struct {
	Name    string   `json:"name"`
	Aliases []string `json:"aliases"`
	Realm   string   `json:"realm"`
}

// GraphRename gives a concept another name; it is still found by the old one.
func (m *Mind) GraphRename(ctx context.Context, c Caller, in GraphRenameInput) (GraphNamesOutput, error) {
	to, err := m.conceptName("to", in.To)
	if err != nil {
		return GraphNamesOutput{}, err
	}
	return m.changeConcept(ctx, c, in.Concept, in.Realm, in.Global, func(tx *store.Tx, seq int64) error {
		return tx.RenameConcept(seq, to, graph.Key(to))
	})
}

// GraphAlias gives a concept one more name to be found by.
func (m *Mind) GraphAlias(ctx context.Context, c Caller, in GraphAliasInput) (GraphNamesOutput, error) {
	alias, err := m.conceptName("alias", in.Alias)
	if err != nil {
		return GraphNamesOutput{}, err
	}
	return m.changeConcept(ctx, c, in.Concept, in.Realm, in.Global, func(tx *store.Tx, seq int64) error {
		return tx.AddAlias(seq, alias, graph.Key(alias))
	})
}

func (m *Mind) changeConcept(ctx context.Context, c Caller, name, realm string, global bool, fn func(tx *store.Tx, seq int64) error) (GraphNamesOutput, error) {
	r, err := m.factRealm(ctx, c, realm, global)
	if err != nil {
		return GraphNamesOutput{}, err
	}
	found, err := m.conceptsNamed(ctx, []string{r.ID}, "concept", name)
	if err != nil {
		return GraphNamesOutput{}, err
	}
	seq := found[0].Seq // within a realm a name leads to one concept
	if err := m.store.Write(ctx, func(tx *store.Tx) error { return fn(tx, seq) }); err != nil {
		return GraphNamesOutput{}, factRefusal(err)
	}
	m.net.Follow(ctx)
	return m.conceptNames(ctx, seq)
}

func (m *Mind) conceptNames(ctx context.Context, seq int64) (GraphNamesOutput, error) {
	concepts, err := m.store.ConceptsBySeq(ctx, []int64{seq})
	if err != nil {
		return GraphNamesOutput{}, err
	}
	aliases, err := m.store.Aliases(ctx, []int64{seq})
	return GraphNamesOutput{Name: concepts[seq].Name, Aliases: append([]string{}, aliases[seq]...), Realm: concepts[seq].Realm}, err
}

// GraphMergeInput names two concepts that are one.
type GraphMergeInput struct {
	Concept string `json:"concept" jsonschema:"the concept that becomes part of the other; its names become aliases"`
	Into    string `json:"into" jsonschema:"the concept that stays"`
	Realm   string `json:"realm,omitempty" jsonschema:"project: id or name; default: that of the working directory"`
	Global  bool   `json:"global,omitempty" jsonschema:"concepts of what concerns the user in every project"`
}

// GraphMergeOutput says what became of the facts of a concept that was merged.
type GraphMergeOutput struct {
	GraphNamesOutput
	Moved   int `json:"moved"`   // facts that are now about the one that stays
	Folded  int `json:"folded"`  // of those, how many said the same as another
	Dropped int `json:"dropped"` // facts between the two
}

// GraphMerge makes a concept part of another. It cannot be taken back, so it is
// for people.
func (m *Mind) GraphMerge(ctx context.Context, c Caller, in GraphMergeInput) (GraphMergeOutput, error) {
	if !c.Person() {
		return GraphMergeOutput{}, &memory.RefusedError{Reason: "merging concepts cannot be undone and is for people", Hint: "add an alias, or ask the user to run: chitta graph merge"}
	}
	r, err := m.factRealm(ctx, c, in.Realm, in.Global)
	if err != nil {
		return GraphMergeOutput{}, err
	}
	from, err := m.conceptsNamed(ctx, []string{r.ID}, "concept", in.Concept)
	if err != nil {
		return GraphMergeOutput{}, err
	}
	into, err := m.conceptsNamed(ctx, []string{r.ID}, "into", in.Into)
	if err != nil {
		return GraphMergeOutput{}, err
	}
	var done store.Merged
	err = m.store.Write(ctx, func(tx *store.Tx) (err error) {
		done, err = tx.MergeConcepts(from[0].Seq, into[0].Seq)
		return err
	})
	if err != nil {
		return GraphMergeOutput{}, factRefusal(err)
	}
	m.net.Follow(ctx)
	names, err := m.conceptNames(ctx, into[0].Seq)
	return GraphMergeOutput{GraphNamesOutput: names, Moved: done.Moved, Folded: done.Folded, Dropped: done.Dropped}, err
}

// GraphStatsOutput counts what the graph holds.
type GraphStatsOutput struct {
	Concepts    int            `json:"concepts"`
	Aliases     int            `json:"aliases"`
	Facts       int            `json:"facts"` // all that are known
	Holding     int            `json:"holding"`
	ByPredicate map[string]int `json:"by_predicate"`
	Realms      []string       `json:"realms"`            // those that were counted
	Loading     int64          `json:"loading,omitempty"` // changes that questions do not see yet
}

// GraphStats counts what the graph holds of the realms that are visible.
func (m *Mind) GraphStats(ctx context.Context, c Caller, in RealmInput) (GraphStatsOutput, error) {
	realms, err := m.factRealms(ctx, c, in.Realm)
	if err != nil {
		return GraphStatsOutput{}, err
	}
	net, ready := m.net.Net()
	if !ready { // the store knows as well, and takes longer
		n, err := m.store.CountGraph(ctx, realms)
		return graphStats(n, realms, m.net.Behind()), err
	}
	n, err := m.store.CountConcepts(ctx, realms)
	counted := net.Count(realms)
	n.Triples, n.Open, n.ByPredicate = counted.Triples, counted.Open, counted.ByPredicate
	return graphStats(n, realms, m.net.Behind()), err
}

func graphStats(n store.GraphCounts, realms []string, behind int64) GraphStatsOutput {
	return GraphStatsOutput{Concepts: n.Concepts, Aliases: n.Aliases, Facts: n.Triples, Holding: n.Open, ByPredicate: n.ByPredicate, Realms: realms, Loading: behind}
}
