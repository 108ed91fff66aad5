package tool

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chitta/internal/anchor"
	"chitta/internal/capture"
	"chitta/internal/codebase"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/past"
	"chitta/internal/recall"
)

// Results are said in words for agents: what counts first, ids to follow up
// with, and recalled text marked as reference material.

func textJSON[T any](out T) string {
	b, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func textExport(out mind.ExportOutput) string { return capture.Wrap(textJSON(out)) }

func textRemember(out mind.RememberOutput) string {
	s := fmt.Sprintf("%s as %s (%s, realm %s)", out.Action, out.ID, out.Kind, out.Realm)
	if out.Action == mind.ActionStrengthened {
		s = fmt.Sprintf("known already as %s (%s, realm %s); strengthened", out.ID, out.Kind, out.Realm)
	}
	if out.Redacted > 0 {
		s += fmt.Sprintf("; %d secret or private parts were taken out", out.Redacted)
	}
	if len(out.About) > 0 {
		s += "; about " + out.AboutText()
	}
	if len(out.Missing) > 0 {
		s += "; not there, so never checked: " + codebase.ShownList(out.Missing)
	}
	return s + textStated(&out.Stated)
}

func textCorrect(out mind.CorrectOutput) string {
	return fmt.Sprintf("%s now stands in the place of %s", out.ID, out.Supersedes) + textStated(&out.Stated)
}

func textForget(out mind.ForgetOutput) string {
	if out.Erased {
		return out.ID + " is erased for good"
	}
	return fmt.Sprintf("%s is forgotten; unforget brings it back until %s", out.ID, out.UndoUntil.Format(time.DateOnly))
}

func textView(v mind.View) string {
	var b strings.Builder
	b.WriteString(heading(v.ID, v.Kind, v.Confidence, v.Created, v.Trust, v.Tags))
	if v.State != string(memory.Active) {
		fmt.Fprintf(&b, " · %s", v.State)
	}
	if v.SupersededBy != "" {
		fmt.Fprintf(&b, " by %s", v.SupersededBy)
	}
	if v.Pinned {
		b.WriteString(" · pinned")
	}
	b.WriteString(staleNote(v.Freshness, v.Changed))
	text := []rune(v.Content)
	shown := min(len(text), viewRunes)
	b.WriteString("\n" + string(text[:shown]))
	if v.From > 0 || shown < len(text) {
		end := v.From + shown
		note := fmt.Sprintf("\ncharacters %d to %d of %d", v.From+1, end, v.From+len(text))
		if shown < len(text) {
			note += fmt.Sprintf("; go on with get and from %d", end)
		}
		return capture.Wrap(b.String()) + note + textStated(&v.Stated)
	}
	return capture.Wrap(b.String()) + textStated(&v.Stated)
}

// viewRunes is how much of one memory's text an agent gets at once.
const viewRunes = 7000

func textList(out mind.ListOutput) string {
	if len(out.Memories) == 0 {
		return "nothing fits"
	}
	items := make([]string, len(out.Memories))
	for i, v := range out.Memories {
		items[i] = heading(v.ID, v.Kind, v.Confidence, v.Created, v.Trust, v.Tags) + "\n" + v.Content
	}
	shown, n := fitting(items)
	s := capture.Wrap(shown)
	switch {
	case n < len(items):
		s += fmt.Sprintf("\n%d of %d shown, the rest of this page does not fit; ask with limit %d and go on with the cursor", n, out.Total, max(1, n))
	case out.Next != "":
		s += fmt.Sprintf("\n%d of %d; next page: cursor %s", n, out.Total, out.Next)
	}
	return s
}

// itemsRunes leaves room for the marks and the notes around the items of an
// answer of [Fit]'s usual size.
const itemsRunes = 7200

// fitting joins as many items as fit and says how many those are. The first is
// always among them, cut if need be.
func fitting(items []string) (string, int) {
	var b strings.Builder
	room := itemsRunes
	for i, item := range items {
		size := utf8.RuneCountInString(item) + 2
		if i == 0 && size > room {
			return string([]rune(item)[:room]) + "…", 1
		}
		if size > room {
			return b.String(), i
		}
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(item)
		room -= size
	}
	return b.String(), len(items)
}

func textHistory(out mind.HistoryOutput) string {
	var b strings.Builder
	for _, c := range out.Changes {
		fmt.Fprintf(&b, "%s %s by %s", c.At.Format(time.DateTime), c.Op, c.Actor)
		fields := make([]string, 0, len(c.Detail))
		for f, pair := range c.Detail {
			fields = append(fields, fmt.Sprintf("%s: %v → %v", f, pair[0], pair[1]))
		}
		slices.Sort(fields)
		if len(fields) > 0 {
			b.WriteString(" (" + strings.Join(fields, "; ") + ")")
		}
		b.WriteString("\n")
	}
	return capture.Wrap(strings.TrimRight(b.String(), "\n"))
}

func textRecall(out mind.RecallOutput) string {
	note := degradedNote(out.Degraded)
	if len(out.Results) == 0 {
		if out.Scope == recall.TargetCode {
			return "no symbol of this project fits; code search looks in other words, code index reads what is new" + note
		}
		return "nothing is remembered about this" + note
	}
	if len(out.Sessions) > 0 {
		shown, n := fitting(sessionItems(out.Sessions))
		s := capture.Wrap(shown)
		if n < len(out.Sessions) {
			s += fmt.Sprintf("\n%d of %d conversations shown, the rest does not fit; ask with limit %d", n, len(out.Sessions), max(1, n))
		}
		return s + note
	}
	shown, n := fitting(resultItems(out.Results))
	s := capture.Wrap(shown)
	if n < len(out.Results) {
		s += fmt.Sprintf("\n%d of %d results shown, the rest does not fit; %s", n, len(out.Results), howToRead(out.Results))
	} else if more := out.Found - len(out.Results); more > 0 {
		s += fmt.Sprintf("\n%d more were found; raise limit or budget to see them", more)
	}
	return s + note
}

// howToRead says which tool shows results in full: a memory and a passage of a
// conversation are read by different ones.
func howToRead(rs []mind.Result) string {
	passage := func(r mind.Result) bool { return r.Kind == mind.KindPassage }
	switch {
	case !slices.ContainsFunc(rs, passage):
		return "memory get shows one by its id"
	case !slices.ContainsFunc(rs, func(r mind.Result) bool { return !passage(r) }):
		return "session show shows one by its id"
	}
	return "by its id, memory get shows a memory and session show a passage"
}

func textContext(out mind.ContextOutput) string {
	note := degradedNote(out.Degraded)
	if len(out.Sections) == 0 {
		return "nothing is remembered about this yet" + note
	}
	var parts []string
	for _, sec := range out.Sections {
		parts = append(parts, "## "+sec.Title+"\n"+results(sec.Results))
	}
	return capture.Wrap(strings.Join(parts, "\n\n")) + note
}

func results(rs []mind.Result) string { return strings.Join(resultItems(rs), "\n\n") }

func resultItems(rs []mind.Result) []string {
	items := make([]string, len(rs))
	for i, r := range rs {
		items[i] = heading(r.ID, r.Kind, r.Confidence, r.Created, r.Trust, r.Tags)
		switch {
		case r.Kind == mind.KindPassage:
			items[i] = passageHeading(r)
		case r.Place != "":
			items[i] = fmt.Sprintf("[%s] %s of the code · %s", r.ID, r.Kind, r.Place)
		}
		if r.State != string(memory.Active) {
			items[i] += " · " + r.State
		}
		items[i] += staleNote(r.Freshness, r.Changed) + "\n" + r.Text
	}
	return items
}

func heading(id, kind string, confidence float64, created time.Time, trust string, tags []string) string {
	s := fmt.Sprintf("[%s] %s · %s · confidence %.2f · from %s", id, memory.KindHeading(kind), created.Format(time.DateOnly), confidence, trust)
	if len(tags) > 0 {
		s += " · #" + strings.Join(tags, " #")
	}
	return s
}

// staleNote says that the code a memory names is not what it was.
func staleNote(freshness, changed string) string {
	if freshness != anchor.Stale {
		return ""
	}
	return " · stale: " + changed
}

func textVerified(out mind.VerifiedOutput) string {
	var b strings.Builder
	items := make([]string, 0, len(out.Memories))
	for _, v := range out.Memories {
		item := fmt.Sprintf("[%s] %s", v.ID, memory.KindHeading(v.Kind))
		if v.Freshness == "" {
			item += " · names no code"
		} else {
			item += " · " + v.Freshness
		}
		for _, a := range v.Anchors {
			if a.Note != "" {
				item += "\n- " + a.Note
			}
		}
		items = append(items, item+"\n"+v.Text)
	}
	if len(items) > 0 {
		shown, n := fitting(items)
		b.WriteString(capture.Wrap(shown) + "\n")
		if n < len(items) || out.More {
			fmt.Fprintf(&b, "%d of %d shown\n", n, out.Stale)
		}
	}
	if out.Accepted {
		b.WriteString("accepted\n")
		for _, t := range out.Taken {
			fmt.Fprintf(&b, "- %s\n", t)
		}
	}
	fmt.Fprintf(&b, "%d stale, %d fresh, %d cannot be verified", out.Stale, out.Fresh, out.Unverifiable)
	if out.Stale > 0 {
		b.WriteString("; for each: correct it, forget it, or verify with its id and accept if it still holds")
	}
	return b.String()
}

func sessionItems(sessions []mind.SessionResult) []string {
	items := make([]string, len(sessions))
	for i, s := range sessions {
		items[i] = fmt.Sprintf("[%s] %s · %d messages", s.ID, s.Title, s.Messages)
		if !s.Ended.IsZero() {
			items[i] += " · " + s.Ended.Format(time.DateOnly)
		}
		for _, p := range s.Passages {
			items[i] += fmt.Sprintf("\n- %s [%s]: %s", p.Speaker, p.ID, p.Text)
		}
	}
	return items
}

func textSessionContext(out past.ContextOutput) string {
	items := make([]string, len(out.Messages))
	for i, m := range out.Messages {
		items[i] = fmt.Sprintf("[%s] %s\n%s", m.ID, m.Role, m.Text)
	}
	shown, n := fitting(items)
	s := capture.Wrap(shown) + fmt.Sprintf("\nabout %d tokens of %d, %d messages left out", out.Tokens, out.Budget, out.LeftOut)
	if n < len(items) {
		s += fmt.Sprintf("; the first %d of %d are shown", n, len(items))
	}
	return s
}

func passageHeading(r mind.Result) string {
	s := fmt.Sprintf("[%s] %s in session %s", r.ID, r.Speaker, r.Provenance.Session)
	if !r.Created.IsZero() {
		s += " · " + r.Created.Format(time.DateOnly)
	}
	return s
}

func degradedNote(degraded []string) string {
	if len(degraded) == 0 {
		return ""
	}
	return "\n(not all could take part: " + strings.Join(degraded, "; ") + ")"
}

func textRealms(out mind.RealmListOutput) string {
	var b strings.Builder
	for _, r := range out.Realms {
		here := ""
		if r.Current {
			here = " (here)"
		}
		fmt.Fprintf(&b, "%s %s%s: %d memories\n", r.ID, r.Name, here, r.Memories)
	}
	return strings.TrimRight(b.String(), "\n")
}

func textDoctor(out mind.DoctorOutput) string {
	var b strings.Builder
	for _, f := range out.Findings {
		fmt.Fprintf(&b, "%s %s: %s", f.Status, f.Name, f.Detail)
		if f.Hint != "" {
			fmt.Fprintf(&b, " (%s)", f.Hint)
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// Fit cuts a text to a number of characters at the end of a line, and says
// so. Reference material stays marked to its end.
func Fit(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	note := "\n… cut here; ask for fewer results, or for one by its id: memory get, or session show for what was said"
	room := most - utf8.RuneCountInString(note) - utf8.RuneCountInString(capture.EchoClose) - 1
	cut := string([]rune(text)[:max(0, room)])
	if i := strings.LastIndexByte(cut, '\n'); i > len(cut)/2 {
		cut = cut[:i]
	}
	if strings.Count(cut, capture.EchoOpen) > strings.Count(cut, capture.EchoClose) {
		cut += "\n" + capture.EchoClose
	}
	return cut + note
}
