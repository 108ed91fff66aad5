-- +goose Up

-- What was learned from a session. A turn that goes on after it was learned from
-- is read again as a whole; by this, what it taught before counts once.
CREATE TABLE lesson (
    session TEXT NOT NULL, -- the client's id
    key     TEXT NOT NULL, -- hash of the rule, the messages and the text
    memory  TEXT NOT NULL, -- id of what it became or spoke for, '' = it was refused
    text    TEXT NOT NULL, -- hash of the text it was kept with
    PRIMARY KEY (session, key)
) STRICT, WITHOUT ROWID;

-- A damaged row must not keep the others from being found, or this from being
-- made.
CREATE INDEX memory_by_session ON memory (iif(json_valid(provenance), json_extract(provenance, '$.session'), ''), created);
