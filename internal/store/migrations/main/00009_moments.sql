-- +goose Up

-- How things stood when somebody wrote it down: at the end of a session, on the
-- way, or because they were asked to. state is JSON.
CREATE TABLE ledger (
    seq     INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    realm   TEXT NOT NULL REFERENCES realm (id),
    session TEXT NOT NULL,     -- the client's id, '' = none
    kind    TEXT NOT NULL,     -- sunset, checkpoint, saved
    state   TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
) STRICT;

CREATE INDEX ledger_by_realm ON ledger (realm, updated);
CREATE INDEX ledger_by_session ON ledger (session, kind);

-- Sessions that the client's hooks told of. Times are Unix milliseconds,
-- 0 = never.
CREATE TABLE visit (
    session    TEXT PRIMARY KEY, -- the client's id
    realm      TEXT NOT NULL REFERENCES realm (id),
    cwd        TEXT NOT NULL,
    transcript TEXT NOT NULL,    -- file in which the client writes it down
    began      INTEGER NOT NULL,
    seen       INTEGER NOT NULL, -- last event
    ended      INTEGER NOT NULL, -- when the client said it was over
    sunset     INTEGER NOT NULL, -- the event up to which it was summed up
    learned    INTEGER NOT NULL  -- number of the last message whose turn was learned from
) STRICT, WITHOUT ROWID;

CREATE INDEX visit_by_realm ON visit (realm, seen);

-- What hooks did: how long it took, what was handed to the agent or why nothing.
CREATE TABLE hook_call (
    seq     INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    session TEXT NOT NULL,
    realm   TEXT NOT NULL,
    event   TEXT NOT NULL,
    micros  INTEGER NOT NULL,  -- from the start of the hook's process to its answer
    outcome TEXT NOT NULL,
    tokens  INTEGER NOT NULL,  -- handed over, estimated
    items   TEXT NOT NULL      -- JSON: ids of what was handed over
) STRICT;

CREATE INDEX hook_call_by_session ON hook_call (session, seq);
CREATE INDEX hook_call_by_time ON hook_call (at);

-- What of the code a memory speaks of. path counts from the project's root, or
-- is absolute outside of it.
CREATE TABLE anchor (
    memory   INTEGER NOT NULL REFERENCES memory (seq),
    path     TEXT NOT NULL,
    symbol   TEXT NOT NULL,    -- '' = the whole file
    hash     TEXT NOT NULL,    -- of the symbol's body, '' = not known
    revision TEXT NOT NULL,    -- commit of then, '' = not known
    PRIMARY KEY (memory, path, symbol)
) STRICT, WITHOUT ROWID;

CREATE INDEX anchor_by_path ON anchor (path, memory);
