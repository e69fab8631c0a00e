-- Takes away the items of all chats and the private notes.

DROP INDEX idx_groups_chat_item_id;

ALTER TABLE groups DROP COLUMN chat_item_id;

DROP TABLE chat_item_messages;
DROP TABLE chat_items;
DROP TABLE note_folders;
