package anchor

import (
	"cmp"
	"context"
	"io"
	"os/exec"
	"time"

	"chitta/internal/code"
	"chitta/internal/codebase"
	"chitta/internal/expr"
	"chitta/internal/realm"
	"chitta/internal/store"
)

// Another version of facts hashes otherwise. What an anchor was taken of is then
// hashed again, and never what stands there now: that may have changed.

// thenTimeout bounds how long git looks for a text.
const thenTimeout = 5 * time.Second

var objectName = expr.New(`^[0-9a-f]{40}(?:[0-9a-f]{24})?$`)

// then finds texts as they were. It remembers what it found while many anchors
// are looked at.
type then struct {
	*taking
	facts map[[2]string]*code.File // by object and path
}

// again returns an anchor with a hash of this version, if what it was taken of
// can be found: the file that did not change since, or its text in git. An
// earlier anchor does not say which text it was. Then the commit of that time
// must have the code as it is now.
func (t *then) again(ctx context.Context, a store.Anchor) (store.Anchor, bool, error) {
	h := takenOf(a.Hash)
	now, err := t.takeOne(ctx, t.tree, place{a.Path, a.Symbol}, a.Named)
	if err != nil {
		return a, false, err
	}
	text, err := t.text(a.Path)
	if err == nil && now.Hash != "" && text.unchanged(&a, h) {
		return renewed(a, h, takenOf(now.Hash)), true, nil
	}
	object := h.text
	if object == "" {
		if object = a.Revision + ":" + a.Path; h.marked(markStale) {
			return a, false, nil // that the code is again as it was is not certain
		}
	}
	what, signature, ok := t.hashOf(ctx, object, &a)
	if !ok || h.text == "" && (now.Hash == "" || takenOf(now.Hash).what != what || a.Signature != "" && a.Signature != signature) {
		return a, false, nil
	}
	was := takenOf(now.Hash)
	if now.Hash == "" {
		was = taken{marks: markDoubled}
	}
	was.version, was.what, was.text = code.Version, what, cmp.Or(h.text, was.text)
	if a.Symbol != "" {
		a.Signature = signature
	}
	return renewed(a, h, was), true, nil
}

// renewed keeps of an anchor what it says of then.
func renewed(a store.Anchor, before, h taken) store.Anchor {
	if !before.old {
		h.marks = before.marks
	}
	a.Hash = h.String()
	return a
}

// hashOf returns the hash of what an anchor is about in a text that git has.
func (t *then) hashOf(ctx context.Context, object string, a *store.Anchor) (what, signature string, ok bool) {
	if a.Symbol == "" {
		text, ok := gitText(ctx, t.root, object)
		if !ok {
			return "", "", false
		}
		return plainHash(text), "", true
	}
	key := [2]string{object, a.Path}
	facts, seen := t.facts[key]
	if !seen && t.base != nil {
		if text, ok := gitText(ctx, t.root, object); ok {
			var err error
			if facts, err = t.base.FactsOf(ctx, a.Path, text); err != nil {
				t.opts.Log.Debug("code of an earlier commit was not read", "error", err)
			}
		}
		if t.facts == nil {
			t.facts = map[[2]string]*code.File{}
		}
		t.facts[key] = facts
	}
	if facts == nil {
		return "", "", false
	}
	g := sameName{}
	for i, s := range facts.Symbols {
		if s.Path == a.Symbol {
			g.symbols = append(g.symbols, store.CodeFound{CodeSymbol: store.CodeSymbol{Index: int32(i), Body: s.Body, Signature: s.Signature}})
		}
	}
	return g.hash(), g.signature(), len(g.symbols) > 0
}

// gitText returns a text that git has, by its name or as COMMIT:PATH.
func gitText(ctx context.Context, root, object string) ([]byte, bool) {
	const commit = 40
	if len(object) < commit || !objectName.MatchString(object) && !(object[commit:][0] == ':' && objectName.MatchString(object[:commit])) {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, thenTimeout)
	defer cancel()
	cmd := realm.Command(ctx, root, "cat-file", "blob", object)
	return output(cmd, codebase.MaxFile)
}

// output runs a command and returns what it writes, if that is not too much.
func output(cmd *exec.Cmd, most int64) ([]byte, bool) {
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return nil, false
	}
	text, err := io.ReadAll(io.LimitReader(out, most+1))
	if err != nil || int64(len(text)) > most {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return nil, false
	}
	return text, cmd.Wait() == nil
}
