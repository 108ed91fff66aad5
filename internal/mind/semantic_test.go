package mind

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/meaning"
	"chitta/internal/store"
)

// openSemantic opens a mind with the built-in model, its vectors loaded.
func openSemantic(t *testing.T, cfg config.Config) (*Mind, *clock) {
	t.Helper()
	if _, err := embed.Builtin(); errors.Is(err, embed.ErrNoModel) {
		t.Skip("skipped: this build has no embedding model; make build fetches it")
	}
	m, c := openAt(t, cfg)
	settle(t, m)
	return m, c
}

func semanticConfig(t *testing.T) config.Config {
	t.Helper()
	cfg := config.Default()
	cfg.Home = t.TempDir()
	return cfg
}

// settle lets the background do all it has to.
func settle(t *testing.T, m *Mind) {
	t.Helper()
	for more := true; more; more = m.semantic.Behind() > 0 {
		if err := m.Maintain(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if st := m.semantic.Status(); st.State != meaning.Ready {
		t.Fatalf("the model is %s: %s", st.State, st.Problem)
	}
}

func TestFindsWhatWasMeant(t *testing.T) {
	m, _ := openSemantic(t, semanticConfig(t))
	login := remember(t, m, person, RememberInput{Content: "Users cannot sign in when the session cookie has expired"})
	for _, other := range []string{
		"The build cache lives on the second disk",
		"Release notes are written in Markdown",
		"The scheduler retries a failed job three times",
	} {
		remember(t, m, person, RememberInput{Content: other})
	}
	settle(t, m)
	out, err := m.Recall(t.Context(), person, RecallInput{Query: "authentication problem at login"})
	if err != nil || len(out.Results) == 0 || out.Results[0].ID != login.ID {
		t.Fatalf("%+v %v", out.Results, err)
	}
	var byMeaning bool
	for _, e := range out.Results[0].Evidence {
		byMeaning = byMeaning || e.Source == "vector" && e.Score > 0.25
	}
	if !byMeaning {
		t.Errorf("evidence: %+v", out.Results[0].Evidence)
	}
	if len(out.Degraded)+len(out.Off) > 0 {
		t.Errorf("degraded %v, off %v", out.Degraded, out.Off)
	}
}

func TestNothingRelevantFindsNothing(t *testing.T) {
	m, _ := openSemantic(t, semanticConfig(t))
	remember(t, m, person, RememberInput{Content: "The build cache lives on the second disk"})
	settle(t, m)
	if ids := found(t, m, person, RecallInput{Query: "my grandmother's recipe for plum cake"}); len(ids) > 0 {
		t.Errorf("found %v", ids)
	}
}

func TestSameMeaningIsKnown(t *testing.T) {
	m, _ := openSemantic(t, semanticConfig(t))
	first := remember(t, m, person, RememberInput{Content: "The integration tests fail because the fake clock is never advanced"})
	settle(t, m)
	tests := []struct {
		name, content string
		known         bool
	}{
		{"other words, same thing", "The integration tests are failing since the fake clock never gets advanced", true},
		{"something else", "The unit tests pass although the fake clock is advanced twice", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := remember(t, m, person, RememberInput{Content: tt.content})
			settle(t, m)
			if (out.ID == first.ID) != tt.known {
				t.Errorf("%+v", out)
			}
			if tt.known {
				h, err := m.History(t.Context(), person, IDInput{first.ID})
				if err != nil || h.Changes[len(h.Changes)-1].Detail["said"][1] != tt.content {
					t.Errorf("the other wording is lost: %+v %v", h.Changes, err)
				}
			}
		})
	}
	// close vectors, another particular: not the same
	a := remember(t, m, person, RememberInput{Content: "The gateway of the staging cluster answers on port 8443"})
	settle(t, m)
	if b := remember(t, m, person, RememberInput{Content: "The gateway of the staging cluster answers on port 9443"}); b.ID == a.ID {
		t.Error("another port counts as known")
	}
}

func TestABurstIsMerged(t *testing.T) {
	variations := []string{
		"Use tabs for indentation in this repository",
		"We indent with tabs in this repository",
		"Code in this repository is indented with tabs",
	}
	count := func(m *Mind) int {
		list, err := m.List(t.Context(), agent, ListInput{})
		if err != nil {
			t.Fatal(err)
		}
		return list.Total
	}
	m, c := openSemantic(t, semanticConfig(t))
	for _, v := range variations {
		remember(t, m, agent, RememberInput{Content: v})
		settle(t, m)
		c.advance(time.Minute)
	}
	quick := count(m)
	m, c = openSemantic(t, semanticConfig(t))
	for _, v := range variations {
		remember(t, m, agent, RememberInput{Content: v})
		settle(t, m)
		c.advance(time.Hour)
	}
	if slow := count(m); quick >= slow {
		t.Errorf("%d memories after a burst, %d when said hours apart", quick, slow)
	}
}

func TestVectorsSurviveARestartAndFollowChanges(t *testing.T) {
	cfg := semanticConfig(t)
	m, _ := openSemantic(t, cfg)
	kept := remember(t, m, person, RememberInput{Content: "Customers are billed on the first day of the month"})
	gone := remember(t, m, person, RememberInput{Content: "Invoices are sent out as paper letters"})
	settle(t, m)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m, _ = openSemantic(t, cfg)
	if st := m.semantic.Status(); st.Vectors != 2 || st.Misses > 1 { // one question wakes the model
		t.Errorf("after a restart: %+v", st)
	}
	if ids := found(t, m, person, RecallInput{Query: "when do clients have to pay"}); len(ids) == 0 || ids[0] != kept.ID {
		t.Errorf("found %v", ids)
	}
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: gone.ID, Now: true}); err != nil {
		t.Fatal(err)
	}
	settle(t, m)
	if st := m.semantic.Status(); st.Vectors != 1 {
		t.Errorf("after erasing: %+v", st)
	}
	changed := "The office plants are watered on Fridays"
	if _, err := m.Update(t.Context(), person, UpdateInput{ID: kept.ID, Content: &changed}); err != nil {
		t.Fatal(err)
	}
	settle(t, m)
	if ids := found(t, m, person, RecallInput{Query: "when do clients have to pay"}); len(ids) > 0 {
		t.Errorf("the old meaning still finds it: %v", ids)
	}
}

// TestErasingTakesTheVectorAtOnce erases with the model in use and switched
// off; either way no vector may stay behind.
func TestErasingTakesTheVectorAtOnce(t *testing.T) {
	for _, use := range []string{"builtin", "none"} {
		t.Run(use, func(t *testing.T) {
			cfg := semanticConfig(t)
			m, _ := openSemantic(t, cfg)
			gone := remember(t, m, person, RememberInput{Content: "Invoices are sent out as paper letters"})
			remember(t, m, person, RememberInput{Content: "Customers are billed on the first of the month"})
			settle(t, m)
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			cfg.Model.Use = use
			m, _ = openAt(t, cfg)
			if _, err := m.Forget(t.Context(), person, ForgetInput{ID: gone.ID, Now: true}); err != nil {
				t.Fatal(err)
			}
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			v, err := store.OpenVectors(t.Context(), cfg.Paths().Vectors())
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			if left := storedVectors(t, v); left != 1 {
				t.Errorf("%d vectors left", left)
			}
		})
	}
}

// storedVectors counts the vectors on disk, of all models.
func storedVectors(t *testing.T, v *store.Vectors) (n int) {
	t.Helper()
	models, err := v.Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range models {
		some, err := v.Count(t.Context(), m.ID)
		if err != nil {
			t.Fatal(err)
		}
		n += some
	}
	return n
}

func TestVectorsAreMadeAnewWhenGoneOrDamaged(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"deleted": os.Remove,
		"garbage": func(path string) error {
			return os.WriteFile(path, []byte(strings.Repeat("garbage", 1000)), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := semanticConfig(t)
			m, _ := openSemantic(t, cfg)
			for i := range 5 {
				remember(t, m, person, RememberInput{Content: fmt.Sprintf("Item %d: customers are billed monthly", i)})
			}
			settle(t, m)
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			if err := harm(cfg.Paths().Vectors()); err != nil {
				t.Fatal(err)
			}
			m, _ = openSemantic(t, cfg)
			if st := m.semantic.Status(); st.Vectors != 5 {
				t.Errorf("%+v", st)
			}
		})
	}
}

func TestWithoutAModelWordsStillFind(t *testing.T) {
	m, _ := openTest(t)
	out := remember(t, m, person, RememberInput{Content: "words alone find this one"})
	answer, err := m.Recall(t.Context(), person, RecallInput{Query: "words alone"})
	if err != nil || len(answer.Results) != 1 || answer.Results[0].ID != out.ID {
		t.Fatalf("%+v %v", answer, err)
	}
	if len(answer.Off) != 1 || !strings.Contains(answer.Off[0], "model.use is none") || len(answer.Degraded) > 0 {
		t.Errorf("off %v, degraded %v", answer.Off, answer.Degraded)
	}
	if st, err := m.Model(t.Context(), person, NoInput{}); err != nil || st.State != meaning.Off {
		t.Errorf("%+v %v", st, err)
	}
}
