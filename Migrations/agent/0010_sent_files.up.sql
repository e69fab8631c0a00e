-- Files being sent in chunks to replicas, and replicas still to be deleted.

CREATE TABLE snd_files (
    snd_file_id INTEGER PRIMARY KEY,
    snd_file_entity_id BLOB NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    num_recipients INTEGER NOT NULL,
    digest BLOB,
    key BLOB NOT NULL,
    nonce BLOB NOT NULL,
    path TEXT NOT NULL,
    prefix_path TEXT,
    src_file_key BLOB,
    src_file_nonce BLOB,
    status TEXT NOT NULL,
    error TEXT,
    deleted INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE snd_file_chunks (
    snd_file_chunk_id INTEGER PRIMARY KEY,
    snd_file_id INTEGER NOT NULL REFERENCES snd_files (snd_file_id) ON DELETE CASCADE,
    chunk_no INTEGER NOT NULL,
    chunk_offset INTEGER NOT NULL,
    chunk_size INTEGER NOT NULL,
    digest BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (snd_file_id, chunk_no)
) STRICT;

CREATE TABLE snd_file_chunk_replicas (
    snd_file_chunk_replica_id INTEGER PRIMARY KEY,
    snd_file_chunk_id INTEGER NOT NULL REFERENCES snd_file_chunks (snd_file_chunk_id) ON DELETE CASCADE,
    replica_number INTEGER NOT NULL,
    xftp_server_id INTEGER NOT NULL REFERENCES xftp_servers (xftp_server_id) ON DELETE CASCADE,
    replica_id BLOB NOT NULL,
    replica_key BLOB NOT NULL,
    replica_status TEXT NOT NULL,
    delay INTEGER,
    retries INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE snd_file_chunk_replica_recipients (
    snd_file_chunk_replica_recipient_id INTEGER PRIMARY KEY,
    snd_file_chunk_replica_id INTEGER NOT NULL
        REFERENCES snd_file_chunk_replicas (snd_file_chunk_replica_id) ON DELETE CASCADE,
    rcv_replica_id BLOB NOT NULL,
    rcv_replica_key BLOB NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE deleted_snd_chunk_replicas (
    deleted_snd_chunk_replica_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    xftp_server_id INTEGER NOT NULL REFERENCES xftp_servers (xftp_server_id) ON DELETE CASCADE,
    replica_id BLOB NOT NULL,
    replica_key BLOB NOT NULL,
    chunk_digest BLOB NOT NULL,
    delay INTEGER,
    retries INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE INDEX idx_snd_files_status_created_at ON snd_files (status, created_at);
CREATE INDEX idx_snd_files_user_id ON snd_files (user_id);
CREATE INDEX idx_snd_file_chunk_replicas_snd_file_chunk_id ON snd_file_chunk_replicas (snd_file_chunk_id);
CREATE INDEX idx_snd_file_chunk_replicas_xftp_server_id ON snd_file_chunk_replicas (xftp_server_id);
CREATE INDEX idx_snd_file_chunk_replica_recipients_snd_file_chunk_replica_id
    ON snd_file_chunk_replica_recipients (snd_file_chunk_replica_id);
CREATE INDEX idx_deleted_snd_chunk_replicas_user_id ON deleted_snd_chunk_replicas (user_id);
CREATE INDEX idx_deleted_snd_chunk_replicas_xftp_server_id ON deleted_snd_chunk_replicas (xftp_server_id);
