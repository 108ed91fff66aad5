package mind

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/store"
)

// wordModel embeds a text as the bag of its longer words, so that the cosine of
// two texts is known from the words they share.
type wordModel struct{ hash string }

const wordDims = 256

func (m wordModel) Info() embed.Info {
	return embed.Info{ID: "words", Hash: m.hash, Dims: wordDims, MaxTokens: 512}
}

func (wordModel) Close() error { return nil }

func (wordModel) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		v := make([]float32, wordDims)
		sum := 0.0
		for w := range strings.FieldsSeq(strings.ToLower(text)) {
			if len(w) < 4 {
				continue
			}
			h := fnv.New32a()
			h.Write([]byte(w))
			v[h.Sum32()%wordDims]++
		}
		v[0] += 0.01 // never zero
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		for k := range v {
			v[k] /= float32(math.Sqrt(sum))
		}
		out[i] = v
	}
	return out, nil
}

func openWords(t *testing.T, cfg config.Config, hash string) *Mind {
	t.Helper()
	m, err := Open(t.Context(), Options{Config: cfg, Model: func() (embed.Model, error) { return wordModel{hash}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func askedOn(p *pastSessions, day int, text string) store.Chunk {
	p.at = time.Date(2026, 3, day, 9, 0, 0, 0, time.UTC)
	s := p.session(fmt.Sprintf("day%d", day), "/w/app")
	s.asks(text)
	s.says("Done.")
	return s.ends()[0]
}

// topicEdges returns the edges by topic between requests, by their days.
func topicEdges(t *testing.T, m *Mind, days map[int64]int) []string {
	t.Helper()
	settle(t, m)
	var seqs []int64
	for seq := range days {
		seqs = append(seqs, seq)
	}
	edges, err := m.store.EdgesFrom(t.Context(), seqs, 100)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, e := range edges {
		if e.Kind == "topic" {
			out = append(out, fmt.Sprintf("%d>%d", days[e.Source], days[e.Target]))
		}
	}
	slices.Sort(out)
	return out
}

// TestTopicsLinkWhatIsAlike: each request is led to by the most similar one
// before, from another session, in whatever order they were imported.
func TestTopicsLinkWhatIsAlike(t *testing.T) {
	texts := map[int]string{
		1: "Please migrate orders table with downtime window",
		2: "Please migrate orders table without downtime window",
		3: "Explain parser grammar ambiguity quickly",
		4: "Please migrate orders table without downtime again",
		5: "yes, go on",
		6: "yes, go on",
	}
	want := []string{"1>2", "2>4"}
	for _, order := range [][]int{{1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1}, {4, 1, 6, 2, 3, 5}} {
		cfg := semanticConfig(t)
		m := openWords(t, cfg, "h1")
		p := newPast(t, m)
		days := map[int64]int{}
		for _, day := range order {
			days[askedOn(p, day, texts[day]).Seq] = day
			if day%2 == 0 {
				settle(t, m) // some come together, some one by one
			}
		}
		if diff := cmp.Diff(want, topicEdges(t, m, days)); diff != "" {
			t.Errorf("imported as %v (-want +got):\n%s", order, diff)
		}
		sound(t, m)
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		// another model makes them anew, and a restart changes nothing
		for _, hash := range []string{"h1", "h2"} {
			m = openWords(t, cfg, hash)
			if diff := cmp.Diff(want, topicEdges(t, m, days)); diff != "" {
				t.Errorf("with model %s (-want +got):\n%s", hash, diff)
			}
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestTopicsNeedVectors: without a model there are none, and nothing waits.
func TestTopicsNeedVectors(t *testing.T) {
	m := plain(t)
	p := newPast(t, m)
	askedOn(p, 1, "Please migrate orders table with downtime window")
	askedOn(p, 2, "Please migrate orders table with downtime window")
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if counts, err := m.store.CountEdges(t.Context()); err != nil || len(counts) != 0 || m.linker.Behind() {
		t.Errorf("%v %v %v", counts, err, m.linker.Behind())
	}
}

// TestExplainFollowsMeaning: with a model, the walk goes by cosine and takes
// the edge by topic into another session.
func TestExplainFollowsMeaning(t *testing.T) {
	m := openWords(t, semanticConfig(t), "h1")
	t.Cleanup(func() { m.Close() })
	p := newPast(t, m)
	first := askedOn(p, 1, "Please migrate orders table with downtime window")
	second := askedOn(p, 2, "Please migrate orders table without downtime window")
	settle(t, m)
	ids, err := m.store.ChunkMessages(t.Context(), []int64{first.Seq, second.Seq})
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Explain(t.Context(), person, ExplainInput{Query: ids[second.Seq][0], Realm: "app"})
	if err != nil || len(out.Chain) != 2 || out.Chain[0].ID != ids[first.Seq][0] || out.Chain[0].Edge != "topic" || out.Chain[0].Similarity < 0.7 {
		t.Errorf("%+v %v", out.Chain, err)
	}
}
