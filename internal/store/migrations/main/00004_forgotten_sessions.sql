-- +goose Up

-- A conversation that was erased for good keeps its row: its id tells a later
-- import that it is not to come back. forgotten is when, 0 = it was not.
ALTER TABLE session ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;

CREATE INDEX session_forgotten ON session (forgotten) WHERE forgotten <> 0;
