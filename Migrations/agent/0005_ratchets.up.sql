-- State of end-to-end encryption of each connection, and keys of messages that were skipped.

CREATE TABLE ratchets (
    conn_id BLOB NOT NULL PRIMARY KEY REFERENCES connections (conn_id) ON DELETE CASCADE,
    x3dh_priv_key_1 BLOB,
    x3dh_priv_key_2 BLOB,
    x3dh_pub_key_1 BLOB,
    x3dh_pub_key_2 BLOB,
    ratchet_state BLOB,
    e2e_version INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

CREATE TABLE skipped_messages (
    skipped_message_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL REFERENCES ratchets (conn_id) ON DELETE CASCADE,
    header_key BLOB NOT NULL,
    msg_n INTEGER NOT NULL,
    msg_key BLOB NOT NULL
) STRICT;

CREATE INDEX idx_skipped_messages_conn_id ON skipped_messages (conn_id);
