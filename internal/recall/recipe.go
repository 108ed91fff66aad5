package recall

// Recipe says how turns of a conversation are ranked: what each ingredient
// counts. Zero switches an ingredient off.
type Recipe struct {
	// Weights of the three lists, each as deviations above its mean.
	Keyword, Vector, Window float64
	// Next is the share that a turn gets of the relevance of the one after.
	Next float64
	// Reply is the share that a turn gets of the relevance of the one before,
	// if that one asks: then this one answers. An assistant always answers, and
	// what was asked is often what is looked for, so its share of the question,
	// ReplyAssistant, never lifts it above.
	Reply, ReplyAssistant float64
	// SessionWords counts how well the whole session answers by its words,
	// SessionBest how well its best turn does.
	SessionWords, SessionBest float64
	// Speaker counts whether the one whom the question names is speaking,
	// Participant whether someone it names speaks in the session at all, Date
	// whether it was said when the question says, Role whether the user or the
	// agent is speaking when the question is about what that one said.
	Speaker, Participant, Date, Role float64
	// Causal counts what is reached along causal edges from the best turns.
	Causal float64
	// Graph counts whether a passage or a memory speaks of what the question
	// names, or of what that leads to in the knowledge graph; Attractor is the
	// share that what belongs to the same region of the graph is lifted by.
	Graph, Attractor float64
	// Ranking adds a session's words to its best turn when sessions are ranked,
	// Near takes off the logarithm of the days between a session of work and
	// when the question is asked, if that is said.
	Ranking, Near float64
}

// DefaultRecipe is what recall uses, the same for everything: docs/benchmarks.md
// has what each ingredient gives.
func DefaultRecipe() Recipe {
	return Recipe{
		Keyword: 0.25, Vector: 0.35, Window: 0.40,
		Next: 0.1, Reply: 0.4, ReplyAssistant: 0.5,
		SessionWords: 0.2, SessionBest: 0.25,
		Speaker: 1.2, Participant: 2, Date: 3, Role: 0.5,
		Graph: 1, Ranking: 0.5, Near: 2,
	}
}

// alone returns the recipe for a session of one turn, a document: words and
// meaning count the same, and it has no neighbours.
func (r Recipe) alone() Recipe {
	if r.Keyword > 0 && r.Vector+r.Window > 0 {
		r.Keyword, r.Vector, r.Window = 0.5, 0.5, 0
	} else {
		r.Vector, r.Window = r.Vector+r.Window, 0
	}
	return r
}
