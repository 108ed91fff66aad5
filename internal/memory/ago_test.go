package memory

import (
	"testing"
	"time"
)

func TestAgo(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		name string
		back time.Duration
		want string
	}{
		{"this moment", 0, "just now"},
		{"a clock slightly ahead", -3 * time.Second, "just now"},
		{"a clock far ahead", -time.Hour, "in the future"},
		{"seconds", 42 * time.Second, "42 seconds ago"},
		{"one minute", 90 * time.Second, "1 minute ago"},
		{"minutes", 5 * time.Minute, "5 minutes ago"},
		{"hours", 3 * time.Hour, "3 hours ago"},
		{"yesterday", 30 * time.Hour, "yesterday"},
		{"days", 3 * 24 * time.Hour, "3 days ago"},
		{"weeks", 21 * 24 * time.Hour, "3 weeks ago"},
		{"months", 100 * 24 * time.Hour, "3 months ago"},
		{"years", 800 * 24 * time.Hour, "2 years ago"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Ago(now.Add(-tt.back), now); got != tt.want {
				t.Errorf("Ago = %q, want %q", got, tt.want)
			}
		})
	}
	if got := Ago(time.Time{}, now); got != "never" {
		t.Errorf("Ago of no time = %q", got)
	}
}
