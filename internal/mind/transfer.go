package mind

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"time"

	"chitta/internal/capture"
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
	if f.Limit, err = checkLimit(in.Limit, exportPage, listMost, pageOn); err != nil {
		return ExportOutput{}, err
	}
	if f.Kinds, err = parseKinds(in.Kinds); err != nil {
		return ExportOutput{}, err
	}
	if f.Tags, err = cleanTags(in.Tags); err != nil {
		return ExportOutput{}, err
	}
	if f.After, err = decodeCursor(in.Cursor); err != nil {
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
		for i := range realms {
			// the user's own realm is everywhere and always the same
			if realms[i].ID != memory.UserRealm && (f.Realm == "" || f.Realm == realms[i].ID) {
				out.Lines = append(out.Lines, TransferLine{Realm: &realms[i]})
			}
		}
	}
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
		out.Lines = append(out.Lines, line)
	}
	if len(records) == f.Limit {
		out.Next = encodeCursor(records[len(records)-1].Seq)
	}
	return out, nil
}

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
		return out, &InputError{Field: "lines", Problem: fmt.Sprintf("are %d, more than %d", len(in.Lines), importMost), Hint: "send them in several calls"}
	}
	err := m.store.Write(ctx, func(tx *store.Tx) error {
		known, err := tx.Realms()
		if err != nil {
			return err
		}
		realms := map[string]bool{}
		for _, r := range known {
			realms[r.ID] = true
		}
		for i, raw := range in.Lines {
			err := m.importLine(tx, c, raw, realms, &out)
			var bad *importError
			switch {
			case errors.As(err, &bad):
				out.Refused = append(out.Refused, ImportProblem{Line: i + 1, Why: bad.why})
			case err != nil:
				return err
			}
		}
		return nil
	})
	if err != nil {
		return ImportOutput{}, err
	}
	m.index.follow(ctx)
	return out, nil
}

// importError refuses one line.
type importError struct{ why string }

func (e *importError) Error() string { return e.why }

func (m *Mind) importLine(tx *store.Tx, c Caller, raw json.RawMessage, realms map[string]bool, out *ImportOutput) error {
	var line TransferLine
	if err := json.Unmarshal(raw, &line); err != nil {
		return &importError{"not a line of an export: " + err.Error()}
	}
	switch {
	case line.Chitta > TransferVersion:
		return &importError{fmt.Sprintf("format version %d is newer than %d; update chitta", line.Chitta, TransferVersion)}
	case line.Realm != nil:
		return m.importRealm(tx, *line.Realm, realms, out)
	case line.Memory != nil:
		return m.importMemory(tx, c, line, realms, out)
	case line.Chitta == 0:
		return &importError{"neither a memory nor a realm"}
	}
	return nil
}

func (m *Mind) importRealm(tx *store.Tx, r memory.Realm, realms map[string]bool, out *ImportOutput) error {
	if realms[r.ID] {
		return nil
	}
	if r.Visibility == "" {
		r.Visibility = memory.Private
	}
	_, kindErr := memory.ParseOneOf("kind", string(r.Kind), memory.RealmKinds())
	_, visibilityErr := memory.ParseOneOf("visibility", string(r.Visibility), memory.Visibilities())
	nameErr := checkText("name", r.Name, maxNameBytes)
	if err := errors.Join(kindErr, visibilityErr, nameErr); err != nil || !strings.HasPrefix(r.ID, "p_") || len(r.ID) > maxTagRunes {
		return &importError{fmt.Sprintf("realm %q is not sound: %v", r.ID, err)}
	}
	if err := tx.PutRealm(r); err != nil {
		return err
	}
	realms[r.ID] = true
	out.Realms++
	return nil
}

func (m *Mind) importMemory(tx *store.Tx, c Caller, line TransferLine, realms map[string]bool, out *ImportOutput) error {
	rec := store.Record{Memory: *line.Memory}
	if err := m.vetImport(&rec, realms, out); err != nil {
		return err
	}
	if err := checkLinks(tx, &rec); err != nil {
		return err
	}
	for _, ch := range line.History {
		if err := errors.Join(checkText("actor", ch.Actor, maxNameBytes), checkText("op", ch.Op, maxNameBytes)); err != nil {
			return &importError{rec.ID + ": its history is not sound: " + err.Error()}
		}
	}
	have, err := tx.ByID(rec.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		if err := tx.Insert(&rec); err != nil {
			return err
		}
		out.Added++
	case err != nil:
		return err
	case !have.Erased.IsZero():
		return &importError{rec.ID + " was erased here"}
	case !rec.Updated.After(have.Updated):
		out.Known++
		return nil
	default:
		rec.Seq = have.Seq
		if err := tx.Update(&rec); err != nil {
			return err
		}
		if err := tx.DropHistory(rec.ID); err != nil {
			return err
		}
		out.Updated++
	}
	for _, ch := range line.History {
		ch.Memory = rec.ID
		if err := tx.AddChange(m.redactChange(ch)); err != nil {
			return err
		}
	}
	if len(line.History) == 0 {
		return tx.AddChange(m.accountFor(c, &rec, "import", nil))
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

// farFuture is how far ahead another machine's clock may be.
const farFuture = 24 * time.Hour

// vetImport holds a foreign record to the same rules as one written here.
func (m *Mind) vetImport(r *store.Record, realms map[string]bool, out *ImportOutput) error {
	if !strings.HasPrefix(r.ID, "m_") || len(r.ID) < minIDPrefix || len(r.ID) > maxTagRunes || strings.ContainsFunc(r.ID, notIDRune) {
		return &importError{fmt.Sprintf("id %q is not one of chitta's", r.ID)}
	}
	_, stateErr := memory.ParseOneOf("state", string(r.State), memory.Statuses())
	_, visibilityErr := memory.ParseOneOf("visibility", string(r.Visibility), memory.Visibilities())
	_, sourceErr := memory.ParseOneOf("source", string(r.Source), memory.Sources())
	_, trustErr := memory.ParseOneOf("trust", string(r.Trust), memory.Trusts())
	if err := errors.Join(stateErr, visibilityErr, sourceErr, trustErr, m.gate.Check(r.Content)); err != nil {
		return &importError{r.ID + ": " + strings.ReplaceAll(err.Error(), "\n", "; ")}
	}
	if !realms[r.Realm] {
		return &importError{fmt.Sprintf("%s: realm %q is neither here nor in the file", r.ID, r.Realm)}
	}
	b := r.Confidence
	if !(b.Mean >= 0 && b.Mean <= 1 && b.Variance >= 0 && b.Variance <= memory.MaxVariance && b.Tau >= 0 && r.DecayRate >= 0) ||
		math.IsInf(b.Tau, 0) || math.IsInf(r.DecayRate, 0) || b.N < 0 || r.AccessCount < 0 {
		return &importError{r.ID + ": confidence or decay is out of range"}
	}
	if r.Created.IsZero() || r.Updated.IsZero() || r.Observed.IsZero() {
		return &importError{r.ID + ": created, updated or observed is missing"}
	}
	if r.Updated.After(m.now().Add(farFuture)) || r.Observed.After(m.now().Add(farFuture)) {
		return &importError{r.ID + ": it was changed in the future"}
	}
	if (r.State == memory.Forgotten) != !r.Forgotten.IsZero() || (r.State == memory.Superseded && r.SupersededBy == "") {
		return &importError{r.ID + ": its state and its links do not agree"}
	}
	clean, found := m.redactor.Redact(r.Content)
	if clean = strings.TrimSpace(clean); clean == "" {
		return &importError{r.ID + ": nothing is left once secrets and private parts are taken out"}
	}
	out.Redacted += len(found)
	r.Content, r.Hash = clean, capture.Hash(clean)
	tags, err := m.admitTags(r.Tags)
	if err != nil {
		return &importError{r.ID + ": " + err.Error()}
	}
	r.Tags = tags
	p := &r.Provenance
	for _, text := range []*string{&p.Actor, &p.Session, &p.Message, &p.Cwd, &p.Note, &r.Supersedes, &r.SupersededBy, &r.Pair} {
		if err := checkText("provenance", *text, maxPathBytes); err != nil {
			return &importError{r.ID + ": " + err.Error()}
		}
		*text, _ = m.redactor.Redact(*text)
	}
	for _, t := range []*time.Time{&r.Created, &r.Updated, &r.Observed, &r.Accessed, &r.Forgotten} {
		*t = t.UTC().Truncate(time.Millisecond)
	}
	return nil
}

func notIDRune(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
}

// redactChange takes secrets out of the texts a foreign history carries.
func (m *Mind) redactChange(ch store.Change) store.Change {
	ch.Detail = maps.Clone(ch.Detail)
	for field, pair := range ch.Detail {
		ch.Detail[field] = [2]any{m.redactValue(pair[0]), m.redactValue(pair[1])}
	}
	return ch
}

// redactValue takes secrets out of every text in a JSON value.
func (m *Mind) redactValue(v any) any {
	switch v := v.(type) {
	case string:
		clean, _ := m.redactor.Redact(v)
		return clean
	case []any:
		for i := range v {
			v[i] = m.redactValue(v[i])
		}
		return v
	case map[string]any:
		for k := range v {
			v[k] = m.redactValue(v[k])
		}
		return v
	}
	return v
}
