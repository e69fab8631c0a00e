-- Takes away the kind of content of items.

DROP INDEX idx_chat_items_group_id_msg_content_tag;
DROP INDEX idx_chat_items_contact_id_msg_content_tag;

ALTER TABLE chat_items DROP COLUMN item_viewed;
ALTER TABLE chat_items DROP COLUMN has_link;
ALTER TABLE chat_items DROP COLUMN msg_content_tag;
