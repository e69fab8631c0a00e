-- Users of the agent, servers, and the connections with their message counters.

CREATE TABLE users (
    user_id INTEGER PRIMARY KEY,
    deleted INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE servers (
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    key_hash BLOB NOT NULL,
    PRIMARY KEY (host, port)
) STRICT, WITHOUT ROWID;

CREATE TABLE connections (
    conn_id BLOB NOT NULL PRIMARY KEY,
    conn_mode TEXT NOT NULL,
    user_id INTEGER REFERENCES users (user_id) ON DELETE CASCADE,
    last_internal_msg_id INTEGER NOT NULL DEFAULT 0,
    last_internal_rcv_msg_id INTEGER NOT NULL DEFAULT 0,
    last_internal_snd_msg_id INTEGER NOT NULL DEFAULT 0,
    last_external_snd_msg_id INTEGER NOT NULL DEFAULT 0,
    last_rcv_msg_hash BLOB NOT NULL DEFAULT x'',
    last_snd_msg_hash BLOB NOT NULL DEFAULT x'',
    smp_agent_version INTEGER NOT NULL DEFAULT 1,
    duplex_handshake INTEGER NOT NULL DEFAULT 0,
    enable_ntfs INTEGER NOT NULL DEFAULT 1,
    deleted INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_connections_user_id ON connections (user_id);
