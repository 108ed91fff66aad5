package past

import (
	"context"
	"encoding/base64"
	"fmt"

	"chitta/internal/follow"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// ListInput chooses sessions to list.
type ListInput struct {
	Realm  string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory"`
	Since  string `json:"since,omitempty" jsonschema:"only from this time on: a date, a time or a span such as 3d"`
	Until  string `json:"until,omitempty" jsonschema:"only before this time"`
	File   string `json:"file,omitempty" jsonschema:"only what touched this file: its name, the end of its path or the whole path"`
	Limit  int    `json:"limit,omitempty" jsonschema:"most to return"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next of the page before"`
}

// ListOutput is one page of sessions.
type ListOutput struct {
	Sessions []Session `json:"sessions"`
	Total    int       `json:"total"` // on all pages
	Realm    string    `json:"realm"` // "" for every project
	Next     string    `json:"next,omitempty"`
}

const (
	listDefault = 50
	listMost    = 500
)

// List returns sessions, the last active first.
func (a *Archive) List(ctx context.Context, who Reader, in ListInput) (ListOutput, error) {
	var f store.SessionFilter
	var err error
	if f.Realm, err = a.Scope(ctx, who, in.Realm); err != nil {
		return ListOutput{}, err
	}
	if f.Since, err = memory.ParseTime("since", in.Since, a.now()); err != nil {
		return ListOutput{}, err
	}
	if f.Until, err = memory.ParseTime("until", in.Until, a.now()); err != nil {
		return ListOutput{}, err
	}
	if f.Limit, err = memory.CheckLimit(in.Limit, listDefault, listMost, memory.PageOn); err != nil {
		return ListOutput{}, err
	}
	if f.Before, err = decodePlace(in.Cursor); err != nil {
		return ListOutput{}, err
	}
	if in.File != "" {
		if err := memory.CheckText("file", in.File, memory.MaxPath); err != nil {
			return ListOutput{}, err
		}
		f.File = follow.CleanPath(in.File)
	}
	page, total, err := a.store.ListSessions(ctx, f)
	if err != nil {
		return ListOutput{}, err
	}
	out := ListOutput{Total: total, Realm: f.Realm}
	if out.Sessions, err = a.sessionsOf(ctx, page...); err != nil {
		return ListOutput{}, err
	}
	for i := range page {
		if page[i].ForkedFrom == 0 {
			continue
		}
		t, err := a.threadOf(ctx, who, page[i], "")
		if err != nil {
			return ListOutput{}, err
		}
		out.Sessions[i].Inherited = t.inherited(page[i].Seq)
	}
	if len(page) == f.Limit {
		out.Next = encodePlace(page[len(page)-1].Place())
	}
	return out, nil
}

func encodePlace(p store.SessionPlace) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "p%d.%d", p.Active, p.Seq))
}

func decodePlace(cursor string) (p store.SessionPlace, err error) {
	if cursor == "" {
		return p, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		_, err = fmt.Sscanf(string(b), "p%d.%d", &p.Active, &p.Seq)
	}
	if err != nil || p.Seq <= 0 {
		return store.SessionPlace{}, &memory.InputError{Field: "cursor", Problem: fmt.Sprintf("%q is not one that a listing gave", cursor), Hint: "pass on the next of the page before, or leave it out"}
	}
	return p, nil
}
