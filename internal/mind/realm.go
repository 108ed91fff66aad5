package mind

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

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
// caller's directory, which is recorded when it is new or seen from a new
// side.
func (m *Mind) realmFor(ctx context.Context, c Caller, name string) (memory.Realm, error) {
	if name != "" {
		return m.namedRealm(ctx, name)
	}
	r, isNew, err := m.currentRealm(ctx, c)
	if err != nil || !isNew {
		return r, err
	}
	id, err := m.identify(ctx, "directory", c.Cwd)
	if err != nil {
		return r, err
	}
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		known, err := tx.Realms() // somebody else may have been faster
		if err != nil {
			return err
		}
		if r, isNew = m.recognise(known, id); !isNew {
			return nil
		}
		return tx.PutRealm(r)
	})
	return r, err
}

// RealmHere returns the realm of the caller's directory, made if it is new.
func (m *Mind) RealmHere(ctx context.Context, c Caller) (memory.Realm, error) {
	return m.realmFor(ctx, c, "")
}

// recognise returns the realm an identity belongs to and whether the store
// lacks it, or something of it.
func (m *Mind) recognise(known []memory.Realm, id memory.Identity) (r memory.Realm, isNew bool) {
	i, ok := memory.Match(known, id)
	if !ok {
		return memory.NewProject(id, m.now()), true
	}
	merged := memory.Merge(known[i], id)
	if sameIdentity(known[i], merged) {
		return known[i], false
	}
	merged.Updated = m.now()
	return merged, true
}

// identify finds out what a directory shows of its project.
func (m *Mind) identify(ctx context.Context, field, dir string) (memory.Identity, error) {
	id, err := m.detector.Detect(ctx, dir)
	if err != nil {
		return id, &memory.InputError{Field: field, Problem: strings.TrimPrefix(err.Error(), "directory "), Hint: "name a directory that exists, or a realm"}
	}
	return id, nil
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
		return memory.Realm{}, &memory.InputError{Field: "realm", Problem: fmt.Sprintf("%q is not known", name), Hint: hint}
	}
	ids := make([]string, len(fits))
	for i, r := range fits {
		ids[i] = r.ID
	}
	return memory.Realm{}, &memory.InputError{Field: "realm", Problem: fmt.Sprintf("%q names %d realms", name, len(fits)), Hint: "use an id: " + strings.Join(ids, ", ")}
}

// currentRealm returns the realm of the caller's directory and whether the
// store does not know it, or not all of it, yet. Without a directory it is
// the user's.
func (m *Mind) currentRealm(ctx context.Context, c Caller) (r memory.Realm, isNew bool, err error) {
	if c.Cwd == "" {
		r, err = m.namedRealm(ctx, memory.UserRealm)
		return r, false, err
	}
	id, err := m.identify(ctx, "directory", c.Cwd)
	if err != nil {
		return r, false, err
	}
	known, err := m.store.Realms(ctx)
	if err != nil {
		return r, false, err
	}
	r, isNew = m.recognise(known, id)
	return r, isNew, nil
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
	if err != nil && !errors.As(err, new(*memory.InputError)) { // a directory that is gone is nobody's current
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
		if err := memory.CheckText("dir", in.Dir, memory.MaxPath); err != nil {
			return RealmDetectOutput{}, err
		}
		dir, err := resolvePath(c, "dir", in.Dir)
		if err != nil {
			return RealmDetectOutput{}, err
		}
		c.Cwd = dir
	}
	if c.Cwd == "" {
		return RealmDetectOutput{}, &memory.InputError{Field: "dir", Problem: "is missing", Hint: "name a directory"}
	}
	id, err := m.identify(ctx, "dir", c.Cwd)
	if err != nil {
		return RealmDetectOutput{}, err
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

// RealmSet renames a realm, makes it a team's, or adds a directory to it.
func (m *Mind) RealmSet(ctx context.Context, c Caller, in RealmSetInput) (RealmView, error) {
	name := strings.TrimSpace(in.Name)
	if in.Name == "" && in.Kind == "" && in.Dir == "" {
		return RealmView{}, &memory.InputError{Field: "name", Problem: "is missing", Hint: "give a name, a kind or a dir to set"}
	}
	if in.Name != "" {
		if err := m.checkRealmName(name); err != nil {
			return RealmView{}, err
		}
	}
	var kind string
	if in.Kind != "" {
		var err error
		if kind, err = memory.ParseOneOf("kind", in.Kind, []string{string(memory.RealmProject), string(memory.RealmTeam)}); err != nil {
			return RealmView{}, err
		}
	}
	var dir *memory.Identity
	if in.Dir != "" {
		path, err := resolvePath(c, "dir", in.Dir)
		if err != nil {
			return RealmView{}, err
		}
		id, err := m.identify(ctx, "dir", path)
		if err != nil {
			return RealmView{}, err
		}
		if id.Git {
			return RealmView{}, &memory.RefusedError{Reason: "a repository is its own realm", Hint: "share memories between projects with visibility shared or global"}
		}
		dir = &id
	}
	return m.changeRealm(ctx, c, in.Realm, func(r *memory.Realm) {
		if name != "" {
			r.Name = name
		}
		if kind != "" {
			r.Kind = memory.RealmKind(kind)
		}
		if dir != nil {
			*r = memory.Merge(*r, *dir)
		}
	})
}

// checkRealmName refuses names that could be mistaken for something else.
func (m *Mind) checkRealmName(name string) error {
	if err := memory.CheckText("name", name, memory.MaxName); err != nil {
		return err
	}
	switch {
	case name == "":
		return &memory.InputError{Field: "name", Problem: "is empty", Hint: "give it a name"}
	case strings.EqualFold(name, realmAll), strings.EqualFold(name, memory.UserRealm):
		return &memory.InputError{Field: "name", Problem: fmt.Sprintf("%q has a meaning of its own", name), Hint: "choose another"}
	case strings.ContainsFunc(name, unicode.IsControl):
		return &memory.InputError{Field: "name", Problem: "has control characters", Hint: "leave them out"}
	case len(m.redactor.Findings(name)) > 0:
		return &memory.RefusedError{Reason: "the name looks like a secret", Hint: "choose another"}
	}
	return nil
}

// RealmVisibilityInput sets what new memories of a realm get.
type RealmVisibilityInput struct {
	Realm      string `json:"realm,omitempty" jsonschema:"id or name; default: that of the working directory"`
	Visibility string `json:"visibility" jsonschema:"private, shared or global" words:"visibility"`
}

// RealmVisibility sets the visibility new memories of a realm get by default.
func (m *Mind) RealmVisibility(ctx context.Context, c Caller, in RealmVisibilityInput) (RealmView, error) {
	v, err := memory.ParseOneOf("visibility", in.Visibility, memory.Visibilities())
	if err != nil {
		return RealmView{}, err
	}
	return m.changeRealm(ctx, c, in.Realm, func(r *memory.Realm) { r.Visibility = memory.Visibility(v) })
}

// changeRealm alters a realm as it is at the moment of writing, so that two
// changes at once both hold.
func (m *Mind) changeRealm(ctx context.Context, c Caller, name string, fn func(*memory.Realm)) (RealmView, error) {
	target, err := m.realmFor(ctx, c, name)
	if err != nil {
		return RealmView{}, err
	}
	if target.ID == memory.UserRealm {
		return RealmView{}, &memory.RefusedError{Reason: "the user's own realm stays as it is", Hint: "change a project's instead"}
	}
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		known, err := tx.Realms()
		if err != nil {
			return err
		}
		for _, r := range known {
			if r.ID == target.ID {
				fn(&r)
				r.Updated = m.now()
				return tx.PutRealm(r)
			}
		}
		return fmt.Errorf("realm %s: %w", target.ID, store.ErrNotFound)
	})
	if err != nil {
		return RealmView{}, err
	}
	return m.RealmGet(ctx, c, RealmInput{Realm: target.ID})
}
