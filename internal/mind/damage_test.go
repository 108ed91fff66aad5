package mind

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"chitta/internal/config"
	"chitta/internal/follow"
	"chitta/internal/past"
	"chitta/internal/recall"
)

// openDamaged opens a mind with a memory and a conversation, closed once so
// that its indexes are on disk, and then damages the files of one index.
func openDamaged(t *testing.T, index string, damage func(t *testing.T, file string)) (*Mind, *bytes.Buffer) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: files are read into memory there")
	}
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = t.TempDir(), "none"
	m, err := Open(t.Context(), Options{Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	remember(t, m, person, RememberInput{Content: "the warehouse scanner speaks serial at 9600 baud"})
	for i := range 40 { // more than a page, so that cutting it short is felt
		remember(t, m, person, RememberInput{Content: fmt.Sprintf("shelf number %d holds parts of kind %x", i, i*i*7919)})
	}
	talk(t, m, "s1", loginTalk("s1")...)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	m, err = Open(t.Context(), Options{Config: cfg, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	files, err := filepath.Glob(filepath.Join(cfg.Paths().Index(), index, "seg-*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no segments of %s: %v", index, err)
	}
	for _, f := range files {
		damage(t, f)
	}
	return m, &log
}

func cutToNothing(t *testing.T, file string) {
	t.Helper()
	if err := os.Truncate(file, 0); err != nil {
		t.Fatal(err)
	}
}

// flipAll changes every byte behind the head of a file.
func flipAll(t *testing.T, file string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, info.Size())
	if _, err := f.ReadAt(b, 0); err != nil {
		t.Fatal(err)
	}
	for i := len(b) / 8; i < len(b); i++ {
		b[i] ^= 0x5a
	}
	if _, err := f.WriteAt(b, 0); err != nil {
		t.Fatal(err)
	}
}

func removeFile(t *testing.T, file string) {
	t.Helper()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
}

// TestADamagedIndexIsMadeAnew damages each index under an open mind: questions
// are answered all the same, and soon everything is found again.
func TestADamagedIndexIsMadeAnew(t *testing.T) {
	harms := map[string]func(*testing.T, string){"cut short": cutToNothing, "flipped": flipAll, "gone": removeFile}
	for _, index := range []string{"memories", "chunks", "sessions", "messages"} {
		for harm, damage := range harms {
			t.Run(index+"/"+harm, func(t *testing.T) {
				m, log := openDamaged(t, index, damage)
				ask := func() (RecallOutput, past.SearchOutput) {
					t.Helper()
					answer, err := m.Recall(t.Context(), person, RecallInput{Query: "warehouse scanner baud; why does the login test fail", Limit: 20})
					if err != nil {
						t.Fatalf("recall: %v", err)
					}
					found, err := m.Search(t.Context(), person, past.SearchInput{Query: "login test fails"})
					if err != nil {
						t.Fatalf("search: %v", err)
					}
					return answer, found
				}
				_, found := ask()
				if len(found.Sessions) != 1 {
					t.Errorf("search found nothing; %v", found.Degraded)
				}
				if err := m.Maintain(t.Context()); err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(log.String(), "keyword index is damaged and made anew") || !strings.Contains(log.String(), "of="+index) {
					t.Errorf("the log says: %s", log)
				}
				answer, found := ask()
				if len(found.Sessions) != 1 || len(found.Degraded) > 0 || len(answer.Degraded) > 0 {
					t.Errorf("search %+v, notes %v and %v", found.Sessions, found.Degraded, answer.Degraded)
				}
				texts := ""
				for _, r := range answer.Results {
					texts += r.Text + "\n"
				}
				if !strings.Contains(texts, "9600 baud") || !strings.Contains(texts, "login test fails") {
					t.Errorf("found only %q", texts)
				}
				if st := m.indexStatus(); st.State != follow.IndexReady || st.Problem != "" {
					t.Errorf("%+v", st)
				}
				if out, err := checkAll(t.Context(), m); err != nil || !out.OK {
					t.Errorf("check: %+v %v", out.Problems, err)
				}
			})
		}
	}
}

// TestDamageIsSaidWhileItLasts looks at all that tells of it, from when it is
// met to when it is mended.
func TestDamageIsSaidWhileItLasts(t *testing.T) {
	m, _ := openDamaged(t, "messages", cutToNothing)
	for len(m.wake) > 0 {
		<-m.wake
	}
	for _, in := range []past.SearchInput{{Query: "login test fails"}, {Query: `"login test fails"`}, {Query: "/log.n test/"}} {
		out, err := m.Search(t.Context(), person, in)
		if err != nil || len(out.Sessions) != 1 || len(out.Degraded) != 1 || !strings.Contains(out.Degraded[0], "read one by one instead") {
			t.Errorf("%s: %+v %v", in.Query, out, err)
		}
	}
	if len(m.wake) == 0 {
		t.Error("the background was not woken")
	}
	if st := m.indexStatus(); st.State != follow.IndexMending || !strings.Contains(st.Problem, "messages") {
		t.Errorf("%+v", st)
	}
	if f := m.doctorIndex(); f.Status != FindingWarn || !strings.Contains(f.Detail, "damaged") {
		t.Errorf("%+v", f)
	}
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f := m.doctorIndex(); f.Status != FindingOK {
		t.Errorf("%+v", f)
	}
}

// TestRecallWithoutWords: with its keyword index damaged, an answer says that
// words could not take part.
func TestRecallWithoutWords(t *testing.T) {
	m, _ := openDamaged(t, "memories", cutToNothing)
	out, err := m.Recall(t.Context(), person, RecallInput{Query: "warehouse scanner", Scope: recall.TargetMemories})
	if err != nil || !slices.ContainsFunc(out.Degraded, func(d string) bool {
		return strings.HasPrefix(d, "keyword: ") && strings.Contains(d, "damaged")
	}) {
		t.Errorf("%v %v", out.Degraded, err)
	}
	// a question to conversations has nothing to do with it
	out, err = m.Recall(t.Context(), person, RecallInput{Query: "login test", Scope: recall.TargetSessions})
	if err != nil || len(out.Degraded) > 0 || len(out.Results) == 0 {
		t.Errorf("%v %v", out.Degraded, err)
	}
}

// TestWritesGoOnWithADamagedIndex: remembering, forgetting and erasing do not
// fail because of it.
func TestWritesGoOnWithADamagedIndex(t *testing.T) {
	m, _ := openDamaged(t, "memories", cutToNothing)
	x := remember(t, m, person, RememberInput{Content: "a thought that comes while the index is damaged"})
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: x.ID, Now: true}); err != nil {
		t.Error(err)
	}
	y := remember(t, m, person, RememberInput{Content: "another thought, which is here to stay"})
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ids := found(t, m, person, RecallInput{Query: "thought"}); !slices.Equal(ids, []string{y.ID}) {
		t.Errorf("found %v", ids)
	}
}

// TestAnIndexThatCouldNotBeOpened is tried again by the background.
func TestAnIndexThatCouldNotBeOpened(t *testing.T) {
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = t.TempDir(), "none"
	inTheWay := filepath.Join(cfg.Paths().Index(), "memories", "manifest") // a folder where a file should be
	if err := os.MkdirAll(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	m, _ := openAt(t, cfg)
	x := remember(t, m, person, RememberInput{Content: "written while there is no index at all"})
	if st := m.indexStatus(); st.State != follow.IndexOff {
		t.Errorf("%+v", st)
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ids := found(t, m, person, RecallInput{Query: "written without an index"}); !slices.Equal(ids, []string{x.ID}) {
		t.Errorf("found %v", ids)
	}
}

// TestDamagedWordsLeaveMeaning: with a model, what has lost its words is found
// by meaning, and the answer says why it is not found by more.
func TestDamagedWordsLeaveMeaning(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: files are read into memory there")
	}
	cfg := semanticConfig(t)
	m, _ := openSemantic(t, cfg)
	x := remember(t, m, person, RememberInput{Content: "Users cannot sign in when the session cookie has expired"})
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m, _ = openSemantic(t, cfg)
	files, err := filepath.Glob(filepath.Join(cfg.Paths().Index(), "memories", "seg-*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no segments: %v", err)
	}
	for _, f := range files {
		cutToNothing(t, f)
	}
	for range 2 { // when it is met, and when it is known
		out, err := m.Recall(t.Context(), person, RecallInput{Query: "the session cookie at sign in"})
		if err != nil || len(out.Results) != 1 || out.Results[0].ID != x.ID || len(out.Degraded) != 1 || !strings.HasPrefix(out.Degraded[0], "keyword: ") {
			t.Errorf("%+v, notes %v, %v", out.Results, out.Degraded, err)
		}
	}
	settle(t, m)
	out, err := m.Recall(t.Context(), person, RecallInput{Query: "the session cookie at sign in"})
	if err != nil || len(out.Results) != 1 || len(out.Degraded) > 0 {
		t.Errorf("%+v, notes %v, %v", out.Results, out.Degraded, err)
	}
}

// TestOwnWritesAreNoDamage: flushes, merges and erasing change files too, and
// are not taken for somebody else's doing.
func TestOwnWritesAreNoDamage(t *testing.T) {
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = t.TempDir(), "none"
	var log bytes.Buffer
	m, err := Open(t.Context(), Options{Config: cfg, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for i := range 4 {
		x := remember(t, m, person, RememberInput{Content: fmt.Sprintf("drawer %d holds the keys of room %x", i, i*7919)})
		if i%2 == 1 {
			if _, err := m.Forget(t.Context(), person, ForgetInput{ID: x.ID, Now: true}); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.Maintain(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(log.String(), "damaged") || len(found(t, m, person, RecallInput{Query: "drawer"})) != 2 {
		t.Errorf("the log says: %s", &log)
	}
}
