-- Takes away signatures and digests.

ALTER TABLE files DROP COLUMN file_digest;
ALTER TABLE chat_items DROP COLUMN item_signatures;
ALTER TABLE chat_items DROP COLUMN item_chat_binding;
ALTER TABLE chat_items DROP COLUMN item_msg_body;
ALTER TABLE chat_items DROP COLUMN msg_signed;
ALTER TABLE messages DROP COLUMN msg_signatures;
ALTER TABLE messages DROP COLUMN msg_chat_binding;
