package mind

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"chitta/internal/capture"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// ImportInput is lines of an exported file. They are kept as they came until
// each is looked at, so that one bad line does not spoil the rest.
type ImportInput struct {
	Lines []json.RawMessage `json:"lines" jsonschema:"lines of an exported file, in order"`
}

// ImportProblem is a line that was not taken.
type ImportProblem struct {
	Line int    `json:"line"` // counted from 1 within this call
	Why  string `json:"why"`
}

// ImportOutput counts what became of the lines.
type ImportOutput struct {
	Added    int             `json:"added"`
	Updated  int             `json:"updated"`  // the file had it newer
	Known    int             `json:"known"`    // nothing new
	Realms   int             `json:"realms"`   // new realms
	Redacted int             `json:"redacted"` // secrets taken out
	Refused  []ImportProblem `json:"refused"`
}

const importMost = 1000

// Import takes over exported memories exactly as they were: ids, times,
// states, history. One that is already here is replaced only by a newer one.
// All good lines of a call are stored together; bad ones are reported.
func (m *Mind) Import(ctx context.Context, c Caller, in ImportInput) (ImportOutput, error) {
	out := ImportOutput{Refused: []ImportProblem{}}
	if len(in.Lines) > importMost {
		return out, &memory.InputError{Field: "lines", Problem: fmt.Sprintf("are %d, more than %d", len(in.Lines), importMost), Hint: "send them in several calls"}
	}
	// everything that needs no transaction comes first, so that others can
	// write meanwhile
	lines := make([]*TransferLine, len(in.Lines))
	refuse := func(i int, err error) error {
		var bad *importError
		if !errors.As(err, &bad) {
			return err
		}
		lines[i] = nil
		out.Refused = append(out.Refused, ImportProblem{Line: i + 1, Why: bad.why})
		return nil
	}
	for i, raw := range in.Lines {
		var err error
		if lines[i], err = m.vetLine(raw, &out); err != nil {
			if err := refuse(i, err); err != nil {
				return ImportOutput{}, err
			}
		}
	}
	err := m.store.Write(ctx, func(tx *store.Tx) error {
		known, err := tx.Realms()
		if err != nil {
			return err
		}
		im := importing{Mind: m, tx: tx, caller: c, known: known, realms: map[string]string{}, out: &out}
		for _, r := range known {
			im.realms[r.ID] = r.ID
		}
		for i, line := range lines {
			if line == nil {
				continue
			}
			if err := im.take(line); err != nil {
				if err := refuse(i, err); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return ImportOutput{}, err
	}
	slices.SortFunc(out.Refused, func(a, b ImportProblem) int { return a.Line - b.Line })
	m.followMemories(ctx, false)
	return out, nil
}

// importError refuses one line.
type importError struct{ why string }

func (e *importError) Error() string { return e.why }

// vetLine decodes a line and holds it to the rules that need no store. It
// returns nil for a line that only says what the file is.
func (m *Mind) vetLine(raw json.RawMessage, out *ImportOutput) (*TransferLine, error) {
	var line TransferLine
	if err := json.Unmarshal(raw, &line); err != nil {
		return nil, &importError{"not a line of an export: " + err.Error()}
	}
	parts := 0
	for _, has := range []bool{line.Chitta != 0, line.Realm != nil, line.Memory != nil} {
		if has {
			parts++
		}
	}
	switch {
	case parts != 1:
		return nil, &importError{"a line is the format, a realm or a memory"}
	case line.Chitta != 0 && line.Chitta != TransferVersion:
		return nil, &importError{fmt.Sprintf("format version %d is not %d; update chitta", line.Chitta, TransferVersion)}
	case line.Chitta != 0:
		return nil, nil
	case line.Realm != nil:
		return &line, m.vetRealm(line.Realm)
	}
	return &line, m.vetMemory(&line, out)
}

// importing is one import in progress.
type importing struct {
	*Mind
	tx     *store.Tx
	caller Caller
	known  []memory.Realm
	realms map[string]string // realm in the file -> realm here
	out    *ImportOutput
}

func (im *importing) take(line *TransferLine) error {
	if line.Realm != nil {
		return im.takeRealm(*line.Realm)
	}
	return im.takeMemory(line)
}

// takeRealm makes a realm of the file known, unless it is known already, if
// only by another id.
func (im *importing) takeRealm(r memory.Realm) error {
	if _, ok := im.realms[r.ID]; ok {
		return nil
	}
	id := memory.Identity{Git: len(r.Roots)+len(r.Remotes) > 0, Roots: r.Roots, Name: r.Name}
	if len(r.Remotes) > 0 {
		id.Remote = r.Remotes[0]
	}
	if id.Git {
		if i, ok := memory.Match(im.known, id); ok {
			im.realms[r.ID] = im.known[i].ID
			return nil
		}
	}
	if err := im.tx.PutRealm(r); err != nil {
		return err
	}
	im.known, im.realms[r.ID] = append(im.known, r), r.ID
	im.out.Realms++
	return nil
}

func (im *importing) takeMemory(line *TransferLine) error {
	rec := store.Record{Memory: *line.Memory}
	rec.Hash = capture.Hash(rec.Content)
	realm, ok := im.realms[rec.Realm]
	if !ok {
		return &importError{fmt.Sprintf("%s: realm %q is neither here nor in the file", rec.ID, rec.Realm)}
	}
	rec.Realm = realm
	if err := checkLinks(im.tx, &rec); err != nil {
		return err
	}
	have, err := im.tx.ByID(rec.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		if err := im.tx.Insert(&rec); err != nil {
			return err
		}
		im.out.Added++
	case err != nil:
		return err
	case !have.Erased.IsZero():
		return &importError{rec.ID + " was erased here"}
	case !rec.Updated.After(have.Updated):
		im.out.Known++
		return nil
	default:
		rec.Seq = have.Seq
		if err := im.tx.Update(&rec); err != nil {
			return err
		}
		if err := im.tx.DropHistory(rec.ID); err != nil {
			return err
		}
		im.out.Updated++
	}
	for _, ch := range line.History {
		ch.Memory = rec.ID
		if err := im.tx.AddChange(ch); err != nil {
			return err
		}
	}
	if len(line.History) == 0 {
		return im.tx.AddChange(im.accountFor(im.caller, &rec, "import", nil))
	}
	return nil
}

// checkLinks refuses a memory whose corrections would not be linked both ways.
// The other side may come later in the file, or not at all.
func checkLinks(tx *store.Tx, r *store.Record) error {
	if r.SupersededBy != "" {
		by, err := tx.ByID(r.SupersededBy)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if err == nil && by.Supersedes != r.ID {
			return &importError{fmt.Sprintf("%s: %s does not correct it", r.ID, by.ID)}
		}
		other, err := tx.CorrectedBy(r.SupersededBy)
		if err != nil {
			return err
		}
		if other != "" && other != r.ID {
			return &importError{fmt.Sprintf("%s: %s corrects %s already", r.ID, r.SupersededBy, other)}
		}
	}
	corrected, err := tx.CorrectedBy(r.ID)
	if err != nil {
		return err
	}
	if corrected != "" && corrected != r.Supersedes {
		return &importError{fmt.Sprintf("%s: it does not know that it corrects %s", r.ID, corrected)}
	}
	return nil
}
