-- Notices of servers to their clients, and the queues they were about.

CREATE TABLE client_notices (
    client_notice_id INTEGER PRIMARY KEY,
    protocol TEXT NOT NULL DEFAULT 'smp',
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    entity_id BLOB NOT NULL,
    server_key_hash BLOB,
    notice_ttl INTEGER,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (protocol, host, port, entity_id)
) STRICT;

ALTER TABLE rcv_queues ADD COLUMN client_notice_id INTEGER
    REFERENCES client_notices (client_notice_id) ON DELETE SET NULL;

CREATE INDEX idx_rcv_queues_client_notice_id ON rcv_queues (client_notice_id);
