-- The tables of code.db; see code.go. One of another version is made anew: raise codeSchema with every change.
CREATE TABLE project (
	id       INTEGER PRIMARY KEY,
	root     TEXT NOT NULL UNIQUE,  -- top of the work tree, or the folder
	realm    TEXT NOT NULL,         -- id of the realm it was indexed for, or ''
	begun    INTEGER NOT NULL,      -- when it was first indexed
	indexed  INTEGER NOT NULL,      -- when the last whole index ended; 0: none has
	changed  INTEGER NOT NULL,      -- when anything of it was last written
	settled  INTEGER NOT NULL,      -- edges are those of the facts that are stored
	report   TEXT NOT NULL          -- of the last whole index, as JSON
);
CREATE TABLE manifest (             -- files that say how the project is laid out
	project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
	path    TEXT NOT NULL,
	data    BLOB NOT NULL,
	PRIMARY KEY (project, path)
) WITHOUT ROWID;
CREATE TABLE file (
	id          INTEGER PRIMARY KEY,
	project     INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
	path        TEXT NOT NULL,      -- from the root, with slashes
	lang        TEXT NOT NULL,
	hash        BLOB,               -- SHA-256 of the text; NULL where it could not be read
	size        INTEGER NOT NULL,
	modified    INTEGER NOT NULL,   -- nanoseconds; 0: look at the text next time
	bytes       INTEGER NOT NULL,   -- of its facts
	errors      INTEGER NOT NULL,   -- places that fit no rule of the language
	error_lines TEXT NOT NULL,      -- of the first of them, with spaces between
	skipped     TEXT NOT NULL,      -- why it has no facts, or ''
	why         TEXT NOT NULL,      -- the same in words, where there is more to say
	at          INTEGER NOT NULL,   -- when it was read
	made        INTEGER NOT NULL,   -- hash of its rows below; 0: there are none, -1: they are of another text
	UNIQUE (project, path)
);
CREATE TABLE facts (                -- beside file, whose rows stay short
	file INTEGER PRIMARY KEY REFERENCES file ON DELETE CASCADE,
	data BLOB NOT NULL              -- see code.Decode
);
CREATE TABLE symbol (
	id        INTEGER NOT NULL,
	project   INTEGER NOT NULL,
	file      INTEGER NOT NULL,
	idx       INTEGER NOT NULL,     -- in the file's facts
	name      TEXT NOT NULL,
	folded    TEXT NOT NULL,        -- the name in lower case
	path      TEXT NOT NULL,        -- with what encloses it: Server.Listen
	qualified TEXT NOT NULL,        -- with module or package
	kind      TEXT NOT NULL,
	signature TEXT NOT NULL,
	doc       TEXT NOT NULL,
	line      INTEGER NOT NULL,     -- from 1
	end_line  INTEGER NOT NULL,
	parent    INTEGER,              -- symbol that encloses it
	exported  INTEGER NOT NULL,
	body      INTEGER NOT NULL      -- hash of the text without comments and blank space
);
CREATE INDEX symbol_id ON symbol (id);
CREATE INDEX symbol_name ON symbol (folded, project);
CREATE INDEX symbol_file ON symbol (file, idx);
CREATE INDEX symbol_path ON symbol (path, project);
CREATE INDEX symbol_lambda ON symbol (parent) WHERE kind = 'lambda';
CREATE TABLE call (                 -- calls whose target is known; one row for each target
	file INTEGER NOT NULL,          -- where the call stands
	src  INTEGER NOT NULL,          -- symbol of that file that calls; 0: the file's own code
	dst  INTEGER NOT NULL,          -- symbol that is called
	line INTEGER NOT NULL,
	how  INTEGER NOT NULL
);
CREATE INDEX call_src ON call (file, src);
CREATE INDEX call_dst ON call (dst);
CREATE TABLE how (
	id         INTEGER PRIMARY KEY,
	rule       TEXT NOT NULL,       -- how the target was found; see internal/resolve
	confidence REAL NOT NULL,
	kind       TEXT NOT NULL        -- form of the call; see code.CallKind
);
CREATE VIEW edge AS SELECT call.file, call.src, call.dst, call.line, how.rule, how.confidence, how.kind
	FROM call JOIN how ON how.id = call.how;
CREATE TABLE loose (                -- calls without a target in the project
	file     INTEGER NOT NULL,
	src      INTEGER NOT NULL,      -- as of call
	name     TEXT NOT NULL,         -- last name of what is called
	target   TEXT NOT NULL,         -- qualified where that is known: os.path.join
	external INTEGER NOT NULL,      -- it is known to be outside of the project
	line     INTEGER NOT NULL,
	kind     TEXT NOT NULL
);
CREATE INDEX loose_src ON loose (file, src);
CREATE INDEX loose_name ON loose (name) WHERE NOT external;
CREATE TABLE inherit (
	file  INTEGER NOT NULL,
	sub   INTEGER NOT NULL,         -- symbol of the type
	super INTEGER,                  -- symbol it takes from; NULL: outside of the project
	text  TEXT NOT NULL,            -- as written
	kind  TEXT NOT NULL             -- see code.InheritKind
);
CREATE INDEX inherit_file ON inherit (file);
CREATE INDEX inherit_sub ON inherit (sub);
CREATE INDEX inherit_super ON inherit (super);
CREATE TABLE need (                 -- imports
	file     INTEGER NOT NULL,
	line     INTEGER NOT NULL,
	module   TEXT NOT NULL,         -- as written
	name     TEXT NOT NULL,         -- what is taken from it; '' the module, '*' everything
	alias    TEXT NOT NULL,
	reach    INTEGER NOT NULL,      -- files of the project that it reaches; 0: none
	external TEXT NOT NULL          -- what it is outside of the project, or ''
);
CREATE INDEX need_file ON need (file);
CREATE INDEX need_reach ON need (reach);
CREATE TABLE reach (                -- sets of files: who imports a package reaches all of its files
	id     INTEGER NOT NULL,        -- hash of the paths
	target TEXT NOT NULL,           -- path of a file of the project
	PRIMARY KEY (id, target)
) WITHOUT ROWID;
CREATE INDEX reach_target ON reach (target);
INSERT INTO reach (id, target) VALUES (0, ''); -- so that who reaches none is found as well
CREATE VIEW import AS SELECT need.file, need.line, need.module, need.name, need.alias, reach.target, need.external
	FROM need JOIN reach ON reach.id = need.reach;
CREATE TRIGGER need_gone AFTER DELETE ON need
WHEN old.reach <> 0 AND NOT EXISTS (SELECT 1 FROM need WHERE reach = old.reach) BEGIN
	DELETE FROM reach WHERE id = old.reach;
END;
CREATE TRIGGER file_gone AFTER DELETE ON file BEGIN -- references would look the file up for each row that is added
	DELETE FROM symbol WHERE file = old.id;
	DELETE FROM call WHERE file = old.id;
	DELETE FROM loose WHERE file = old.id;
	DELETE FROM inherit WHERE file = old.id;
	DELETE FROM need WHERE file = old.id;
END;
