-- Takes away the order of the chat list.

DROP INDEX idx_note_folders_user_id_chat_ts;
DROP INDEX idx_groups_user_id_chat_ts;
DROP INDEX idx_contacts_user_id_chat_ts;

ALTER TABLE groups DROP COLUMN favorite;
ALTER TABLE groups DROP COLUMN chat_ts;
ALTER TABLE contacts DROP COLUMN chat_deleted;
ALTER TABLE contacts DROP COLUMN favorite;
ALTER TABLE contacts DROP COLUMN chat_ts;
