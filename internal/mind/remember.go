package mind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"chitta/internal/anchor"
	"chitta/internal/capture"
	"chitta/internal/codebase"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// RememberInput is what to remember.
type RememberInput struct {
	Content    string   `json:"content" jsonschema:"what to remember: one self-contained statement, 10 characters or more"`
	Kind       string   `json:"kind,omitempty" jsonschema:"what sort of memory it is; default episode" words:"kind"`
	Tags       []string `json:"tags,omitempty" jsonschema:"words to find it by"`
	Realm      string   `json:"realm,omitempty" jsonschema:"project it belongs to: id or name; default: the project of the working directory; user for what concerns the user everywhere"`
	Visibility string   `json:"visibility,omitempty" jsonschema:"private (its project), shared (other projects on request) or global (every project)" words:"visibility"`
	Confidence *float64 `json:"confidence,omitempty" jsonschema:"how sure, 0 to 1; default by trust"`
	Trust      string   `json:"trust,omitempty" jsonschema:"who vouches for it: outcome, agent, tool or web; user counts from the command line only" words:"trust"`
	Source     string   `json:"source,omitempty" jsonschema:"conscious (said so), subconscious (extracted) or consolidated (derived)" words:"source"`
	Pinned     bool     `json:"pinned,omitempty" jsonschema:"keep among the first to be shown"`
	Session    string   `json:"session,omitempty" jsonschema:"client session it was said in"`
	Message    string   `json:"message,omitempty" jsonschema:"message it was said in"`
	Note       string   `json:"note,omitempty" jsonschema:"where it comes from, e.g. a URL"`
	Files      []string `json:"files,omitempty" jsonschema:"files it is about: absolute, or from the working directory"`
	Symbols    []string `json:"symbols,omitempty" jsonschema:"functions, types and so on of the indexed project that it is about: Server.Listen, or server.go:Server.Listen"`
}

// RememberOutput says what became of it.
type RememberOutput struct {
	ID       string `json:"id"`
	Action   string `json:"action"` // stored, or strengthened when it was known
	Kind     string `json:"kind"`
	Realm    string `json:"realm"`
	Redacted int    `json:"redacted"` // secrets and private parts taken out
	// About is what code it is held against from now on, Missing what somebody
	// named and is not there.
	About   []string `json:"about,omitempty"`
	Missing []string `json:"missing,omitempty"`

	Stated // what the text states in notation
}

// What became of something to remember.
const (
	ActionStored       = "stored"
	ActionStrengthened = "strengthened"
)

// mostAbout is how many places are named to who stores a memory.
const mostAbout = 5

// AboutText names what code it is held against, the first of it; "" for none.
func (o *RememberOutput) AboutText() string {
	n := min(len(o.About), mostAbout)
	text := codebase.ShownList(o.About[:n])
	if more := len(o.About) - n; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

const defaultKind = memory.Episode

// Remember stores a memory, unless it is known already: then the known one is
// strengthened.
func (m *Mind) Remember(ctx context.Context, c Caller, in RememberInput) (RememberOutput, error) {
	rec, redacted, err := m.compose(ctx, c, in)
	if err != nil {
		return RememberOutput{}, err
	}
	near, err := m.vetNew(ctx, c, rec)
	if err != nil {
		return RememberOutput{}, err
	}
	files, err := m.filesGiven(ctx, c, rec.Realm, in.Files)
	if err != nil {
		return RememberOutput{}, err
	}
	if err := checkSymbols(in.Symbols); err != nil {
		return RememberOutput{}, err
	}
	anchors, err := m.anchors.Take(ctx, rec, c.Cwd, anchor.Given{Files: files, Symbols: in.Symbols})
	if err != nil {
		return RememberOutput{}, err
	}
	if near, err = m.sameSymbol(ctx, rec, near, anchors); err != nil {
		return RememberOutput{}, err
	}
	out := RememberOutput{Redacted: redacted, About: anchor.About(anchors)}
	if out.Missing, err = m.anchors.Missing(ctx, rec.Realm, c.Cwd, files); err != nil {
		return RememberOutput{}, err
	}
	var stored store.Record
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		known, err := m.known(tx, c, rec, near)
		if err != nil {
			return err
		}
		if known != nil {
			out.Action, stored = ActionStrengthened, *known
			if err := m.strengthenKnown(tx, c, &stored, rec, in); err != nil {
				return err
			}
		} else {
			out.Action, stored = ActionStored, *rec
			if out.Stated, err = m.insertNew(tx, c, &stored); err != nil {
				return err
			}
		}
		return tx.AddAnchors(anchor.On(stored.Seq, anchors)...)
	})
	if err != nil {
		return RememberOutput{}, err
	}
	m.followMemories(ctx, true)
	out.ID, out.Kind, out.Realm = stored.ID, stored.Kind.String(), stored.Realm
	return out, nil
}

// sameSymbol returns near, the row of a memory that says the same as a note on a
// symbol, only if that is a note on the same symbol, else 0. What is no note
// passes.
func (m *Mind) sameSymbol(ctx context.Context, rec *store.Record, near int64, anchors []store.Anchor) (int64, error) {
	if near == 0 || rec.Kind != memory.Symbol {
		return near, nil
	}
	had, err := m.store.AnchorsOf(ctx, []int64{near})
	if err != nil || !anchor.SameSymbols(anchors, had[near]) {
		return 0, err
	}
	return near, nil
}

// vetNew holds a memory that is about to be stored against what is known:
// it returns the row of one that says the same, or 0, and refuses what was
// settled otherwise.
func (m *Mind) vetNew(ctx context.Context, c Caller, rec *store.Record) (near int64, err error) {
	if near, err = m.nearDuplicate(ctx, rec); err != nil {
		return 0, err
	}
	return near, m.notSettled(ctx, c, rec)
}

// insertNew stores a memory with what its text states and the first entry of
// its history.
func (m *Mind) insertNew(tx *store.Tx, c Caller, rec *store.Record) (Stated, error) {
	if err := tx.Insert(rec); err != nil {
		return Stated{}, err
	}
	stated, err := m.stateFacts(tx, rec, rec.Created)
	if err != nil {
		return Stated{}, err
	}
	return stated, tx.AddChange(m.accountFor(c, rec, "remember", nil))
}

// followMemories lets the indexes take over what was written. embedded says
// that its text just went through the model.
func (m *Mind) followMemories(ctx context.Context, embedded bool) {
	m.index.Follow(ctx)
	m.net.Follow(ctx)
	m.semantic.Follow(ctx, store.OwnerMemory, embedded)
}

// compose turns an input into a record that has passed every check.
func (m *Mind) compose(ctx context.Context, c Caller, in RememberInput) (*store.Record, int, error) {
	content, redacted, err := m.admit(in.Content)
	if err != nil {
		return nil, 0, err
	}
	rec := &store.Record{Hash: capture.Hash(content)}
	rec.Content, rec.State, rec.Pinned = content, memory.Active, in.Pinned
	rec.Kind = defaultKind
	if in.Kind != "" {
		if rec.Kind, err = memory.ParseKind(in.Kind); err != nil {
			return nil, 0, err
		}
	}
	rec.DecayRate = rec.Kind.DecayRate()
	if rec.Tags, err = m.admitTags(in.Tags); err != nil {
		return nil, 0, err
	}
	r, err := m.realmFor(ctx, c, in.Realm)
	if err != nil {
		return nil, 0, err
	}
	rec.Realm, rec.Visibility = r.ID, r.Visibility
	if in.Visibility != "" {
		v, err := memory.ParseOneOf("visibility", in.Visibility, memory.Visibilities())
		if err != nil {
			return nil, 0, err
		}
		rec.Visibility = memory.Visibility(v)
	}
	if err := m.vouch(c, in, rec); err != nil {
		return nil, 0, err
	}
	if rec.ID, err = m.newID(); err != nil {
		return nil, 0, err
	}
	now := m.now()
	rec.Created, rec.Updated, rec.Observed = now, now, now
	return rec, redacted, nil
}

// admit takes secrets and private parts out of a text and holds it to the
// quality gate.
func (m *Mind) admit(content string) (clean string, redacted int, err error) {
	if err := m.gate.Check(content); err != nil {
		return "", 0, err
	}
	if capture.IsEcho(content) {
		return "", 0, &memory.RefusedError{Reason: "this is text that chitta itself handed over", Hint: "remember what is new about it, in your own words"}
	}
	clean, found := m.redactor.Redact(content)
	clean = strings.TrimSpace(clean)
	if len(found) > 0 {
		if err := m.gate.Check(clean); err != nil {
			return "", 0, &memory.RefusedError{Reason: "nothing is left once secrets and private parts are taken out", Hint: "say it without them"}
		}
	}
	return clean, len(found), nil
}

func (m *Mind) admitTags(tags []string) ([]string, error) {
	clean, err := cleanTags(tags)
	if err != nil {
		return nil, err
	}
	for _, t := range clean {
		if found := m.redactor.Findings(t); len(found) > 0 {
			return nil, &memory.RefusedError{Reason: "a tag looks like a secret (" + found[0].Rule + ")", Hint: "leave it out"}
		}
	}
	return clean, nil
}

// vouch fills in who says so and how sure they are.
func (m *Mind) vouch(c Caller, in RememberInput, rec *store.Record) error {
	rec.Source, rec.Trust = memory.Conscious, memory.TrustAgent
	if c.Actor == ActorCLI {
		rec.Trust = memory.TrustUser
	}
	if in.Source != "" {
		s, err := memory.ParseOneOf("source", in.Source, memory.Sources())
		if err != nil {
			return err
		}
		rec.Source = memory.Source(s)
	}
	if in.Trust != "" {
		t, err := memory.ParseOneOf("trust", in.Trust, memory.Trusts())
		if err != nil {
			return err
		}
		rec.Trust = memory.Trust(t)
		if rec.Trust == memory.TrustUser && c.Actor != ActorCLI {
			rec.Trust = memory.TrustAgent // an agent that quotes the user is still an agent
		}
	}
	rec.Confidence = memory.NewConfidence(priorFor(rec.Trust))
	if in.Confidence != nil {
		if !(*in.Confidence >= 0 && *in.Confidence <= 1) || math.IsNaN(*in.Confidence) {
			return &memory.InputError{Field: "confidence", Problem: fmt.Sprintf("is %v", *in.Confidence), Hint: "use a number from 0 to 1"}
		}
		rec.Confidence = memory.NewConfidence(*in.Confidence)
	}
	rec.Provenance = memory.Provenance{Actor: c.Actor, Session: cmp.Or(in.Session, c.Session), Message: in.Message, Cwd: c.Cwd, Note: in.Note}
	p := &rec.Provenance
	for field, text := range map[string]*string{"note": &p.Note, "session": &p.Session, "message": &p.Message} {
		if err := memory.CheckText(field, *text, maxProvenanceBytes); err != nil {
			return err
		}
		*text, _ = m.redactor.Redact(*text)
	}
	return nil
}

// ActorCLI is the caller's name when a person types a command.
const ActorCLI = "cli"

const maxProvenanceBytes = 2048

// priorFor is the confidence a memory starts with, by who vouches for it.
func priorFor(t memory.Trust) float64 {
	switch t {
	case memory.TrustUser:
		return 0.9
	case memory.TrustOutcome:
		return 0.85
	case memory.TrustAgent:
		return 0.7
	case memory.TrustTool:
		return 0.5
	default:
		return 0.4
	}
}

// known returns the memory that already says what rec says, or nil.
func (m *Mind) known(tx *store.Tx, c Caller, rec *store.Record, near int64) (*store.Record, error) {
	if err := m.guard(tx, c, rec); err != nil {
		var twin *twinError
		if errors.As(err, &twin) {
			return &twin.record, nil
		}
		return nil, err
	}
	if near == 0 {
		return nil, nil
	}
	r, err := tx.BySeq(near)
	if err != nil {
		return nil, err
	}
	if r.State != memory.Active { // changed since it was looked up
		return nil, nil
	}
	return &r, nil
}

// strengthenKnown counts a repetition as evidence and takes over what it says
// beyond that.
func (m *Mind) strengthenKnown(tx *store.Tx, c Caller, known, again *store.Record, in RememberInput) error {
	before := known.Confidence.Mean
	known.Observe(1, again.Observed) // for what is learned late, when it was said
	known.Updated = m.now()
	detail := map[string][2]any{"confidence": {before, known.Confidence.Mean}}
	if tags, err := cleanTags(slices.Concat(known.Tags, again.Tags)); err == nil && len(tags) > len(known.Tags) {
		detail["tags"] = [2]any{known.Tags, tags}
		known.Tags = tags
	}
	if again.Content != known.Content {
		detail["said"] = [2]any{nil, again.Content} // in other words, which are kept
	}
	if in.Kind != "" && again.Kind != known.Kind && again.Kind != memory.Symbol && known.Kind != memory.Symbol {
		detail["kind"] = [2]any{known.Kind, again.Kind}
		known.Kind, known.DecayRate = again.Kind, again.DecayRate
	}
	if in.Visibility != "" && again.Visibility != known.Visibility {
		detail["visibility"] = [2]any{known.Visibility, again.Visibility}
		known.Visibility = again.Visibility
	}
	if again.Provenance.Note != "" && again.Provenance.Note != known.Provenance.Note {
		detail["note"] = [2]any{known.Provenance.Note, again.Provenance.Note}
		known.Provenance.Note = again.Provenance.Note
	}
	if again.Trust.Weight() > known.Trust.Weight() {
		detail["trust"] = [2]any{known.Trust, again.Trust}
		known.Trust = again.Trust
	}
	if again.Pinned && !known.Pinned {
		detail["pinned"] = [2]any{false, true}
		known.Pinned = true
	}
	if err := tx.Update(known); err != nil {
		return err
	}
	if err := m.reassessFacts(tx, known); err != nil {
		return err
	}
	return tx.AddChange(m.accountFor(c, known, "repeat", detail))
}

// LearnInput is an insight to keep.
type LearnInput struct {
	Content string   `json:"content" jsonschema:"what was learned, as one self-contained statement"`
	Tags    []string `json:"tags,omitempty" jsonschema:"words to find it by"`
	Realm   string   `json:"realm,omitempty" jsonschema:"project it belongs to; default: that of the working directory"`
}

// Learn remembers an insight.
func (m *Mind) Learn(ctx context.Context, c Caller, in LearnInput) (RememberOutput, error) {
	return m.Remember(ctx, c, RememberInput{Content: in.Content, Kind: memory.Insight.String(), Tags: in.Tags, Realm: in.Realm})
}

// DecideInput is a decision to keep.
type DecideInput struct {
	Decision string   `json:"decision" jsonschema:"what was decided"`
	Reason   string   `json:"reason,omitempty" jsonschema:"why"`
	Instead  string   `json:"instead,omitempty" jsonschema:"what was considered and not chosen"`
	Tags     []string `json:"tags,omitempty" jsonschema:"words to find it by"`
	Realm    string   `json:"realm,omitempty" jsonschema:"project it belongs to; default: that of the working directory"`
}

// Decide remembers a decision with its reason.
func (m *Mind) Decide(ctx context.Context, c Caller, in DecideInput) (RememberOutput, error) {
	if err := memory.CheckText("decision", in.Decision, m.gate.MaxBytes); err != nil {
		return RememberOutput{}, err
	}
	text := strings.TrimSpace(in.Decision)
	if text == "" {
		return RememberOutput{}, &memory.InputError{Field: "decision", Problem: "is empty", Hint: "say what was decided"}
	}
	if in.Reason != "" {
		text += "\nbecause: " + strings.TrimSpace(in.Reason)
	}
	if in.Instead != "" {
		text += "\ninstead of: " + strings.TrimSpace(in.Instead)
	}
	return m.Remember(ctx, c, RememberInput{
		Content: text, Kind: memory.Approach.String(), Tags: append(in.Tags, "decision"), Realm: in.Realm,
	})
}
