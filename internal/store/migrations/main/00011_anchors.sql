-- +goose Up
-- What tells whether the code that a memory speaks of is still what it was.
ALTER TABLE anchor ADD COLUMN signature TEXT NOT NULL DEFAULT '';  -- of the symbol, when its hash was taken
ALTER TABLE anchor ADD COLUMN taken INTEGER NOT NULL DEFAULT 0;    -- when the hash was taken, 0 = never
ALTER TABLE anchor ADD COLUMN named INTEGER NOT NULL DEFAULT 0;    -- 0 = it has to do with it, 1 = its text names it, 2 = somebody named it
