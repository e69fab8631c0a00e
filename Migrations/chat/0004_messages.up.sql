-- Messages as they went over the wire, their deliveries, and those waiting for a member.

CREATE TABLE messages (
    message_id INTEGER PRIMARY KEY,
    msg_sent INTEGER NOT NULL,
    chat_msg_event TEXT NOT NULL,
    msg_body TEXT,
    connection_id INTEGER REFERENCES connections (connection_id) ON DELETE CASCADE,
    group_id INTEGER REFERENCES groups (group_id) ON DELETE CASCADE,
    shared_msg_id BLOB,
    author_group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    broker_ts TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE msg_deliveries (
    msg_delivery_id INTEGER PRIMARY KEY,
    message_id INTEGER NOT NULL REFERENCES messages (message_id) ON DELETE CASCADE,
    connection_id INTEGER NOT NULL REFERENCES connections (connection_id) ON DELETE CASCADE,
    agent_msg_id INTEGER,
    agent_msg_meta TEXT,
    delivery_status TEXT,
    chat_ts TEXT NOT NULL DEFAULT (datetime('now')),
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE pending_group_messages (
    pending_group_message_id INTEGER PRIMARY KEY,
    group_member_id INTEGER NOT NULL REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL REFERENCES messages (message_id) ON DELETE CASCADE,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE INDEX idx_messages_created_at ON messages (created_at);
CREATE INDEX idx_messages_group_id_shared_msg_id ON messages (group_id, shared_msg_id);
CREATE INDEX idx_msg_deliveries_connection_id_agent_msg_id ON msg_deliveries (connection_id, agent_msg_id);
CREATE INDEX idx_messages_connection_id ON messages (connection_id);
CREATE INDEX idx_messages_author_group_member_id ON messages (author_group_member_id);
CREATE INDEX idx_msg_deliveries_message_id ON msg_deliveries (message_id);
CREATE INDEX idx_pending_group_messages_group_member_id ON pending_group_messages (group_member_id);
CREATE INDEX idx_pending_group_messages_message_id ON pending_group_messages (message_id);
