package store

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// HistoryFilter chooses conversations that were not learned from yet; zero
// values do not limit.
type HistoryFilter struct {
	Source string // required: only one has lessons
	Realm  string
	ID     string
	Paths  []string  // messages of theirs were read from these files, or from files in these folders
	Since  time.Time // something happened in them at this time or later
	After  SessionPlace
	Limit  int // required
}

// History returns the next conversations that were not learned from to the end,
// the one whose last word is oldest first, and how many there are. Those that
// are under way by the account of hooks are not among them: they will be learned
// from when they are over.
func (s *Store) History(ctx context.Context, f HistoryFilter) (page []Session, total int, err error) {
	where := []string{"forgotten = 0", "source = ?",
		// several projects may have a conversation of one id; it is learned from in one of them
		"seq = (SELECT min(o.seq) FROM session o WHERE o.id = session.id AND o.source = session.source)",
		`NOT EXISTS (SELECT 1 FROM visit v WHERE v.session = session.id AND (v.sunset < v.seen
			OR v.learned >= (SELECT coalesce(max(m.seq), 0) FROM message m WHERE m.session = session.seq)))`}
	args := []any{f.Source}
	add := func(cond string, values ...any) {
		where = append(where, cond)
		args = append(args, values...)
	}
	if f.Realm != "" {
		add("realm = ?", f.Realm)
	}
	if f.ID != "" {
		add("id = ?", f.ID)
	}
	if len(f.Paths) > 0 {
		list, err := json.Marshal(f.Paths)
		if err != nil {
			return nil, 0, err
		}
		const separator = string(filepath.Separator)
		add(`EXISTS (SELECT 1 FROM message m WHERE m.session = session.seq AND m.file IN (SELECT f.id FROM source_file f, json_each(?) p
			WHERE f.path = p.value OR substr(f.path, 1, length(p.value) + 1) = p.value || ?))`, string(list), separator)
	}
	if !f.Since.IsZero() {
		add(sessionActive+" >= ?", millis(f.Since))
	}
	if f.After != (SessionPlace{}) {
		add(fmt.Sprintf("(%s, seq) > (?, ?)", sessionActive), f.After.Active, f.After.Seq)
	}
	from := ` FROM session WHERE ` + strings.Join(where, " AND ")
	if err := s.reading.QueryRowContext(ctx, `SELECT count(*)`+from, args...).Scan(&total); err != nil {
		return nil, 0, classify(err)
	}
	page, err = collect(ctx, s.reading, scanSession, `SELECT `+sessionColumns+from+` ORDER BY `+sessionActive+`, seq LIMIT ?`, append(args, f.Limit)...)
	return page, total, err
}

// ChangedFiles reports whether a file was changed in a conversation of a realm.
func (s *Store) ChangedFiles(ctx context.Context, realm, id string) (changed bool, err error) {
	err = s.reading.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM file_touch f JOIN session s ON s.seq = f.session
		WHERE s.id = ? AND s.realm = ? AND s.forgotten = 0 AND f.action IN ('edit', 'write') AND f.failed = 0)`, id, realm).Scan(&changed)
	return changed, classify(err)
}
