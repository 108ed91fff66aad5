package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMemoryJSON(t *testing.T) {
	at := time.Date(2024, 3, 1, 12, 0, 0, 123456789, time.UTC)
	tests := []struct {
		name   string
		memory Memory
		absent []string // keys that must not be written
	}{
		{"sparse", Memory{ID: "m_1", Kind: Belief, Created: at, Updated: at, Observed: at},
			[]string{"supersedes", "superseded_by", "pair", "accessed", "forgotten"}},
		{"full", Memory{
			ID: "m_2", Kind: ProjectEssence, Content: "a \"quoted\" text\nwith ünïcode", Tags: []string{"a", "b"},
			Realm: UserRealm, Visibility: Shared, State: Superseded, Pinned: true,
			Confidence: Confidence{Mean: 0.7, Variance: 0.01, N: 3, Tau: 0.0006}, DecayRate: 0.01,
			Source: Consolidated, Trust: TrustOutcome,
			Provenance: Provenance{Actor: "cli", Session: "s", Message: "m", Cwd: "/w", Note: "n"},
			Supersedes: "m_0", SupersededBy: "m_3", Pair: "m_4",
			Created: at, Updated: at, Observed: at, Accessed: at, AccessCount: 4, Forgotten: at,
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := json.Marshal(tt.memory)
			if err != nil {
				t.Fatal(err)
			}
			var back Memory
			if err := json.Unmarshal(b, &back); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.memory, back); diff != "" {
				t.Errorf("round trip (-in +out):\n%s", diff)
			}
			for _, key := range tt.absent {
				if strings.Contains(string(b), `"`+key+`"`) {
					t.Errorf("%q written in %s", key, b)
				}
			}
		})
	}
}

func TestNewID(t *testing.T) {
	tests := []struct {
		name   string
		random string
		want   string
		err    error
	}{
		{"zeros", strings.Repeat("\x00", 10), "m_0000000000000000", nil},
		{"ones", strings.Repeat("\xff", 10), "m_zzzzzzzzzzzzzzzz", nil},
		{"only as many bytes as needed", strings.Repeat("\x00", 20), "m_0000000000000000", nil},
		{"random source runs dry", "short", "", io.ErrUnexpectedEOF},
		{"no random source", "", "", io.EOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := NewID("m_", strings.NewReader(tt.random))
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("NewID = %q, %v; want %q, %v", got, err, tt.want, tt.err)
			}
		})
	}
	if got, err := NewID("m_", bytes.NewReader([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})); err != nil || strings.ContainsAny(got[2:], "ilouILOU") || len(got) != 18 {
		t.Errorf("NewID = %q, %v", got, err)
	}
}

func TestParseOneOf(t *testing.T) {
	tests := []struct {
		name, value, want, hint string
	}{
		{"exact", "shared", "shared", ""},
		{"case and space", " Global ", "global", ""},
		{"slip", "pirvate", "", `did you mean "private"?`},
		{"unknown", "everyone", "", "use one of: private, shared, global"},
		{"empty", "", "", "use one of: private, shared, global"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseOneOf("visibility", tt.value, Visibilities())
			if got != tt.want || (err == nil) != (tt.hint == "") {
				t.Fatalf("ParseOneOf(%q) = %q, %v", tt.value, got, err)
			}
			var unknown *UnknownValueError
			if errors.As(err, &unknown) {
				if !strings.Contains(unknown.Hint(), tt.hint) || !strings.Contains(unknown.Error(), "visibility") {
					t.Errorf("error %q, hint %q; want hint %q", unknown, unknown.Hint(), tt.hint)
				}
			}
		})
	}
}

func TestTrustWeightsFall(t *testing.T) {
	last := 1.1
	for _, name := range Trusts() {
		w := Trust(name).Weight()
		if w >= last || w <= 0 {
			t.Errorf("%s weighs %v after %v", name, w, last)
		}
		last = w
	}
	if w := Trust("").Weight(); w > last {
		t.Errorf("an unknown origin weighs %v, more than the least trusted", w)
	}
}

func TestValueLists(t *testing.T) {
	tests := []struct {
		name      string
		got, want []string
	}{
		{"statuses", Statuses(), []string{"active", "superseded", "rejected", "forgotten"}},
		{"visibilities", Visibilities(), []string{"private", "shared", "global"}},
		{"sources", Sources(), []string{"conscious", "subconscious", "consolidated"}},
		{"trusts", Trusts(), []string{"user", "outcome", "agent", "tool", "web"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
