-- Queues a connection receives from and sends to, with their keys.

CREATE TABLE rcv_queues (
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    rcv_id BLOB NOT NULL,
    conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    rcv_private_key BLOB NOT NULL,
    rcv_dh_secret BLOB NOT NULL,
    e2e_priv_key BLOB NOT NULL,
    e2e_dh_secret BLOB,
    snd_id BLOB NOT NULL,
    snd_key BLOB,
    status TEXT NOT NULL,
    server_key_hash BLOB,
    smp_server_version INTEGER NOT NULL DEFAULT 1,
    smp_client_version INTEGER,
    deleted INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (host, port, rcv_id),
    UNIQUE (host, port, snd_id),
    FOREIGN KEY (host, port) REFERENCES servers (host, port) ON DELETE RESTRICT ON UPDATE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE snd_queues (
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    snd_id BLOB NOT NULL,
    conn_id BLOB NOT NULL REFERENCES connections (conn_id) ON DELETE CASCADE,
    snd_private_key BLOB NOT NULL,
    snd_public_key BLOB,
    e2e_pub_key BLOB,
    e2e_dh_secret BLOB NOT NULL,
    status TEXT NOT NULL,
    server_key_hash BLOB,
    smp_server_version INTEGER NOT NULL DEFAULT 1,
    smp_client_version INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (host, port, snd_id),
    FOREIGN KEY (host, port) REFERENCES servers (host, port) ON DELETE RESTRICT ON UPDATE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_rcv_queues_conn_id ON rcv_queues (conn_id);
CREATE INDEX idx_snd_queues_conn_id ON snd_queues (conn_id);
