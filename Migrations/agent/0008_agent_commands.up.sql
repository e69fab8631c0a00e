-- Commands that are carried out in the background, and deliveries of messages to queues.

CREATE TABLE commands (
    command_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    host TEXT,
    port TEXT,
    corr_id BLOB NOT NULL,
    command_tag BLOB NOT NULL,
    command BLOB NOT NULL,
    agent_version INTEGER NOT NULL DEFAULT 1,
    failed INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    FOREIGN KEY (host, port) REFERENCES servers (host, port) ON DELETE RESTRICT ON UPDATE CASCADE
) STRICT;

CREATE TABLE snd_message_bodies (
    snd_message_body_id INTEGER PRIMARY KEY,
    agent_msg BLOB NOT NULL DEFAULT x''
) STRICT;

CREATE TABLE snd_message_deliveries (
    snd_message_delivery_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL,
    snd_queue_id INTEGER NOT NULL,
    internal_id INTEGER NOT NULL,
    failed INTEGER NOT NULL DEFAULT 0,
    FOREIGN KEY (conn_id, internal_id) REFERENCES messages (conn_id, internal_id) ON DELETE CASCADE
) STRICT;

ALTER TABLE snd_messages ADD COLUMN snd_message_body_id INTEGER
    REFERENCES snd_message_bodies (snd_message_body_id) ON DELETE SET NULL;

CREATE INDEX idx_snd_message_deliveries_conn_id_snd_queue_id
    ON snd_message_deliveries (conn_id, snd_queue_id);
CREATE INDEX idx_snd_messages_snd_message_body_id ON snd_messages (snd_message_body_id);
CREATE INDEX idx_commands_conn_id ON commands (conn_id);
CREATE INDEX idx_commands_host_port ON commands (host, port);
CREATE INDEX idx_snd_message_deliveries_conn_id_internal_id
    ON snd_message_deliveries (conn_id, internal_id);
