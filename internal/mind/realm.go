package mind

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// realmAll asks for what every realm shares.
const realmAll = "all"

func (m *Mind) ensureUserRealm(ctx context.Context) error {
	known, err := m.store.Realms(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(known, func(r memory.Realm) bool { return r.ID == memory.UserRealm }) {
		return nil
	}
	return m.store.Write(ctx, func(tx *store.Tx) error {
		return tx.PutRealm(memory.Realm{
			ID: memory.UserRealm, Name: "user", Kind: memory.RealmUser,
			Visibility: memory.Global, // what concerns the user concerns every project
			Created:    m.now(), Updated: m.now(),
		})
	})
}

// realmFor returns the realm a write goes to: the one named, or that of the
// caller's directory, which is recorded when it is new.
func (m *Mind) realmFor(ctx context.Context, c Caller, name string) (memory.Realm, error) {
	if name != "" {
		return m.namedRealm(ctx, name)
	}
	r, isNew, err := m.currentRealm(ctx, c)
	if err != nil || !isNew {
		return r, err
	}
	err = m.store.Write(ctx, func(tx *store.Tx) error { return tx.PutRealm(r) })
	return r, err
}

// namedRealm finds a realm by id or by a name that only it has.
func (m *Mind) namedRealm(ctx context.Context, name string) (memory.Realm, error) {
	known, err := m.store.Realms(ctx)
	if err != nil {
		return memory.Realm{}, err
	}
	var fits []memory.Realm
	var names []string
	for _, r := range known {
		if r.ID == name {
			return r, nil
		}
		if strings.EqualFold(r.Name, name) {
			fits = append(fits, r)
		}
		names = append(names, r.Name)
	}
	switch len(fits) {
	case 1:
		return fits[0], nil
	case 0:
		hint := "chitta realm list shows those known"
		if near := memory.Nearest(name, names); near != "" {
			hint = fmt.Sprintf("did you mean %q? %s", near, hint)
		}
		return memory.Realm{}, &InputError{Field: "realm", Problem: fmt.Sprintf("%q is not known", name), Hint: hint}
	}
	ids := make([]string, len(fits))
	for i, r := range fits {
		ids[i] = r.ID
	}
	return memory.Realm{}, &InputError{Field: "realm", Problem: fmt.Sprintf("%q names %d realms", name, len(fits)), Hint: "use an id: " + strings.Join(ids, ", ")}
}

// currentRealm returns the realm of the caller's directory and whether the
// store does not know it, or not all of it, yet. Without a directory it is
// the user's.
func (m *Mind) currentRealm(ctx context.Context, c Caller) (r memory.Realm, isNew bool, err error) {
	if c.Cwd == "" {
		r, err = m.namedRealm(ctx, memory.UserRealm)
		return r, false, err
	}
	id, err := m.detector.Detect(ctx, c.Cwd)
	if err != nil {
		return r, false, &InputError{Field: "directory", Problem: err.Error(), Hint: "run it from a directory that exists, or name a realm"}
	}
	known, err := m.store.Realms(ctx)
	if err != nil {
		return r, false, err
	}
	if i, ok := memory.Match(known, id); ok {
		merged := memory.Merge(known[i], id)
		if sameIdentity(known[i], merged) {
			return known[i], false, nil
		}
		merged.Updated = m.now()
		return merged, true, nil
	}
	return memory.NewProject(id, m.now()), true, nil
}

func sameIdentity(a, b memory.Realm) bool {
	return a.Name == b.Name && slices.Equal(a.Roots, b.Roots) && slices.Equal(a.Remotes, b.Remotes) &&
		slices.Equal(a.Dirs, b.Dirs) && slices.Equal(a.Paths, b.Paths)
}

// scope says where a question looks: the named realm alone, everything that
// is shared, or by default the caller's realm and what is global.
func (m *Mind) scope(ctx context.Context, c Caller, name string) (string, store.Reach, error) {
	switch {
	case strings.EqualFold(name, realmAll):
		r, _, err := m.currentRealm(ctx, c)
		return r.ID, store.ReachShared, err
	case name != "":
		r, err := m.namedRealm(ctx, name)
		return r.ID, store.ReachOnly, err
	}
	r, _, err := m.currentRealm(ctx, c)
	return r.ID, store.ReachGlobal, err
}

// NoInput is the input of operations that need none.
type NoInput struct{}

// RealmView is a realm and how much is in it.
type RealmView struct {
	memory.Realm
	Memories int  `json:"memories"` // active ones
	Current  bool `json:"current"`  // the one of the caller's directory
}

// RealmListOutput lists realms.
type RealmListOutput struct {
	Realms []RealmView `json:"realms"`
}

// RealmList returns all realms.
func (m *Mind) RealmList(ctx context.Context, c Caller, _ NoInput) (RealmListOutput, error) {
	known, err := m.store.Realms(ctx)
	if err != nil {
		return RealmListOutput{}, err
	}
	stats, err := m.store.Stats(ctx)
	if err != nil {
		return RealmListOutput{}, err
	}
	current, _, err := m.currentRealm(ctx, c)
	if err != nil && !errors.As(err, new(*InputError)) { // a directory that is gone is nobody's current
		return RealmListOutput{}, err
	}
	out := RealmListOutput{Realms: make([]RealmView, len(known))}
	for i, r := range known {
		out.Realms[i] = RealmView{Realm: r, Memories: stats.ByRealm[r.ID], Current: r.ID == current.ID}
	}
	return out, nil
}

// RealmInput names a realm.
type RealmInput struct {
	Realm string `json:"realm,omitempty" jsonschema:"id or name; default: that of the working directory"`
}

// RealmGet returns one realm.
func (m *Mind) RealmGet(ctx context.Context, c Caller, in RealmInput) (RealmView, error) {
	current, _, err := m.currentRealm(ctx, c)
	if err != nil && in.Realm == "" {
		return RealmView{}, err
	}
	r := current
	if in.Realm != "" {
		if r, err = m.namedRealm(ctx, in.Realm); err != nil {
			return RealmView{}, err
		}
	}
	stats, err := m.store.Stats(ctx)
	if err != nil {
		return RealmView{}, err
	}
	return RealmView{Realm: r, Memories: stats.ByRealm[r.ID], Current: r.ID == current.ID}, nil
}

// RealmDetectInput names a directory.
type RealmDetectInput struct {
	Dir string `json:"dir,omitempty" jsonschema:"directory; default: the working directory"`
}

// RealmDetectOutput says which realm a directory belongs to and why.
type RealmDetectOutput struct {
	Realm    memory.Realm    `json:"realm"`
	Known    bool            `json:"known"` // memories can already be in it
	Identity memory.Identity `json:"identity"`
}

// RealmDetect finds the realm of a directory without recording anything.
func (m *Mind) RealmDetect(ctx context.Context, c Caller, in RealmDetectInput) (RealmDetectOutput, error) {
	if in.Dir != "" {
		if err := checkText("dir", in.Dir, maxPathBytes); err != nil {
			return RealmDetectOutput{}, err
		}
		dir, err := resolvePath(c, "dir", in.Dir)
		if err != nil {
			return RealmDetectOutput{}, err
		}
		c.Cwd = dir
	}
	if c.Cwd == "" {
		return RealmDetectOutput{}, &InputError{Field: "dir", Problem: "is missing", Hint: "name a directory"}
	}
	id, err := m.detector.Detect(ctx, c.Cwd)
	if err != nil {
		return RealmDetectOutput{}, &InputError{Field: "dir", Problem: err.Error(), Hint: "name a directory that exists"}
	}
	r, _, err := m.currentRealm(ctx, c)
	if err != nil {
		return RealmDetectOutput{}, err
	}
	known, err := m.store.Realms(ctx)
	if err != nil {
		return RealmDetectOutput{}, err
	}
	isKnown := slices.ContainsFunc(known, func(k memory.Realm) bool { return k.ID == r.ID })
	return RealmDetectOutput{Realm: r, Known: isKnown, Identity: id}, nil
}

// RealmSetInput changes a realm.
type RealmSetInput struct {
	Realm string `json:"realm,omitempty" jsonschema:"id or name; default: that of the working directory"`
	Name  string `json:"name,omitempty" jsonschema:"what to call it"`
	Kind  string `json:"kind,omitempty" jsonschema:"project or team"`
	Dir   string `json:"dir,omitempty" jsonschema:"a directory outside version control that belongs to it as well"`
}

const (
	maxNameBytes = 128
	maxPathBytes = 4096
)

// RealmSet renames a realm, makes it a team's, or adds a directory to it.
func (m *Mind) RealmSet(ctx context.Context, c Caller, in RealmSetInput) (RealmView, error) {
	return m.changeRealm(ctx, c, in.Realm, func(r *memory.Realm) error {
		if in.Name == "" && in.Kind == "" && in.Dir == "" {
			return &InputError{Field: "name", Problem: "is missing", Hint: "give a name, a kind or a dir to set"}
		}
		if in.Name != "" {
			if err := checkText("name", in.Name, maxNameBytes); err != nil {
				return err
			}
			if strings.EqualFold(in.Name, realmAll) || strings.EqualFold(in.Name, memory.UserRealm) {
				return &InputError{Field: "name", Problem: fmt.Sprintf("%q has a meaning of its own", in.Name), Hint: "choose another"}
			}
			r.Name = strings.TrimSpace(in.Name)
		}
		if in.Kind != "" {
			kind, err := memory.ParseOneOf("kind", in.Kind, []string{string(memory.RealmProject), string(memory.RealmTeam)})
			if err != nil {
				return err
			}
			r.Kind = memory.RealmKind(kind)
		}
		if in.Dir != "" {
			dir, err := resolvePath(c, "dir", in.Dir)
			if err != nil {
				return err
			}
			id, err := m.detector.Detect(ctx, dir)
			if err != nil {
				return &InputError{Field: "dir", Problem: err.Error(), Hint: "name a directory that exists"}
			}
			if id.Git {
				return &RefusedError{Reason: "a repository is its own realm", Hint: "share memories between projects with visibility shared or global"}
			}
			*r = memory.Merge(*r, id)
		}
		return nil
	})
}

// RealmVisibilityInput sets what new memories of a realm get.
type RealmVisibilityInput struct {
	Realm      string `json:"realm,omitempty" jsonschema:"id or name; default: that of the working directory"`
	Visibility string `json:"visibility" jsonschema:"private, shared or global" words:"visibility"`
}

// RealmVisibility sets the visibility new memories of a realm get by default.
func (m *Mind) RealmVisibility(ctx context.Context, c Caller, in RealmVisibilityInput) (RealmView, error) {
	return m.changeRealm(ctx, c, in.Realm, func(r *memory.Realm) error {
		v, err := memory.ParseOneOf("visibility", in.Visibility, memory.Visibilities())
		if err != nil {
			return err
		}
		r.Visibility = memory.Visibility(v)
		return nil
	})
}

func (m *Mind) changeRealm(ctx context.Context, c Caller, name string, fn func(*memory.Realm) error) (RealmView, error) {
	r, err := m.realmFor(ctx, c, name)
	if err != nil {
		return RealmView{}, err
	}
	if r.ID == memory.UserRealm {
		return RealmView{}, &RefusedError{Reason: "the user's own realm stays as it is", Hint: "change a project's instead"}
	}
	if err := fn(&r); err != nil {
		return RealmView{}, err
	}
	r.Updated = m.now()
	if err := m.store.Write(ctx, func(tx *store.Tx) error { return tx.PutRealm(r) }); err != nil {
		return RealmView{}, err
	}
	return m.RealmGet(ctx, c, RealmInput{Realm: r.ID})
}
