-- Confirmations and invitations that wait for an answer while a connection is being made.

CREATE TABLE conn_confirmations (
    confirmation_id BLOB NOT NULL PRIMARY KEY,
    conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    e2e_snd_pub_key BLOB NOT NULL,
    sender_key BLOB,
    ratchet_state BLOB NOT NULL,
    sender_conn_info BLOB NOT NULL,
    own_conn_info BLOB,
    smp_reply_queues BLOB,
    smp_client_version INTEGER,
    accepted INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT, WITHOUT ROWID;

CREATE TABLE conn_invitations (
    invitation_id BLOB NOT NULL PRIMARY KEY,
    contact_conn_id BLOB REFERENCES connections (conn_id) ON DELETE SET NULL,
    cr_invitation BLOB NOT NULL,
    recipient_conn_info BLOB NOT NULL,
    own_conn_info BLOB,
    accepted INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_conn_confirmations_conn_id ON conn_confirmations (conn_id);
CREATE INDEX idx_conn_invitations_contact_conn_id ON conn_invitations (contact_conn_id);
