package moment

import (
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
	"chitta/internal/mind"
)

func TestCostCountsWhatHooksDid(t *testing.T) {
	h := newHouse(t)
	e := Event{Name: UserPromptSubmit, Session: "s1", Micros: 2000}
	for i := range 100 {
		h.meter.note(h.now(), time.Duration(i)*time.Millisecond, "", &e, &Answer{Outcome: "nothing relevant"})
	}
	h.meter.note(h.now(), 0, "", &e, &Answer{Outcome: Injected, Context: strings.Repeat("x", 400), Items: []string{"m_1"}})
	h.meter.note(h.now(), 0, "", &Event{Name: Stop, Session: "s2"}, &Answer{Outcome: Failed})
	if _, err := h.mind.Remember(t.Context(), mind.Caller{Session: "s1", Cwd: h.home}, mind.RememberInput{Content: "the build needs go 1.26 or later", Kind: "insight", Source: string(memory.Subconscious)}); err != nil {
		t.Fatal(err)
	}
	out, err := h.Cost(t.Context(), mind.Caller{}, CostInput{})
	if err != nil {
		t.Fatal(err)
	}
	if out.Calls != 102 || out.Injected != 1 || out.Tokens != 100 || out.Failed != 1 || out.Withheld["nothing relevant"] != 100 || out.Sessions != 2 || out.Kinds["insight"] != 1 {
		t.Errorf("%+v", out)
	}
	if len(out.Events) != 2 || out.Events[0].Event != UserPromptSubmit || out.Events[0].P50 != 51 || out.Events[0].P99 != 100 {
		t.Errorf("%+v", out.Events)
	}
	one, err := h.Cost(t.Context(), mind.Caller{}, CostInput{Session: "s1"})
	if err != nil || one.Calls != 101 || one.Latest[0].Captured != 1 {
		t.Errorf("%+v %v", one, err)
	}
	h.wait(40 * 24 * time.Hour)
	if old, err := h.Cost(t.Context(), mind.Caller{}, CostInput{}); err != nil || old.Calls != 0 {
		t.Errorf("%+v %v", old, err)
	}
	for _, in := range []CostInput{{Days: 91}, {Days: -1}, {Limit: 101}} {
		if _, err := h.Cost(t.Context(), mind.Caller{}, in); err == nil {
			t.Errorf("%+v is taken", in)
		}
	}
}
