-- Renewal of a broken ratchet, post-quantum keys, and hashes of what was already processed.

CREATE TABLE encrypted_rcv_message_hashes (
    encrypted_rcv_message_hash_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    hash BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE processed_ratchet_key_hashes (
    processed_ratchet_key_hash_id INTEGER PRIMARY KEY,
    conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    hash BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

ALTER TABLE connections ADD COLUMN ratchet_sync_state TEXT NOT NULL DEFAULT 'ok';
ALTER TABLE connections ADD COLUMN pq_support INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ratchets ADD COLUMN pq_priv_kem BLOB;
ALTER TABLE ratchets ADD COLUMN pq_pub_kem BLOB;
ALTER TABLE messages ADD COLUMN pq_encryption INTEGER NOT NULL DEFAULT 0;

CREATE INDEX idx_encrypted_rcv_message_hashes_conn_id_hash
    ON encrypted_rcv_message_hashes (conn_id, hash);
CREATE INDEX idx_encrypted_rcv_message_hashes_created_at ON encrypted_rcv_message_hashes (created_at);
CREATE INDEX idx_processed_ratchet_key_hashes_conn_id_hash
    ON processed_ratchet_key_hashes (conn_id, hash);
CREATE INDEX idx_processed_ratchet_key_hashes_created_at ON processed_ratchet_key_hashes (created_at);
