-- Takes away chats of members with the admins.

DROP INDEX idx_chat_items_group_scope_group_member_id;
DROP INDEX idx_chat_items_group_scope;

ALTER TABLE chat_items DROP COLUMN group_scope_group_member_id;
ALTER TABLE chat_items DROP COLUMN group_scope_tag;
ALTER TABLE group_members DROP COLUMN support_chat_last_msg_from_member_ts;
ALTER TABLE group_members DROP COLUMN support_chat_items_mentions;
ALTER TABLE group_members DROP COLUMN support_chat_items_member_attention;
ALTER TABLE group_members DROP COLUMN support_chat_items_unread;
ALTER TABLE group_members DROP COLUMN support_chat_ts;
ALTER TABLE groups DROP COLUMN members_require_attention;
ALTER TABLE group_profiles DROP COLUMN member_admission;
