-- +goose Up

-- What of a transcript was read is known by its SHA-256, from its beginning up
-- to offset; empty in rows of before, which have prefix. inode tells a file
-- that was put in the place of another, 0 = unknown.
ALTER TABLE source_file ADD COLUMN whole BLOB NOT NULL DEFAULT x'';
ALTER TABLE source_file ADD COLUMN inode INTEGER NOT NULL DEFAULT 0;

-- The migration that brought a message, 0 = none did.
ALTER TABLE message ADD COLUMN migration INTEGER NOT NULL DEFAULT 0;

-- Conversations that a migration brought or changed, with how they were before:
-- JSON, '' if they were not there.
CREATE TABLE migrated_session (
    migration INTEGER NOT NULL,
    session   INTEGER NOT NULL REFERENCES session (seq),
    before    TEXT NOT NULL,
    PRIMARY KEY (migration, session)
) STRICT, WITHOUT ROWID;

-- Messages are asked for by the beginning of their SHA-256.
CREATE INDEX message_by_hash ON message (substr(hash, 1, 8));
