-- Channels and relayed groups: relays, rosters of members, and work on passing messages on.

CREATE TABLE chat_relays (
    chat_relay_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    domains TEXT NOT NULL DEFAULT '',
    preset INTEGER NOT NULL DEFAULT 0,
    tested INTEGER,
    enabled INTEGER NOT NULL DEFAULT 1,
    deleted INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (user_id, address)
) STRICT;

CREATE TABLE group_relays (
    group_relay_id INTEGER PRIMARY KEY,
    group_id INTEGER NOT NULL REFERENCES groups (group_id) ON DELETE CASCADE,
    group_member_id INTEGER NOT NULL REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    chat_relay_id INTEGER REFERENCES chat_relays (chat_relay_id) ON DELETE SET NULL,
    relay_status TEXT NOT NULL,
    relay_link TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (group_id, group_member_id)
) STRICT;

CREATE TABLE rcv_roster_transfers (
    roster_transfer_id INTEGER PRIMARY KEY,
    group_id INTEGER NOT NULL REFERENCES groups (group_id) ON DELETE CASCADE,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    roster_version INTEGER NOT NULL,
    transfer_status TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE delivery_tasks (
    delivery_task_id INTEGER PRIMARY KEY,
    group_id INTEGER NOT NULL REFERENCES groups (group_id) ON DELETE CASCADE,
    message_id INTEGER REFERENCES messages (message_id) ON DELETE CASCADE,
    sender_group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    job_scope_tag TEXT NOT NULL,
    task_status TEXT NOT NULL,
    task_err_reason TEXT,
    failed INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE delivery_jobs (
    delivery_job_id INTEGER PRIMARY KEY,
    group_id INTEGER NOT NULL REFERENCES groups (group_id) ON DELETE CASCADE,
    job_scope_tag TEXT NOT NULL,
    body BLOB,
    cursor_group_member_id INTEGER,
    job_status TEXT NOT NULL,
    job_err_reason TEXT,
    failed INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

ALTER TABLE users ADD COLUMN is_user_chat_relay INTEGER NOT NULL DEFAULT 0;
ALTER TABLE group_profiles ADD COLUMN group_type TEXT;
ALTER TABLE group_profiles ADD COLUMN group_link TEXT;
ALTER TABLE group_profiles ADD COLUMN public_group_id BLOB;
ALTER TABLE group_profiles ADD COLUMN group_web_page TEXT;
ALTER TABLE group_profiles ADD COLUMN group_domain TEXT;
ALTER TABLE groups ADD COLUMN use_relays INTEGER NOT NULL DEFAULT 0;
ALTER TABLE groups ADD COLUMN public_member_count INTEGER;
ALTER TABLE groups ADD COLUMN relay_own_status TEXT;
ALTER TABLE groups ADD COLUMN relay_request_link TEXT;
ALTER TABLE groups ADD COLUMN relay_request_failed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE groups ADD COLUMN roster_version INTEGER;
ALTER TABLE groups ADD COLUMN roster_updated_at TEXT;
ALTER TABLE groups ADD COLUMN root_priv_key BLOB;
ALTER TABLE groups ADD COLUMN root_pub_key BLOB;
ALTER TABLE groups ADD COLUMN member_priv_key BLOB;
ALTER TABLE group_members ADD COLUMN index_in_group INTEGER NOT NULL DEFAULT 0;
ALTER TABLE group_members ADD COLUMN member_relations_vector BLOB;
ALTER TABLE group_members ADD COLUMN member_pub_key BLOB;
ALTER TABLE group_members ADD COLUMN removed_at TEXT;
ALTER TABLE chat_items ADD COLUMN show_group_as_sender INTEGER NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN shared_msg_id BLOB;
ALTER TABLE files ADD COLUMN file_type TEXT NOT NULL DEFAULT 'normal';
ALTER TABLE files ADD COLUMN roster_transfer_id INTEGER
    REFERENCES rcv_roster_transfers (roster_transfer_id) ON DELETE CASCADE;

UPDATE group_members
SET index_in_group = (
    SELECT count(*)
    FROM group_members AS earlier
    WHERE earlier.group_id = group_members.group_id
        AND earlier.group_member_id < group_members.group_member_id
);

CREATE INDEX idx_group_members_group_id_index_in_group ON group_members (group_id, index_in_group);
CREATE INDEX idx_delivery_tasks_group_id_task_status ON delivery_tasks (group_id, task_status);
CREATE INDEX idx_delivery_jobs_group_id_job_status ON delivery_jobs (group_id, job_status);
CREATE INDEX idx_files_group_id_shared_msg_id ON files (group_id, shared_msg_id);
CREATE INDEX idx_files_roster_transfer_id ON files (roster_transfer_id);
CREATE INDEX idx_group_relays_group_member_id ON group_relays (group_member_id);
CREATE INDEX idx_group_relays_chat_relay_id ON group_relays (chat_relay_id);
CREATE INDEX idx_rcv_roster_transfers_group_id ON rcv_roster_transfers (group_id);
CREATE INDEX idx_rcv_roster_transfers_group_member_id ON rcv_roster_transfers (group_member_id);
CREATE INDEX idx_delivery_tasks_message_id ON delivery_tasks (message_id);
CREATE INDEX idx_delivery_tasks_sender_group_member_id ON delivery_tasks (sender_group_member_id);
