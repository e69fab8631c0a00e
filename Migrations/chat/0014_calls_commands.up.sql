-- Calls going on, commands to the agent, and probes that find contacts who are the same person.

CREATE TABLE calls (
    call_id INTEGER PRIMARY KEY,
    contact_id INTEGER NOT NULL REFERENCES contacts (contact_id) ON DELETE CASCADE,
    shared_call_id BLOB NOT NULL,
    chat_item_id INTEGER NOT NULL REFERENCES chat_items (chat_item_id) ON DELETE CASCADE,
    call_state TEXT NOT NULL,
    call_ts TEXT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE commands (
    command_id INTEGER PRIMARY KEY,
    connection_id INTEGER REFERENCES connections (connection_id) ON DELETE CASCADE,
    command_function TEXT NOT NULL,
    command_status TEXT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE sent_probes (
    sent_probe_id INTEGER PRIMARY KEY,
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE CASCADE,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    probe BLOB NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (user_id, probe)
) STRICT;

CREATE TABLE sent_probe_hashes (
    sent_probe_hash_id INTEGER PRIMARY KEY,
    sent_probe_id INTEGER NOT NULL REFERENCES sent_probes (sent_probe_id) ON DELETE CASCADE,
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE CASCADE,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE received_probes (
    received_probe_id INTEGER PRIMARY KEY,
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE CASCADE,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    probe BLOB,
    probe_hash BLOB NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE INDEX idx_received_probes_probe_hash ON received_probes (probe_hash);
CREATE INDEX idx_calls_contact_id ON calls (contact_id);
CREATE INDEX idx_calls_chat_item_id ON calls (chat_item_id);
CREATE INDEX idx_calls_user_id ON calls (user_id);
CREATE INDEX idx_commands_connection_id ON commands (connection_id);
CREATE INDEX idx_commands_user_id ON commands (user_id);
CREATE INDEX idx_sent_probes_contact_id ON sent_probes (contact_id);
CREATE INDEX idx_sent_probes_group_member_id ON sent_probes (group_member_id);
CREATE INDEX idx_sent_probe_hashes_sent_probe_id ON sent_probe_hashes (sent_probe_id);
CREATE INDEX idx_sent_probe_hashes_contact_id ON sent_probe_hashes (contact_id);
CREATE INDEX idx_sent_probe_hashes_group_member_id ON sent_probe_hashes (group_member_id);
CREATE INDEX idx_sent_probe_hashes_user_id ON sent_probe_hashes (user_id);
CREATE INDEX idx_received_probes_contact_id ON received_probes (contact_id);
CREATE INDEX idx_received_probes_group_member_id ON received_probes (group_member_id);
CREATE INDEX idx_received_probes_user_id ON received_probes (user_id);
