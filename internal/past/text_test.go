package past

import "testing"

func TestTextsAreCut(t *testing.T) {
	for _, tt := range []struct{ name, got, want string }{
		{"short enough", Beginning("a b", 1), "a b"},
		{"on one line", Beginning(" many\n\twords ", 10), "many words"},
		{"at the end of a word", Beginning("the big walrus dives at dawn", 4), "the big walrus…"},
		{"within a long word", Beginning("éééééééééé", 2), "ééééééé…"},
		{"so many characters", clip("éa🚀b", 3), "éa🚀"},
		{"fewer characters", clip("éa", 3), "éa"},
		{"none", clip("éa", 0), ""},
		{"whole sentences", sentences("It was late. The walrus dived, and nobody saw it again", 30), "It was late."},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}
