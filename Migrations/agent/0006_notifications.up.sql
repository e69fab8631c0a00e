-- Notification servers, device tokens, subscriptions, and the keys for them in queues.

CREATE TABLE ntf_servers (
    ntf_host TEXT NOT NULL,
    ntf_port TEXT NOT NULL,
    ntf_key_hash BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    PRIMARY KEY (ntf_host, ntf_port)
) STRICT, WITHOUT ROWID;

CREATE TABLE ntf_tokens (
    provider TEXT NOT NULL,
    device_token TEXT NOT NULL,
    ntf_host TEXT NOT NULL,
    ntf_port TEXT NOT NULL,
    tkn_id BLOB,
    tkn_pub_key BLOB NOT NULL,
    tkn_priv_key BLOB NOT NULL,
    tkn_pub_dh_key BLOB NOT NULL,
    tkn_priv_dh_key BLOB NOT NULL,
    tkn_dh_secret BLOB,
    tkn_status TEXT NOT NULL,
    tkn_action BLOB,
    ntf_mode TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    PRIMARY KEY (provider, device_token, ntf_host, ntf_port),
    FOREIGN KEY (ntf_host, ntf_port) REFERENCES ntf_servers (ntf_host, ntf_port) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE ntf_subscriptions (
    conn_id BLOB NOT NULL PRIMARY KEY REFERENCES connections (conn_id) ON DELETE CASCADE,
    smp_host TEXT,
    smp_port TEXT,
    smp_ntf_id BLOB,
    ntf_host TEXT NOT NULL,
    ntf_port TEXT NOT NULL,
    ntf_sub_id BLOB,
    ntf_sub_status TEXT NOT NULL,
    ntf_sub_action TEXT,
    ntf_sub_action_ts TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    FOREIGN KEY (smp_host, smp_port) REFERENCES servers (host, port) ON DELETE SET NULL,
    FOREIGN KEY (ntf_host, ntf_port) REFERENCES ntf_servers (ntf_host, ntf_port) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

ALTER TABLE rcv_queues ADD COLUMN ntf_public_key BLOB;
ALTER TABLE rcv_queues ADD COLUMN ntf_private_key BLOB;
ALTER TABLE rcv_queues ADD COLUMN ntf_id BLOB;
ALTER TABLE rcv_queues ADD COLUMN rcv_ntf_dh_secret BLOB;

CREATE INDEX idx_ntf_tokens_ntf_host_ntf_port ON ntf_tokens (ntf_host, ntf_port);
CREATE INDEX idx_ntf_subscriptions_smp_host_smp_port ON ntf_subscriptions (smp_host, smp_port);
CREATE INDEX idx_ntf_subscriptions_ntf_host_ntf_port ON ntf_subscriptions (ntf_host, ntf_port);
