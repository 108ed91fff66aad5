package moment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"chitta/internal/capture"
	"chitta/internal/distil"
	"chitta/internal/expr"
	"chitta/internal/install"
	"chitta/internal/memory"
	"chitta/internal/mind"
)

// The summary in a CLAUDE.md is read by the client in every session, so it is
// short.
const (
	summaryChars   = 1500 // of the whole
	summaryLine    = 200  // of one memory
	summarySection = 4    // memories of one sort
	summaryLooked  = 500  // newest of one sort that are looked at: most may be commands
	// summarySure is how sure chitta has to be of what it writes there: the
	// client hands that file to its agent as instructions.
	summarySure = 0.5
)

const (
	summaryTitle = "## What chitta remembers of this project\n\n" +
		"Background from earlier sessions, with date and id, newest first. It may be out of date: look before you rely on it.\n"
	summaryNothing = "\nNothing yet.\n"
)

// summarySort is a sort of memories that a summary has.
type summarySort struct {
	title string
	in    mind.ListInput
	not   string // a tag that makes it another sort
}

// summarySorts lists them in their order: what a person said comes before what
// was noticed, as the room may not do for all.
func summarySorts() []summarySort {
	kind := func(k memory.Kind) mind.ListInput { return mind.ListInput{Kinds: []string{k.String()}} }
	commands := kind(memory.Approach)
	commands.Tags = []string{distil.RuleCommand}
	return []summarySort{
		{"Pinned", mind.ListInput{Pinned: true}, ""},
		{"Preferences", kind(memory.Preference), ""},
		{"Corrections", kind(memory.Correction), ""},
		{"Decisions", kind(memory.Approach), distil.RuleCommand},
		{"What did not work", kind(memory.Failure), ""},
		{"Commands that work here", commands, ""},
	}
}

// Summary is what a CLAUDE.md says of a project: what is pinned, preferred,
// corrected, decided, known to fail and to work there, each once, with date and
// id, and of this project alone, as the file is often shared with others. What
// tools or the web said is left out.
func (k *Keeper) Summary(ctx context.Context, c mind.Caller) (string, error) {
	realm, err := k.mind.RealmHere(ctx, c)
	if err != nil {
		return "", fmt.Errorf("find the project of %s: %w", c.Cwd, err)
	}
	text := summaryTitle
	var said []string // what the text says already
	for _, sort := range summarySorts() {
		sort.in.Realm, sort.in.Limit = realm.ID, summaryLooked
		list, err := k.mind.List(ctx, c, sort.in)
		if err != nil {
			return "", fmt.Errorf("collect %s: %w", strings.ToLower(sort.title), err)
		}
		title, n := "\n**"+sort.title+"**\n\n", 0
		for i := 0; i < len(list.Memories) && n < summarySection; i++ {
			v := &list.Memories[i]
			if !fit(v) || slices.Contains(v.Tags, sort.not) || repeats(v.Content, said) {
				continue
			}
			line := summaryOf(v)
			if utf8.RuneCountInString(text+title+line) > summaryChars {
				continue
			}
			text, title, said = text+title+line, "", append(said, v.Content)
			n++
		}
	}
	if len(said) == 0 {
		text += summaryNothing
	}
	return text, nil
}

// repeats reports whether a text says what another did: one is part of the
// other, or has nearly all its words, and they agree in numbers, names and
// negations.
func repeats(text string, said []string) bool {
	own, no := newKnown(), negated(telling(text))
	own.add(text)
	for _, s := range said {
		if negated(telling(s)) != no {
			continue
		}
		a, b := " "+words(text)+" ", " "+words(s)+" "
		if strings.Contains(a, b) || strings.Contains(b, a) {
			return true
		}
		other := newKnown()
		other.add(s)
		if (own.says(s) || other.says(text)) && capture.SameParticulars(text, s) {
			return true
		}
	}
	return false
}

// fit reports whether a memory may stand in a file of instructions.
func fit(v *mind.View) bool {
	trust := memory.Trust(v.Trust)
	trusted := trust != memory.TrustTool && trust != memory.TrustWeb
	return trusted && (v.Pinned || v.Confidence >= summarySure) && !looksLikeInstruction(v.Content, trust)
}

func summaryOf(v *mind.View) string {
	return fmt.Sprintf("- %s %s: %s\n", v.Created.Format("2006-01-02"), v.ID, summaryText(v.Content))
}

// fileName begins what the client would take for a file to read in its place.
var fileName = expr.New(`(^|[^\pL\pN])@`)

// summaryText is a memory on one line that is nothing but text to the client.
func summaryText(text string) string {
	return fileName.ReplaceAllString(plain(text, summaryLine), "${1}(at)") // last: escapes may hide one
}

// folders are those whose CLAUDE.md may have to be written anew.
type folders struct {
	mu    sync.Mutex
	names map[string]bool
}

// maxFolders bounds what waits; one more is looked at when a session starts in
// it again.
const maxFolders = 100

func (f *folders) add(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.names == nil {
		f.names = map[string]bool{}
	}
	if len(f.names) < maxFolders {
		f.names[name] = true
	}
}

func (f *folders) take() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	names := slices.Sorted(maps.Keys(f.names))
	f.names = nil
	return names
}

// refreshClaudeMD notes that a session started in a folder. If its user asked
// for a summary in the CLAUDE.md there, [Keeper.Run] writes it; the hook does
// not wait for that.
func (k *Keeper) refreshClaudeMD(_ context.Context, cwd string) {
	if cwd != "" {
		k.stale.add(cwd)
	}
}

// writeSummaries brings up to date what was noted. A file that cannot be
// written is reported and left alone until the next session starts there.
func (k *Keeper) writeSummaries(ctx context.Context) error {
	for _, dir := range k.stale.take() {
		err := k.writeSummary(ctx, dir)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !errors.Is(err, install.ErrMarks) { // doctor tells of those
			k.log.Warn("a CLAUDE.md was not brought up to date", "folder", dir, "error", err)
		}
	}
	return nil
}

func (k *Keeper) writeSummary(ctx context.Context, dir string) error {
	path, err := install.SummaryWanted(k.mind.Paths().InstallRecord(), dir)
	if err != nil || path == "" {
		return err
	}
	summary, err := k.Summary(ctx, mind.Caller{Actor: "hook", Cwd: dir})
	if err != nil {
		return err
	}
	changed, err := install.WriteSummary(path, summary)
	if changed {
		k.log.Info("brought the summary up to date", "file", path)
	}
	return err
}
