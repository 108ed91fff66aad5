package moment

import (
	"context"
	"fmt"
	"time"

	"chitta/internal/mind"
)

// Doctor looks at everything chitta relies on, as the mind does, and at what
// could not be learned from.
func (k *Keeper) Doctor(ctx context.Context, c mind.Caller, in mind.NoInput) (mind.DoctorOutput, error) {
	out, err := k.mind.Doctor(ctx, c, in)
	if err == nil {
		out.Findings = append(out.Findings, k.doctorLearning())
	}
	return out, err
}

// doctorLearning says which sessions could not be learned from.
func (k *Keeper) doctorLearning() mind.Finding {
	f := mind.Finding{Name: "learning", Status: mind.FindingOK, Detail: "no session waits because it could not be learned from"}
	n := k.retries.waiting()
	if n == 0 {
		return f
	}
	id, x := k.retries.first()
	f.Status, f.Hint = mind.FindingWarn, "mend what is named; it is tried again by itself, and a restart of the daemon tries at once"
	f.Detail = fmt.Sprintf("%d sessions could not be learned from yet, first %s: %v; tried again at %s", n, plain(id, labelMost), x.why, x.until.UTC().Format(time.RFC3339))
	return f
}
