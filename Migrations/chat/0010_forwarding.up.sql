-- Where a forwarded item came from, who passed a group message on, and use of private routing.

ALTER TABLE chat_items ADD COLUMN forwarded_by_group_member_id INTEGER
    REFERENCES group_members (group_member_id) ON DELETE SET NULL;
ALTER TABLE chat_items ADD COLUMN fwd_from_tag TEXT;
ALTER TABLE chat_items ADD COLUMN fwd_from_chat_name TEXT;
ALTER TABLE chat_items ADD COLUMN fwd_from_msg_dir INTEGER;
ALTER TABLE chat_items ADD COLUMN fwd_from_contact_id INTEGER
    REFERENCES contacts (contact_id) ON DELETE SET NULL;
ALTER TABLE chat_items ADD COLUMN fwd_from_group_id INTEGER
    REFERENCES groups (group_id) ON DELETE SET NULL;
ALTER TABLE chat_items ADD COLUMN fwd_from_chat_item_id INTEGER
    REFERENCES chat_items (chat_item_id) ON DELETE SET NULL;
ALTER TABLE chat_items ADD COLUMN via_proxy INTEGER;
ALTER TABLE chat_items ADD COLUMN include_in_history INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN forwarded_by_group_member_id INTEGER
    REFERENCES group_members (group_member_id) ON DELETE SET NULL;

CREATE INDEX idx_messages_forwarded_by_group_member_id ON messages (forwarded_by_group_member_id);
CREATE INDEX idx_chat_items_forwarded_by_group_member_id ON chat_items (forwarded_by_group_member_id);
CREATE INDEX idx_chat_items_fwd_from_contact_id ON chat_items (fwd_from_contact_id);
CREATE INDEX idx_chat_items_fwd_from_group_id ON chat_items (fwd_from_group_id);
CREATE INDEX idx_chat_items_fwd_from_chat_item_id ON chat_items (fwd_from_chat_item_id);
