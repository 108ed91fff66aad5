package mind

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"chitta/internal/anchor"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// GetInput names one memory.
type GetInput struct {
	ID   string `json:"id" jsonschema:"the memory: its id or the unique start of it"`
	From int    `json:"from,omitempty" jsonschema:"for a long text: the character to begin at"`
}

// Get returns one memory.
func (m *Mind) Get(ctx context.Context, c Caller, in GetInput) (View, error) {
	if err := checkID(in.ID); err != nil {
		return View{}, err
	}
	r, err := m.store.Get(ctx, in.ID)
	if err != nil {
		return View{}, err
	}
	v := viewOf(&r, m.now())
	text := []rune(v.Content)
	if in.From < 0 || in.From > len(text) {
		return View{}, &memory.InputError{Field: "from", Problem: fmt.Sprintf("is %d", in.From), Hint: fmt.Sprintf("the text has %d characters", len(text))}
	}
	v.Content, v.From = string(text[in.From:]), in.From
	anchors, err := m.store.AnchorsOf(ctx, []int64{r.Seq})
	if err != nil {
		return v, err
	}
	v.Files = anchor.Files(anchors[r.Seq])
	fresh, err := m.anchors.Check(ctx, c.Cwd, []store.Record{r}, anchors, anchor.Writing)
	if f := fresh[r.Seq]; f.State != "" {
		v.Freshness, v.Changed, v.Anchors = f.State, f.Note, f.Anchors
	}
	return v, err
}

// ListInput chooses memories to list.
type ListInput struct {
	Kinds   []string `json:"kinds,omitempty" jsonschema:"only these kinds" words:"kind"`
	Tags    []string `json:"tags,omitempty" jsonschema:"only with all of these tags"`
	Realm   string   `json:"realm,omitempty" jsonschema:"project: id or name; all for what every project shares; default: that of the working directory"`
	States  []string `json:"states,omitempty" jsonschema:"active, superseded, rejected, forgotten or all; default active" words:"state"`
	Sources []string `json:"sources,omitempty" jsonschema:"conscious, subconscious, consolidated" words:"source"`
	Text    string   `json:"text,omitempty" jsonschema:"only with this text in them, as it is written"`
	Since   string   `json:"since,omitempty" jsonschema:"only from this time on: a date, a time or a span such as 3d"`
	Until   string   `json:"until,omitempty" jsonschema:"only before this time"`
	Pinned  bool     `json:"pinned,omitempty" jsonschema:"only pinned ones"`
	Limit   int      `json:"limit,omitempty" jsonschema:"most to return, 1 to 500; default 50"`
	Cursor  string   `json:"cursor,omitempty" jsonschema:"next of the page before"`
	Oldest  bool     `json:"oldest,omitempty" jsonschema:"oldest first"`
}

// ListOutput is one page of memories.
type ListOutput struct {
	Memories []View `json:"memories"`
	Total    int    `json:"total"` // on all pages
	Next     string `json:"next,omitempty"`
}

const (
	listDefault = 50
	listMost    = 500
)

// List returns memories by filter, newest first.
func (m *Mind) List(ctx context.Context, c Caller, in ListInput) (ListOutput, error) {
	f, err := m.listFilter(ctx, c, in)
	if err != nil {
		return ListOutput{}, err
	}
	records, err := m.store.List(ctx, f)
	if err != nil {
		return ListOutput{}, err
	}
	total, err := m.store.Count(ctx, f)
	if err != nil {
		return ListOutput{}, err
	}
	out := ListOutput{Memories: make([]View, len(records)), Total: total}
	for i := range records {
		out.Memories[i] = viewOf(&records[i], m.now())
	}
	if len(records) == f.Limit {
		out.Next = memory.EncodeCursor(records[len(records)-1].Seq)
	}
	return out, nil
}

func (m *Mind) listFilter(ctx context.Context, c Caller, in ListInput) (f store.Filter, err error) {
	if f.Kinds, err = parseKinds(in.Kinds); err != nil {
		return f, err
	}
	if f.Tags, err = cleanTags(in.Tags); err != nil {
		return f, err
	}
	if f.Realm, f.Reach, err = m.scope(ctx, c, in.Realm); err != nil {
		return f, err
	}
	if f.States, err = parseStates(in.States); err != nil {
		return f, err
	}
	if f.Sources, err = parseEach[memory.Source]("source", in.Sources, memory.Sources()); err != nil {
		return f, err
	}
	if err := memory.CheckText("text", in.Text, memory.MaxQuery); err != nil {
		return f, err
	}
	if f.Since, err = memory.ParseTime("since", in.Since, m.opts.Now()); err != nil {
		return f, err
	}
	if f.Until, err = memory.ParseTime("until", in.Until, m.opts.Now()); err != nil {
		return f, err
	}
	if f.Limit, err = memory.CheckLimit(in.Limit, listDefault, listMost, memory.PageOn); err != nil {
		return f, err
	}
	if f.After, err = memory.DecodeCursor(in.Cursor); err != nil {
		return f, err
	}
	f.Text, f.Pinned, f.Oldest = in.Text, in.Pinned, in.Oldest
	return f, nil
}

// parseStates reads names of states; none means active ones, "all" every one.
func parseStates(names []string) ([]memory.Status, error) {
	if len(names) == 0 {
		return []memory.Status{memory.Active}, nil
	}
	for _, n := range names {
		if strings.EqualFold(n, "all") {
			return nil, nil
		}
	}
	return parseEach[memory.Status]("state", names, memory.Statuses())
}

// HistoryOutput is everything that happened to a memory.
type HistoryOutput struct {
	ID      string         `json:"id"`
	Changes []store.Change `json:"changes"` // oldest first
}

// History returns every change of a memory.
func (m *Mind) History(ctx context.Context, _ Caller, in IDInput) (HistoryOutput, error) {
	if err := checkID(in.ID); err != nil {
		return HistoryOutput{}, err
	}
	r, err := m.store.Get(ctx, in.ID)
	if err != nil {
		return HistoryOutput{}, err
	}
	all, err := m.store.Changes(ctx, r.ID)
	if err != nil {
		return HistoryOutput{}, err
	}
	out := HistoryOutput{ID: r.ID, Changes: all[r.ID]}
	for i := range out.Changes {
		out.Changes[i].Memory = ""
	}
	return out, nil
}

// accessLog collects which memories were recalled. Writing each at once would
// make every read a write; losing the last seconds of counts in a crash costs
// nothing.
type accessLog struct {
	mu     sync.Mutex
	counts map[int64]int
	last   time.Time
}

func (m *Mind) noteAccess(seqs []int64) {
	if len(seqs) == 0 {
		return
	}
	m.access.mu.Lock()
	for _, s := range seqs {
		m.access.counts[s]++
	}
	m.access.last = m.now()
	m.access.mu.Unlock()
	m.signal()
}

func (m *Mind) flushAccess(ctx context.Context) error {
	m.access.mu.Lock()
	counts, last := m.access.counts, m.access.last
	m.access.counts = map[int64]int{}
	m.access.mu.Unlock()
	if len(counts) == 0 {
		return nil
	}
	err := m.store.Write(ctx, func(tx *store.Tx) error {
		for seq, n := range counts {
			if err := tx.Touch(seq, n, last); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("note which memories were used: %w", err)
	}
	return nil
}
