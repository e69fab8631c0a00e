-- Signatures of messages and items, what they bind to, and digests of files.

ALTER TABLE messages ADD COLUMN msg_chat_binding TEXT;
ALTER TABLE messages ADD COLUMN msg_signatures BLOB;
ALTER TABLE chat_items ADD COLUMN msg_signed TEXT;
ALTER TABLE chat_items ADD COLUMN item_msg_body BLOB;
ALTER TABLE chat_items ADD COLUMN item_chat_binding TEXT;
ALTER TABLE chat_items ADD COLUMN item_signatures BLOB;
ALTER TABLE files ADD COLUMN file_digest BLOB;
