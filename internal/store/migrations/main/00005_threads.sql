-- +goose Up

-- A thread of a conversation: the main one, or a subagent's. Its last section
-- may still grow and is then cut into chunks again; first says where it
-- begins, turn and clock how things stood before it.
CREATE TABLE thread (
    session INTEGER NOT NULL REFERENCES session (seq),
    agent   TEXT NOT NULL,                 -- "" is the main thread
    call    TEXT NOT NULL,                 -- id of the call that started it, if known
    parent  TEXT NOT NULL,                 -- id of the message with that call
    turn    INTEGER NOT NULL,              -- how often a person had spoken
    first   INTEGER NOT NULL,              -- position of the section's first message
    clock   TEXT NOT NULL,                 -- vector clock, JSON
    PRIMARY KEY (session, agent)
) STRICT, WITHOUT ROWID;

CREATE INDEX message_by_thread ON message (session, agent, position);

INSERT INTO thread SELECT m.session, m.agent, '', '', max(0, t.turn - 1), min(m.position), '{}'
    FROM message m JOIN (SELECT session, agent, max(turn) AS turn FROM message GROUP BY session, agent) t
    ON t.session = m.session AND t.agent = m.agent AND t.turn = m.turn GROUP BY m.session, m.agent;

ALTER TABLE source_file ADD COLUMN lines INTEGER NOT NULL DEFAULT 0;  -- before offset
