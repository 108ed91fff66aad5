package codebase

// Standing says what is to be known of the index that an answer comes from.
type Standing struct {
	Note string `json:"note,omitempty"`
}

// Unfinished is what to say of an index that is not whole, or "".
func (s Standing) Unfinished() string { return s.Note }

// unfinished is said with answers from an index that was cut off or is being made
// anew: what is not found may be there.
const unfinished = "the index of this project did not come to its end, so much may be missing; go on with it: chitta code index"

// Standing says how the index of the project stands.
func (a *Ask) Standing() Standing {
	if a.project.Indexed.IsZero() {
		return Standing{Note: unfinished}
	}
	return Standing{}
}
