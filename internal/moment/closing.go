package moment

import (
	"context"
	"strings"

	"chitta/internal/capture"
	"chitta/internal/distil"
	"chitta/internal/mind"
	"chitta/internal/session"
	"chitta/internal/store"
)

// closeIntentions closes what was left to do and a turn has done. What a
// subagent does is told by the turn it works for.
func (k *Keeper) closeIntentions(ctx context.Context, v *store.Visit, t store.TurnSpan, realm, cwd string, messages []session.Message, found []distil.Lesson) error {
	if t.Agent != "" {
		return nil
	}
	first, _ := session.LastTurn(messages)
	own := messages[first:]
	if len(own) == 0 {
		return nil
	}
	d := mind.TurnDeed{Session: v.Session, Realm: realm, Cwd: cwd, Message: own[0].ID, Began: own[0].Time, At: own[len(own)-1].Time}
	d.Deed = deedOf(own)
	if d.Began.IsZero() || len(d.Files) == 0 && !d.Passed {
		return nil
	}
	for i := range found {
		if found[i].Rule == distil.RuleNext {
			d.Open = append(d.Open, found[i].Text)
		}
	}
	_, err := k.mind.CloseIntentions(ctx, hookCaller(v), d)
	return err
}

// deedOf is what the messages of a turn show of what was done.
func deedOf(own []session.Message) capture.Deed {
	d := capture.Deed{Asked: capture.StripTold(own[0].Human())}
	for _, f := range session.FileTouches(own) {
		if !f.Failed && (f.Action == session.Edit || f.Action == session.Write) {
			d.Files = append(d.Files, f.Path)
		}
	}
	if runs := session.CommandRuns(own); len(runs) > 0 {
		last := runs[len(runs)-1]
		d.Failed = last.Failed || last.ExitCode != nil && *last.ExitCode != 0
		d.Passed = !d.Failed && last.Result != ""
	}
	for i := len(own) - 1; i >= 0 && d.Said == ""; i-- {
		m := &own[i]
		var said []string
		for _, p := range m.Parts {
			if m.Role == session.Assistant && p.Kind == session.Text && !p.Meta && !m.Meta {
				said = append(said, p.Text)
			}
		}
		d.Said = strings.TrimSpace(strings.Join(said, "\n"))
	}
	d.Said = capture.StripTold(d.Said)
	return d
}
