-- +goose Up

-- A model whose vectors are kept. position is how far in the sequence of
-- changes of the main database its vectors have come.
CREATE TABLE model (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    hash     TEXT NOT NULL,
    dims     INTEGER NOT NULL,
    position INTEGER NOT NULL,
    created  INTEGER NOT NULL,
    UNIQUE (name, hash, dims)
) STRICT;

-- One vector per owner and model. owner says what sort of row seq belongs to;
-- text is the hash of what was embedded, so that an unchanged text is not
-- embedded again. vector is little-endian 16-bit floats.
CREATE TABLE vector (
    model  INTEGER NOT NULL REFERENCES model (id),
    owner  INTEGER NOT NULL,
    seq    INTEGER NOT NULL,
    text   TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (model, owner, seq)
) STRICT, WITHOUT ROWID;
