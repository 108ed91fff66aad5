package moment

import (
	"context"
	"strings"
	"sync"
	"time"

	"chitta/internal/distil"
	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/store"
)

const (
	// runsLooked is how many of the last commands of a project are compared.
	runsLooked = 5000
	// failedBefore is how often a command must have failed.
	failedBefore = 2
	// insteadWithin is among how many commands after a failure the one that
	// worked instead is looked for.
	insteadWithin = 6
	// commandMost is how long a command may be to be looked up, in bytes; beyond
	// it stands a script.
	commandMost = 400
	// bookAge is for how long what is known of commands is good enough.
	bookAge = 5 * time.Minute
)

// commandNote is what is known of a command that has only ever failed.
type commandNote struct {
	failures int
	last     store.Run // the last failure with an answer
	instead  string    // what worked
}

// commandBooks keeps what is known of commands, by realm. Hooks have no time to
// read the history, so it is read in the background and looked up here.
type commandBooks struct {
	mu    sync.Mutex
	books map[string]commandBook
}

type commandBook struct {
	notes map[string]commandNote // by command, generalised
	read  time.Time
}

// of returns what is known of the commands of a realm, and asks for it if that
// is nothing yet.
func (b *commandBooks) of(realm string) map[string]commandNote {
	b.mu.Lock()
	defer b.mu.Unlock()
	book, ok := b.books[realm]
	if !ok {
		if b.books == nil {
			b.books = map[string]commandBook{}
		}
		b.books[realm] = commandBook{}
	}
	return book.notes
}

// due returns the realms whose commands are to be read again.
func (b *commandBooks) due(now time.Time) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for realm, book := range b.books {
		if now.Sub(book.read) >= bookAge {
			out = append(out, realm)
		}
	}
	return out
}

// readCommands reads which commands never work in projects that run some.
func (k *Keeper) readCommands(ctx context.Context) error {
	now := k.mind.Now()
	for _, realm := range k.commands.due(now) {
		roots, err := k.mind.Roots(ctx, realm)
		if err != nil {
			return err
		}
		runs, err := k.store.Runs(ctx, realm, runsLooked)
		if err != nil {
			return err
		}
		notes := notesOf(runs, roots)
		k.commands.mu.Lock()
		k.commands.books[realm] = commandBook{notes, now}
		k.commands.mu.Unlock()
	}
	return nil
}

// notesOf finds the commands among runs, newest first, that failed again and
// again and never worked, where another did that does the same.
func notesOf(runs []store.Run, roots []string) map[string]commandNote {
	general := make([]string, len(runs))
	works, failed := map[string]bool{}, map[string][]int{}
	for i := range runs {
		if len(runs[i].Command) > commandMost {
			continue
		}
		g := past.GeneralCommand(runs[i].Command, roots)
		general[i] = g
		switch {
		case strings.IndexByte(g, ' ') < 0: // a program alone says too little
		case worked(&runs[i]):
			works[g] = true
		default:
			failed[g] = append(failed[g], i)
		}
	}
	out := map[string]commandNote{}
	for g, at := range failed {
		if works[g] || len(at) < failedBefore {
			continue
		}
		for _, i := range at {
			if instead, ok := insteadOf(runs, general, i); ok {
				out[g] = commandNote{len(at), runs[i], instead}
				break
			}
		}
	}
	return out
}

// insteadOf returns the first command after a failed one, in the same thread,
// that does the same and worked.
func insteadOf(runs []store.Run, general []string, failed int) (string, bool) {
	left := insteadWithin
	for i := failed - 1; i >= 0 && left > 0; i-- { // newest first: what follows stands before
		if runs[i].Session != runs[failed].Session || runs[i].Agent != runs[failed].Agent {
			continue
		}
		left--
		if worked(&runs[i]) && distil.StatusTells(runs[i].Command) && general[i] != general[failed] && past.SameCommand(general[i], general[failed]) {
			return runs[i].Command, true
		}
	}
	return "", false
}

// worked says whether a run succeeded, as far as is known.
func worked(r *store.Run) bool {
	if r.ExitCode != nil {
		return *r.ExitCode == 0 && !r.Failed
	}
	return !r.Failed
}

// command returns what worked instead of a command that has only ever failed
// here.
func (w *warner) command(command string) []item {
	if len(command) > commandMost {
		return nil
	}
	note, ok := w.commands[past.GeneralCommand(command, w.roots)]
	if !ok || w.given(note.last.MessageID) {
		return nil
	}
	often := "several times"
	if note.failures == failedBefore {
		often = "twice"
	}
	return []item{{
		id: note.last.MessageID, label: "this command failed here " + often, when: note.last.Time,
		text: "`" + note.instead + "` worked instead", source: "history", trust: memory.TrustOutcome,
	}}
}
