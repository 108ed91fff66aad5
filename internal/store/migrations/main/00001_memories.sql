-- +goose Up

-- Facts about this database itself. "identity" tells it from every other, so
-- that what is derived from one is never taken for another's.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A project, the user or a team. identity is JSON: root commits, remotes,
-- common directories and paths by which the realm is recognised.
CREATE TABLE realm (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    kind       TEXT NOT NULL,
    visibility TEXT NOT NULL,      -- what a new memory here gets unless it says otherwise
    identity   TEXT NOT NULL,
    created    INTEGER NOT NULL,
    updated    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Times are Unix milliseconds, 0 = never. Rows are never deleted: erasing
-- empties the text and keeps the id, so that nothing brings it back.
CREATE TABLE memory (
    seq           INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,
    rev           INTEGER NOT NULL UNIQUE, -- position in the sequence of changes
    kind          INTEGER NOT NULL,
    content       TEXT NOT NULL,
    hash          TEXT NOT NULL,           -- of the normalised content; '' once erased
    realm         TEXT NOT NULL REFERENCES realm (id),
    visibility    TEXT NOT NULL,
    state         TEXT NOT NULL,
    pinned        INTEGER NOT NULL,
    mean          REAL NOT NULL,
    variance      REAL NOT NULL,
    n             INTEGER NOT NULL,
    tau           REAL NOT NULL,
    decay_rate    REAL NOT NULL,
    source        TEXT NOT NULL,
    trust         TEXT NOT NULL,
    provenance    TEXT NOT NULL,           -- JSON
    supersedes    TEXT NOT NULL,
    superseded_by TEXT NOT NULL,
    pair          TEXT NOT NULL,
    created       INTEGER NOT NULL,
    updated       INTEGER NOT NULL,
    observed      INTEGER NOT NULL,
    accessed      INTEGER NOT NULL,
    access_count  INTEGER NOT NULL,
    forgotten     INTEGER NOT NULL,
    erased        INTEGER NOT NULL
) STRICT;

CREATE INDEX memory_by_time ON memory (state, created, seq);
CREATE INDEX memory_by_realm ON memory (realm, state, created, seq);
CREATE INDEX memory_by_hash ON memory (hash);
CREATE INDEX memory_by_correction ON memory (superseded_by) WHERE superseded_by <> '';

CREATE TABLE memory_tag (
    tag    TEXT NOT NULL,
    memory INTEGER NOT NULL REFERENCES memory (seq),
    PRIMARY KEY (tag, memory)
) STRICT, WITHOUT ROWID;

CREATE INDEX memory_tag_by_memory ON memory_tag (memory, tag);

-- Who changed what and when. detail is JSON: field -> [old, new].
CREATE TABLE memory_change (
    seq    INTEGER PRIMARY KEY,
    memory INTEGER NOT NULL REFERENCES memory (seq),
    at     INTEGER NOT NULL,
    actor  TEXT NOT NULL,
    op     TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;

CREATE INDEX memory_change_by_memory ON memory_change (memory, seq);
