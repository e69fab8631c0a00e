-- Messages on their way in or out, kept until they are delivered or acknowledged.

CREATE TABLE messages (
    conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    internal_id INTEGER NOT NULL,
    internal_ts TEXT NOT NULL,
    internal_rcv_id INTEGER,
    internal_snd_id INTEGER,
    msg_type BLOB NOT NULL,
    msg_body BLOB NOT NULL DEFAULT x'',
    msg_flags TEXT,
    PRIMARY KEY (conn_id, internal_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE rcv_messages (
    conn_id BLOB NOT NULL,
    internal_rcv_id INTEGER NOT NULL,
    internal_id INTEGER NOT NULL,
    external_snd_id INTEGER NOT NULL,
    broker_id BLOB NOT NULL,
    broker_ts TEXT NOT NULL,
    internal_hash BLOB NOT NULL,
    external_prev_snd_hash BLOB NOT NULL,
    integrity BLOB NOT NULL,
    user_ack INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (conn_id, internal_rcv_id),
    FOREIGN KEY (conn_id, internal_id) REFERENCES messages (conn_id, internal_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE snd_messages (
    conn_id BLOB NOT NULL,
    internal_snd_id INTEGER NOT NULL,
    internal_id INTEGER NOT NULL,
    internal_hash BLOB NOT NULL,
    previous_msg_hash BLOB NOT NULL DEFAULT x'',
    retry_int_slow INTEGER,
    retry_int_fast INTEGER,
    PRIMARY KEY (conn_id, internal_snd_id),
    FOREIGN KEY (conn_id, internal_id) REFERENCES messages (conn_id, internal_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_messages_conn_id_internal_snd_id ON messages (conn_id, internal_snd_id);
CREATE INDEX idx_messages_conn_id_internal_rcv_id ON messages (conn_id, internal_rcv_id);
CREATE INDEX idx_messages_internal_ts ON messages (internal_ts);
CREATE INDEX idx_rcv_messages_conn_id_broker_id ON rcv_messages (conn_id, broker_id);
CREATE INDEX idx_rcv_messages_conn_id_internal_id ON rcv_messages (conn_id, internal_id);
CREATE INDEX idx_snd_messages_conn_id_internal_id ON snd_messages (conn_id, internal_id);
