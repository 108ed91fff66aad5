package embed

import "testing"

func TestWantToRun(t *testing.T) {
	for text, want := range map[string]int{
		"0.50 0.40 0.30 3/210 77\n": 3, "10 9 8 15/300 1": 15, "": 0, "1 2 3": 0, "1 2 3 x/y 4": 0, "1 2 3 4": 4,
	} {
		if got := wantToRun([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
