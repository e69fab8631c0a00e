-- Servers, who operates them, and which conditions of use were accepted.

CREATE TABLE server_operators (
    server_operator_id INTEGER PRIMARY KEY,
    server_operator_tag TEXT UNIQUE,
    trade_name TEXT NOT NULL,
    legal_name TEXT,
    server_domains TEXT NOT NULL DEFAULT '',
    enabled INTEGER NOT NULL DEFAULT 1,
    smp_role_storage INTEGER NOT NULL DEFAULT 1,
    smp_role_proxy INTEGER NOT NULL DEFAULT 1,
    xftp_role_storage INTEGER NOT NULL DEFAULT 1,
    xftp_role_proxy INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE usage_conditions (
    usage_conditions_id INTEGER PRIMARY KEY,
    conditions_commit TEXT NOT NULL UNIQUE,
    notified_at TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE operator_usage_conditions (
    operator_usage_conditions_id INTEGER PRIMARY KEY,
    server_operator_id INTEGER
        REFERENCES server_operators (server_operator_id) ON DELETE SET NULL ON UPDATE CASCADE,
    server_operator_tag TEXT,
    conditions_commit TEXT NOT NULL,
    accepted_at TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (server_operator_id, conditions_commit)
) STRICT;

CREATE TABLE protocol_servers (
    protocol_server_id INTEGER PRIMARY KEY,
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    key_hash BLOB NOT NULL,
    basic_auth TEXT,
    protocol TEXT NOT NULL DEFAULT 'smp',
    preset INTEGER NOT NULL DEFAULT 0,
    tested INTEGER,
    enabled INTEGER NOT NULL DEFAULT 1,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (user_id, protocol, host, port)
) STRICT;

CREATE TABLE known_servers (
    server_id INTEGER PRIMARY KEY,
    host TEXT NOT NULL,
    port TEXT NOT NULL,
    key_hash BLOB NOT NULL,
    user_id INTEGER REFERENCES users (user_id) ON DELETE CASCADE,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (user_id, host, port)
) STRICT;
