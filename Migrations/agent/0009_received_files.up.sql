-- File servers, and files being received in chunks from replicas.

CREATE TABLE xftp_servers (
    xftp_server_id INTEGER PRIMARY KEY,
    xftp_host TEXT NOT NULL,
    xftp_port TEXT NOT NULL,
    xftp_key_hash BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (xftp_host, xftp_port, xftp_key_hash)
) STRICT;

CREATE TABLE rcv_files (
    rcv_file_id INTEGER PRIMARY KEY,
    rcv_file_entity_id BLOB NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    size INTEGER NOT NULL,
    digest BLOB NOT NULL,
    key BLOB NOT NULL,
    nonce BLOB NOT NULL,
    chunk_size INTEGER NOT NULL,
    prefix_path TEXT NOT NULL,
    tmp_path TEXT,
    save_path TEXT NOT NULL,
    save_file_key BLOB,
    save_file_nonce BLOB,
    status TEXT NOT NULL,
    error TEXT,
    deleted INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE rcv_file_chunks (
    rcv_file_chunk_id INTEGER PRIMARY KEY,
    rcv_file_id INTEGER NOT NULL REFERENCES rcv_files (rcv_file_id) ON DELETE CASCADE,
    chunk_no INTEGER NOT NULL,
    chunk_size INTEGER NOT NULL,
    digest BLOB NOT NULL,
    tmp_path TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (rcv_file_id, chunk_no)
) STRICT;

CREATE TABLE rcv_file_chunk_replicas (
    rcv_file_chunk_replica_id INTEGER PRIMARY KEY,
    rcv_file_chunk_id INTEGER NOT NULL REFERENCES rcv_file_chunks (rcv_file_chunk_id) ON DELETE CASCADE,
    replica_number INTEGER NOT NULL,
    xftp_server_id INTEGER NOT NULL REFERENCES xftp_servers (xftp_server_id) ON DELETE CASCADE,
    replica_id BLOB NOT NULL,
    replica_key BLOB NOT NULL,
    received INTEGER NOT NULL DEFAULT 0,
    delay INTEGER,
    retries INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE INDEX idx_rcv_files_status_created_at ON rcv_files (status, created_at);
CREATE INDEX idx_rcv_files_user_id ON rcv_files (user_id);
CREATE INDEX idx_rcv_file_chunk_replicas_rcv_file_chunk_id ON rcv_file_chunk_replicas (rcv_file_chunk_id);
CREATE INDEX idx_rcv_file_chunk_replicas_xftp_server_id ON rcv_file_chunk_replicas (xftp_server_id);
