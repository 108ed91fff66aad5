package past

import "testing"

func TestShortIDsAreUnique(t *testing.T) {
	tests := []struct {
		id     string
		beside [2]string
		want   string
	}{
		{"5c0ffee0-0000-aaaa", [2]string{}, "5c0ffee0"},
		{"5c0ffee0-0000-aaaa", [2]string{"4", "5c0ffee0-0000-bbbb"}, "5c0ffee0-0000-a"},
		{"short", [2]string{"a", "b"}, "short"},
		{"prefix", [2]string{"", "prefix-and-more"}, "prefix"},
		{"ääääääääää", [2]string{}, "ääää"},
	}
	for _, tt := range tests {
		if got := shortest(tt.id, tt.beside); got != tt.want {
			t.Errorf("%s among %v: %q, want %q", tt.id, tt.beside, got, tt.want)
		}
	}
}
