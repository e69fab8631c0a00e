-- Linked phones and computers, and keys of post-quantum encryption of a connection.

CREATE TABLE remote_hosts (
    remote_host_id INTEGER PRIMARY KEY,
    host_device_name TEXT NOT NULL,
    store_path TEXT NOT NULL UNIQUE,
    ca_key BLOB NOT NULL,
    ca_cert BLOB NOT NULL,
    id_key BLOB NOT NULL,
    host_fingerprint BLOB NOT NULL UNIQUE,
    host_dh_pub BLOB NOT NULL,
    bind_addr TEXT,
    bind_iface TEXT,
    bind_port INTEGER,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE remote_controllers (
    remote_ctrl_id INTEGER PRIMARY KEY,
    ctrl_device_name TEXT NOT NULL,
    ca_key BLOB NOT NULL,
    ca_cert BLOB NOT NULL,
    ctrl_fingerprint BLOB NOT NULL UNIQUE,
    id_pub BLOB NOT NULL,
    dh_priv_key BLOB NOT NULL,
    prev_dh_priv_key BLOB,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

ALTER TABLE connections ADD COLUMN pq_support INTEGER NOT NULL DEFAULT 0;
ALTER TABLE connections ADD COLUMN pq_encryption INTEGER NOT NULL DEFAULT 0;
ALTER TABLE connections ADD COLUMN pq_snd_enabled INTEGER;
ALTER TABLE connections ADD COLUMN pq_rcv_enabled INTEGER;
