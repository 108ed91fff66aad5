-- +goose Up

-- A conversation: a client's session, or the log of any other agent. Times are
-- Unix milliseconds, 0 = unknown. rev is its place in the sequence of changes
-- of conversations.
CREATE TABLE session (
    seq      INTEGER PRIMARY KEY,
    rev      INTEGER NOT NULL UNIQUE,
    id       TEXT NOT NULL,             -- as its source names it
    source   TEXT NOT NULL,             -- the format it came in
    realm    TEXT NOT NULL REFERENCES realm (id),
    title    TEXT NOT NULL,
    started  INTEGER NOT NULL,
    ended    INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    created  INTEGER NOT NULL,          -- when chitta first saw it
    updated  INTEGER NOT NULL,
    UNIQUE (realm, source, id)
) STRICT;

CREATE INDEX session_by_id ON session (id);
CREATE INDEX session_by_time ON session (realm, ended);

-- One record of a conversation, as its source wrote it but for the secrets
-- taken out. raw is the whole line; everything else can be read from it again.
CREATE TABLE message (
    seq      INTEGER PRIMARY KEY,
    session  INTEGER NOT NULL REFERENCES session (seq),
    position INTEGER NOT NULL,          -- within the session, from 0
    turn     INTEGER NOT NULL,          -- how often a person has spoken up to here
    id       TEXT NOT NULL,             -- as its source names it
    role     TEXT NOT NULL,
    at       INTEGER NOT NULL,
    hash     BLOB NOT NULL,             -- SHA-256 of raw
    raw      BLOB NOT NULL,
    UNIQUE (session, id),
    UNIQUE (session, position)
) STRICT;

CREATE INDEX message_by_id ON message (id);

-- A piece of a conversation that is found as one, derived from messages.
-- Rows are not deleted while an index may still hold them: dropping one
-- empties its text and moves it to the end of the sequence of changes.
CREATE TABLE chunk (
    seq      INTEGER PRIMARY KEY,
    rev      INTEGER NOT NULL UNIQUE,
    session  INTEGER NOT NULL REFERENCES session (seq),
    first    INTEGER NOT NULL,          -- position of its first message
    last     INTEGER NOT NULL,          -- and of its last
    part     INTEGER NOT NULL,          -- which piece of a long message, from 0
    role     TEXT NOT NULL,
    speaker  TEXT NOT NULL,
    agent    TEXT NOT NULL,             -- "" is the main thread
    at       INTEGER NOT NULL,
    gone     INTEGER NOT NULL,
    hash     TEXT NOT NULL,             -- of what is embedded
    text     TEXT NOT NULL
) STRICT;

CREATE INDEX chunk_by_place ON chunk (session, first, part) WHERE gone = 0;
