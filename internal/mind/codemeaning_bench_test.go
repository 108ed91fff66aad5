package mind

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chitta/internal/codebase"
	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/syntax"
)

// codeQuestions are questions about this project's own code in words of their
// own, and the symbols that answer each.
func codeQuestions(tb testing.TB) (questions []string, answers [][]string) {
	tb.Helper()
	f, err := os.Open(filepath.Join("testdata", "codequeries.tsv"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		question, wanted, ok := strings.Cut(lines.Text(), "\t")
		if ok && !strings.HasPrefix(question, "#") {
			questions, answers = append(questions, question), append(answers, strings.Split(wanted, "|"))
		}
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return questions, answers
}

// hitAt reports whether one of the first n symbols is wanted.
func hitAt(n int, found []codebase.Match, wanted []string) bool {
	return slices.ContainsFunc(found[:min(n, len(found))], func(m codebase.Match) bool { return slices.Contains(wanted, m.Path) })
}

// BenchmarkCodeSearch indexes this project, embeds all of its symbols, which
// takes minutes, and says for how many questions one of the first five symbols
// is an answer: by words alone, and by words and meaning.
func BenchmarkCodeSearch(b *testing.B) {
	if _, err := embed.Builtin(); err != nil || !syntax.Available {
		b.Skip("skipped: this build has no embedding model, or no parsers")
	}
	cfg := config.Default()
	cfg.Home = b.TempDir()
	m, err := Open(b.Context(), Options{Config: cfg})
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	root, err := filepath.Abs("../..")
	if err != nil {
		b.Fatal(err)
	}
	who := Caller{Actor: ActorCLI, Cwd: root}
	for in := (CodeIndexInput{Path: root}); ; {
		out, err := m.CodeIndex(b.Context(), who, in)
		if err != nil {
			b.Fatal(err)
		}
		if out.Done {
			break
		}
		in.Job = out.Job
	}
	for more := true; more; more = m.senses.behind.Load() || m.semantic.Behind() > 0 {
		if err := m.Maintain(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	ask, err := m.askCode(b.Context(), who, "")
	if err != nil {
		b.Fatal(err)
	}
	questions, answers := codeQuestions(b)
	const first = 5
	for b.Loop() {
		words, both := 0, 0
		for i, q := range questions {
			byWords, err := ask.Search(b.Context(), q, codebase.Filter{}, codeLimit)
			if err != nil {
				b.Fatal(err)
			}
			found, lacking, err := m.searchCode(b.Context(), ask, q, codebase.Filter{}, codeProposed)
			if err != nil || lacking != "" {
				b.Fatal(lacking, err)
			}
			if hitAt(first, byWords, answers[i]) {
				words++
			}
			if hitAt(first, found, answers[i]) {
				both++
			}
		}
		b.ReportMetric(float64(words)/float64(len(questions)), "words-hit@5")
		b.ReportMetric(float64(both)/float64(len(questions)), "both-hit@5")
	}
}
