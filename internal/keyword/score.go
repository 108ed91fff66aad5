package keyword

import "math"

// The score of a document is, summed over the query's terms t and the fields f,
//
//	weight(t) · weight(f) · idf(t, f) · (k1+1) · tf / (tf + k1·(1 − b + b·length/average))
//
// with k1, b and weight of the field. The average length is that of the
// document's role: a short question of the user is not taken for a terse answer
// of the assistant. idf counts over all roles, so that scores of different
// roles can be compared and a role with few documents is not scored as if every
// term were common; Query.RoleIDF counts within the role instead.
//
// Counts cover all segments together and all documents that have the field.
// Deleted documents count until a flush or merge drops them.

// scoring turns term frequencies of one term in one field and role into scores.
type scoring struct {
	factor float64
	*saturation
}

// usualTF is the term frequency up to which saturations are looked up. The
// table is small because every search fills it anew.
const usualTF = 4

// saturation is what frequencies and lengths make of a score.
type saturation struct {
	norms  [256]float64           // k1·(1 − b + b·length/average) by length code
	shares [256 * usualTF]float64 // tf / (tf + norm) by length code and tf - 1
}

// score is monotonic: more occurrences never lower it, more length never
// raises it. The conversion keeps the product from being fused into a sum,
// which would round differently from place to place.
func (s *scoring) score(tf uint32, code uint8) float64 {
	if i := tf - 1; i < usualTF {
		return float64(s.factor * s.shares[uint(code)*usualTF+uint(i)])
	}
	return float64(s.factor * s.share(tf, code))
}

func (s *saturation) share(tf uint32, code uint8) float64 {
	f := float64(tf)
	return f / (f + s.norms[code])
}

// bound returns the highest score of some impacts.
func (s *scoring) bound(impacts []byte) float64 {
	best := 0.0
	for i := 0; i+1 < len(impacts); i += 2 {
		best = max(best, s.score(uint32(impacts[i]), impacts[i+1]))
	}
	return best
}

// idf is never negative, because df is at most n.
func idf(n, df uint64) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}

func newSaturation(f Field, st fieldStats) *saturation {
	average := 1.0
	if st.docs > 0 {
		average = float64(st.total) / float64(st.docs)
	}
	s := new(saturation)
	for c := range s.norms {
		s.norms[c] = f.K1 * (1 - f.B + f.B*(float64(codedLength(uint8(c)))/average))
		for i := range usualTF {
			s.shares[c*usualTF+i] = s.share(uint32(i+1), uint8(c))
		}
	}
	return s
}
