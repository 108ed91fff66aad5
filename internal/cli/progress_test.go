package cli

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

func TestWaitingTellsHowLongItTakes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		json  bool
		takes time.Duration
		want  string
	}{
		{"quick", true, 900 * time.Millisecond, ""},
		{"long", true, 2500 * time.Millisecond, `{"event":"progress","what":"checking","seconds":1}` + "\n" + `{"event":"progress","what":"checking","seconds":2}` + "\n"},
		{"no terminal", false, 5 * time.Second, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var err bytes.Buffer
				a := &app{err: &err, json: tt.json}
				done := a.waiting("checking")
				time.Sleep(tt.takes)
				done()
				time.Sleep(time.Minute) // and no more
				if err.String() != tt.want {
					t.Errorf("%q, want %q", err.String(), tt.want)
				}
			})
		})
	}
}
