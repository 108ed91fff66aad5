package mind

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"chitta/internal/anchor"
	"chitta/internal/capture"
	"chitta/internal/distil"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// Lesson is something that a turn of a session taught, and where.
type Lesson struct {
	distil.Lesson
	Session string // the client's id
	Realm   string
	Cwd     string
	At      time.Time // when it was said or done
}

// KeptLesson says what became of a lesson.
type KeptLesson struct {
	ID     string // of the memory; "" if there is none
	Action string
}

// What becomes of a lesson, beside [ActionStored] and [ActionStrengthened].
const (
	ActionKnown    = "known"    // it was kept before
	ActionRevised  = "revised"  // it was kept before, and says more now
	ActionRepeated = "repeated" // the agent only said what it had from memory
	ActionRefused  = "refused"  // by the gate
)

// KeepLessons keeps what a turn taught, all of it in one transaction, by the
// same rules as [Mind.Remember]. Each lesson counts once, however often it is
// brought: a turn can be read again. What the agent says proves nothing about
// what it may have from memory, so its repetitions strengthen nothing.
func (m *Mind) KeepLessons(ctx context.Context, c Caller, lessons []Lesson) ([]KeptLesson, error) {
	if len(lessons) == 0 {
		return nil, nil
	}
	before, err := m.store.Lessons(ctx, lessons[0].Session)
	if err != nil {
		return nil, err
	}
	drafts := make([]draft, len(lessons))
	for i := range lessons {
		d := &drafts[i]
		d.Lesson, d.key = &lessons[i], lessonKey(&lessons[i])
		if had, ok := before[d.key]; ok && (had.Memory == "" || !d.grows()) {
			continue // nothing to prepare; the transaction finds it too
		}
		if err := m.draft(ctx, c, d); err != nil {
			return nil, err
		}
	}
	kept := make([]KeptLesson, len(lessons))
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		if may, err := learnable(tx, lessons[0].Session); err != nil || !may {
			for i := range kept {
				kept[i] = KeptLesson{"", ActionRefused}
			}
			return err
		}
		for i := range drafts {
			if kept[i], err = m.keepLesson(ctx, tx, c, &drafts[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	m.followMemories(ctx, true)
	return kept, nil
}

// draft is a lesson on its way to be kept.
type draft struct {
	*Lesson
	key    string
	rec    *store.Record  // nil if it was refused or kept before
	near   int64          // row of a memory that says the same, or 0
	files  []store.Anchor // and symbols that it is about
	echoes bool           // the agent only repeats a memory
	mind   changeOfMind   // what a wish changes
}

// guardian is on whose word a lesson is held against what was settled: a person
// who changed their mind may change it back.
func (d *draft) guardian(c Caller) Caller {
	if d.mind.returns {
		c.Actor = ActorCLI
	}
	return c
}

// grows reports that a lesson may say more when its turn goes on.
func (d *draft) grows() bool { return d.Rule == distil.RuleEdit }

// lessonKey is what makes a lesson the one it is: the rule, the message it
// begins with and what it says. The files that a turn changes get more as it
// goes on, so of that the text is no part.
func lessonKey(l *Lesson) string {
	parts := []string{l.Rule}
	if len(l.Messages) > 0 {
		parts = append(parts, l.Messages[0])
	}
	if l.Rule != distil.RuleEdit {
		parts = append(parts, l.Text)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:lessonKeyBytes])
}

// lessonKeyBytes is how much of the hash is kept: 128 bits tell the lessons of a
// session apart.
const lessonKeyBytes = 16

// draft does for a lesson what needs no transaction.
func (m *Mind) draft(ctx context.Context, c Caller, d *draft) error {
	l := d.Lesson
	source := memory.Subconscious
	if l.Conscious {
		source = memory.Conscious
	}
	in := RememberInput{
		Content: l.Text, Kind: l.Kind.String(), Tags: l.Tags, Realm: l.Realm, Source: string(source),
		Confidence: &l.Confidence, Session: l.Session,
	}
	if len(l.Messages) > 0 {
		in.Message = l.Messages[0]
	}
	rec, _, err := m.compose(ctx, Caller{Actor: c.Actor, Session: l.Session, Cwd: l.Cwd}, in)
	if err != nil {
		return ifNotRefused(err)
	}
	rec.Trust = l.Trust
	if len(l.Messages) > 1 {
		rec.Provenance.Messages = slices.Clone(l.Messages)
	}
	if at := l.At.UTC().Truncate(time.Millisecond); at.UnixMilli() > 0 && at.Before(rec.Created) {
		rec.Created, rec.Observed = at, at
	}
	if gone, err := m.forgottenSince(ctx, l, rec); err != nil || gone {
		return err
	}
	if err := m.dropEcho(ctx, l, rec); err != nil {
		return err
	}
	if d.echoes, err = m.echoes(ctx, l, rec); err != nil {
		return err
	}
	if err := m.changedMind(ctx, d, rec); err != nil {
		return err
	}
	if d.near, err = m.vetNew(ctx, d.guardian(c), rec); err != nil {
		return ifNotRefused(err)
	}
	d.rec = rec
	touched, err := m.anchors.Paths(ctx, rec.Realm, l.Cwd, l.Files)
	if err != nil {
		return err
	}
	d.files, err = m.anchors.Take(ctx, rec, l.Cwd, anchor.Given{Touched: touched})
	return err
}

// ifNotRefused passes on what went wrong, and not that a text is not worth
// keeping.
func ifNotRefused(err error) error {
	var refused *memory.RefusedError
	var gate *capture.GateError
	var input *memory.InputError
	if errors.As(err, &refused) || errors.As(err, &gate) || errors.As(err, &input) {
		return nil
	}
	return err
}

// keepLesson decides about one lesson within the transaction of its turn.
func (m *Mind) keepLesson(ctx context.Context, tx *store.Tx, c Caller, d *draft) (KeptLesson, error) {
	note := store.Lesson{Session: d.Session, Key: d.key}
	had, known, err := tx.Lesson(d.Session, d.key)
	switch {
	case err != nil:
		return KeptLesson{}, err
	case known && d.rec != nil && d.rec.Hash != had.Text:
		return m.extend(ctx, tx, c, had, d)
	case known:
		return KeptLesson{had.Memory, ActionKnown}, nil
	case d.rec == nil:
		return KeptLesson{"", ActionRefused}, tx.PutLesson(note)
	case d.echoes:
		return KeptLesson{"", ActionRepeated}, tx.PutLesson(note)
	}
	note.Text = d.rec.Hash
	same, err := m.known(tx, d.guardian(c), d.rec, d.near)
	if err != nil {
		if err := ifNotRefused(err); err != nil {
			return KeptLesson{}, err
		}
		return KeptLesson{"", ActionRefused}, tx.PutLesson(note)
	}
	kept := KeptLesson{Action: ActionStored}
	rec := d.rec
	switch {
	case same == nil:
		_, err = m.insertNew(tx, c, rec)
	case d.Trust == memory.TrustAgent:
		note.Memory = same.ID
		return KeptLesson{same.ID, ActionRepeated}, tx.PutLesson(note)
	default:
		kept.Action, rec = ActionStrengthened, same
		err = m.strengthenKnown(tx, c, rec, d.rec, RememberInput{})
	}
	if err != nil {
		return KeptLesson{}, err
	}
	kept.ID, note.Memory = rec.ID, rec.ID
	if err := tx.AddAnchors(anchor.On(rec.Seq, d.files)...); err != nil {
		return KeptLesson{}, err
	}
	if err := m.settle(ctx, tx, c, d, rec.ID); err != nil {
		return KeptLesson{}, err
	}
	return kept, tx.PutLesson(note)
}

// extend lets a memory that was learned from the beginning of a turn say what
// the whole of it taught, unless somebody has changed it since.
func (m *Mind) extend(ctx context.Context, tx *store.Tx, c Caller, had store.Lesson, d *draft) (KeptLesson, error) {
	if had.Memory == "" {
		return KeptLesson{"", ActionKnown}, nil
	}
	before, err := tx.ByID(had.Memory)
	if errors.Is(err, store.ErrNotFound) {
		return KeptLesson{"", ActionKnown}, nil
	}
	if err != nil {
		return KeptLesson{}, err
	}
	kept := KeptLesson{before.ID, ActionKnown}
	if before.State != memory.Active || before.Hash != had.Text || before.Provenance.Session != d.Session {
		return kept, nil
	}
	after := before
	after.Content, after.Hash = d.rec.Content, d.rec.Hash
	after.Provenance.Messages = d.rec.Provenance.Messages
	if err := m.guard(tx, c, &after); err != nil {
		var twin *twinError
		if errors.As(err, &twin) {
			return kept, nil
		}
		return kept, ifNotRefused(err)
	}
	if err := m.revise(ctx, tx, c, &before, &after, "extend"); err != nil {
		return KeptLesson{}, err
	}
	if err := tx.AddAnchors(anchor.On(after.Seq, d.files)...); err != nil {
		return KeptLesson{}, err
	}
	had.Text = after.Hash
	return KeptLesson{after.ID, ActionRevised}, tx.PutLesson(had)
}

// revise stores a changed memory with an entry of its history.
func (m *Mind) revise(ctx context.Context, tx *store.Tx, c Caller, before, after *store.Record, op string) error {
	detail := difference(before, after)
	if before.Pair != after.Pair {
		detail["pair"] = [2]any{before.Pair, after.Pair}
	}
	after.Updated = m.now()
	if err := tx.Update(after); err != nil {
		return err
	}
	if statesOtherwise(before, after) {
		if _, err := m.restateFacts(ctx, tx, after); err != nil {
			return err
		}
	}
	return tx.AddChange(m.accountFor(c, after, op, detail))
}

// KeptLessons returns what tells whether a lesson of a session is in memory: it
// was kept, and what it became still stands.
func (m *Mind) KeptLessons(ctx context.Context, session string) (func(*distil.Lesson) bool, error) {
	lessons, err := m.store.Lessons(ctx, session)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, l := range lessons {
		if l.Memory != "" {
			ids = append(ids, l.Memory)
		}
	}
	standing := map[string]bool{}
	if len(ids) > 0 {
		records, err := m.store.List(ctx, store.Filter{IDs: ids, States: []memory.Status{memory.Active}})
		if err != nil {
			return nil, err
		}
		for i := range records {
			standing[records[i].ID] = true
		}
	}
	return func(l *distil.Lesson) bool {
		return standing[lessons[lessonKey(&Lesson{Lesson: *l})].Memory]
	}, nil
}
