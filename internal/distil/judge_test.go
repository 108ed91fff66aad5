package distil

import "testing"

func TestSucceeded(t *testing.T) {
	zero, one := 0, 1
	for _, tt := range []struct {
		name, command, output string
		exit                  *int
		failed                bool
		ok, known             bool
	}{
		{"plain", "go test ./...", "", &zero, false, true, true},
		{"no status", "go test ./...", "", nil, false, true, true},
		{"its status", "go test ./...", "", &one, false, false, true},
		{"called a failure", "go test ./...", "", nil, true, false, true},
		{"chained", "cd x && make lint && go test ./...", "", &zero, false, true, true},
		{"or true", "go test ./... || true", "", &zero, false, false, false},
		{"or true, and failed", "go test ./... || true", "--- FAIL: TestX", &zero, false, false, true},
		{"or true, and passed", "go test ./... || true", "ok  app 0.3s", &zero, false, true, true},
		{"echo behind it", "npm run build; echo done", "done", &zero, false, false, false},
		{"echo of the status", `make lint; echo "exit code 2"`, "exit code 2", &zero, false, false, true},
		{"in the background", "npm run deploy &", "", &zero, false, false, false},
		{"a pipe", "go test ./... 2>&1 | tail -5", "", &zero, false, false, false},
		{"a pipe that shows it", "go test ./... 2>&1 | tail -5", "ok  app 0.3s", &zero, false, true, true},
		{"a pipe that shows trouble", "make build | tee log", "sh: gcc: command not found", &zero, false, false, true},
		{"a pipe that fails", "set -o pipefail; go test ./... | tail", "", &zero, false, true, true},
		{"looks around", "ls | head; echo done", "", &zero, false, true, true},
		{"a script", "for d in *; do make -C $d; done", "", &zero, false, true, true},
		{"nothing", "", "", &zero, false, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ok, known := Succeeded(tt.command, tt.output, tt.exit, tt.failed)
			if ok != tt.ok || known != tt.known {
				t.Errorf("%q printing %q: %v, known %v", tt.command, tt.output, ok, known)
			}
			if known && ok && tt.output == "" && !StatusTells(tt.command) {
				t.Error("the status tells, and does not")
			}
		})
	}
}
