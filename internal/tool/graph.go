package tool

import (
	"strings"

	"chitta/internal/mind"
)

// graphPrefix begins the names of the operations of the knowledge graph.
const graphPrefix = "graph_"

func graphTools() []Def {
	const g = GroupGraph
	return []Def{
		define("graph_add", g, "Store a fact about two concepts: subject, predicate, object, or notation. One that is known gets stronger. What contradicts it is shown, not resolved.", (*mind.Mind).GraphAdd, textGraphAdd),
		define("graph_remove", g, "Say that a fact holds no longer, by its id or by subject, predicate and object. It stays known with its end.", (*mind.Mind).GraphRemove, textGraphRemove),
		define("graph_query", g, "Find facts by pattern: subject, predicate and object, any of them left open; as of now or another time. With calls, imports, inherits and contains it also answers from the indexed source code.", (*mind.Mind).GraphQuery, textFacts, readOnly),
		define("graph_neighbours", g, "Show the facts that a concept, a symbol or a file takes part in: what is stored first, then what the source code says.", (*mind.Mind).GraphNeighbours, textFacts, readOnly),
		define("graph_paths", g, "Show how two concepts, symbols or files hang together: the surest ways from one to the other.", (*mind.Mind).GraphPaths, textPaths, readOnly),
		define("graph_similar", g, "Find concepts like another: by what their names mean, how they are spelt, and which neighbours they share.", (*mind.Mind).GraphSimilar, textSimilar, readOnly),
		define("graph_activate", g, "Let activation spread from a concept: what comes to mind with it, how strongly, and by which fact. The levels are noted and fade.", (*mind.Mind).GraphActivate, textActivate),
		define("graph_infer", g, "Conclude facts that nobody stated, with the chain each follows from.", (*mind.Mind).GraphInfer, textInfer, readOnly),
		define("graph_contradictions", g, "Find facts that cannot all be right. Which of them is wrong is for the user to say.", (*mind.Mind).GraphContradictions, textContradictions, readOnly),
		define("graph_timeline", g, "Tell when the facts about a concept began and ended.", (*mind.Mind).GraphTimeline, textFactTimeline, readOnly),
		define("graph_concept", g, "Show one concept: its names, what it is in the source code, its facts, how active it is.", (*mind.Mind).GraphConcept, textConcept, readOnly),
		define("graph_parse", g, "Read a text in notation: its statements and what cannot be read; with apply store them, all or none.", (*mind.Mind).GraphParse, textParse),
		define("graph_rename", g, "Give a concept another name; it is still found by the old one.", (*mind.Mind).GraphRename, textNames),
		define("graph_alias", g, "Give a concept one more name to be found by.", (*mind.Mind).GraphAlias, textNames),
		define("graph_merge", g, "Make two concepts one. It cannot be undone and is for people.", (*mind.Mind).GraphMerge, textJSON[mind.GraphMergeOutput], destructive, peopleOnly),
		define("graph_mine", g, "Find all facts in what is remembered and was said, which otherwise happens as it comes; say how far that is; with undo take them all back, which is for people.", (*mind.Mind).GraphMine, textJSON[mind.GraphMineOutput]),
		define("graph_stats", g, "Count concepts and facts.", (*mind.Mind).GraphStats, textJSON[mind.GraphStatsOutput], readOnly),
		define("graph_export", g, "Return all facts a page at a time, ended ones too.", (*mind.Mind).GraphExport, textGraphExport, readOnly),
		define("graph_import", g, "Take over exported facts, all of a call or of a file, or none. It is for people.", (*mind.Mind).GraphImport, textJSON[mind.GraphImportOutput], peopleOnly),
	}
}

// actionsOf returns the operations whose names begin alike by what they are
// called within the tool of that name.
func actionsOf(prefix string, defs map[string]*Def) map[string]*Def {
	actions := map[string]*Def{}
	for name, d := range defs {
		if action, ok := strings.CutPrefix(name, prefix); ok {
			actions[action] = d
		}
	}
	return actions
}
