package mind

import (
	"context"
	"encoding/json"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// TransferVersion is the version of the exchange format.
const TransferVersion = 1

// TransferLine is one line of an exported file: exactly one of its parts is
// set.
type TransferLine struct {
	Chitta  int            `json:"chitta,omitempty"` // the first line: the format's version
	Realm   *memory.Realm  `json:"realm,omitempty"`
	Memory  *memory.Memory `json:"memory,omitempty"`
	History []store.Change `json:"history,omitempty"` // of the memory
}

// ExportInput chooses memories to export.
type ExportInput struct {
	Realm  string   `json:"realm,omitempty" jsonschema:"only this project: id or name; default: everything"`
	Kinds  []string `json:"kinds,omitempty" jsonschema:"only these kinds" words:"kind"`
	Tags   []string `json:"tags,omitempty" jsonschema:"only with all of these tags"`
	Cursor string   `json:"cursor,omitempty" jsonschema:"next of the page before"`
	Limit  int      `json:"limit,omitempty" jsonschema:"most memories a page, 1 to 500; default 200"`
}

// ExportOutput is one page of lines.
type ExportOutput struct {
	Lines []TransferLine `json:"lines"`
	Next  string         `json:"next,omitempty"`
}

const exportPage = 200

// Export returns memories in every state but erased, oldest first, each with
// its history; the first page begins with the format and the realms.
func (m *Mind) Export(ctx context.Context, _ Caller, in ExportInput) (ExportOutput, error) {
	f := store.Filter{Oldest: true, Reach: store.ReachOnly}
	var err error
	if f.Limit, err = memory.CheckLimit(in.Limit, exportPage, listMost, memory.PageOn); err != nil {
		return ExportOutput{}, err
	}
	if f.Kinds, err = parseKinds(in.Kinds); err != nil {
		return ExportOutput{}, err
	}
	if f.Tags, err = cleanTags(in.Tags); err != nil {
		return ExportOutput{}, err
	}
	if f.After, err = memory.DecodeCursor(in.Cursor); err != nil {
		return ExportOutput{}, err
	}
	if in.Realm != "" {
		r, err := m.namedRealm(ctx, in.Realm)
		if err != nil {
			return ExportOutput{}, err
		}
		f.Realm = r.ID
	}
	out := ExportOutput{Lines: []TransferLine{}}
	if in.Cursor == "" {
		out.Lines = append(out.Lines, TransferLine{Chitta: TransferVersion})
		realms, err := m.store.Realms(ctx)
		if err != nil {
			return out, err
		}
		for _, r := range realms {
			// the user's own realm is everywhere and always the same; folders
			// mean nothing on another machine
			if r.ID != memory.UserRealm && (f.Realm == "" || f.Realm == r.ID) {
				r.Dirs, r.Paths = nil, nil
				out.Lines = append(out.Lines, TransferLine{Realm: &r})
			}
		}
	}
	limit, bytes := f.Limit, 0
	f.Limit = min(limit, exportStep)
	for n := 0; ; {
		records, err := m.store.List(ctx, f)
		if err != nil {
			return out, err
		}
		ids := make([]string, len(records))
		for i := range records {
			ids[i] = records[i].ID
		}
		history, err := m.store.Changes(ctx, ids...)
		if err != nil {
			return out, err
		}
		for i := range records {
			line := TransferLine{Memory: &records[i].Memory, History: history[records[i].ID]}
			for j := range line.History {
				line.History[j].Memory = ""
			}
			bytes += fitLine(&line)
			out.Lines = append(out.Lines, line)
			f.After = records[i].Seq
			if n++; n == limit || bytes > exportBytes {
				out.Next = memory.EncodeCursor(f.After)
				return out, nil
			}
		}
		if len(records) < f.Limit {
			return out, nil
		}
	}
}

const (
	// exportStep is how many memories are read at once, exportBytes about how
	// much a page may hold: memories can be long, answers are bounded.
	exportStep  = 20
	exportBytes = 4 << 20
	// maxLineBytes is what one line may hold, so that it can be imported again.
	maxLineBytes = 8 << 20
)

// fitLine returns the size of a line. If a much edited memory does not fit,
// the oldest texts of its history are left out of the line.
func fitLine(line *TransferLine) int {
	for i := 0; ; i++ {
		b, err := json.Marshal(line)
		if err != nil || len(b) <= maxLineBytes || i >= len(line.History) {
			return len(b)
		}
		line.History[i].Detail = nil
	}
}
