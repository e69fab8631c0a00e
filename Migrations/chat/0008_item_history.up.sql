-- Versions of edited items, reactions, moderation by members, and delivery to each member.

CREATE TABLE chat_item_versions (
    chat_item_version_id INTEGER PRIMARY KEY,
    chat_item_id INTEGER NOT NULL REFERENCES chat_items (chat_item_id) ON DELETE CASCADE,
    msg_content TEXT NOT NULL,
    item_version_ts TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE chat_item_reactions (
    chat_item_reaction_id INTEGER PRIMARY KEY,
    item_member_id BLOB,
    shared_msg_id BLOB NOT NULL,
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE CASCADE,
    group_id INTEGER REFERENCES groups (group_id) ON DELETE CASCADE,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE SET NULL,
    created_by_msg_id INTEGER REFERENCES messages (message_id) ON DELETE SET NULL,
    reaction TEXT NOT NULL,
    reaction_sent INTEGER NOT NULL,
    reaction_ts TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    CHECK ((contact_id IS NOT NULL) + (group_id IS NOT NULL) = 1)
) STRICT;

CREATE TABLE chat_item_moderations (
    chat_item_moderation_id INTEGER PRIMARY KEY,
    group_id INTEGER NOT NULL REFERENCES groups (group_id) ON DELETE CASCADE,
    moderator_member_id INTEGER NOT NULL REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    item_member_id BLOB NOT NULL,
    shared_msg_id BLOB NOT NULL,
    created_by_msg_id INTEGER REFERENCES messages (message_id) ON DELETE SET NULL,
    moderated_at TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE group_snd_item_statuses (
    group_snd_item_status_id INTEGER PRIMARY KEY,
    chat_item_id INTEGER NOT NULL REFERENCES chat_items (chat_item_id) ON DELETE CASCADE,
    group_member_id INTEGER NOT NULL REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    group_snd_item_status TEXT NOT NULL,
    via_proxy INTEGER,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (chat_item_id, group_member_id)
) STRICT;

ALTER TABLE chat_items ADD COLUMN item_deleted_by_group_member_id INTEGER
    REFERENCES group_members (group_member_id) ON DELETE SET NULL;

CREATE INDEX idx_chat_item_versions_chat_item_id ON chat_item_versions (chat_item_id, item_version_ts);
CREATE INDEX idx_chat_item_reactions_contact_id ON chat_item_reactions (contact_id, shared_msg_id);
CREATE INDEX idx_chat_item_reactions_group_id
    ON chat_item_reactions (group_id, shared_msg_id, item_member_id);
CREATE INDEX idx_chat_item_moderations_group_id
    ON chat_item_moderations (group_id, item_member_id, shared_msg_id);
CREATE INDEX idx_chat_items_item_deleted_by_group_member_id ON chat_items (item_deleted_by_group_member_id);
CREATE INDEX idx_chat_item_reactions_group_member_id ON chat_item_reactions (group_member_id);
CREATE INDEX idx_chat_item_reactions_created_by_msg_id ON chat_item_reactions (created_by_msg_id);
CREATE INDEX idx_chat_item_moderations_moderator_member_id ON chat_item_moderations (moderator_member_id);
CREATE INDEX idx_chat_item_moderations_created_by_msg_id ON chat_item_moderations (created_by_msg_id);
CREATE INDEX idx_group_snd_item_statuses_group_member_id ON group_snd_item_statuses (group_member_id);
