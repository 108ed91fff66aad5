package memory

import (
	"encoding/base32"
	"fmt"
	"io"
	"strings"
	"time"
)

// Memory is one thing chitta knows.
type Memory struct {
	ID         string     `json:"id"`
	Kind       Kind       `json:"kind"`
	Content    string     `json:"content"`
	Tags       []string   `json:"tags"`
	Realm      string     `json:"realm"`
	Visibility Visibility `json:"visibility"`
	State      Status     `json:"state"`
	Pinned     bool       `json:"pinned"`

	Confidence Confidence `json:"confidence"`
	DecayRate  float64    `json:"decay_rate"`

	Source     Source     `json:"source"`
	Trust      Trust      `json:"trust"`
	Provenance Provenance `json:"provenance"`

	Supersedes   string `json:"supersedes,omitempty"`    // the memory this one corrects
	SupersededBy string `json:"superseded_by,omitempty"` // the memory that corrects this one
	Pair         string `json:"pair,omitempty"`          // the convergent memory of the other path

	Created     time.Time `json:"created"`
	Updated     time.Time `json:"updated"`
	Observed    time.Time `json:"observed"` // last evidence; decay counts from here
	Accessed    time.Time `json:"accessed,omitzero"`
	AccessCount int       `json:"access_count"`
	Forgotten   time.Time `json:"forgotten,omitzero"`
}

// ConfidenceAt returns what the memory's confidence is worth at the given
// time.
func (m *Memory) ConfidenceAt(now time.Time) Confidence {
	return m.Confidence.At(m.DecayRate, now.Sub(m.Observed))
}

// Observe records evidence at the given time: the belief is first brought up
// to that time, then moved.
func (m *Memory) Observe(value float64, now time.Time) {
	m.Confidence = m.ConfidenceAt(now).Observe(value)
	if now.After(m.Observed) {
		m.Observed = now
	}
}

// Provenance says where a memory came from.
type Provenance struct {
	Actor   string `json:"actor,omitempty"`   // who wrote it: cli, mcp, hook, import
	Session string `json:"session,omitempty"` // client session it was said in
	Message string `json:"message,omitempty"` // message it was said in
	// Messages are all those it was learned from, where there are several.
	Messages []string `json:"messages,omitempty"`
	Cwd      string   `json:"cwd,omitempty"`  // directory of work at the time
	Note     string   `json:"note,omitempty"` // free text, e.g. a URL
}

// Status is where a memory stands in its life.
type Status string

// The states of a memory.
const (
	Active     Status = "active"
	Superseded Status = "superseded" // a correction took its place
	Rejected   Status = "rejected"   // judged wrong
	Forgotten  Status = "forgotten"  // deleted, can be undone for a while
)

// Statuses lists all states.
func Statuses() []string {
	return []string{string(Active), string(Superseded), string(Rejected), string(Forgotten)}
}

// Visibility says who may see a memory.
type Visibility string

// Visibilities, from narrow to wide.
const (
	Private Visibility = "private" // its realm only
	Shared  Visibility = "shared"  // other realms when they ask
	Global  Visibility = "global"  // every realm
)

// Visibilities lists all visibilities.
func Visibilities() []string { return []string{string(Private), string(Shared), string(Global)} }

// Source says by which path a memory was formed.
type Source string

// The paths on which memories form.
const (
	Conscious    Source = "conscious"    // said explicitly
	Subconscious Source = "subconscious" // extracted from what happened
	Consolidated Source = "consolidated" // derived from other memories
)

// Sources lists all sources.
func Sources() []string {
	return []string{string(Conscious), string(Subconscious), string(Consolidated)}
}

// Trust says what kind of origin vouches for a memory.
type Trust string

// Origins, from most to least trusted.
const (
	TrustUser    Trust = "user"    // the user said so
	TrustOutcome Trust = "outcome" // a test or a run showed it
	TrustAgent   Trust = "agent"   // the agent claims it
	TrustTool    Trust = "tool"    // output of a tool
	TrustWeb     Trust = "web"     // text from the web
)

// Trusts lists all origins, most trusted first.
func Trusts() []string {
	return []string{string(TrustUser), string(TrustOutcome), string(TrustAgent), string(TrustTool), string(TrustWeb)}
}

// Weight returns how far an origin counts in ranking, between 0 and 1.
func (t Trust) Weight() float64 {
	switch t {
	case TrustUser:
		return 1
	case TrustOutcome:
		return 0.95
	case TrustAgent:
		return 0.85
	case TrustTool:
		return 0.7
	default:
		return 0.5
	}
}

// UnknownValueError says that a field's value is not one of those allowed.
type UnknownValueError struct {
	Field, Value string
	Allowed      []string
}

func (e *UnknownValueError) Error() string {
	return fmt.Sprintf("unknown %s %q", e.Field, e.Value)
}

// Hint tells the caller what to do about it.
func (e *UnknownValueError) Hint() string {
	all := "use one of: " + strings.Join(e.Allowed, ", ")
	if near := Nearest(e.Value, e.Allowed); near != "" {
		return fmt.Sprintf("did you mean %q? %s", near, all)
	}
	return all
}

// ParseOneOf returns the allowed value that the given text names, whatever
// its case, or an [UnknownValueError].
func ParseOneOf(field, value string, allowed []string) (string, error) {
	for _, a := range allowed {
		if strings.EqualFold(a, strings.TrimSpace(value)) {
			return a, nil
		}
	}
	return "", &UnknownValueError{Field: field, Value: value, Allowed: allowed}
}

// idAlphabet is Crockford's base 32 in lower case: no i, l, o or u to misread.
var idAlphabet = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// idBytes gives 80 random bits: no clash is to be expected among billions.
const idBytes = 10

// NewID returns a fresh id with the given prefix, such as "m_", from random
// bytes.
func NewID(prefix string, random io.Reader) (string, error) {
	var b [idBytes]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("read random bytes: %w", err)
	}
	return prefix + idAlphabet.EncodeToString(b[:]), nil
}
