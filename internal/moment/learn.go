package moment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"chitta/internal/capture"
	"chitta/internal/distil"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/session"
	"chitta/internal/store"
)

// learning is what waits to be learned from, and what tells which turns are
// over. It is lost with the process: what was noted there is found again by the
// visits that are open, and a turn whose end was not noted is over when its last
// message says so, somebody speaks again, or nothing more comes.
type learning struct {
	mu       sync.Mutex
	begun    bool // what the last process left has been looked at
	sessions map[string]*ending
}

// ending is what a session's events told since it was learned from.
type ending struct {
	due     bool      // there is something to learn
	compact bool      // it is about to be compacted
	stopped time.Time // when its agent last said that it was done
	agents  map[string]bool
	files   map[string]bool // transcripts of subagents
}

// note changes what is known of a session's end.
func (l *learning) note(session string, fn func(*ending)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sessions == nil {
		l.sessions = map[string]*ending{}
	}
	e := l.sessions[session]
	if e == nil {
		e = &ending{agents: map[string]bool{}, files: map[string]bool{}}
		l.sessions[session] = e
	}
	fn(e)
}

// of returns what is known of a session's end.
func (l *learning) of(session string) ending {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.sessions[session]
	if e == nil {
		return ending{}
	}
	return ending{e.due, e.compact, e.stopped, maps.Clone(e.agents), maps.Clone(e.files)}
}

// take returns the sessions that wait, and lets them wait no longer.
func (l *learning) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for id, e := range l.sessions {
		if e.due {
			e.due = false
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// drop forgets what is known of a session that was summed up, unless something
// happened since.
func (l *learning) drop(session string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.sessions[session]; e != nil && !e.due {
		delete(l.sessions, session)
	}
}

// after notes nothing itself: what a tool did is in the transcript. A source
// file that was written is looked at again by who keeps its index.
func (k *Keeper) after(_ context.Context, _ mind.Caller, e *Event) (Answer, error) {
	if u, ok := useOf(e.Tool, e.Input); ok && u.file != "" {
		k.mind.CodeTouched(e.Cwd, u.file) // it is looked at when this is answered
	}
	return Answer{Outcome: Noted}, nil
}

// turnEnded notes that there is something to learn. A client also says that a
// subagent stopped when it has compacted a conversation; that one has no name.
func (k *Keeper) turnEnded(_ context.Context, _ mind.Caller, e *Event) (Answer, error) {
	now := k.mind.Now()
	k.learning.note(e.Session, func(l *ending) {
		l.due = true
		switch {
		case e.Name == Stop:
			l.stopped = now
		case e.Agent != "":
			l.agents[e.Agent] = true
		}
		if e.AgentTranscript != "" {
			l.files[e.AgentTranscript] = true
		}
	})
	return Answer{Outcome: Noted}, nil
}

func (k *Keeper) compacting(_ context.Context, _ mind.Caller, e *Event) (Answer, error) {
	k.learning.note(e.Session, func(l *ending) { l.due, l.compact = true, true })
	return Answer{Outcome: Noted}, nil
}

// openAtStart is how many sessions that the last process left open are learned
// from at once; the others follow when they are summed up.
const openAtStart = 500

// learn learns from the turns that ended.
func (k *Keeper) learn(ctx context.Context) error {
	if err := k.resume(ctx); err != nil {
		return err
	}
	errs := []error{k.missed(ctx)}
	for _, id := range k.learning.take() {
		if ctx.Err() != nil || k.retries.wait(id, k.mind.Now()) > 0 {
			k.learning.note(id, func(l *ending) { l.due = true })
			continue
		}
		if err := k.learnNow(ctx, id); err != nil {
			k.learning.note(id, func(l *ending) { l.due = true })
			k.later(ctx, id, err)
			continue
		}
		k.retries.worked(id)
	}
	return errors.Join(errs...)
}

// later leaves a session alone for a while that could not be learned from. That
// is in the log once.
func (k *Keeper) later(ctx context.Context, id string, err error) {
	if ctx.Err() != nil || errors.Is(err, errUnread) {
		return // nothing is wrong with it
	}
	if k.retries.failed(id, k.mind.Now(), err) {
		k.log.Error("a session could not be learned from; it is tried again now and then", "session", id, "error", err)
	}
}

// resume takes up the sessions that the last process left.
func (k *Keeper) resume(ctx context.Context) error {
	k.learning.mu.Lock()
	begun := k.learning.begun
	k.learning.mu.Unlock()
	if begun {
		return nil
	}
	open, err := k.store.VisitsOpen(ctx, openAtStart)
	if err != nil {
		return err
	}
	for _, v := range open {
		k.learning.note(v.Session, func(l *ending) { l.due = true })
	}
	k.learning.mu.Lock()
	k.learning.begun = true
	k.learning.mu.Unlock()
	return nil
}

// learnNow learns from the turns of a session that are over.
func (k *Keeper) learnNow(ctx context.Context, id string) error {
	compact := k.learning.of(id).compact
	if _, err := k.learnFrom(ctx, id, false); err != nil {
		return err
	}
	if !compact {
		return nil
	}
	if err := k.checkpoint(ctx, id); err != nil {
		return err
	}
	k.learning.note(id, func(l *ending) { l.compact = false })
	return nil
}

// errUnread says that a session cannot be summed up yet; reading goes on from
// where it is.
var errUnread = errors.New("its transcripts are not read to the end yet")

// isMissing reports that there is nothing of the sort.
func isMissing(err error) bool {
	var none *memory.NotFoundError
	return errors.Is(err, store.ErrNotFound) || errors.As(err, &none)
}

// claudeCode is the source of the conversations that hooks tell of.
var claudeCode = session.ClaudeCode{}.Name()

// learnFrom reads what is new in a session and keeps what its turns teach: those
// that are over, or all. A turn is over when the client or the agent said so, or
// somebody spoke again. It returns the conversation, with row 0 if nothing of it was written.
//
// How far it has come is written down at the end; what was kept before the
// process ended counts once all the same, see [mind.Mind.KeepLessons].
func (k *Keeper) learnFrom(ctx context.Context, id string, all bool) (store.Session, error) {
	v, err := k.store.Visit(ctx, id)
	if err != nil {
		return store.Session{}, err
	}
	whole, unread := k.read(ctx, &v)
	switch {
	case ctx.Err() != nil:
		return store.Session{}, ctx.Err()
	case all && unread != nil:
		return store.Session{}, unread
	case all && !whole:
		return store.Session{}, errUnread
	}
	s, err := k.learnStored(ctx, &v, all, whole)
	return s, errors.Join(unread, err)
}

// learnStored keeps what those turns of a session teach that are stored; whole
// says that these are all there are.
func (k *Keeper) learnStored(ctx context.Context, v *store.Visit, all, whole bool) (store.Session, error) {
	id := v.Session
	s, err := k.store.SessionCalled(ctx, claudeCode, id)
	if errors.Is(err, store.ErrNotFound) {
		return store.Session{}, nil // nothing was said yet
	}
	if err != nil || !s.Forgotten.IsZero() {
		return store.Session{}, err
	}
	turns, err := k.store.TurnsAfter(ctx, s.Seq, v.Learned)
	if err != nil {
		return s, err
	}
	over := k.over(id, turns, all, whole)
	upto, err := k.learnTurns(ctx, v, &s, turns, func(i int) (bool, error) {
		if over(i) || !whole {
			return over(i), nil
		}
		return k.mind.TurnDone(ctx, &s, turns[i]) // its end was missed, as by a daemon that was not there
	}, nil)
	if err == nil && upto > v.Learned {
		err = k.change(ctx, id, func(v *store.Visit) { v.Learned = max(v.Learned, upto) })
	}
	return s, err
}

// learnTurns keeps what those of a session's turns teach that are over, and
// returns up to which message it was learned from. New memories are counted by
// kind, unless taught is nil.
func (k *Keeper) learnTurns(ctx context.Context, v *store.Visit, s *store.Session, turns []store.TurnSpan, over func(int) (bool, error), taught map[string]int) (int64, error) {
	upto := v.Learned
	hold := int64(0) // the first turn that is not over
	for i, t := range turns {
		upto = max(upto, t.LastSeq)
		done, err := over(i)
		if err != nil {
			return v.Learned, err
		}
		if !done {
			if hold == 0 || t.FirstSeq < hold {
				hold = t.FirstSeq
			}
			continue
		}
		if err := k.learnTurn(ctx, v, s, t, taught); err != nil {
			return v.Learned, err
		}
	}
	if hold > 0 {
		upto = max(v.Learned, min(upto, hold-1))
	}
	_, err := k.mind.Converge(ctx, hookCaller(v), v.Session)
	return upto, err
}

func hookCaller(v *store.Visit) mind.Caller {
	return mind.Caller{Actor: actorHook, Session: v.Session, Cwd: v.Cwd}
}

// over says which turns are over.
func (k *Keeper) over(id string, turns []store.TurnSpan, all, whole bool) func(int) bool {
	known := k.learning.of(id)
	last := map[string]int64{}
	for _, t := range turns {
		last[t.Agent] = max(last[t.Agent], t.Turn)
	}
	return func(i int) bool {
		t := &turns[i]
		switch {
		case t.Turn < last[t.Agent]:
			return true // somebody spoke again
		case !whole:
			return false // there is more of it
		case all:
			return true
		case t.Agent != "" && known.agents[t.Agent]:
			return true
		}
		return !known.stopped.IsZero() && !t.Began.After(known.stopped)
	}
}

// turnRealm returns the realm that a turn teaches something about: that of the
// directory in which it was asked for, if that is another than where the session
// began and a project known, else the session's: that may have been given.
func (k *Keeper) turnRealm(ctx context.Context, v *store.Visit, s *store.Session, messages []session.Message) string {
	first, _ := session.LastTurn(messages)
	for _, m := range messages[first:] {
		if m.Cwd == "" {
			continue
		}
		if m.Cwd == s.Cwd {
			break
		}
		r, err := k.mind.RealmDetect(ctx, hookCaller(v), mind.RealmDetectInput{Dir: m.Cwd})
		if err == nil && r.Known {
			return r.Realm.ID
		}
		break
	}
	return v.Realm
}

// learnTurn keeps what one turn teaches, and closes what it saw to.
func (k *Keeper) learnTurn(ctx context.Context, v *store.Visit, s *store.Session, t store.TurnSpan, taught map[string]int) error {
	messages, err := k.mind.ReadTurn(ctx, s, t)
	if err != nil {
		return err
	}
	root, err := k.mind.ProjectRoot(ctx, s, v.Realm)
	if err != nil {
		return err
	}
	found := distil.Turn(root, messages, capture.StripTold)
	times, cwd := map[string]time.Time{}, v.Cwd
	for i := range messages {
		times[messages[i].ID] = messages[i].Time
		if messages[i].Cwd != "" {
			cwd = messages[i].Cwd
		}
	}
	realm := k.turnRealm(ctx, v, s, messages)
	lessons := make([]mind.Lesson, len(found))
	for i, l := range found {
		lessons[i] = mind.Lesson{Lesson: l, Session: v.Session, Realm: realm, Cwd: cwd}
		for _, id := range l.Messages {
			if at := times[id]; at.After(lessons[i].At) {
				lessons[i].At = at
			}
		}
	}
	kept, err := k.mind.KeepLessons(ctx, hookCaller(v), lessons)
	if err != nil {
		return err
	}
	for i := range kept {
		if kept[i].Action == mind.ActionStored && taught != nil {
			taught[found[i].Kind.String()]++
		}
	}
	return k.closeIntentions(ctx, v, t, realm, cwd, messages, found)
}

// readTime bounds how long the transcripts of one session are read at a time.
const readTime = 20 * time.Second

// read takes over what is new in a session's transcripts, and says whether that
// is all there is. One that is not there yet, or not any more, is no reason to
// learn nothing from what is stored; one that cannot be read is an error, so
// that it is tried again, and the others are read all the same.
func (k *Keeper) read(ctx context.Context, v *store.Visit) (whole bool, err error) {
	if v.Transcript == "" || !filepath.IsAbs(v.Transcript) {
		return true, nil
	}
	files, err := k.transcripts(v)
	errs := []error{err}
	begun := time.Now()
	for _, f := range files {
		for done := false; !done; {
			if time.Since(begun) > readTime {
				return false, errors.Join(errs...)
			}
			r, err := k.mind.SessionIngest(ctx, hookCaller(v), mind.SessionIngestInput{Path: f})
			switch {
			case ctx.Err() != nil:
				return false, ctx.Err()
			case err == nil:
				done = r.Done
			case noTranscript(err):
				done = true
			default:
				errs, done = append(errs, fmt.Errorf("read a transcript: %w", err)), true
			}
		}
	}
	err = errors.Join(errs...)
	return err == nil, err
}

// transcripts are the files in which a session is written down: its own, and
// those of its subagents, which lie beside it or were named by an event.
func (k *Keeper) transcripts(v *store.Visit) ([]string, error) {
	files := []string{v.Transcript}
	folder := filepath.Join(strings.TrimSuffix(v.Transcript, transcriptSuffix), "subagents")
	beside, err := os.ReadDir(folder)
	if noTranscript(err) {
		err = nil
	}
	for _, f := range beside {
		if strings.HasSuffix(f.Name(), transcriptSuffix) {
			files = append(files, filepath.Join(folder, f.Name()))
		}
	}
	for f := range k.learning.of(v.Session).files {
		if filepath.IsAbs(f) && !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	return files, err
}

// transcriptSuffix is how the client calls them.
const transcriptSuffix = ".jsonl"

// noTranscript says whether an error means that there is none under a name: no
// file, or something that is none. All else may pass, and is tried again.
func noTranscript(err error) bool {
	var input *memory.InputError
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.As(err, &input) && input.Err == nil
}
