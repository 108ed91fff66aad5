package mind

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/session"
	"chitta/internal/store"
)

// pageMost is the most messages that a page takes.
const pageMost = 500

func shown(t *testing.T, m *Mind, in past.ShowInput) past.ShowOutput {
	t.Helper()
	out, err := m.SessionShow(t.Context(), person, in)
	if err != nil {
		t.Fatalf("%+v: %v", in, err)
	}
	return out
}

// brief says a transcript in a few words.
func brief(out past.ShowOutput) string {
	var b strings.Builder
	for _, x := range out.Messages {
		fmt.Fprintf(&b, "%s %s:", x.ID, x.Role)
		for _, p := range x.Parts {
			fmt.Fprintf(&b, " %s[%s%s|%s]", p.Kind, p.Tool, p.Text, p.Outcome)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestForgottenSessionsAreGone(t *testing.T) {
	m, _ := openTest(t)
	importTurns(t, m, `{"id":"1","session":"kept","text":"the zebra stays"}`)
	secret := talk(t, m, "5c0ffee0-aaaa", loginTalk("5c0ffee0-aaaa")...)
	out, err := m.SessionForget(t.Context(), person, past.SessionInput{ID: "5c0f"})
	if err != nil || out.Messages != 8 || out.Chunks == 0 {
		t.Fatalf("%+v %v", out, err)
	}
	for _, query := range []string{"login", `"clock skew"`, "/Test[A-Z]ogin/"} {
		if got := search(t, m, past.SearchInput{Query: query}); got.Found != 0 {
			t.Errorf("%s: %+v", query, got)
		}
	}
	if got := said(t, m, "why does the login test fail"); len(got) != 0 {
		t.Errorf("recalled: %+v", got)
	}
	if _, err := m.SessionShow(t.Context(), person, past.ShowInput{ID: "5c0f"}); !errors.As(err, new(*memory.NotFoundError)) {
		t.Errorf("%v", err)
	}
	sound(t, m)
	// its id is a tombstone that an import can see
	err = m.store.Write(t.Context(), func(tx *store.Tx) error {
		s, err := tx.Session(secret.Realm, secret.Source, secret.ID)
		if err == nil && (s.Forgotten.IsZero() || s.Title != "" || s.Cwd != "") {
			t.Errorf("%+v", s)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	// what is said afterwards is found
	importTurns(t, m, `{"id":"2","session":"kept","text":"a giraffe came later"}`)
	for _, query := range []string{"giraffe", "zebra"} {
		if got := search(t, m, past.SearchInput{Query: query}); got.Found != 1 {
			t.Errorf("%s: %+v", query, got)
		}
	}
	noText(t, m.opts.Config.Paths().Home(), "getClockSkew")
}

// noText proves that no file holds a text any more.
func noText(t *testing.T, dir, text string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		for _, form := range []string{text, strings.ToLower(text)} {
			if strings.Contains(string(b), form) {
				t.Errorf("%s still holds %q", filepath.Base(path), form)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestForgettingIsFinishedAtTheNextStart erases in the store alone, as when
// the process ends right after.
func TestForgettingIsFinishedAtTheNextStart(t *testing.T) {
	m, _ := openTest(t)
	s := talk(t, m, "5c0ffee0-aaaa", loginTalk("5c0ffee0-aaaa")...)
	err := m.store.Write(t.Context(), func(tx *store.Tx) error {
		_, _, err := tx.ForgetSession(s.Seq, m.now(), true)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	again, _ := openAt(t, m.opts.Config)
	if n := again.messages.Status().Docs; n != 0 {
		t.Errorf("%d messages are left in the index", n)
	}
	sound(t, again)
}

func exportPieces(t *testing.T, m *Mind, in past.ExportInput) (pieces []string) {
	t.Helper()
	for {
		out, err := m.SessionExport(t.Context(), person, in)
		if err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, out.Pieces...)
		if out.Next == "" {
			return pieces
		}
		in.Cursor = out.Next
	}
}

// TestExportComesBack exports turns and imports them elsewhere: the records,
// their ids and hashes are the same.
func TestExportComesBack(t *testing.T) {
	m, other, n := plain(t), plain(t), 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		texts := rapid.SliceOfN(rapid.StringMatching(`[a-z "\\\n<>&/é数\x{2028}\x{1F600}]{0,40}`), 1, 20).Draw(r, "texts")
		var lines []string
		for i, text := range texts {
			lines = append(lines, fmt.Sprintf(`{"id":%d,"session":"talk-%d","extra":[1, 2.50],"text":%s}`, i, n, quoteJSON(text, i%2 == 0)))
		}
		comesBack(t, m, other, lines)
	})
}

// quoteJSON writes a string as JSON, with or without escapes that need not be.
func quoteJSON(s string, escape bool) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		case escape && c > '~' && c < 0x10000:
			fmt.Fprintf(&b, `\u%04X`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// comesBack imports lines, exports their sessions, imports that elsewhere and
// compares.
func comesBack(t *testing.T, m, other *Mind, lines []string) {
	t.Helper()
	if _, err := m.SessionImport(t.Context(), person, SessionImportInput{Format: "turns", Lines: lines}); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{"": true} // a session without a name cannot be asked for
	for _, line := range lines {
		record, err := session.Turns{}.Line([]byte(line))
		if err != nil || seen[record.Message.Session] {
			continue
		}
		id := record.Message.Session
		seen[id] = true
		if _, err := m.SessionNamed(t.Context(), person, id); err != nil {
			continue // all of its lines were refused, or the name was not as it seemed
		}
		pieces := exportPieces(t, m, past.ExportInput{ID: id})
		back, err := other.SessionImport(t.Context(), person, SessionImportInput{Format: "turns", Lines: pieces})
		if err != nil || len(back.Refused) > 0 || back.Added != len(pieces) {
			t.Fatalf("%+v %v", back, err)
		}
		if got, want := hashes(t, other, id), hashes(t, m, id); !slices.Equal(got, want) {
			t.Fatalf("%v came back as %v", want, got)
		}
	}
}

func hashes(t *testing.T, m *Mind, id string) (out []string) {
	t.Helper()
	s, err := m.SessionNamed(t.Context(), person, id)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := m.store.MessagesOf(t.Context(), s.Seq)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range rows {
		out = append(out, x.ID+" "+hex.EncodeToString(x.Hash[:]))
	}
	return out
}

// TestTitlesComeBack exports a session whose title its messages do not tell, and
// imports it elsewhere.
func TestTitlesComeBack(t *testing.T) {
	m, other := plain(t), plain(t)
	dir := t.TempDir()
	k := conversation("s1", "/p")
	k.lines = append(k.lines, `{"type":"summary","summary":"Tusks & <whales>, \"all\" of them","leafUuid":"`+k.parent+`"}`)
	ingestAll(t, m, k.write(t, filepath.Join(dir, "s1.jsonl")))
	want := sessionOf(t, m, "s1").Title
	if !strings.HasPrefix(want, "Tusks") {
		t.Fatal(want)
	}
	pieces := exportPieces(t, m, past.ExportInput{ID: "s1"})
	path := filepath.Join(dir, "exported", "anything.jsonl")
	write(t, path, strings.Join(pieces, "\n")+"\n")
	ingestAll(t, other, path)
	if got := sessionOf(t, other, "s1").Title; got != want {
		t.Errorf("%q came back as %q", want, got)
	}
	if again := exportPieces(t, other, past.ExportInput{ID: "s1"}); !slices.Equal(again, pieces) {
		t.Errorf("exported again: %v", again)
	}
}

// TestForgettingTellsOfForks erases a session from which another was forked.
func TestForgettingTellsOfForks(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	k := conversation("orig", "/p")
	fork := &script{session: "fork", cwd: "/p", n: 100}
	for _, line := range k.lines[:7] {
		fork.lines = append(fork.lines, strings.ReplaceAll(line, `"sessionId":"orig"`, `"sessionId":"fork"`))
	}
	fork.parent = "orig-0007"
	fork.user("and now something about the ostrich")
	ingestAll(t, m, k.write(t, filepath.Join(dir, "orig.jsonl")))
	ingestAll(t, m, fork.write(t, filepath.Join(dir, "fork.jsonl")))
	if v := shown(t, m, past.ShowInput{ID: "fork"}).Session; v.Fork != "orig" || v.BeginningForgotten {
		t.Errorf("%+v", v)
	}
	if v := shown(t, m, past.ShowInput{ID: "orig"}).Session; !slices.Equal(v.Forks, []string{"fork"}) {
		t.Errorf("%+v", v)
	}
	out, err := m.SessionForget(t.Context(), person, past.SessionInput{ID: "orig"})
	if err != nil || !slices.Equal(out.Forks, []string{"fork"}) || out.Shared != 7 || out.Messages != 9 {
		t.Errorf("%+v %v", out, err)
	}
	list, err := m.SessionList(t.Context(), person, past.ListInput{Realm: "all"})
	if err != nil || len(list.Sessions) != 1 || !list.Sessions[0].BeginningForgotten {
		t.Errorf("%+v %v", list, err)
	}
	sound(t, m)
}

// TestForkThatOnlyRepeats: when the session that a fork repeats is forgotten,
// nothing of the fork tells of it any more, also when its file is read again.
func TestForkThatOnlyRepeats(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	k := conversation("orig", "/p")
	fork := &script{session: "fork", cwd: "/p", n: 100}
	for _, line := range k.lines[:7] {
		fork.lines = append(fork.lines, strings.ReplaceAll(line, `"sessionId":"orig"`, `"sessionId":"fork"`))
	}
	ingestAll(t, m, k.write(t, filepath.Join(dir, "orig.jsonl")))
	ingestAll(t, m, fork.write(t, filepath.Join(dir, "fork.jsonl")))
	own := &script{session: "own", cwd: "/p", n: 200, parent: "orig-0007", lines: slices.Clone(k.lines[:7])}
	for i := range own.lines {
		own.lines[i] = strings.ReplaceAll(own.lines[i], `"sessionId":"orig"`, `"sessionId":"own"`)
	}
	own.user("and now something about the ostrich")
	ingestAll(t, m, own.write(t, filepath.Join(dir, "own.jsonl")))
	if v := shown(t, m, past.ShowInput{ID: "fork"}).Session; v.Title == "" {
		t.Fatalf("the fork has no title to lose: %+v", v)
	}
	realm := shown(t, m, past.ShowInput{ID: "fork"}).Session.Realm
	err := m.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.PutLedger(&store.Ledger{ID: "l_1", Session: "fork", Realm: realm, Kind: "checkpoint", State: `{"summary":"Last asked: walrus"}`, Created: m.now(), Updated: m.now()})
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.SessionForget(t.Context(), person, past.SessionInput{ID: "orig"})
	if err != nil || out.Ledgers != 1 {
		t.Errorf("%+v %v", out, err)
	}
	titles := func() map[string]string {
		list, err := m.SessionList(t.Context(), person, past.ListInput{Realm: "all"})
		if err != nil {
			t.Fatal(err)
		}
		by := map[string]string{}
		for _, s := range list.Sessions {
			by[s.ID] = s.Title
		}
		return by
	}
	want := map[string]string{"fork": "", "own": "and now something about the ostrich"}
	if diff := cmp.Diff(want, titles()); diff != "" {
		t.Error(diff)
	}
	for _, line := range []string{
		`{"type":"summary","summary":"All about the walrus","leafUuid":"orig-0007"}`,
		`{"type":"custom-title","customTitle":"The walrus","sessionId":"fork"}`,
	} {
		fork.lines = append(fork.lines, line)
		ingestAll(t, m, fork.write(t, filepath.Join(dir, "fork.jsonl")))
		if diff := cmp.Diff(want, titles()); diff != "" {
			t.Errorf("after %s: %s", line, diff)
		}
	}
	sound(t, m)
}

func FuzzExportComesBack(f *testing.F) {
	f.Add(`{"id":"1","session":"s","text":"hello"}`, `{"id":2,"session":"s","text":"a\u0000b","x":1e5}`)
	f.Add(`{ "text" : "spaces" , "id" : "a b" , "session" : 7 }`, `{"id":"1","session":"../x","text":""}`)
	f.Add(`{"id":"1","session":"s","text":"ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2"}`, "\xff")
	f.Fuzz(func(t *testing.T, a, b string) { comesBack(t, plain(t), plain(t), []string{a, b}) })
}

// TestSuggestionsAreOfTheCallersProject: an id that is nearly that of a session
// elsewhere tells nothing of it, unless a person asks everywhere.
func TestSuggestionsAreOfTheCallersProject(t *testing.T) {
	m := plain(t)
	there, here := t.TempDir(), t.TempDir()
	for dir, id := range map[string]string{there: "5c0ffee0-aaaa-4bbb-8ccc-1234567890ab", here: "77777777-aaaa-4bbb-8ccc-1234567890ab"} {
		line := fmt.Sprintf(`{"id":"%s","session":"%s","text":"the giraffe release went well"}`, strings.Replace(id, "-a", "-b", 1), id)
		if _, err := m.SessionImport(t.Context(), Caller{Actor: ActorCLI, Cwd: dir}, SessionImportInput{Format: "turns", Lines: []string{line, line}}); err != nil {
			t.Fatal(err)
		}
	}
	const foreign, own = "5c0ffee1", "77777778"
	for _, c := range []Caller{{Actor: ActorCLI, Cwd: here}, {Actor: actorMCP, Cwd: here}} {
		for name, ask := range map[string]func(id string) error{
			"show": func(id string) error {
				_, err := m.SessionShow(t.Context(), c, past.ShowInput{ID: id})
				return err
			},
			"resume": func(id string) error {
				_, err := m.SessionResume(t.Context(), c, past.SessionInput{ID: id})
				return err
			},
			"export": func(id string) error {
				_, err := m.SessionExport(t.Context(), c, past.ExportInput{ID: id})
				return err
			},
			"search": func(id string) error {
				_, err := m.Search(t.Context(), c, past.SearchInput{Query: "giraffe", Session: id})
				return err
			},
			"explain": func(id string) error {
				_, err := m.Explain(t.Context(), c, ExplainInput{Query: id + "-baaa-4bbb-8ccc-1234567890ab"})
				return err
			},
		} {
			if hint := hintOf(ask(foreign)); strings.Contains(hint, "5c0ffee0") || hint == "" {
				t.Errorf("%s as %s tells of another project: %q", name, c.Actor, hint)
			}
			if hint := hintOf(ask(own)); !strings.Contains(hint, "did you mean 77777777") {
				t.Errorf("%s as %s: %q", name, c.Actor, hint)
			}
		}
	}
	_, err := m.Search(t.Context(), Caller{Actor: ActorCLI, Cwd: here}, past.SearchInput{Query: "giraffe", Session: foreign, Realm: "all"})
	if hint := hintOf(err); !strings.Contains(hint, "did you mean 5c0ffee0") {
		t.Errorf("a person who asks everywhere: %q", hint)
	}
	// somebody whose directory is gone finds sessions all the same
	if _, err := m.SessionShow(t.Context(), Caller{Actor: ActorCLI, Cwd: filepath.Join(here, "gone")}, past.ShowInput{ID: "5c0ffee0"}); err != nil {
		t.Error(err)
	}
}

// hintOf is what an error says to do.
func hintOf(err error) string {
	var missing *memory.NotFoundError
	var several *past.SeveralError
	switch {
	case errors.As(err, &missing):
		return missing.Hint
	case errors.As(err, &several):
		return several.Hint()
	}
	return ""
}
