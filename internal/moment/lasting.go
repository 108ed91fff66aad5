package moment

import (
	"time"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// lasting says whether something holds until further notice: what a person
// wants, and what they put right. It ends when it is overruled, rejected,
// superseded or weakened, not by getting old: what nobody had to repeat is still
// meant.
func lasting(r *store.Record) bool {
	return r.Trust == memory.TrustUser && (r.Kind == memory.Preference || r.Kind == memory.Correction)
}

// believed is how sure something is at a time: what stands is as sure as when it
// was last spoken of.
func believed(r *store.Record, now time.Time) float64 {
	if lasting(r) {
		return r.Confidence.Mean
	}
	return r.ConfidenceAt(now).Mean
}

// worthOf is what something is worth at a time, by how sure it is, who says so
// and, unless it stands, how old it is.
func worthOf(r *store.Record, now time.Time) float64 {
	w := believed(r, now) * r.Trust.Weight()
	if !lasting(r) {
		w *= freshness(now.Sub(r.Observed))
	}
	return w
}
