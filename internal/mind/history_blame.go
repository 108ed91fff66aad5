package mind

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chitta/internal/follow"
	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

// BlameInput asks which sessions touched a file.
type BlameInput struct {
	File  string `json:"file" jsonschema:"the file: a path from the working directory or from the top of the project, an absolute path, or the end of one"`
	Reads bool   `json:"reads,omitempty" jsonschema:"show sessions that only read it too"`
	Limit int    `json:"limit,omitempty" jsonschema:"most sessions, 1 to 100; default 10"`
	Since string `json:"since,omitempty" jsonschema:"only from this time on: a date, a time or a span such as 3d"`
	Realm string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory"`
}

// BlameTurn is one turn in which a file was touched.
type BlameTurn struct {
	ID      string    `json:"id"` // of the message with the last touch
	Created time.Time `json:"created,omitzero"`
	Agent   string    `json:"agent,omitempty"` // the subagent that did it
	Edits   int       `json:"edits"`
	Writes  int       `json:"writes"`
	Reads   int       `json:"reads"`
	Why     string    `json:"why,omitempty"` // what was asked for
	WhyID   string    `json:"why_id,omitempty"`
	Decided string    `json:"decided,omitempty"` // what the agent said at the end of it
	SaidID  string    `json:"said_id,omitempty"`
}

// BlameSession is a session that touched a file.
type BlameSession struct {
	Session string      `json:"session"`
	Title   string      `json:"title,omitempty"`
	Branch  string      `json:"branch,omitempty"`
	First   time.Time   `json:"first,omitzero"`
	Last    time.Time   `json:"last,omitzero"`
	Edits   int         `json:"edits"`
	Writes  int         `json:"writes"`
	Reads   int         `json:"reads"`
	Paths   []string    `json:"paths"` // as they were named there
	Turns   []BlameTurn `json:"turns"` // newest first, not all of them
}

// BlameOutput is who touched a file: sessions that changed it first, newest
// first.
type BlameOutput struct {
	Files    []string       `json:"files"` // which files were meant
	Sessions []BlameSession `json:"sessions"`
	Changed  int            `json:"changed"` // sessions that changed it
	Read     int            `json:"read"`    // sessions that only read it
	Memories []Result       `json:"memories"`
	Realm    string         `json:"realm"`
}

const (
	blameSessions = 10
	blameMost     = 100
	blameTurns    = 3
	blameMemories = 5
	// blameTouches bounds how far back is looked.
	blameTouches = 20_000
	whyTokens    = 60
	decidedRunes = 400
)

// decisionKinds are the kinds of memory that say how something is to be done.
var decisionKinds = []memory.Kind{memory.Approach, memory.Correction, memory.Failure, memory.Insight, memory.Wisdom, memory.Preference, memory.Outcome}

// Blame says which sessions touched a file, what they were asked for and what
// came of it.
func (m *Mind) Blame(ctx context.Context, c Caller, in BlameInput) (BlameOutput, error) {
	out := BlameOutput{Files: []string{}, Sessions: []BlameSession{}, Memories: []Result{}}
	file := strings.TrimSpace(in.File)
	if file == "" {
		return out, &memory.InputError{Field: "file", Problem: "is empty", Hint: "name a file"}
	}
	if err := memory.CheckText("file", file, memory.MaxPath); err != nil {
		return out, err
	}
	limit, err := memory.CheckLimit(in.Limit, blameSessions, blameMost, "ask for less")
	if err != nil {
		return out, err
	}
	since, err := memory.ParseTime("since", in.Since, m.opts.Now())
	if err != nil {
		return out, err
	}
	realm, reach, err := m.scope(ctx, c, in.Realm)
	if err != nil {
		return out, err
	}
	out.Realm = realm
	if strings.EqualFold(in.Realm, realmAll) && c.Person() {
		out.Realm = "" // what was done, in every project; memories only as they are shared
	}
	paths, roots, err := m.filesMeant(ctx, c, out.Realm, file)
	if err != nil {
		return out, err
	}
	for _, p := range paths {
		if name := follow.ShownPath(roots, p); !slices.Contains(out.Files, name) {
			out.Files = append(out.Files, name)
		}
	}
	touches, err := m.store.TouchesOfFiles(ctx, out.Realm, paths, since, blameTouches)
	if err != nil {
		return out, err
	}
	sessions := groupTouches(touches, in.Reads, &out)
	sessions = sessions[:min(len(sessions), limit)]
	if out.Sessions, err = m.blamed(ctx, sessions); err != nil {
		return out, err
	}
	out.Memories, err = m.decidedAbout(ctx, store.Filter{Realm: realm, Reach: reach, Kinds: decisionKinds, States: []memory.Status{memory.Active}}, out.Files)
	return out, err
}

// filesMeant finds the paths in the history of a realm that a name stands for.
func (m *Mind) filesMeant(ctx context.Context, c Caller, realm, file string) (paths, roots []string, err error) {
	if roots, err = follow.RealmRoots(ctx, m.store, realm); err != nil {
		return nil, nil, err
	}
	here := ""
	if c.Cwd != "" {
		here = filepath.ToSlash(c.Cwd)
		if id, err := m.detector.Detect(ctx, c.Cwd); err == nil && id.WorkDir() != "" {
			if top := filepath.ToSlash(id.WorkDir()); !slices.Contains(roots, top) {
				roots = append(roots, top)
			}
			here = filepath.ToSlash(id.Path) // without symbolic links, as the top is
		}
	}
	all, err := m.store.TouchedFiles(ctx, realm)
	if err != nil {
		return nil, nil, err
	}
	if paths = matchFiles(filepath.ToSlash(file), here, roots, all); len(paths) > 0 {
		return paths, roots, nil
	}
	hint := "no session of this project touched any file"
	if len(all) > 0 {
		hint = "chitta search finds what was said about it"
	}
	if near := nearestFiles(file, roots, all); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return nil, nil, &memory.NotFoundError{What: "file", ID: file, Hint: hint}
}

// matchFiles returns the touched paths that a name stands for, seen from a
// directory: the file itself, the same file in other clones and worktrees, or
// else every file whose path ends so.
func matchFiles(file, cwd string, roots []string, all []store.TouchedFile) []string {
	full := path.Clean(file)
	if !path.IsAbs(full) && cwd != "" {
		full = path.Join(cwd, full)
	}
	rel, below := follow.RelativeTo(roots, full)
	var out, elsewhere []string
	for _, f := range all {
		own, inRoot := follow.RelativeTo(roots, f.Path)
		switch {
		case f.Path == full || below && inRoot && own == rel:
			out = append(out, f.Path)
		case below && !inRoot && strings.Contains(rel, "/") && strings.HasSuffix(f.Path, "/"+rel):
			elsewhere = append(elsewhere, f.Path) // a clone that is not known as one
		}
	}
	if out = append(out, elsewhere...); len(out) > len(elsewhere) || path.IsAbs(file) {
		return out
	}
	out = nil
	end := path.Clean(file)
	for strings.HasPrefix(end, "../") {
		end = end[len("../"):]
	}
	for _, f := range all {
		if end != "." && end != ".." && (f.Path == end || strings.HasSuffix(f.Path, "/"+end)) {
			out = append(out, f.Path)
		}
	}
	return out
}

// mostNear is how many names are offered for one that is not known.
const mostNear = 3

// nearestFiles returns touched files whose names are like one that is not
// known.
func nearestFiles(file string, roots []string, all []store.TouchedFile) []string {
	name := path.Base(filepath.ToSlash(file))
	var out, names []string
	byName := map[string][]string{}
	add := func(list ...string) {
		for _, p := range list {
			if len(out) < mostNear && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	for _, f := range all {
		shown := follow.ShownPath(roots, f.Path)
		base := path.Base(shown)
		if byName[base] == nil {
			names = append(names, base)
		}
		byName[base] = append(byName[base], shown)
		if strings.EqualFold(base, name) {
			add(shown)
		}
	}
	for range mostNear {
		near := memory.Nearest(name, names)
		if near == "" {
			break
		}
		add(byName[near]...)
		names = slices.DeleteFunc(names, func(n string) bool { return n == near })
	}
	return out
}

// touchedTurn is what one turn of a session did to a file.
type touchedTurn struct {
	last                 store.Touch
	edits, writes, reads int
}

// touchedSession is what a session did to a file.
type touchedSession struct {
	session              int64
	first, last          time.Time // of changes if there are any
	edits, writes, reads int
	paths                []string
	turns                []*touchedTurn // newest first
}

// groupTouches puts touches, newest first, together by session and turn, and
// counts the sessions. Those that only read come last, or not at all.
func groupTouches(touches []store.Touch, reads bool, out *BlameOutput) []*touchedSession {
	type turnKey struct {
		session, turn int64
		agent         string
	}
	sessions, turns := map[int64]*touchedSession{}, map[turnKey]*touchedTurn{}
	var order []*touchedSession
	for _, t := range touches {
		if t.Failed {
			continue
		}
		s := sessions[t.Session]
		if s == nil {
			s = &touchedSession{session: t.Session}
			sessions[t.Session] = s
			order = append(order, s)
		}
		key := turnKey{t.Session, t.Turn, t.Agent}
		x := turns[key]
		if x == nil {
			x = &touchedTurn{last: t}
			turns[key] = x
			s.turns = append(s.turns, x)
		}
		switch t.Action {
		case "edit":
			s.edits, x.edits = s.edits+1, x.edits+1
		case "write":
			s.writes, x.writes = s.writes+1, x.writes+1
		default:
			s.reads, x.reads = s.reads+1, x.reads+1
		}
		if t.Changes() && !x.last.Changes() {
			x.last = t
		}
		if t.Time.After(s.last) {
			s.last = t.Time
		}
		if s.first.IsZero() || t.Time.Before(s.first) {
			s.first = t.Time
		}
		if !slices.Contains(s.paths, t.Path) {
			s.paths = append(s.paths, t.Path)
		}
	}
	for _, s := range order {
		if s.changed() {
			out.Changed++
			// turns that only read say little beside those that changed it
			slices.SortStableFunc(s.turns, func(a, b *touchedTurn) int { return cmp.Compare(min(1, b.edits+b.writes), min(1, a.edits+a.writes)) })
		} else {
			out.Read++
		}
	}
	slices.SortStableFunc(order, func(a, b *touchedSession) int {
		if a.changed() != b.changed() {
			if a.changed() {
				return -1
			}
			return 1
		}
		return cmp.Or(b.last.Compare(a.last), cmp.Compare(b.session, a.session))
	})
	if !reads {
		order = order[:out.Changed]
	}
	return order
}

func (s *touchedSession) changed() bool { return s.edits+s.writes > 0 }

// blamed loads why a file was touched and what was decided.
func (m *Mind) blamed(ctx context.Context, list []*touchedSession) ([]BlameSession, error) {
	seqs := make([]int64, len(list))
	for i, s := range list {
		seqs[i] = s.session
	}
	sessions, err := m.store.SessionsBySeq(ctx, seqs)
	if err != nil {
		return nil, err
	}
	out := []BlameSession{}
	for _, s := range list {
		x := sessions[s.session]
		b := BlameSession{
			Session: x.ID, Title: x.Title, Branch: x.Branch, First: s.first, Last: s.last,
			Edits: s.edits, Writes: s.writes, Reads: s.reads, Paths: s.paths, Turns: []BlameTurn{},
		}
		for _, t := range s.turns[:min(len(s.turns), blameTurns)] {
			turn, err := m.blamedTurn(ctx, &x, t)
			if err != nil {
				return nil, err
			}
			b.Turns = append(b.Turns, turn)
		}
		out = append(out, b)
	}
	return out, nil
}

func (m *Mind) blamedTurn(ctx context.Context, s *store.Session, t *touchedTurn) (BlameTurn, error) {
	out := BlameTurn{ID: t.last.MessageID, Created: t.last.Time, Agent: t.last.Agent, Edits: t.edits, Writes: t.writes, Reads: t.reads}
	request, turn, err := m.requestOf(ctx, t.last.Session, t.last.Agent, t.last.Turn, t.last.Time)
	if err != nil || request.Seq == 0 {
		return out, err
	}
	ids, err := m.store.ChunkMessages(ctx, []int64{request.Seq})
	if err != nil {
		return out, err
	}
	out.Why = onOneLine(request.Text, whyTokens)
	if list := ids[request.Seq]; len(list) > 0 {
		out.WhyID = list[0]
	}
	out.Decided, out.SaidID, err = m.closing(ctx, s, turn)
	return out, err
}

// requestOf returns what a person had asked for when something was done, and
// in which turn of the main thread. What a subagent did was asked for there.
func (m *Mind) requestOf(ctx context.Context, conversation int64, agent string, turn int64, at time.Time) (store.Chunk, int64, error) {
	if agent == "" {
		key := store.TurnKey{Session: conversation, Turn: turn}
		found, err := m.store.Requests(ctx, []store.TurnKey{key})
		return found[key], turn, err
	}
	c, err := m.store.RequestBefore(ctx, conversation, at)
	if err != nil || c.Seq == 0 {
		return c, 0, err
	}
	messages, err := m.store.MessagesBetween(ctx, conversation, c.First, c.First)
	if err != nil || len(messages) == 0 {
		return c, 0, err
	}
	return c, messages[0].Turn, nil
}

// closingMessages is how many messages at the end of a turn are looked at for
// what the agent said.
const closingMessages = 12

// closing returns what the agent said at the end of a turn.
func (m *Mind) closing(ctx context.Context, s *store.Session, turn int64) (text, id string, err error) {
	messages, err := m.store.TurnMessages(ctx, s.Seq, "", turn, closingMessages)
	if err != nil {
		return "", "", err
	}
	for _, x := range messages {
		if x.Role != string(session.Assistant) {
			continue
		}
		said, err := follow.ReadMessage(s.Source, x.Raw)
		if err != nil {
			continue // no longer readable; what came before may be
		}
		var parts []string
		for _, p := range said.Parts {
			if p.Kind == session.Text && !p.Meta && strings.TrimSpace(p.Text) != "" {
				parts = append(parts, strings.TrimSpace(p.Text))
			}
		}
		if len(parts) > 0 {
			return sentences(strings.Join(parts, "\n"), decidedRunes), x.ID, nil
		}
	}
	return "", "", nil
}

// sentences returns whole sentences from the beginning of a text, as many as
// fit.
func sentences(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	cut := string(runes[:most])
	end := -1
	for _, stop := range []string{". ", "! ", "? ", "; "} {
		end = max(end, strings.LastIndex(cut, stop))
	}
	if end > len(cut)/3 {
		return cut[:end+1]
	}
	short, _ := shortenTo(text, most/runesPerToken)
	return short
}

// decidedAbout returns memories that speak of files.
func (m *Mind) decidedAbout(ctx context.Context, f store.Filter, files []string) ([]Result, error) {
	out := []Result{}
	seen := map[string]bool{}
	for _, file := range files[:min(len(files), mostNear)] {
		f.Text, f.Limit = path.Base(file), blameMost
		records, err := m.store.List(ctx, f)
		if err != nil {
			return nil, err
		}
		for i := range records {
			if r := &records[i]; !seen[r.ID] && mentions(r.Content, file) && len(out) < blameMemories {
				seen[r.ID] = true
				out = append(out, resultOf(r, m.now()))
			}
		}
	}
	return out, nil
}

// mentions says whether a text names a file: by its path or the end of it,
// not as a part of another name.
func mentions(text, file string) bool {
	base := path.Base(file)
	for at := 0; ; {
		i := strings.Index(text[at:], base)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(base)
		at = end
		if end < len(text) && nameByte(text[end]) && !(text[end] == '.' && (end+1 == len(text) || !nameByte(text[end+1]))) {
			continue
		}
		for begin > 0 && (nameByte(text[begin-1]) || text[begin-1] == '/') {
			begin--
		}
		named := strings.TrimLeft(text[begin:end], "./")
		if named == file || strings.HasSuffix(file, "/"+named) || strings.HasSuffix(named, "/"+file) {
			return true
		}
	}
}

func nameByte(b byte) bool {
	return b == '_' || b == '-' || b == '.' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= 0x80
}
