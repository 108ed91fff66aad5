package cli

import (
	"github.com/spf13/cobra"

	"chitta/internal/mind"
)

// doctorCommand looks at the daemon and what it owns, and at the client that
// calls it. The daemon cannot do the latter: it does not know whose files they
// are, and is the first thing that may not work.
func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Look at everything chitta relies on and say how to mend it", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			done := a.waiting("looking")
			out, exit := a.examine(cmd)
			done()
			if a.json {
				if err := a.printJSON(out); err != nil {
					return err
				}
			} else {
				a.showFindings(out.Findings)
			}
			if exit != exitOK {
				return &silentError{exit}
			}
			return nil
		},
	}
}

// examine asks the daemon how it is and then looks at the client.
func (a *app) examine(cmd *cobra.Command) (out mind.DoctorOutput, exit int) {
	out, _, err := invoke[mind.DoctorOutput](cmd.Context(), a, "doctor", nil)
	if err != nil {
		f := describe(err)
		exit = f.Exit
		out.Findings = append(out.Findings, mind.Finding{Name: "daemon", Status: mind.FindingFail, Detail: f.Message, Hint: f.Hint})
	}
	out.Findings = append(out.Findings, a.clientFindings(cmd.Context())...)
	out.OK = true
	for _, f := range out.Findings {
		out.OK = out.OK && f.Status != mind.FindingFail
	}
	if !out.OK && exit == exitOK {
		exit = exitFailure
	}
	return out, exit
}

func (a *app) showFindings(findings []mind.Finding) {
	for _, f := range findings {
		mark := a.green("ok  ")
		switch f.Status {
		case mind.FindingWarn:
			mark = a.yellow("warn")
		case mind.FindingFail:
			mark = a.red("fail")
		}
		a.printf("%s  %s: %s\n", mark, f.Name, f.Detail)
		if f.Hint != "" {
			a.printf("      %s\n", a.dim(f.Hint))
		}
	}
}
