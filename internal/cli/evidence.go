package cli

import (
	"fmt"
	"slices"
	"strings"

	"chitta/internal/anchor"
	"chitta/internal/mind"
)

// Evidence that is the sum of what stands before it, brought onto the scale of
// scores from 0 to 1: of memories and of passages.
const (
	sumOfMemories = "fusion"
	sumOfPassages = "relevance"
)

// evidence prints why a result was found as a table. What finders measure is
// worth points, on a scale of their own; the column of the score adds up.
func (a *app) evidence(r mind.Result) {
	for _, line := range columns(evidenceRows(r), 0) {
		a.printf("     %s\n", a.dim(line))
	}
}

func evidenceRows(r mind.Result) [][]string {
	rows := [][]string{{"evidence", ">measured", ">points", ">score", ""}}
	for _, e := range r.Evidence {
		switch {
		case e.Raw:
			rows = append(rows, []string{e.Source, decimals(e.Score), signed(e.Weighted), "", e.Detail})
		case e.Source == sumOfMemories || e.Source == sumOfPassages:
			rows = append(rows, []string{"= " + e.Source, "", decimals(e.Score), decimals(e.Weighted), e.Detail})
		default:
			rows = append(rows, []string{e.Source, decimals(e.Score), "", signed(e.Weighted), e.Detail})
		}
	}
	return append(rows, []string{"= score", "", "", decimals(r.Score), freshText(r) + "from " + r.Trust})
}

// freshText says how a result stands against the code it names, if it names any.
func freshText(r mind.Result) string {
	if r.Freshness == anchor.Unknown && r.Changed == "" {
		return ""
	}
	return "freshness " + r.Freshness + ", "
}

func decimals(x float64) string { return fmt.Sprintf("%.3f", x) }
func signed(x float64) string   { return fmt.Sprintf("%+.3f", x) }

// workings prints what --explain says of an answer as a whole.
func (a *app) workings(out mind.RecallOutput) {
	if len(out.Results) > 0 {
		a.printf("\n%s\n", a.dim("points say how far a result stands out among what was found; fusion and relevance are what they come to from 0 to 1; from there on the column score adds up"))
	}
	var order []string // reasons, as they come
	ids := map[string][]string{}
	for _, s := range out.Suppressed {
		if ids[s.Why] == nil {
			order = append(order, s.Why)
		}
		if !slices.Contains(ids[s.Why], s.ID) { // a long message is several passages
			ids[s.Why] = append(ids[s.Why], s.ID)
		}
	}
	for _, why := range order {
		a.printf("left out: %s %s\n", shortIDs(ids[why]), a.dim("("+why+")"))
	}
	a.heldBack(out)
	stages := make([]string, len(out.Stages))
	for i, s := range out.Stages {
		stages[i] = fmt.Sprintf("%s %.2f ms", s.Stage, s.Ms)
	}
	a.printf("%s\n", a.dim("time: "+strings.Join(stages, ", ")))
}

// heldBack prints how many were found and held back for which reason, and the
// bars below which nothing is proposed.
func (a *app) heldBack(out mind.RecallOutput) {
	if len(out.Held) > 0 {
		rows := [][]string{{">held back", "reason"}}
		for _, h := range out.Held {
			rows = append(rows, []string{fmt.Sprint(h.Count), h.Why})
		}
		a.table(rows)
	}
	for _, b := range out.Bars {
		line := fmt.Sprintf("bar: %s from a %s of %.2f on", b.Stage, b.Measure, b.Least)
		if b.Unless != "" {
			line += ", unless " + b.Unless
		}
		a.printf("%s\n", a.dim(line))
	}
}

// uuidLength and shortLength are of the ids that clients give, whole and as
// listings show them; the start of an id is enough wherever one is asked for.
const (
	uuidLength  = 36
	shortLength = 8
)

// shortIDs lists ids, those of clients by their start.
func shortIDs(ids []string) string {
	short := make([]string, len(ids))
	for i, id := range ids {
		short[i] = id
		if len(id) == uuidLength && strings.Count(id, "-") == 4 {
			short[i] = id[:shortLength]
		}
	}
	return strings.Join(short, " ")
}
