package recall

// Recipe says how turns of a conversation are ranked: what each ingredient
// counts. Zero switches an ingredient off.
type Recipe struct {
	// Weights of the three lists, each as deviations above its mean.
	Keyword, Vector, Window float64
	// Smooth is the share of its neighbours' relevance that a turn gets.
	Smooth float64
	// SessionWords counts how well the whole session answers by its words,
	// SessionBest how well its best turn does.
	SessionWords, SessionBest float64
	// Speaker counts whether the one the question names is speaking, Date
	// whether it was said when the question says, User whether the user is
	// speaking when the question is about what the user said.
	Speaker, Date, User float64
	// Ranking adds a session's words to its best turn when sessions are ranked.
	Ranking float64
}

// DefaultRecipe is what recall uses. The same for every corpus: docs/benchmarks.md
// has what each ingredient gives.
func DefaultRecipe() Recipe {
	return Recipe{
		Keyword: 0.25, Vector: 0.35, Window: 0.40,
		Smooth:       0.1,
		SessionWords: 0.4, SessionBest: 0.5,
		Speaker: 0.6, Date: 3, User: 0.5,
		Ranking: 0.5,
	}
}

// alone returns the recipe for something that has no neighbours, a document:
// words and meaning count the same, and there is no session to speak of.
func (r Recipe) alone() Recipe {
	if r.Keyword > 0 && r.Vector+r.Window > 0 {
		r.Keyword, r.Vector, r.Window = 0.5, 0.5, 0
	} else {
		r.Vector, r.Window = r.Vector+r.Window, 0
	}
	return r
}
