package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/past"
)

func (a *app) resumeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "resume-info SESSION", Short: "What is needed to go on with a session", Args: exactly(1, "the id of a session"),
		Example: "  chitta resume-info 5c0ffee0",
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd, a, "session_resume", past.SessionInput{ID: args[0]}, func(out past.ResumeOutput) {
				a.sessionLine(&out.Session)
				row := func(name, value string) {
					if value != "" {
						a.row(12, name, value)
					}
				}
				row("id", out.Session.ID)
				row("directory", out.Cwd)
				row("last in", out.LastCwd)
				row("branch", out.Branch)
				row("bring back", a.bringBack(&out))
				row("to go on", out.Command)
				a.spoken("last request", out.LastRequest)
				a.spoken("last answer", out.LastAnswer)
				for i, t := range out.Todos {
					row(first(i, "open"), fmt.Sprintf("%s (%s)", t.Content, strings.ReplaceAll(t.Status, "_", " ")))
				}
				for i, f := range out.Files {
					row(first(i, "files"), fmt.Sprintf("%s (%s)", f.Path, f.Action))
				}
			})
		},
	}
}

// clientFolderName is how the client names the folder of a directory: what is
// no letter or digit becomes a dash.
func clientFolderName(dir string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, dir)
}

// clientFolderMost is the longest name of a folder that the client does not
// shorten in a way of its own.
const clientFolderMost = 200

// bringBack is the command that gives the client a session again whose
// transcript it has no more, as after its own clean-up.
func (a *app) bringBack(out *past.ResumeOutput) string {
	folder := clientFolderName(out.Cwd)
	dir, err := a.transcriptDir()
	if err != nil || out.Command == "" || out.Cwd == "" || len(folder) > clientFolderMost {
		return ""
	}
	into := filepath.Join(dir, folder)
	if _, err := os.Stat(filepath.Join(into, out.Session.ID+".jsonl")); err == nil {
		return ""
	}
	return fmt.Sprintf("chitta export --session %s --out %s", quoted(out.Session.ID), quoted(into+string(filepath.Separator)))
}

// quoted makes a word that a shell takes as it is.
func quoted(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-", r))
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// first returns the name of a list for its first row.
func first(i int, name string) string {
	if i == 0 {
		return name
	}
	return " "
}

func (a *app) spoken(name string, s *past.Spoken) {
	if s == nil {
		return
	}
	when := s.ID
	if !s.Time.IsZero() {
		when = s.Time.Local().Format(time.DateTime) + "  " + s.ID
	}
	a.row(12, name, when)
	cut := styled("")
	if s.Cut > 0 {
		cut = a.dim(fmt.Sprintf(" … %s more", plural(s.Cut, "character", "characters")))
	}
	a.printf("%s%s\n", indent(s.Text, "    "), cut)
}
