-- Chats of single members with the admins of a group, kept apart from the main chat.

ALTER TABLE group_profiles ADD COLUMN member_admission TEXT;
ALTER TABLE groups ADD COLUMN members_require_attention INTEGER NOT NULL DEFAULT 0;
ALTER TABLE group_members ADD COLUMN support_chat_ts TEXT;
ALTER TABLE group_members ADD COLUMN support_chat_items_unread INTEGER NOT NULL DEFAULT 0;
ALTER TABLE group_members ADD COLUMN support_chat_items_member_attention INTEGER NOT NULL DEFAULT 0;
ALTER TABLE group_members ADD COLUMN support_chat_items_mentions INTEGER NOT NULL DEFAULT 0;
ALTER TABLE group_members ADD COLUMN support_chat_last_msg_from_member_ts TEXT;
ALTER TABLE chat_items ADD COLUMN group_scope_tag TEXT;
ALTER TABLE chat_items ADD COLUMN group_scope_group_member_id INTEGER
    REFERENCES group_members (group_member_id) ON DELETE CASCADE;

CREATE INDEX idx_chat_items_group_scope
    ON chat_items (group_id, group_scope_tag, group_scope_group_member_id, item_ts, chat_item_id);
CREATE INDEX idx_chat_items_group_scope_group_member_id ON chat_items (group_scope_group_member_id);
