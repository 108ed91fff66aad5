package keyword

import "testing"

func TestOverlap(t *testing.T) {
	o := NewOverlap("deploy the storefront")
	for _, tt := range []struct {
		name, text string
		want       float64
	}{
		{"all words", "we deployed the storefront, and the storefront again", 1},
		{"half of them", "deploy something else", 0.5},
		{"none", "bake bread", 0},
		{"nothing", "", 0},
	} {
		if got := o.Share(tt.text); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if got := NewOverlap("").Share("anything"); got != 0 {
		t.Errorf("a question without words: %v", got)
	}
}
