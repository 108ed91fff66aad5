package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Installer knows where the client's files are.
type Installer struct {
	// Config is the client's folder, State the file in which it keeps servers
	// and projects.
	Config, State string
	// Work is the folder whose project the scopes project and local mean.
	Work string
	// Record is the file that remembers what was done; its folder exists.
	Record string
	Now    func() time.Time
}

// At returns an installer for the client that the environment speaks of.
func At(getenv func(string) string, home, work, record string) *Installer {
	in := &Installer{Config: filepath.Join(home, ".claude"), State: filepath.Join(home, ".claude.json"), Work: work, Record: record, Now: time.Now}
	if dir := getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		in.Config, in.State = dir, filepath.Join(dir, ".claude.json")
	}
	return in
}

// Want is what is to be installed.
type Want struct {
	Hooks  Hooks
	Server Server
	// ClaudeMD asks for a summary in the project's CLAUDE.md.
	ClaudeMD bool
}

// What happened to a file.
const (
	Created   = "created"
	Changed   = "changed"
	Unchanged = "unchanged"
	Deleted   = "deleted"
)

// Report says what was done, or would be.
type Report struct {
	Scope  string       `json:"scope"`
	DryRun bool         `json:"dry_run"`
	Files  []FileReport `json:"files"`
	Notes  []string     `json:"notes"`
}

// FileReport is about one file.
type FileReport struct {
	Path    string   `json:"path"`
	Action  string   `json:"action"`
	Backup  string   `json:"backup,omitempty"`
	Changes []Change `json:"changes"`
}

// Install registers chitta in a scope. It does everything or nothing, and
// nothing at all in a dry run.
func (in *Installer) Install(ctx context.Context, scope string, want Want, dryRun bool) (Report, error) {
	targets, err := in.targets(scope, want)
	if err != nil {
		return Report{Scope: scope, DryRun: dryRun}, err
	}
	if want.ClaudeMD {
		targets = append(targets, claudeMDTarget(claudeMD(in.Work), scope))
	}
	return in.run(ctx, scope, targets, dryRun, add)
}

// Summarise asks for a summary in the project's CLAUDE.md and for nothing else.
func (in *Installer) Summarise(ctx context.Context, scope string, dryRun bool) (Report, error) {
	return in.run(ctx, scope, []target{claudeMDTarget(claudeMD(in.Work), scope)}, dryRun, add)
}

// add plans how a file gets what chitta puts into it.
func add(t target, e *entry, old []byte, existed bool) (step, error) {
	text, changes, err := t.edit(old)
	if err != nil {
		return step{}, err
	}
	if len(changes) == 0 && (e != nil || !t.noted) {
		return step{keep: true}, nil
	}
	if t.guard != nil {
		if err := t.guard(); err != nil {
			return step{}, err
		}
	}
	_, own, err := t.without(old, nil)
	if err != nil {
		return step{}, err
	}
	next := e.extend(old, text, existed, len(own) > 0, changes)
	next.Scope = t.scope
	return step{text: text, changes: changes, exists: true, entry: &next}, nil
}

// Uninstall takes chitta out of a scope, and out of every CLAUDE.md a summary
// that was asked for in it: in the user's scope in whatever project.
func (in *Installer) Uninstall(ctx context.Context, scope string, dryRun bool) (Report, error) {
	targets, err := in.targets(scope, Want{})
	if err != nil {
		return Report{Scope: scope, DryRun: dryRun}, err
	}
	summaries, err := in.summaries(scope)
	if err != nil {
		return Report{Scope: scope, DryRun: dryRun}, err
	}
	return in.run(ctx, scope, append(targets, summaries...), dryRun, takeOut)
}

// Unsummarise takes out the summaries alone.
func (in *Installer) Unsummarise(ctx context.Context, scope string, dryRun bool) (Report, error) {
	targets, err := in.summaries(scope)
	if err != nil {
		return Report{Scope: scope, DryRun: dryRun}, err
	}
	return in.run(ctx, scope, targets, dryRun, takeOut)
}

// summaries returns the files that are to hold a summary, as far as a scope
// goes.
func (in *Installer) summaries(scope string) (targets []target, err error) {
	rec, err := in.readRecord()
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(rec.Files)) {
		path, ok := strings.CutSuffix(key, claudeMDKey)
		if ok && rec.Files[key].Scope == scope && (scope == ScopeUser || path == claudeMD(in.Work)) {
			targets = append(targets, claudeMDTarget(path, scope))
		}
	}
	return targets, nil
}

// takeOut plans how a file gets rid of what chitta put into it.
func takeOut(t target, e *entry, old []byte, existed bool) (step, error) {
	if !existed {
		return step{}, nil
	}
	text, changes, err := e.restore(old, t.without)
	if err != nil {
		return step{}, err
	}
	if t.guard != nil && len(changes) > 0 {
		if err := t.guard(); err != nil { // the rest goes all the same, and this can be tried again
			return step{keep: true, refused: err}, nil
		}
	}
	return step{text: text, changes: changes, exists: e == nil || e.Existed || !t.empty(text)}, nil
}

// holdsNothing reports whether a file has no content worth a file.
func holdsNothing(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	return len(bytes.Trim(text, " \t\r\n{}")) == 0
}

// step is what is to become of a file.
type step struct {
	target
	old     []byte
	existed bool
	made    string // the folder that was made for it

	text    []byte
	changes []Change
	exists  bool   // afterwards
	entry   *entry // to remember
	keep    bool   // nothing to do, and the record holds
	refused error  // why it was kept although there was something to do
}

func (s step) action() string {
	switch {
	case s.keep || s.existed == s.exists && bytes.Equal(s.old, s.text):
		return Unchanged
	case !s.existed:
		return Created
	case !s.exists:
		return Deleted
	}
	return Changed
}

type planner func(t target, e *entry, old []byte, existed bool) (step, error)

// run plans a step for each file and then takes them all.
func (in *Installer) run(ctx context.Context, scope string, targets []target, dryRun bool, plan planner) (report Report, err error) {
	report = Report{Scope: scope, DryRun: dryRun, Files: []FileReport{}, Notes: []string{}}
	rec, err := in.readRecord()
	if err != nil {
		return report, err
	}
	var steps []step
	for _, t := range targets {
		if t.locked && !dryRun && isFolder(filepath.Dir(t.path)) {
			unlock, lockErr := lock(ctx, t.path)
			if lockErr != nil {
				return report, lockErr
			}
			defer func() { err = errors.Join(err, unlock()) }()
		}
		s, planErr := in.plan(t, rec, plan)
		if planErr != nil {
			return report, fmt.Errorf("%s: %w", t.path, planErr)
		}
		steps = append(steps, s)
		report.Notes = append(report.Notes, s.notes(s)...)
	}
	if !dryRun {
		defer func() {
			if err != nil {
				err = errors.Join(err, takeBack(steps))
			}
		}()
	}
	for i := range steps {
		fr := FileReport{Path: steps[i].path, Action: steps[i].action(), Changes: append([]Change{}, steps[i].changes...)}
		if !dryRun && fr.Action != Unchanged {
			if fr.Backup, err = in.take(&steps[i]); err != nil {
				return report, fmt.Errorf("%s: %w", fr.Path, err)
			}
		}
		report.Files = append(report.Files, fr)
	}
	if dryRun {
		return report, nil
	}
	return report, in.remember(rec, steps)
}

func (in *Installer) plan(t target, rec record, plan planner) (step, error) {
	old, existed, err := readFile(t.path)
	if err != nil {
		return step{}, err
	}
	var known *entry
	if e, ok := rec.Files[t.key]; ok {
		known = &e
	}
	s, err := plan(t, known, old, existed)
	if err != nil {
		return step{}, err
	}
	s.target, s.old, s.existed = t, old, existed
	return s, nil
}

// foreignNotes is about JSON that the client does not read.
func foreignNotes(s step) []string {
	if !s.exists || !Foreign(s.text) {
		return nil
	}
	return []string{fmt.Sprintf("%s has comments or trailing commas; the client wants plain JSON and ignores such a file as a whole", s.path)}
}

// goneNotes is about a binary that a file named.
func goneNotes(s step, was string) []string {
	if !filepath.IsAbs(was) {
		return nil
	}
	if _, err := os.Stat(was); err == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s named a binary that is gone: %s", s.path, was)}
}

// take does a step: a copy first, then the file.
func (in *Installer) take(s *step) (backup string, err error) {
	if !s.existed {
		dir := filepath.Dir(s.path)
		if !isFolder(dir) {
			if err := os.MkdirAll(dir, s.folder); err != nil {
				return "", err
			}
			s.made = dir
		}
		return "", writeFile(s.path, s.text, s.old, s.file)
	}
	if !s.exists { // all that was in it is chitta's: no copy
		return "", removeFile(s.path)
	}
	if backup, err = backUp(in.copyOf(s), s.old, in.Now()); err != nil {
		return "", fmt.Errorf("keep a copy: %w", err)
	}
	return backup, writeFile(s.path, s.text, s.old, s.file)
}

// copyOf is what the copies of a file are named after. They stand beside it,
// but for files in a repository: there they would be found by git, so they go
// to the data directory, into the same folders as in the file system.
func (in *Installer) copyOf(s *step) string {
	if !s.inProject {
		return s.path
	}
	path := strings.TrimPrefix(s.path, filepath.VolumeName(s.path))
	return filepath.Join(filepath.Dir(in.Record), copiesFolder, path)
}

// takeBack undoes steps after one of them failed.
func takeBack(steps []step) error {
	var errs []error
	for _, s := range steps {
		now, exists, err := readFile(s.path)
		switch {
		case err != nil:
			errs = append(errs, err)
		case s.action() == Unchanged, exists == s.existed && bytes.Equal(now, s.old):
		case s.existed:
			errs = append(errs, writeFile(s.path, s.old, now, s.file))
		default:
			errs = append(errs, removeFile(s.path))
		}
		if s.made != "" {
			errs = append(errs, os.Remove(s.made))
		}
	}
	return errors.Join(errs...)
}

// remember writes down what was done, and cleans up folders of files that are
// gone.
func (in *Installer) remember(rec record, steps []step) error {
	changed := false
	for _, s := range steps {
		known, ok := rec.Files[s.key]
		switch {
		case s.keep:
			continue
		case s.entry != nil:
			if s.made != "" {
				s.entry.MadeFolder = s.made
			} else if !s.existed && rec.made(filepath.Dir(s.path)) {
				s.entry.MadeFolder = filepath.Dir(s.path) // whichever goes last takes it along
			}
			rec.Files[s.key] = *s.entry
		case ok:
			if !s.exists && known.MadeFolder != "" {
				_ = os.Remove(known.MadeFolder) // stays if something else is in it
			}
			delete(rec.Files, s.key)
		default:
			continue
		}
		changed = true
	}
	if !changed {
		return nil
	}
	return in.writeRecord(rec)
}
