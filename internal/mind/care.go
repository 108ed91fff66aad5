package mind

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"chitta/internal/capture"
	"chitta/internal/store"
)

// CheckOutput says whether the data is sound.
type CheckOutput struct {
	OK       bool            `json:"ok"`
	Memories int             `json:"memories"` // looked at
	Messages int             `json:"messages"` // looked at
	Problems []store.Problem `json:"problems"`
}

// Check proves the invariants of everything stored and of what is derived
// from it.
func (m *Mind) Check(ctx context.Context, _ Caller, _ NoInput) (CheckOutput, error) {
	problems, err := m.store.Check(ctx)
	if err != nil {
		return CheckOutput{}, err
	}
	n, hashes, err := m.checkHashes(ctx)
	if err != nil {
		return CheckOutput{}, err
	}
	problems = append(problems, hashes...)
	messages, altered, err := m.checkMessages(ctx)
	if err != nil {
		return CheckOutput{}, err
	}
	problems = append(problems, altered...)
	for _, x := range m.indexers() {
		problems = append(problems, x.check(ctx)...)
	}
	problems = append(problems, m.semantic.check(ctx)...)
	if problems == nil {
		problems = []store.Problem{}
	}
	return CheckOutput{OK: len(problems) == 0, Memories: n, Messages: messages, Problems: problems}, nil
}

// checkHashes verifies every text against the hash stored beside it.
func (m *Mind) checkHashes(ctx context.Context) (n int, out []store.Problem, err error) {
	f := store.Filter{ByRev: true, Limit: followBatch}
	for {
		records, err := m.store.List(ctx, f)
		if err != nil {
			return n, out, err
		}
		for _, r := range records {
			if r.Hash != capture.Hash(r.Content) {
				out = append(out, store.Problem{What: "a text fits its hash", Where: r.ID, Detail: r.Hash})
			}
			f.After = r.Rev
		}
		n += len(records)
		if len(records) < f.Limit {
			return n, out, nil
		}
	}
}

// checkMessages verifies every message of every conversation against the
// SHA-256 stored beside it.
func (m *Mind) checkMessages(ctx context.Context) (n int, out []store.Problem, err error) {
	err = m.store.EachMessage(ctx, func(x *store.Message) error {
		n++
		if sha256.Sum256(x.Raw) != x.Hash {
			out = append(out, store.Problem{What: "a message fits its hash", Where: x.ID, Detail: fmt.Sprintf("%x", x.Hash)})
		}
		return nil
	})
	return n, out, err
}

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
		return BackupOutput{}, &InputError{Field: "file", Problem: "is empty", Hint: "name the file to write, e.g. chitta-backup.db"}
	}
	if err := checkText("file", in.File, maxPathBytes); err != nil {
		return BackupOutput{}, err
	}
	file, err := resolvePath(c, "file", in.File)
	if err != nil {
		return BackupOutput{}, err
	}
	if fi, err := os.Stat(filepath.Dir(file)); err != nil || !fi.IsDir() {
		return BackupOutput{}, &InputError{Field: "file", Problem: "is in a directory that does not exist", Hint: "make " + filepath.Dir(file) + " first"}
	}
	if err := m.flushAccess(ctx); err != nil {
		return BackupOutput{}, err
	}
	err = m.store.Backup(ctx, file)
	if errors.Is(err, fs.ErrExist) {
		return BackupOutput{}, &InputError{Field: "file", Problem: file + " exists", Hint: "choose another name; backups are never overwritten"}
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
func (m *Mind) Rebuild(ctx context.Context, _ Caller, _ NoInput) (IndexStatus, error) {
	if err := m.deriveAll(ctx); err != nil {
		return IndexStatus{}, fmt.Errorf("derive conversations: %w", err)
	}
	for _, x := range m.indexers() {
		if err := x.rebuild(ctx); err != nil {
			return IndexStatus{}, fmt.Errorf("rebuild the keyword index of %s: %w", x.feed.name, err)
		}
	}
	if err := m.semantic.rebuild(ctx); err != nil {
		return IndexStatus{}, fmt.Errorf("rebuild the vectors: %w", err)
	}
	if err := m.linker.rebuild(ctx); err != nil {
		return IndexStatus{}, fmt.Errorf("rebuild the edges: %w", err)
	}
	return m.indexStatus(), nil
}

// Due is signalled when [Mind.Maintain] has something to do.
func (m *Mind) Due() <-chan struct{} { return m.wake }

// Behind reports whether the index lacks changes, which is felt at once.
func (m *Mind) Behind() bool {
	for _, x := range m.indexers() {
		if todo, _, _ := x.progress(); todo > 0 {
			return true
		}
	}
	return false
}

// NextRound says how long background work may rest: at most the given time,
// less while something waits to be embedded or linked or the index holds changes that
// are not on disk yet.
func (m *Mind) NextRound(most time.Duration) time.Duration {
	if m.semantic.behindBy() > 0 || m.linker.behind() || m.deriving.Load() > 0 {
		return min(most, embedPause)
	}
	for _, x := range m.indexers() {
		if index, err := x.ready(); err == nil && index.Seq() > index.DurableSeq() {
			return min(most, flushAfter)
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
	check, err := m.Check(ctx, c, NoInput{})
	switch {
	case err != nil:
		return Finding{"data", FindingFail, err.Error(), "restore a backup: chitta restore FILE"}
	case !check.OK:
		return Finding{"data", FindingFail, fmt.Sprintf("%d problems, first: %s %s", len(check.Problems), check.Problems[0].What, check.Problems[0].Detail), "see them all: chitta check"}
	}
	return Finding{Name: "data", Status: FindingOK, Detail: fmt.Sprintf("%d memories, every invariant holds", check.Memories)}
}

func (m *Mind) doctorIndex() Finding {
	switch st := m.indexStatus(); st.State {
	case IndexOff:
		return Finding{"keyword index", FindingFail, st.Problem, "make it anew: chitta rebuild"}
	case IndexCatchingUp:
		return Finding{"keyword index", FindingWarn, fmt.Sprintf("catching up, %d changes to go", st.Todo), "wait a moment"}
	default:
		return Finding{Name: "keyword index", Status: FindingOK, Detail: fmt.Sprintf("%d documents in step with the store", st.Docs)}
	}
}

func (m *Mind) doctorModel() Finding {
	const name = "embedding model"
	st := m.semantic.status()
	switch {
	case st.Problem != "" && st.State != ModelOff:
		return Finding{name, FindingWarn, fmt.Sprintf("%s: %s", st.ID, st.Problem), "search goes by words where it fails; try it: chitta model verify"}
	case st.State == ModelReady:
		return Finding{Name: name, Status: FindingOK, Detail: fmt.Sprintf("%s, %d vectors", st.ID, st.Vectors)}
	case st.State != ModelOff:
		return Finding{Name: name, Status: FindingOK, Detail: fmt.Sprintf("%s, %s, %d texts to go", st.ID, st.State, st.Todo)}
	case m.semantic.chosen().Use == useNone:
		return Finding{Name: name, Status: FindingOK, Detail: "switched off: search goes by words alone"}
	}
	return Finding{name, FindingWarn, st.Problem, "search goes by words alone; build with make build, or choose a model: chitta model use"}
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
