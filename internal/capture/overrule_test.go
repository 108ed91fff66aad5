package capture

import (
	"strings"
	"testing"
)

func TestOverrules(t *testing.T) {
	for _, tt := range []struct {
		older, newer string
		want         bool
	}{
		{"always use tabs in python", "use spaces instead of tabs in python files from now on", true},
		{"The user wants: “Always use tabs in python.”", "The user wants: “use spaces instead of tabs in python files from now on”", true},
		{"Always use tabs in Python.", "In Python, use spaces.", true},
		{"use tabs", "Never use tabs.", true},
		{"The user prefers tabs in python.", "The user wants: “never use tabs in python”", true},
		{"never use tabs", "Always use tabs, please", true},
		{"Use 4 spaces in yaml", "use 2 spaces in YAML files", true},
		{"keep functions under 40 lines", "From now on keep functions under 60 lines.", true},
		{"wrap lines at 80", "wrap lines at 100", true},
		{"Use single quotes in JavaScript", "use double quotes in javascript", true},
		{"I prefer tabs over spaces", "I prefer spaces over tabs", true},
		{"prefer merge commits", "avoid merge commits", true},
		{"always squash commits before merging", "don't squash commits before merging any more", true},
		{"We use British spelling in docs.", "we use American spelling in docs", true},
		{"use npm in web", "Use pnpm instead of npm in web", true},
		{"use logrus for logging", "from now on use zap for logging", true},
		{"use snake_case for column names", "Use camelCase for column names", true},
		{"don't add comments to tests", "always add comments to tests", true},
		{"use tabs in python", "use spaces everywhere", true},
		{"Use tabs, not spaces", "use spaces, not tabs", true},
		{"always run the linter before every commit", "no need to run the linter before every commit", true},

		{"always use tabs in python", "use spaces instead of tabs in makefiles", false},
		{"use tabs in go", "use spaces in python", false},
		{"always use tabs", "use spaces instead of tabs in python", false},
		{"always use tabs in python", "always use type hints in python", false},
		{"never use npm", "never use yarn", false},
		{"never use tabs", "use spaces", false},
		{"use pytest for tests", "use fixtures for tests", false},
		{"use pytest for tests", "from now on use fixtures for tests", false},
		{"use logrus for logging", "use zap for metrics from now on", false},
		{"use logrus for logging", "use zap for logging", false},
		{"never push to main", "never push to production", false},
		{"never push to main", "always push tags to the mirror", false},
		{"use 4 spaces in python", "use 2 spaces in yaml", false},
		{"keep functions under 40 lines", "keep files under 400 lines", false},
		{"use port 8080 for the web server", "use port 9090 for the api server", false},
		{"always run the linter before every commit", "always run the tests before every commit", false},
		{"always run the linter before every commit", "always run the linter before every release", false},
		{"prefer small commits", "prefer small functions", false},
		{"use single quotes in JavaScript", "use double quotes in Go", false},
		{"never log passwords", "always log errors", false},
		{"use British spelling in docs", "use British spelling in docs", false},
		{"always write table tests", "from now on keep functions under 40 lines", false},
		{"use UTC in the database", "use local names in the database", false},
		{"Always ask before deleting files", "never delete branches", false},
		{"use tabs. And write tests.", "use spaces. And write tests.", false},
		{"use spaces instead of tabs in python", "use spaces in python", false},
		{"", "use tabs", false},
		{"use tabs", "\x00\xff “”", false},
		{strings.Repeat("use tabs ", 200), "never use tabs", false},
	} {
		t.Run(tt.older+"/"+tt.newer, func(t *testing.T) {
			if got := Overrules(tt.newer, tt.older); got != tt.want {
				t.Errorf("%v, want %v: %+v, %+v", got, tt.want, *readWish(tt.newer), *readWish(tt.older))
			}
			if Overrules(tt.older, tt.older) {
				t.Error("a wish overrules itself")
			}
		})
	}
}

func FuzzOverrules(f *testing.F) {
	f.Add("use tabs", "never use tabs in python")
	f.Fuzz(func(t *testing.T, a, b string) {
		Overrules(a, b)
		if Overrules(a, a) {
			t.Errorf("%q overrules itself", a)
		}
	})
}
