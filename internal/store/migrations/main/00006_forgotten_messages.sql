-- +goose Up

-- Messages of sessions that were erased for good, by a hash of their ids: a
-- fork that repeats them must not bring them back.
CREATE TABLE forgotten_message (
    id BLOB PRIMARY KEY
) STRICT, WITHOUT ROWID;
