-- Takes away mentions.

DROP INDEX idx_chat_items_group_id_user_mention;

ALTER TABLE chat_items DROP COLUMN user_mention;

DROP TABLE chat_item_mentions;
