-- Statistics of servers, tokens still to be deleted, and file descriptions that point to another file.

CREATE TABLE servers_stats (
    servers_stats_id INTEGER PRIMARY KEY,
    servers_stats TEXT,
    started_at TEXT NOT NULL DEFAULT (datetime('now')),
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

INSERT INTO servers_stats (servers_stats_id) VALUES (1);

CREATE TABLE ntf_tokens_to_delete (
    ntf_token_to_delete_id INTEGER PRIMARY KEY,
    ntf_host TEXT NOT NULL,
    ntf_port TEXT NOT NULL,
    ntf_key_hash BLOB NOT NULL,
    tkn_id BLOB NOT NULL,
    tkn_priv_key BLOB NOT NULL,
    del_failed INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

ALTER TABLE rcv_files ADD COLUMN redirect_id INTEGER
    REFERENCES rcv_files (rcv_file_id) ON DELETE SET NULL;
ALTER TABLE rcv_files ADD COLUMN redirect_entity_id BLOB;
ALTER TABLE rcv_files ADD COLUMN redirect_size INTEGER;
ALTER TABLE rcv_files ADD COLUMN redirect_digest BLOB;
ALTER TABLE snd_files ADD COLUMN redirect_size INTEGER;
ALTER TABLE snd_files ADD COLUMN redirect_digest BLOB;

CREATE INDEX idx_rcv_files_redirect_id ON rcv_files (redirect_id);
