-- Private notes, one folder for each user, and the items of all chats with quotes and timers.

CREATE TABLE note_folders (
    note_folder_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    chat_ts TEXT NOT NULL DEFAULT (datetime('now')),
    favorite INTEGER NOT NULL DEFAULT 0,
    unread_chat INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

INSERT INTO note_folders (user_id)
SELECT user_id
FROM users
ORDER BY user_id;

CREATE TABLE chat_items (
    chat_item_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE CASCADE,
    group_id INTEGER REFERENCES groups (group_id) ON DELETE CASCADE,
    note_folder_id INTEGER REFERENCES note_folders (note_folder_id) ON DELETE CASCADE,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    chat_msg_id INTEGER,
    created_by_msg_id INTEGER REFERENCES messages (message_id) ON DELETE SET NULL,
    item_sent INTEGER NOT NULL,
    item_ts TEXT NOT NULL,
    item_deleted INTEGER NOT NULL DEFAULT 0,
    item_deleted_ts TEXT,
    item_content TEXT NOT NULL,
    item_content_tag TEXT,
    item_text TEXT NOT NULL,
    item_status TEXT NOT NULL,
    item_edited INTEGER,
    item_live INTEGER,
    shared_msg_id BLOB,
    quoted_shared_msg_id BLOB,
    quoted_sent_at TEXT,
    quoted_content TEXT,
    quoted_sent INTEGER,
    quoted_member_id BLOB,
    timed_ttl INTEGER,
    timed_delete_at TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    CHECK ((contact_id IS NOT NULL) + (group_id IS NOT NULL) + (note_folder_id IS NOT NULL) = 1)
) STRICT;

CREATE TABLE chat_item_messages (
    chat_item_id INTEGER NOT NULL REFERENCES chat_items (chat_item_id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL UNIQUE REFERENCES messages (message_id) ON DELETE CASCADE,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    PRIMARY KEY (chat_item_id, message_id)
) STRICT, WITHOUT ROWID;

ALTER TABLE groups ADD COLUMN chat_item_id INTEGER
    REFERENCES chat_items (chat_item_id) ON DELETE SET NULL;

CREATE INDEX idx_chat_items_contact_id_created_at ON chat_items (contact_id, created_at, chat_item_id);
CREATE INDEX idx_chat_items_note_folder_id_created_at
    ON chat_items (note_folder_id, created_at, chat_item_id);
CREATE INDEX idx_chat_items_group_id_item_ts ON chat_items (group_id, item_ts, chat_item_id);
CREATE INDEX idx_chat_items_contact_id_shared_msg_id ON chat_items (contact_id, shared_msg_id);
CREATE INDEX idx_chat_items_group_id_shared_msg_id ON chat_items (group_id, shared_msg_id, group_member_id);
CREATE INDEX idx_chat_items_user_id_item_status ON chat_items (user_id, item_status);
CREATE INDEX idx_chat_items_timed_delete_at ON chat_items (timed_delete_at)
    WHERE timed_delete_at IS NOT NULL;
CREATE INDEX idx_groups_chat_item_id ON groups (chat_item_id);
CREATE INDEX idx_note_folders_user_id ON note_folders (user_id);
CREATE INDEX idx_chat_items_group_member_id ON chat_items (group_member_id);
CREATE INDEX idx_chat_items_created_by_msg_id ON chat_items (created_by_msg_id);
