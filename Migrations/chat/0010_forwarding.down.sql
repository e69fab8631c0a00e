-- Takes away what is known of forwarding and private routing.

DROP INDEX idx_chat_items_fwd_from_chat_item_id;
DROP INDEX idx_chat_items_fwd_from_group_id;
DROP INDEX idx_chat_items_fwd_from_contact_id;
DROP INDEX idx_chat_items_forwarded_by_group_member_id;
DROP INDEX idx_messages_forwarded_by_group_member_id;

ALTER TABLE messages DROP COLUMN forwarded_by_group_member_id;
ALTER TABLE chat_items DROP COLUMN include_in_history;
ALTER TABLE chat_items DROP COLUMN via_proxy;
ALTER TABLE chat_items DROP COLUMN fwd_from_chat_item_id;
ALTER TABLE chat_items DROP COLUMN fwd_from_group_id;
ALTER TABLE chat_items DROP COLUMN fwd_from_contact_id;
ALTER TABLE chat_items DROP COLUMN fwd_from_msg_dir;
ALTER TABLE chat_items DROP COLUMN fwd_from_chat_name;
ALTER TABLE chat_items DROP COLUMN fwd_from_tag;
ALTER TABLE chat_items DROP COLUMN forwarded_by_group_member_id;
