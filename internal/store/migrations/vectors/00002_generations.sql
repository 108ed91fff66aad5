-- +goose Up

-- Everything here is derived, so the tables are made anew instead of changed.
DROP TABLE vector;
DROP TABLE model;

-- A model whose vectors are kept. setting is how to open it again, in words
-- of the program's own.
CREATE TABLE model (
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL,
    hash    TEXT NOT NULL,
    dims    INTEGER NOT NULL,
    setting TEXT NOT NULL,
    created INTEGER NOT NULL,
    UNIQUE (name, hash, dims)
) STRICT;

-- One vector per owner and model. owner says what sort of row seq belongs to;
-- text is the hash of what was embedded: where it is that of the row as it is
-- now, the vector holds. vector is little-endian 16-bit floats.
CREATE TABLE vector (
    model  INTEGER NOT NULL REFERENCES model (id),
    owner  INTEGER NOT NULL,
    seq    INTEGER NOT NULL,
    text   TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (model, owner, seq)
) STRICT, WITHOUT ROWID;
