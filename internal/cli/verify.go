package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/anchor"
	"chitta/internal/memory"
	"chitta/internal/mind"
)

func (a *app) verifyCommand() *cobra.Command {
	var in mind.VerifyInput
	cmd := &cobra.Command{
		Use: "verify [ID]", Short: "Say which memories have gone stale because their code changed",
		Example: `  chitta verify                 # of this project
  chitta verify m_9j84          # one, with all that it names
  chitta verify m_9j84 --accept # looked at, still true`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{"chitta verify takes one id or none", "try: chitta verify --help"}
			}
			if len(args) == 1 {
				in.ID = args[0]
			}
			return show(cmd, a, "verify", in, func(out mind.VerifiedOutput) { a.verified(out, &in) })
		},
	}
	f := cmd.Flags()
	f.BoolVar(&in.All, "all", false, "memories of every project")
	f.BoolVar(&in.Accept, "accept", false, "it was looked at and still holds: hold it against the code of now")
	f.StringVar(&in.Realm, "realm", "", "project: id or name")
	return cmd
}

func (a *app) verified(out mind.VerifiedOutput, in *mind.VerifyInput) {
	for _, v := range out.Memories {
		state := v.Freshness
		if state == "" {
			state = "names no code"
		}
		a.printf("%s  %s\n%s\n", a.bold(v.ID), a.dim(memory.KindHeading(v.Kind)+" · "+state), indent(firstLines(v.Text), "    "))
		for _, s := range v.Anchors {
			if in.ID != "" || s.State == anchor.Stale {
				a.printf("    %s\n", anchorLine(s))
			}
		}
	}
	if out.More {
		a.note("%d more are not listed", out.Stale-len(out.Memories))
	}
	if out.Accepted {
		a.printf("accepted\n")
		for _, t := range out.Taken {
			a.printf("    %s\n", t)
		}
		return
	}
	if in.ID == "" {
		if len(out.Memories) > 0 {
			a.printf("\n")
		}
		a.printf("%d stale, %d fresh, %d cannot be verified\n", out.Stale, out.Fresh, out.Unverifiable)
	}
	if out.Stale > 0 {
		id := "ID"
		if in.ID != "" {
			id = out.Memories[0].ID
		}
		a.note("what is right now: chitta correct %s \"…\"", id)
		a.note("of no use any more: chitta forget %s", id)
		a.note("looked at, still true: chitta verify %s --accept", id)
	}
}

// anchorLine says how one place of the code stands.
func anchorLine(s anchor.State) string {
	state := s.State
	if s.Removed {
		state += " (removed)"
	}
	place := s.File
	if s.Symbol != "" {
		place += ":" + s.Symbol
	}
	line := state + "  " + place
	switch {
	case s.Note != "":
		line += "  " + s.Note
	case !s.Since.IsZero():
		line += "  as on " + s.Since.Format(time.DateOnly)
	}
	return line
}

// codeLine says how a memory stands against the code it names.
func codeLine(freshness, changed string) string {
	if changed == "" {
		return freshness
	}
	return fmt.Sprintf("%s: %s", freshness, changed)
}
