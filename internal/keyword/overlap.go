package keyword

// Overlap compares texts with a question by the words they share.
type Overlap struct {
	weights map[string]float64 // by term of the question
	total   float64
}

// NewOverlap makes a question one that texts can be compared with.
func NewOverlap(question string) Overlap {
	o := Overlap{weights: map[string]float64{}}
	for _, t := range (Analyzer{}).QueryTerms(question) {
		o.weights[t.Term] = t.Weight
		o.total += t.Weight
	}
	return o
}

// Share is how much of the words of the question a text has, from 0 to 1.
func (o Overlap) Share(text string) float64 {
	if o.total == 0 {
		return 0
	}
	sum := 0.0
	seen := map[string]bool{}
	for _, t := range (Analyzer{}).Terms(text) {
		if !seen[t] {
			seen[t] = true
			sum += o.weights[t]
		}
	}
	return sum / o.total
}
