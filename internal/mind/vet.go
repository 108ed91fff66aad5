package mind

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"chitta/internal/capture"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// Rules for what comes from a file: everything in it may be wrong, by accident
// or on purpose.

// maxIdentity bounds the marks of recognition a realm may bring along.
const maxIdentity = 32

// vetRealm holds a foreign realm to the rules. Where it lies and who sees what
// is new in it is decided here, not by a file.
func (m *Mind) vetRealm(r *memory.Realm) error {
	if !strings.HasPrefix(r.ID, "p_") || len(r.ID) < minIDPrefix || len(r.ID) > maxTagRunes || strings.ContainsFunc(r.ID, notIDRune) {
		return &importError{fmt.Sprintf("realm id %q is not one of chitta's", r.ID)}
	}
	if r.Kind != memory.RealmProject && r.Kind != memory.RealmTeam {
		return &importError{fmt.Sprintf("realm %s: kind %q is not project or team", r.ID, r.Kind)}
	}
	if err := m.checkRealmName(r.Name); err != nil {
		return &importError{"realm " + r.ID + ": " + err.Error()}
	}
	if _, err := memory.ParseOneOf("visibility", string(r.Visibility), memory.Visibilities()); err != nil {
		return &importError{"realm " + r.ID + ": " + err.Error()}
	}
	if r.Visibility == memory.Global {
		r.Visibility = memory.Private
	}
	r.Dirs, r.Paths = nil, nil
	if len(r.Roots) > maxIdentity || len(r.Remotes) > maxIdentity {
		return &importError{"realm " + r.ID + ": it has too many roots or remotes"}
	}
	for i, remote := range r.Remotes {
		clean, _ := m.redactor.Redact(memory.NormalizeRemote(remote))
		if err := memory.CheckText("remote", clean, memory.MaxPath); err != nil {
			return &importError{"realm " + r.ID + ": " + err.Error()}
		}
		r.Remotes[i] = clean
	}
	for _, root := range r.Roots {
		if len(root) > maxTagRunes || strings.ContainsFunc(root, notIDRune) {
			return &importError{"realm " + r.ID + ": a root is not a commit"}
		}
	}
	return m.vetTimes(r.ID, &r.Created, &r.Updated)
}

// farFuture is how far ahead another machine's clock may be.
const farFuture = 24 * time.Hour

// vetTimes refuses times that cannot be, and brings the others to the form
// they are stored in.
func (m *Mind) vetTimes(id string, times ...*time.Time) error {
	latest := m.now().Add(farFuture)
	for _, t := range times {
		if t.UnixMilli() <= 0 || t.After(latest) {
			return &importError{id + ": one of its times is missing, before 1970 or in the future"}
		}
		*t = t.UTC().Truncate(time.Millisecond)
	}
	return nil
}

// maxDecay is far beyond any kind's rate: gone within the day.
const maxDecay = 1.0

// vetMemory holds a foreign memory to the same rules as one written here.
func (m *Mind) vetMemory(line *TransferLine, out *ImportOutput) error {
	r := line.Memory
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
	b := r.Confidence
	if !(b.Mean >= 0 && b.Mean <= 1 && b.Variance >= 0 && b.Variance <= memory.MaxVariance && b.Tau >= 0 && b.Tau <= maxDecay) ||
		!(r.DecayRate >= 0 && r.DecayRate <= maxDecay) || b.N < 0 || r.AccessCount < 0 {
		return &importError{r.ID + ": confidence or decay is out of range"}
	}
	if err := m.vetTimes(r.ID, &r.Created, &r.Updated, &r.Observed); err != nil {
		return err
	}
	for _, t := range []*time.Time{&r.Accessed, &r.Forgotten} {
		if !t.IsZero() {
			if err := m.vetTimes(r.ID, t); err != nil {
				return err
			}
		}
	}
	corrected := r.SupersededBy != ""
	switch {
	case (r.State == memory.Forgotten) != !r.Forgotten.IsZero(),
		r.State == memory.Superseded && !corrected, r.State == memory.Active && corrected,
		r.SupersededBy == r.ID, r.Supersedes == r.ID:
		return &importError{r.ID + ": its state and its links do not agree"}
	}
	return m.cleanImport(line, out)
}

// cleanImport takes secrets out of everything a foreign memory says.
func (m *Mind) cleanImport(line *TransferLine, out *ImportOutput) error {
	r := line.Memory
	if capture.IsEcho(r.Content) {
		return &importError{r.ID + ": it is text that chitta handed over"}
	}
	clean, found := m.redactor.Redact(r.Content)
	if clean = strings.TrimSpace(clean); clean == "" {
		return &importError{r.ID + ": nothing is left once secrets and private parts are taken out"}
	}
	out.Redacted += len(found)
	r.Content = clean
	tags, err := m.admitTags(r.Tags)
	if err != nil {
		return &importError{r.ID + ": " + err.Error()}
	}
	r.Tags = tags
	p := &r.Provenance
	for _, text := range []*string{&p.Actor, &p.Session, &p.Message, &p.Cwd, &p.Note, &r.Supersedes, &r.SupersededBy, &r.Pair} {
		if err := memory.CheckText("provenance", *text, memory.MaxPath); err != nil {
			return &importError{r.ID + ": " + err.Error()}
		}
		*text, _ = m.redactor.Redact(*text)
	}
	for i := range line.History {
		if err := m.vetChange(r.ID, &line.History[i]); err != nil {
			return err
		}
	}
	return nil
}

func (m *Mind) vetChange(id string, ch *store.Change) error {
	if err := m.vetTimes(id, &ch.At); err != nil {
		return err
	}
	for field, text := range map[string]string{"actor": ch.Actor, "op": ch.Op} {
		if err := memory.CheckText(field, text, memory.MaxName); err != nil || strings.ContainsFunc(text, unicode.IsControl) {
			return &importError{id + ": its history has a strange " + field}
		}
	}
	detail := make(map[string][2]any, len(ch.Detail))
	for field, pair := range ch.Detail {
		if len(field) > maxTagRunes || strings.ContainsFunc(field, notIDRune) {
			return &importError{id + ": its history speaks of a field that does not exist"}
		}
		detail[field] = [2]any{m.redactValue(pair[0]), m.redactValue(pair[1])}
	}
	if len(detail) > 0 {
		ch.Detail = detail
	}
	return nil
}

func notIDRune(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
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
