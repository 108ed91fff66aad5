package mind

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"chitta/internal/capture"
	"chitta/internal/follow"
	"chitta/internal/ingest"
	"chitta/internal/meaning"
	"chitta/internal/memory"
)

// BackupInput says where a backup goes.
type BackupInput struct {
	File string `json:"file" jsonschema:"the file to write; it must not exist yet"`
}

// BackupOutput says what was written.
type BackupOutput struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
}

// Backup writes a complete copy of the database to a file while everything
// goes on.
func (m *Mind) Backup(ctx context.Context, c Caller, in BackupInput) (BackupOutput, error) {
	if in.File == "" {
		return BackupOutput{}, &memory.InputError{Field: "file", Problem: "is empty", Hint: "name the file to write, e.g. chitta-backup.db"}
	}
	if err := memory.CheckText("file", in.File, memory.MaxPath); err != nil {
		return BackupOutput{}, err
	}
	file, err := resolvePath(c, "file", in.File)
	if err != nil {
		return BackupOutput{}, err
	}
	if fi, err := os.Stat(filepath.Dir(file)); err != nil || !fi.IsDir() {
		return BackupOutput{}, &memory.InputError{Field: "file", Problem: "is in a directory that does not exist", Hint: "make " + filepath.Dir(file) + " first"}
	}
	if err := m.flushAccess(ctx); err != nil {
		return BackupOutput{}, err
	}
	err = m.store.Backup(ctx, file)
	if errors.Is(err, fs.ErrExist) {
		return BackupOutput{}, &memory.InputError{Field: "file", Problem: file + " exists", Hint: "choose another name; backups are never overwritten"}
	}
	if err != nil {
		return BackupOutput{}, fmt.Errorf("back up to %s: %w", file, err)
	}
	out := BackupOutput{File: file}
	if fi, err := os.Stat(file); err == nil {
		out.Bytes = fi.Size()
	}
	return out, nil
}

// Rebuild makes everything derived anew from what is stored. It returns when
// that has begun; status shows how far it is.
func (m *Mind) Rebuild(ctx context.Context, _ Caller, _ NoInput) (follow.IndexStatus, error) {
	if err := m.ingest.DeriveAll(ctx); err != nil {
		return follow.IndexStatus{}, fmt.Errorf("derive conversations: %w", err)
	}
	for _, x := range m.indexers() {
		if err := x.Rebuild(ctx); err != nil {
			return follow.IndexStatus{}, fmt.Errorf("rebuild the keyword index of %s: %w", x.Name(), err)
		}
	}
	if err := m.semantic.Rebuild(ctx); err != nil {
		return follow.IndexStatus{}, fmt.Errorf("rebuild the vectors: %w", err)
	}
	if err := m.rebuildMeant(); err != nil {
		return follow.IndexStatus{}, fmt.Errorf("rebuild the vectors of source code: %w", err)
	}
	if err := m.linker.Rebuild(ctx); err != nil {
		return follow.IndexStatus{}, fmt.Errorf("rebuild the edges: %w", err)
	}
	if err := m.rebuildMentions(ctx); err != nil {
		return follow.IndexStatus{}, fmt.Errorf("rebuild the mentions: %w", err)
	}
	return m.indexStatus(), nil
}

// Due is signalled when [Mind.Maintain] has something to do.
func (m *Mind) Due() <-chan struct{} { return m.wake }

// signal tells the background that there is something to do.
func (m *Mind) signal() {
	select {
	case m.wake <- struct{}{}:
	default: // it knows
	}
}

// Behind reports whether the index lacks changes, which is felt at once.
func (m *Mind) Behind() bool {
	for _, x := range m.indexers() {
		if todo, _, _ := x.Progress(); todo > 0 {
			return true
		}
	}
	return false
}

// NextRound says how long background work may rest: at most the given time,
// less while something waits to be embedded or linked or the index holds changes that
// are not on disk yet.
func (m *Mind) NextRound(most time.Duration) time.Duration {
	if m.semantic.Behind() > 0 || m.linker.Behind() || m.miner.todo.Load() || m.ingest.Deriving() > 0 || m.senses.behind.Load() {
		return min(most, embedPause)
	}
	for _, x := range m.indexers() {
		if index, err := x.Ready(); err == nil && index.Seq() > index.DurableSeq() {
			return min(most, follow.FlushAfter)
		}
	}
	return most
}

// Finding is one thing the doctor looked at.
type Finding struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok, warn, fail
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"`
}

// How a finding stands.
const (
	FindingOK   = "ok"
	FindingWarn = "warn"
	FindingFail = "fail"
)

// DoctorOutput is everything the doctor looked at.
type DoctorOutput struct {
	OK       bool      `json:"ok"`
	Findings []Finding `json:"findings"`
}

// doctorTime is how long the doctor looks at the data itself: there are other
// things to see, and who asks waits.
const doctorTime = 5 * time.Second

// lowDisk is when a full disk is near enough to say so.
const lowDisk = 512 << 20

// Doctor looks at everything chitta relies on and says how to mend what is
// not in order.
func (m *Mind) Doctor(ctx context.Context, c Caller, _ NoInput) (DoctorOutput, error) {
	paths := m.opts.Config.Paths()
	findings := []Finding{
		ownerOnly("data directory", paths.Home(), 0o700),
		ownerOnly("database", paths.DB(), 0o600),
		ownerOnly("socket", paths.Socket(), 0o600),
		m.doctorDatabase(ctx, c),
		m.doctorIndex(),
		m.doctorModel(),
		m.doctorTranscripts(ctx),
		m.doctorSecrets(),
		m.doctorCode(ctx),
	}
	if git, err := exec.LookPath("git"); err != nil {
		findings = append(findings, Finding{"git", FindingWarn, "not found", "install git, or projects are told apart by their folder only"})
	} else {
		findings = append(findings, Finding{Name: "git", Status: FindingOK, Detail: git})
	}
	if free, ok := diskFree(paths.Home()); ok {
		f := Finding{Name: "disk", Status: FindingOK, Detail: fmt.Sprintf("%d MB free", free>>20)}
		if free < lowDisk {
			f.Status, f.Hint = FindingWarn, "make room, or nothing new can be stored"
		}
		findings = append(findings, f)
	}
	out := DoctorOutput{OK: true, Findings: findings}
	for _, f := range findings {
		out.OK = out.OK && f.Status != FindingFail
	}
	return out, nil
}

func (m *Mind) doctorDatabase(ctx context.Context, c Caller) Finding {
	check, err := m.checkFor(ctx, c, doctorTime)
	switch {
	case err != nil:
		return Finding{"data", FindingFail, err.Error(), "restore a backup: chitta restore FILE"}
	case len(check.Problems) > 0:
		return Finding{"data", FindingFail, fmt.Sprintf("%d problems, first: %s %s", len(check.Problems), check.Problems[0].What, check.Problems[0].Detail), "see them all: chitta check"}
	}
	if !check.Done {
		return Finding{Name: "data", Status: FindingOK, Detail: fmt.Sprintf("sound as far as looked at, %d of %d steps; chitta check looks at everything", check.Step, check.Steps)}
	}
	return Finding{Name: "data", Status: FindingOK, Detail: fmt.Sprintf("%d memories, every invariant holds", check.Memories)}
}

func (m *Mind) doctorIndex() Finding {
	switch st := m.indexStatus(); st.State {
	case follow.IndexOff:
		return Finding{"keyword index", FindingFail, st.Problem, "make it anew: chitta rebuild"}
	case follow.IndexMending:
		return Finding{"keyword index", FindingWarn, fmt.Sprintf("damaged, and made anew (%d changes to go): %s", st.Todo, st.Problem), "wait a moment; if it happens again, look at the disk"}
	case follow.IndexCatchingUp:
		return Finding{"keyword index", FindingWarn, fmt.Sprintf("catching up, %d changes to go", st.Todo), "wait a moment"}
	default:
		if st.Problem != "" {
			return Finding{"keyword index", FindingWarn, fmt.Sprintf("%d documents; %s", st.Docs, st.Problem), "nothing is lost, it is tried again; make room on the disk, or make it anew: chitta rebuild"}
		}
		return Finding{Name: "keyword index", Status: FindingOK, Detail: fmt.Sprintf("%d documents in step with the store", st.Docs)}
	}
}

func (m *Mind) doctorModel() Finding {
	const name = "embedding model"
	st := m.semantic.Status()
	switch {
	case st.Problem != "" && st.State != meaning.Off:
		return Finding{name, FindingWarn, fmt.Sprintf("%s: %s", st.ID, st.Problem), "search goes by words where it fails; try it: chitta model verify"}
	case st.State == meaning.Ready:
		return Finding{Name: name, Status: FindingOK, Detail: fmt.Sprintf("%s, %d vectors", st.ID, st.Vectors)}
	case st.State != meaning.Off:
		return Finding{Name: name, Status: FindingOK, Detail: fmt.Sprintf("%s, %s, %d texts to go", st.ID, st.State, st.Todo)}
	case m.semantic.Setting().Use == meaning.UseNone:
		return Finding{Name: name, Status: FindingOK, Detail: "switched off: search goes by words alone"}
	}
	return Finding{name, FindingWarn, st.Problem, "search goes by words alone; build with make build, or choose a model: chitta model use"}
}

// doctorTranscripts says whether transcripts are read as they grow.
func (m *Mind) doctorTranscripts(ctx context.Context) Finding {
	st := m.ingest.WatchStatus()
	if st.Dir == "" {
		return Finding{Name: transcripts, Status: FindingOK, Detail: "not watched; chitta import reads them"}
	}
	read, err := m.store.CountSourceFiles(ctx)
	if err != nil {
		return Finding{transcripts, FindingFail, err.Error(), ""}
	}
	return watchFinding(st, read)
}

// transcripts is what the doctor calls the watch.
const transcripts = "transcripts"

// watchFinding says how the watch stands that has read so many files.
func watchFinding(st ingest.WatchStatus, read int) Finding {
	detail := fmt.Sprintf("watching %s, %d files read", st.Dir, read)
	switch {
	case st.Missing:
		return Finding{Name: transcripts, Status: FindingOK, Detail: st.Dir + " is not there yet"}
	case st.Problem != "":
		return Finding{transcripts, FindingWarn, fmt.Sprintf("%s; by scanning once a minute: %s", detail, st.Problem), "raise the limit, e.g. fs.inotify.max_user_watches"}
	case st.Failed != "":
		return Finding{transcripts, FindingWarn, fmt.Sprintf("%s; last problem: %s", detail, st.Failed), "see the log: chitta daemon logs"}
	}
	return Finding{Name: transcripts, Status: FindingOK, Detail: detail}
}

func (m *Mind) doctorSecrets() Finding {
	set, n := capture.RuleSet()
	f := Finding{Name: "secret rules", Status: FindingOK, Detail: fmt.Sprintf("%d rules (%s)", n, set)}
	if strings.HasPrefix(set, "built-in only") {
		f.Status, f.Hint = FindingWarn, "built without the full rule set; build with make build"
	}
	return f
}

// ownerOnly looks at whether others can read a file.
func ownerOnly(name, path string, want fs.FileMode) Finding {
	fi, err := os.Stat(path)
	if err != nil {
		return Finding{name, FindingFail, err.Error(), "restart the daemon: chitta daemon stop, then chitta up"}
	}
	if unixModes && fi.Mode().Perm()&^want != 0 {
		return Finding{name, FindingFail, fmt.Sprintf("%s has mode %o", path, fi.Mode().Perm()), fmt.Sprintf("chmod %o %s", want, path)}
	}
	return Finding{Name: name, Status: FindingOK, Detail: path}
}
