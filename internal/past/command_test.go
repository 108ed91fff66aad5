package past

import "testing"

func TestGeneralCommand(t *testing.T) {
	for _, tt := range []struct{ command, want string }{
		{"go test ./...", "go test ./..."},
		{"cd /w/app && go test ./... 2>&1 | tail -20", "go test ./..."},
		{"cd '/w/a b' && cd x; make", "make"},
		{"go test /w/app/internal/store", "go test internal/store"},
		{`git commit -m "Add a cache to the resolver"`, `git commit -m "…"`},
		{"git show 3f2a9c1e7d", "git show …"},
		{"go test ./store -run 'TestA|TestB' -v", "go test ./store -run … -v"},
		{"go test ./store -run TestA -v", "go test ./store -run … -v"},
		{"python -m pytest tests", "python -m pytest tests"},
		{"git show feedface", "git show feedface"},
		{"head -50 main.go", "head -… main.go"},
		{"sleep 30", "sleep …"},
		{"curl localhost:8080/x", "curl localhost:…/x"},
		{"kill 1234 && rm -rf /tmp/build.x9/out", "kill … && rm -rf /tmp/…"},
		{"cat > x <<'EOF'\nmany lines\nEOF", "cat > x <<…"},
		{"# list\nls -la", "ls -la"},
		{"make test-v2", "make test-v2"},
		{"", ""},
	} {
		if got := GeneralCommand(tt.command, []string{"/w/app"}); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.command, got, tt.want)
		}
	}
}

func TestSameCommand(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"go test ./...", "go test ./...", true},
		{"go test ./...", "go test ./internal/store -run TestX", true},
		{"go test ./...", "go vet ./...", false},
		{"make", "make test", true},
		{"make widget", "make docs", false},
		{"npm run build", "npm run lint", false},
		{"git status", "ls", false},
		{"", "", false},
	} {
		if got := SameCommand(tt.a, tt.b); got != tt.want {
			t.Errorf("%q and %q: %v", tt.a, tt.b, got)
		}
	}
}

func TestGeneralCommands(t *testing.T) {
	roots := []string{"/src/app"}
	a, b := GeneralCommand("cd /src/app && go test ./... 2>&1 | tail -5", roots), GeneralCommand("go test ./...", roots)
	if a != b || !SameCommand(a, GeneralCommand("go test ./internal/x", roots)) || SameCommand(a, GeneralCommand("go vet ./...", roots)) {
		t.Errorf("%q %q", a, b)
	}
}
