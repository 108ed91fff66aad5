-- +goose Up

-- A concept: something facts speak of, within one realm. Times are Unix
-- milliseconds. Rows are not deleted: one that was merged into another says
-- into which, one that is gone loses its name, and both move to the end of the
-- sequence of changes so that followers notice.
CREATE TABLE concept (
    seq            INTEGER PRIMARY KEY,
    rev            INTEGER NOT NULL UNIQUE,
    realm          TEXT NOT NULL REFERENCES realm (id),
    name           TEXT NOT NULL,
    key            TEXT NOT NULL,            -- what names are compared by
    confidence     REAL NOT NULL,
    created        INTEGER NOT NULL,
    activation     REAL NOT NULL,            -- level when last activated; fades when read
    last_activated INTEGER NOT NULL,         -- 0 = never
    merged         INTEGER NOT NULL,         -- the concept it became part of, 0 = it stands
    gone           INTEGER NOT NULL
) STRICT;

-- Every name of a standing concept, its own and its aliases: within a realm a
-- key leads to one concept.
CREATE TABLE concept_name (
    realm   TEXT NOT NULL REFERENCES realm (id),
    key     TEXT NOT NULL,
    name    TEXT NOT NULL,
    concept INTEGER NOT NULL REFERENCES concept (seq),
    PRIMARY KEY (realm, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX concept_name_by_concept ON concept_name (concept);
CREATE INDEX concept_name_by_key ON concept_name (key);

-- A fact: subject, predicate, object, and when it held. valid_until is NULL
-- while it still does. confidence, valid_from and strengthened follow from the
-- evidence.
CREATE TABLE triple (
    seq          INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    rev          INTEGER NOT NULL UNIQUE,
    realm        TEXT NOT NULL REFERENCES realm (id),
    subject      INTEGER NOT NULL REFERENCES concept (seq),
    predicate    TEXT NOT NULL,
    object       INTEGER NOT NULL REFERENCES concept (seq),
    confidence   REAL NOT NULL,
    valid_from   INTEGER NOT NULL,
    valid_until  INTEGER,
    recorded     INTEGER NOT NULL,
    strengthened INTEGER NOT NULL,           -- how often it was asserted again
    closed_by    TEXT NOT NULL,              -- id of the triple whose assertion ended it
    gone         INTEGER NOT NULL
) STRICT;

CREATE INDEX triple_by_subject ON triple (subject, predicate, object) WHERE gone = 0;
CREATE INDEX triple_by_object ON triple (object, predicate) WHERE gone = 0;
CREATE INDEX triple_by_predicate ON triple (predicate, realm, seq) WHERE gone = 0;
CREATE INDEX triple_by_realm ON triple (realm, seq) WHERE gone = 0;
CREATE INDEX triple_by_closer ON triple (closed_by) WHERE closed_by <> '';

-- Each time a fact was asserted, and what for: taking evidence back leaves the
-- fact as it would be without it.
CREATE TABLE triple_evidence (
    seq         INTEGER PRIMARY KEY,
    triple      INTEGER NOT NULL REFERENCES triple (seq),
    confidence  REAL NOT NULL,
    source      TEXT NOT NULL,
    memory      TEXT NOT NULL,                -- id of the memory it was read in, or ''
    session     TEXT NOT NULL,
    message     TEXT NOT NULL,
    job         TEXT NOT NULL,                -- the run that found it, or ''
    valid_from  INTEGER NOT NULL,
    valid_until INTEGER,                      -- if it said that the fact has ended
    at          INTEGER NOT NULL
) STRICT;

CREATE INDEX triple_evidence_by_triple ON triple_evidence (triple, seq);
CREATE INDEX triple_evidence_by_job ON triple_evidence (job) WHERE job <> '';
CREATE INDEX triple_evidence_by_memory ON triple_evidence (memory) WHERE memory <> '';
CREATE INDEX triple_evidence_by_session ON triple_evidence (session) WHERE session <> '';

-- Which memories and chunks name a concept. Derived from their texts, so that
-- what was said about a file or a symbol can be found from it.
CREATE TABLE mention (
    concept INTEGER NOT NULL REFERENCES concept (seq),
    owner   INTEGER NOT NULL,                 -- what the item is: 1 memory, 2 chunk
    item    INTEGER NOT NULL,                 -- its row number
    PRIMARY KEY (concept, owner, item)
) STRICT, WITHOUT ROWID;

CREATE INDEX mention_by_item ON mention (owner, item);
