-- Takes away versions, reactions, moderations and delivery to members.

DROP INDEX idx_chat_items_item_deleted_by_group_member_id;

ALTER TABLE chat_items DROP COLUMN item_deleted_by_group_member_id;

DROP TABLE group_snd_item_statuses;
DROP TABLE chat_item_moderations;
DROP TABLE chat_item_reactions;
DROP TABLE chat_item_versions;
