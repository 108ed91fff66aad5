package tool

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"chitta/internal/capture"
	"chitta/internal/moment"
)

// clientTools are the operations for the moments of a session.
func clientTools() []Def {
	const g = GroupClient
	return []Def{
		define("hook", g, "Take an event of the client and return what to hand to its agent, if anything. Called by chitta hook.", (*moment.Keeper).Attend, textJSON[moment.Answer], peopleOnly),
		define("hook_cost", g, "What hooks cost and brought: times by event, tokens handed over, what was withheld and why, what was learned by kind; in all and by session.", (*moment.Keeper).Cost, textCost, readOnly),
		define("ledger_save", g, "Write down how things stand for the next session: mood, summary, todos, decisions, next steps, blockers, files, snapshot. What is given replaces what was saved before in this session.", (*moment.Keeper).LedgerSave, textLedger),
		define("ledger_load", g, "How things stood last in this project, or in a session.", (*moment.Keeper).LedgerLoad, textLedger, readOnly),
		define("ledger_list", g, "List what was written down of how things stood, the last changed first.", (*moment.Keeper).LedgerList, textLedgers, readOnly),
		define("ledger_get", g, "Show one entry of the ledger.", (*moment.Keeper).LedgerGet, textLedger, readOnly),
		define("ledger_delete", g, "Take an entry out of the ledger for good.", (*moment.Keeper).LedgerDelete, textLedger, destructive, peopleOnly),
		define("ledger_checkpoint", g, "Write down how a session stands, from what it shows itself: last request, open todos, files.", (*moment.Keeper).LedgerCheckpoint, textLedger),
		define("session_learn", g, "Learn from sessions that no hook told of, such as imported ones, the oldest first: what their turns teach and what each came to, with the times of then. Returns after a while with how far it has come; call again with next as cursor until there is none.", (*moment.Keeper).LearnHistory, textJSON[moment.HistoryOutput], peopleOnly),
		define("handoff", g, "A brief of how things stand in this project for whoever goes on, ready to paste: last session with work, what is left to do, decided, wanted, did not work. With a session, of that one alone.", (*moment.Keeper).Handoff, textHandoff, readOnly),
		define("replay", g, "Go through a past session and say for each prompt what memory would have handed over then, and why or why not. Long sessions come in parts: pass next as cursor.", (*moment.Keeper).Replay, textReplay, readOnly),
	}
}

// ledgerActions are the operations of the tool ledger, by action.
func ledgerActions(defs map[string]*Def) map[string]*Def {
	return map[string]*Def{
		"save": defs["ledger_save"], "load": defs["ledger_load"], "list": defs["ledger_list"], "get": defs["ledger_get"],
		"checkpoint": defs["ledger_checkpoint"], "handoff": defs["handoff"],
	}
}

func textHandoff(out moment.HandoffOutput) string { return capture.Wrap(out.Text) }

func textLedger(l moment.Ledger) string { return capture.Wrap(ledgerText(&l)) }

func textLedgers(out moment.LedgerListOutput) string {
	if len(out.Ledgers) == 0 {
		return "nothing was written down yet"
	}
	items := make([]string, len(out.Ledgers))
	for i := range out.Ledgers {
		items[i] = ledgerText(&out.Ledgers[i])
	}
	return capture.Wrap(strings.Join(items, "\n\n"))
}

// ledgerText says an entry in words.
func ledgerText(l *moment.Ledger) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s] %s%s", l.ID, l.Kind, when(l.Updated))
	if l.Session != "" {
		b.WriteString(" · session " + moment.Plain(l.Session))
	}
	for _, line := range l.State.Lines() {
		b.WriteString("\n" + line)
	}
	return b.String()
}

func textCost(out moment.CostOutput) string {
	var b strings.Builder
	fmt.Fprintf(&b, "since %s: %d hook calls in %d sessions, %d injections of about %d tokens, %d failed", out.Since.Format("2006-01-02"), out.Calls, out.Sessions, out.Injected, out.Tokens, out.Failed)
	for _, why := range slices.Sorted(maps.Keys(out.Withheld)) {
		fmt.Fprintf(&b, "\nwithheld %d times: %s", out.Withheld[why], why)
	}
	for _, e := range out.Events {
		fmt.Fprintf(&b, "\n%s: %d calls, p50 %.1f ms, p99 %.1f ms", e.Event, e.Calls, e.P50, e.P99)
	}
	for _, kind := range slices.Sorted(maps.Keys(out.Kinds)) {
		fmt.Fprintf(&b, "\nlearned %s: %d", kind, out.Kinds[kind])
	}
	fmt.Fprintf(&b, "\nconverged: %d", out.Converged)
	return b.String()
}
