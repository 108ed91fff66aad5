package mind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/meaning"
	"chitta/internal/store"
)

// openWith opens a mind whose model is the given one.
func openWith(t *testing.T, home string, model config.Model) *Mind {
	t.Helper()
	cfg := config.Default()
	cfg.Home, cfg.Model = home, model
	m, _ := openAt(t, cfg)
	return m
}

// fill remembers n texts, "note 0 …" first.
func fill(t *testing.T, m *Mind, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		remember(t, m, person, RememberInput{Content: fmt.Sprintf("note %d about subject%d and nothing else", i, i)})
	}
}

// byMeaning returns how many results of an answer have evidence by meaning,
// and what the answer says about itself.
func byMeaning(t *testing.T, m *Mind, query string) (n int, notes string) {
	t.Helper()
	out, err := m.Recall(t.Context(), person, RecallInput{Query: query})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Results {
		for _, e := range r.Evidence {
			if e.Source == "vector" {
				n++
			}
		}
	}
	return n, strings.Join(append(out.Degraded, out.Off...), "; ")
}

func use(t *testing.T, m *Mind, in ModelUseInput) ModelUseOutput {
	t.Helper()
	out, err := m.ModelUse(t.Context(), person, in)
	if err != nil {
		t.Fatalf("use %+v: %v", in, err)
	}
	return out
}

func useEndpoint(t *testing.T, m *Mind, f *fakeEndpoint) ModelUseOutput {
	t.Helper()
	return use(t, m, ModelUseInput{Use: "openai:" + f.URL, Name: "fake"})
}

// rounds does n steps of background embedding.
func rounds(t *testing.T, m *Mind, n int) {
	t.Helper()
	for range n {
		if _, err := m.semantic.Round(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// modelNames lists the models that have vectors on disk.
func modelNames(t *testing.T, m *Mind) []string {
	t.Helper()
	var names []string
	for _, row := range modelsOnDisk(t, m) {
		names = append(names, row.Name)
	}
	return names
}

// textsAtOnce is how many texts the background embeds in one step.
const textsAtOnce = 64

// onDisk lets fn look at the file of vectors as it is now.
func onDisk(t *testing.T, m *Mind, fn func(*store.Vectors)) {
	t.Helper()
	v, err := store.OpenVectors(t.Context(), m.opts.Config.Paths().Vectors())
	if err != nil {
		t.Fatal(err)
	}
	fn(v)
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
}

// modelsOnDisk returns the models that have vectors on disk.
func modelsOnDisk(t *testing.T, m *Mind) (models []store.VectorModel) {
	t.Helper()
	onDisk(t, m, func(v *store.Vectors) {
		var err error
		if models, err = v.Models(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	return models
}

// vectorsOnDisk counts the vectors on disk, of all models.
func vectorsOnDisk(t *testing.T, m *Mind) (n int) {
	t.Helper()
	onDisk(t, m, func(v *store.Vectors) { n = storedVectors(t, v) })
	return n
}

// TestAnotherModelTakesOver changes from the built-in model to an endpoint and
// back. Search by meaning answers at every moment.
func TestAnotherModelTakesOver(t *testing.T) {
	m, _ := openSemantic(t, semanticConfig(t))
	f := newEndpoint(t)
	fill(t, m, 0, 150)
	settle(t, m)

	out := useEndpoint(t, m, f)
	if out.Model.State != meaning.Embedding || out.Model.Todo != 150 || out.Model.Answering == "" || out.Model.ID != "openai:fake" {
		t.Fatalf("%+v", out.Model)
	}
	builtin := out.Model.Answering
	for step := 0; m.semantic.Status().State != meaning.Ready; step++ {
		if n, notes := byMeaning(t, m, "note about subject7"); n == 0 || notes != "" {
			t.Fatalf("step %d: %d found by meaning; %s", step, n, notes)
		}
		if st := m.semantic.Status(); st.Todo < 150 && (st.Answering != builtin || st.Total < 150) {
			t.Errorf("step %d: %+v", step, st)
		}
		// what is written meanwhile is found at once, by the one that answers
		fill(t, m, 150+step, 151+step)
		rounds(t, m, 1)
		if n, _ := byMeaning(t, m, fmt.Sprintf("note %d about subject%d", 150+step, 150+step)); n == 0 {
			t.Errorf("step %d: what was just written is not found", step)
		}
		rounds(t, m, 1)
		if step > 20 {
			t.Fatal("it never takes over")
		}
	}
	if names := modelNames(t, m); !slices.Equal(names, []string{"openai:fake"}) {
		t.Errorf("vectors are left of %v", names)
	}
	if st := m.semantic.Status(); st.Answering != "" || st.Dims != 32 {
		t.Errorf("%+v", st)
	}
	if n, notes := byMeaning(t, m, "note about subject7"); n == 0 || notes != "" {
		t.Errorf("%d found by meaning; %s", n, notes)
	}

	// and back: all of it is embedded again, the endpoint answers meanwhile
	back := use(t, m, ModelUseInput{Use: "builtin"})
	if back.Model.Answering != "openai:fake" || back.Model.ID != builtin {
		t.Errorf("%+v", back.Model)
	}
	settle(t, m)
	if names := modelNames(t, m); !slices.Equal(names, []string{builtin}) {
		t.Errorf("vectors are left of %v", names)
	}
}

// TestAnswersNeverStop asks all the time while models come and go.
func TestAnswersNeverStop(t *testing.T) {
	a, b := newEndpoint(t), newEndpoint(t)
	m := openWith(t, t.TempDir(), a.setting())
	fill(t, m, 0, textsAtOnce+10)
	settle(t, m)
	ctx, stop := context.WithCancel(t.Context())
	var asked atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for ctx.Err() == nil {
				out, err := m.Recall(t.Context(), person, RecallInput{Query: fmt.Sprintf("note about subject%d", asked.Add(1))})
				if err != nil || len(out.Results) == 0 || len(out.Degraded)+len(out.Off) > 0 {
					t.Errorf("%d results, degraded %v, off %v, %v", len(out.Results), out.Degraded, out.Off, err)
					return
				}
				m.semantic.Status()
			}
		})
	}
	for range 4 {
		for _, f := range []*fakeEndpoint{b, a} {
			useEndpoint(t, m, f)
			settle(t, m)
		}
	}
	stop()
	wg.Wait()
	t.Logf("%d answers", asked.Load())
}

// TestChangingOnesMindCostsNothing goes back to a model whose vectors are all
// there.
func TestChangingOnesMindCostsNothing(t *testing.T) {
	a, b := newEndpoint(t), newEndpoint(t)
	m := openWith(t, t.TempDir(), a.setting())
	fill(t, m, 0, 3*textsAtOnce)
	settle(t, m)
	embedded := len(a.asked("note"))
	useEndpoint(t, m, b)
	rounds(t, m, 1)
	fill(t, m, 1000, 1001)
	rounds(t, m, 1)
	if out := useEndpoint(t, m, a); out.Model.State != meaning.Ready {
		t.Errorf("%+v", out.Model)
	}
	settle(t, m)
	if n := len(a.asked("note")); n != embedded+1 {
		t.Errorf("%d texts were embedded again", n-embedded-1)
	}
	if models := modelsOnDisk(t, m); len(models) != 1 {
		t.Errorf("%v", models)
	}
}

func TestTheNewestIsEmbeddedFirst(t *testing.T) {
	f := newEndpoint(t)
	home := t.TempDir()
	m := openWith(t, home, config.Model{Use: "none", Timeout: time.Second})
	fill(t, m, 0, 3*textsAtOnce)
	useEndpoint(t, m, f)
	rounds(t, m, 1)
	asked := f.asked("note")
	if len(asked) != textsAtOnce {
		t.Fatalf("%d texts in the first batch", len(asked))
	}
	for _, text := range asked {
		var i int
		if _, err := fmt.Sscanf(text, "note %d", &i); err != nil || i < 2*textsAtOnce {
			t.Errorf("%q is not among the newest", text)
		}
	}
	// what is written meanwhile comes next
	fill(t, m, 1000, 1001)
	rounds(t, m, 1)
	if !slices.ContainsFunc(f.asked("note 1000 "), func(string) bool { return true }) {
		t.Error("the new text waits for the old ones")
	}
}

// TestRestartResumes closes, or leaves without closing as a crash does, in the
// middle of embedding by another model.
func TestRestartResumes(t *testing.T) {
	for name, leave := range map[string]func(m *Mind) error{
		"closed": (*Mind).Close,
		"killed": func(*Mind) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			a, b := newEndpoint(t), newEndpoint(t)
			home := t.TempDir()
			m := openWith(t, home, a.setting())
			const texts = 5 * textsAtOnce
			fill(t, m, 0, texts)
			settle(t, m)
			useEndpoint(t, m, b)
			rounds(t, m, 2)
			if err := leave(m); err != nil {
				t.Fatal(err)
			}
			before := len(a.asked("note"))

			m = openWith(t, home, b.setting())
			rounds(t, m, 1)
			st := m.semantic.Status()
			if st.State != meaning.Embedding || st.Answering != "openai:fake" || st.Todo != texts-3*textsAtOnce {
				t.Errorf("%+v", st)
			}
			if n, notes := byMeaning(t, m, "note about subject7"); n == 0 || notes != "" {
				t.Errorf("%d found by meaning; %s", n, notes)
			}
			settle(t, m)
			if n := len(b.asked("note")); n != texts {
				t.Errorf("%d texts were embedded for %d", n, texts)
			}
			if n := len(a.asked("note")) - before; n > 1 { // the query
				t.Errorf("the old model embedded %d texts again", n)
			}
		})
	}
}

// TestTheOldModelCannotAnswer takes the old endpoint away: the new model
// answers with what it has and says so.
func TestTheOldModelCannotAnswer(t *testing.T) {
	t.Run("at a query", func(t *testing.T) {
		a, b := newEndpoint(t), newEndpoint(t)
		m := openWith(t, t.TempDir(), a.setting())
		fill(t, m, 0, 2*textsAtOnce)
		settle(t, m)
		useEndpoint(t, m, b)
		rounds(t, m, 1)
		a.set(func(f *fakeEndpoint) { f.down = true })
		for range 5 { // until its breaker opens, and after
			n, notes := byMeaning(t, m, "note 100 about subject100")
			if n == 0 || !strings.Contains(notes, "64 of 128 memories can be found by words only") {
				t.Errorf("%d found by meaning; %s", n, notes)
			}
		}
		settle(t, m)
		if n, notes := byMeaning(t, m, "note 1 about subject1"); n == 0 || notes != "" {
			t.Errorf("%d found by meaning; %s", n, notes)
		}
	})
	t.Run("at the start", func(t *testing.T) {
		home, dir := t.TempDir(), writeTinyModel(t)
		m := openWith(t, home, config.Model{Use: dir, Timeout: time.Second})
		fill(t, m, 0, 2*textsAtOnce)
		settle(t, m)
		if err := errors.Join(m.Close(), os.RemoveAll(dir)); err != nil {
			t.Fatal(err)
		}
		b := newEndpoint(t)
		m = openWith(t, home, b.setting())
		rounds(t, m, 1)
		if st := m.semantic.Status(); st.Answering != "" || st.Todo != textsAtOnce {
			t.Errorf("%+v", st)
		}
		if n, notes := byMeaning(t, m, "note 100 about subject100"); n == 0 || !strings.Contains(notes, "64 of 128 memories") {
			t.Errorf("%d found by meaning; %s", n, notes)
		}
		settle(t, m)
		if models := modelNames(t, m); len(models) != 1 {
			t.Errorf("vectors are left of %v", models)
		}
	})
}

// TestTheFullerOneAnswers changes away from a model that had hardly begun: the
// new one answers as soon as it knows more.
func TestTheFullerOneAnswers(t *testing.T) {
	a, b := newEndpoint(t), newEndpoint(t)
	m := openWith(t, t.TempDir(), config.Model{Use: "none", Timeout: time.Second})
	fill(t, m, 0, 3*textsAtOnce)
	useEndpoint(t, m, a)
	rounds(t, m, 1)
	useEndpoint(t, m, b)
	for step, want := range []string{"128 of 192", "128 of 192", "64 of 192", ""} {
		if n, notes := byMeaning(t, m, "note 190 about subject190"); n == 0 || !strings.Contains(notes, want) || want == "" && notes != "" {
			t.Errorf("step %d: %d found by meaning; %s", step, n, notes)
		}
		rounds(t, m, 1)
	}
	if n := len(a.asked("note")); n > textsAtOnce+2 { // two queries
		t.Errorf("the model that leaves embedded %d texts", n)
	}
}

// TestTheNewModelCannotBeOpened holds that the one whose vectors are there
// answers even then.
func TestTheNewModelCannotBeOpened(t *testing.T) {
	a := newEndpoint(t)
	home := t.TempDir()
	m := openWith(t, home, a.setting())
	fill(t, m, 0, 5)
	settle(t, m)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = openWith(t, home, config.Model{Use: filepath.Join(home, "nowhere"), Timeout: time.Second})
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st := m.semantic.Status(); st.State != meaning.Off || st.Answering != "openai:fake" || !strings.Contains(st.Problem, "nowhere") {
		t.Errorf("%+v", st)
	}
	fill(t, m, 5, 6)
	rounds(t, m, 1)
	if n, notes := byMeaning(t, m, "note 5 about subject5"); n == 0 || notes != "" {
		t.Errorf("%d found by meaning; %s", n, notes)
	}
}

func TestOnlyTheMostCompleteOldModelIsKept(t *testing.T) {
	a, b, c := newEndpoint(t), newEndpoint(t), newEndpoint(t)
	home := t.TempDir()
	m := openWith(t, home, a.setting())
	fill(t, m, 0, 2*textsAtOnce)
	settle(t, m)
	useEndpoint(t, m, b)
	rounds(t, m, 1)
	useEndpoint(t, m, c)
	rounds(t, m, 1)
	models := modelsOnDisk(t, m)
	if len(models) != 2 {
		t.Fatalf("%+v", models)
	}
	for i, f := range []*fakeEndpoint{a, c} {
		if !strings.Contains(models[i].Setting, f.URL) {
			t.Errorf("model %d is %s, want %s", i, models[i].Setting, f.URL)
		}
	}
}

// TestVectorsOfAnotherDatabaseAreNotUsed puts one home's vectors into another.
func TestVectorsOfAnotherDatabaseAreNotUsed(t *testing.T) {
	f := newEndpoint(t)
	one, two := t.TempDir(), t.TempDir()
	m := openWith(t, one, f.setting())
	fill(t, m, 0, 5)
	settle(t, m)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(one, "vectors.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(two, "vectors.db"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	m = openWith(t, two, f.setting())
	fill(t, m, 0, 3)
	rounds(t, m, 1)
	if st := m.semantic.Status(); st.Answering != "" || st.Vectors != 3 || st.Misses < 3 {
		t.Errorf("%+v", st)
	}
	if n := vectorsOnDisk(t, m); n != 3 {
		t.Errorf("%d vectors on disk", n)
	}
}

func TestEndpointIsDown(t *testing.T) {
	f := newEndpoint(t)
	home := t.TempDir()
	m := openWith(t, home, f.setting())
	fill(t, m, 0, 5)
	settle(t, m)
	f.set(func(f *fakeEndpoint) { f.down = true })
	check := func(m *Mind) {
		t.Helper()
		out, err := m.Recall(t.Context(), person, RecallInput{Query: "subject3"})
		if err != nil || len(out.Results) == 0 {
			t.Fatalf("words do not find it: %+v %v", out, err)
		}
		if notes := strings.Join(out.Degraded, "; "); !strings.Contains(notes, "vector: ") || !strings.Contains(notes, "unreachable") {
			t.Errorf("degraded: %s", notes)
		}
	}
	check(m)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	// it starts without the endpoint, and needs no embedding when it is back
	m = openWith(t, home, f.setting())
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(m)
	f.set(func(f *fakeEndpoint) { f.down = false })
	before := len(f.asked("note"))
	settle(t, m)
	if n, notes := byMeaning(t, m, "note about subject3"); n != 5 || notes != "" {
		t.Errorf("%d found by meaning; %s", n, notes)
	}
	if n := len(f.asked("note")) - before; n != 1 {
		t.Errorf("%d texts embedded, want the query", n)
	}
}

// TestEndpointChangesItsDimensions holds that nothing of another length is
// stored, and that a rebuild starts over with it.
func TestEndpointChangesItsDimensions(t *testing.T) {
	f := newEndpoint(t)
	m := openWith(t, t.TempDir(), f.setting())
	fill(t, m, 0, 5)
	settle(t, m)
	f.set(func(f *fakeEndpoint) { f.dims = 48 })
	fill(t, m, 5, 7)
	if err := m.Maintain(t.Context()); !errors.Is(err, embed.ErrDims) {
		t.Errorf("%v", err)
	}
	if st := m.semantic.Status(); st.State != meaning.Embedding || st.Todo != 2 || st.Vectors != 5 || !strings.Contains(st.Problem, "dimensions") {
		t.Errorf("%+v", st)
	}
	if n := vectorsOnDisk(t, m); n != 5 {
		t.Errorf("%d vectors stored", n)
	}
	if _, notes := byMeaning(t, m, "note about subject6"); !strings.Contains(notes, "dimensions") {
		t.Errorf("notes: %s", notes)
	}
	if _, err := m.Rebuild(t.Context(), person, NoInput{}); err != nil {
		t.Fatal(err)
	}
	settle(t, m)
	if st := m.semantic.Status(); st.Dims != 48 || st.Vectors != 7 || st.Problem != "" {
		t.Errorf("%+v", st)
	}
}

// TestARefusedTextHoldsNobodyUp embeds all but the one text the endpoint does
// not take.
func TestARefusedTextHoldsNobodyUp(t *testing.T) {
	f := newEndpoint(t)
	m := openWith(t, t.TempDir(), f.setting())
	fill(t, m, 0, 5)
	remember(t, m, person, RememberInput{Content: "this text is indigestible for the model"})
	fill(t, m, 5, 10)
	settle(t, m)
	if st := m.semantic.Status(); st.Vectors != 10 {
		t.Errorf("%+v", st)
	}
	if _, notes := byMeaning(t, m, "note about subject6"); notes != "" {
		t.Errorf("notes: %s", notes)
	}
}

// TestVectorsAreHarmedWhileOpen removes or overwrites the file under a mind.
// Recall goes on, check says what is wrong, and the file is made anew.
func TestVectorsAreHarmedWhileOpen(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"removed": os.Remove,
		"replaced": func(path string) error {
			return errors.Join(os.Rename(path, path+".away"), os.WriteFile(path, nil, 0o600))
		},
		"flipped": func(path string) error {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteAt(bytes.Repeat([]byte{0xff}, len(data)/2), int64(len(data)/4))
			return errors.Join(err, f.Close())
		},
	} {
		for _, mend := range []string{"background", "rebuild", "restart"} {
			t.Run(name+", "+mend, func(t *testing.T) {
				f := newEndpoint(t)
				home := t.TempDir()
				m := openWith(t, home, f.setting())
				fill(t, m, 0, 100)
				settle(t, m)
				embedded := len(f.asked("note"))
				// fold the log into the file
				onDisk(t, m, func(v *store.Vectors) {
					if err := v.Remove(t.Context(), store.OwnerMemory, nil); err != nil {
						t.Fatal(err)
					}
				})
				if err := harm(m.opts.Config.Paths().Vectors()); err != nil {
					t.Fatal(err)
				}
				if n, notes := byMeaning(t, m, "note about subject3"); n == 0 || notes != "" {
					t.Errorf("%d found by meaning; %s", n, notes)
				}
				out, err := checkAll(t.Context(), m)
				if err != nil || out.OK || !strings.Contains(out.Problems[0].What, "the vectors are") {
					t.Errorf("check: %+v %v", out, err)
				}
				switch mend {
				case "background":
					fill(t, m, 100, 105)
					if err := m.Maintain(t.Context()); err != nil {
						t.Fatal(err)
					}
					// what is in memory is written, not embedded again
					if n := len(f.asked("note")) - embedded; n > 5+1+5 { // the query, and looking for duplicates
						t.Errorf("%d texts were embedded", n)
					}
				case "rebuild":
					if _, err := m.Rebuild(t.Context(), person, NoInput{}); err != nil {
						t.Fatal(err)
					}
				case "restart":
					if err := m.Close(); err != nil {
						t.Log(err)
					}
					m = openWith(t, home, f.setting())
				}
				settle(t, m)
				all, err := m.List(t.Context(), person, ListInput{Limit: 1})
				if n := vectorsOnDisk(t, m); err != nil || n != all.Total {
					t.Errorf("%d vectors of %d, %v", n, all.Total, err)
				}
				if out, err := checkAll(t.Context(), m); err != nil || !out.OK {
					t.Errorf("check: %+v %v", out, err)
				}
				if n, notes := byMeaning(t, m, "note about subject3"); n == 0 || notes != "" {
					t.Errorf("%d found by meaning; %s", n, notes)
				}
			})
		}
	}
}
