-- +goose Up

-- What a client's transcript says of a session beyond its messages.
ALTER TABLE session ADD COLUMN cwd TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN branch TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN client TEXT NOT NULL DEFAULT '';       -- its version
ALTER TABLE session ADD COLUMN model TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN forked_from INTEGER NOT NULL DEFAULT 0; -- the session whose messages it repeats

ALTER TABLE message ADD COLUMN parent TEXT NOT NULL DEFAULT '';       -- id of the message before
ALTER TABLE message ADD COLUMN agent TEXT NOT NULL DEFAULT '';        -- "" is the main thread
ALTER TABLE message ADD COLUMN file INTEGER NOT NULL DEFAULT 0;       -- where it was read
ALTER TABLE message ADD COLUMN at_offset INTEGER NOT NULL DEFAULT 0;

ALTER TABLE chunk ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;         -- how often a person had spoken in its stream
ALTER TABLE chunk ADD COLUMN summary INTEGER NOT NULL DEFAULT 0;      -- the client's summary of a compacted conversation
ALTER TABLE chunk ADD COLUMN asks INTEGER NOT NULL DEFAULT 0;         -- it ends with a question to whoever speaks next
ALTER TABLE chunk ADD COLUMN clock TEXT NOT NULL DEFAULT '{}';        -- vector clock, JSON: stream -> ticks

-- A transcript and how far it has been read. prefix is a SHA-256 over its
-- beginning and the bytes before offset, so that a rewritten file is noticed.
CREATE TABLE source_file (
    id       INTEGER PRIMARY KEY,
    path     TEXT NOT NULL UNIQUE,
    format   TEXT NOT NULL,
    size     INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    offset   INTEGER NOT NULL,
    prefix   BLOB NOT NULL,
    updated  INTEGER NOT NULL
) STRICT;

-- Lines that could not be understood, kept with the reason. raw is without
-- secrets, and cut when it is very long.
CREATE TABLE quarantine (
    seq       INTEGER PRIMARY KEY,
    file      INTEGER NOT NULL REFERENCES source_file (id),
    at_offset INTEGER NOT NULL,
    line      INTEGER NOT NULL,            -- counted from 1
    length    INTEGER NOT NULL,
    reason    TEXT NOT NULL,
    raw       BLOB NOT NULL,
    at        INTEGER NOT NULL,
    UNIQUE (file, at_offset)
) STRICT;

-- What tool calls did to files, and the commands they ran. Derived from
-- messages.
CREATE TABLE file_touch (
    message INTEGER NOT NULL REFERENCES message (seq),
    n       INTEGER NOT NULL,              -- which of the message's, from 0
    session INTEGER NOT NULL REFERENCES session (seq),
    path    TEXT NOT NULL,
    tool    TEXT NOT NULL,
    action  TEXT NOT NULL,                 -- read, edit, write, search
    failed  INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (message, n)
) STRICT, WITHOUT ROWID;

CREATE INDEX file_touch_by_path ON file_touch (path, at);
CREATE INDEX file_touch_by_session ON file_touch (session);

CREATE TABLE command_run (
    message   INTEGER NOT NULL REFERENCES message (seq),
    n         INTEGER NOT NULL,
    session   INTEGER NOT NULL REFERENCES session (seq),
    command   TEXT NOT NULL,
    exit_code INTEGER,                     -- unknown if not there
    failed    INTEGER NOT NULL,
    result    TEXT NOT NULL,               -- id of the message with its result
    at        INTEGER NOT NULL,
    PRIMARY KEY (message, n)
) STRICT, WITHOUT ROWID;

CREATE INDEX command_run_by_session ON command_run (session);

-- How chunks hang together beyond standing side by side, which their places
-- tell. Derived.
CREATE TABLE edge (
    source INTEGER NOT NULL REFERENCES chunk (seq),
    target INTEGER NOT NULL REFERENCES chunk (seq),
    kind   TEXT NOT NULL,                  -- file-path, topic, spawn, merge
    weight REAL NOT NULL,
    PRIMARY KEY (source, kind, target)
) STRICT, WITHOUT ROWID;

CREATE INDEX edge_by_target ON edge (target, kind);
