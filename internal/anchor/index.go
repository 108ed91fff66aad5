package anchor

import (
	"bytes"
	"context"
	"os"
	"time"

	"chitta/internal/store"
	"chitta/internal/syntax"
)

// codeState is how a file stands against the index.
type codeState int

const (
	asIndexed codeState = iota
	behindDisk
	notIndexed // or nothing is known of what is in it
	goneFile
)

// states says of files of an indexed tree how they stand against the index. A
// stat is all it takes while nothing was changed.
func (r *Room) states(ctx context.Context, t tree, files []string) (map[string]codeState, error) {
	stamps, err := t.base.Store().CodeStamps(ctx, t.root, files)
	if err != nil {
		return nil, err
	}
	out := make(map[string]codeState, len(files))
	for _, f := range files {
		out[f] = r.state(t.full(f), stamps[f])
	}
	return out, nil
}

func (r *Room) state(full string, s store.CodeStamp) codeState {
	fi, err := os.Stat(full)
	switch {
	case isGone(err):
		return goneFile
	case err != nil || !fi.Mode().IsRegular():
		return notIndexed
	case s.Path == "":
		if syntax.LangOf(full) == "" || r.leftOut(full, fi.ModTime()) {
			return notIndexed
		}
		return behindDisk // it is new
	}
	// the time that the index has of it does not tell of every change; the text is
	// remembered
	text, err := r.text(full)
	switch {
	case err != nil:
		return notIndexed
	case !bytes.Equal(text.sum[:], s.Hash) || s.Stale && s.Skipped == "":
		return behindDisk
	case s.Skipped != "":
		return notIndexed
	}
	return asIndexed
}

// leaveOut notes that files that are not indexed still are not after they were
// read: they are of no interest to the index.
func (r *Room) leaveOut(full string) {
	fi, err := os.Stat(full)
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.outside) >= maxTexts {
		r.outside = map[string]time.Time{}
	}
	r.outside[full] = fi.ModTime()
}

func (r *Room) leftOut(full string, modified time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.outside[full]
	return ok && at.Equal(modified)
}

// current says of files of an indexed tree how they stand against the index,
// which is given a while to catch up.
func (r *Room) current(ctx context.Context, t tree, files []string, wait Wait) (map[string]codeState, error) {
	states, err := r.states(ctx, t, files)
	if err != nil {
		return nil, err
	}
	var late []string
	for _, f := range files {
		if states[f] == behindDisk {
			late = append(late, f)
		}
	}
	if len(late) == 0 || !r.catchUp(ctx, t, late, wait) {
		return states, nil
	}
	if states, err = r.states(ctx, t, files); err != nil {
		return nil, err
	}
	for _, f := range late {
		if states[f] == behindDisk {
			r.leaveOut(t.full(f))
		}
	}
	return states, nil
}

// Wait is how long is waited for the index to catch up with a file that was
// changed.
type Wait time.Duration

// How long is waited, by what for.
const (
	Asked   = Wait(5 * time.Second)        // where somebody asks just that
	Writing = Wait(300 * time.Millisecond) // before something is remembered
	Reading = Wait(40 * time.Millisecond)  // before something is told
)

// catchUp has files read by the index and waits a while for that. What takes
// longer goes on. It reports whether it came to its end.
func (r *Room) catchUp(ctx context.Context, t tree, files []string, wait Wait) bool {
	r.mu.Lock()
	done := r.reading[t.root]
	if done == nil {
		done = make(chan struct{})
		if !r.opts.Beside(func(inner context.Context) {
			if err := t.base.Refresh(inner, t.root, files); err != nil && inner.Err() == nil {
				r.opts.Log.Debug("source code could not be read again", "root", t.root, "error", err)
			}
			r.mu.Lock()
			delete(r.reading, t.root)
			r.mu.Unlock()
			close(done)
		}) {
			r.mu.Unlock()
			return false
		}
		r.reading[t.root] = done
	} else {
		for _, f := range files { // another is being read; these come after it
			t.base.Touch(t.full(f))
		}
	}
	r.mu.Unlock()
	timer := time.NewTimer(time.Duration(wait))
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}
