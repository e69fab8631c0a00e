-- Time of last activity and favourites, so that the chat list can be sorted; filled from the items.

ALTER TABLE contacts ADD COLUMN chat_ts TEXT;
ALTER TABLE contacts ADD COLUMN favorite INTEGER NOT NULL DEFAULT 0;
ALTER TABLE contacts ADD COLUMN chat_deleted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE groups ADD COLUMN chat_ts TEXT;
ALTER TABLE groups ADD COLUMN favorite INTEGER NOT NULL DEFAULT 0;

UPDATE contacts
SET chat_ts = coalesce(
    (SELECT max(i.created_at) FROM chat_items AS i WHERE i.contact_id = contacts.contact_id),
    updated_at
);

UPDATE groups
SET chat_ts = coalesce(
    (SELECT max(i.item_ts) FROM chat_items AS i WHERE i.group_id = groups.group_id),
    updated_at
);

CREATE INDEX idx_contacts_user_id_chat_ts ON contacts (user_id, chat_ts);
CREATE INDEX idx_groups_user_id_chat_ts ON groups (user_id, chat_ts);
CREATE INDEX idx_note_folders_user_id_chat_ts ON note_folders (user_id, chat_ts);
