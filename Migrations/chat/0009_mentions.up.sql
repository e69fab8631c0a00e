-- Members who are mentioned in an item, and a mark on items that mention the user.

CREATE TABLE chat_item_mentions (
    chat_item_mention_id INTEGER PRIMARY KEY,
    chat_item_id INTEGER NOT NULL REFERENCES chat_items (chat_item_id) ON DELETE CASCADE,
    group_id INTEGER NOT NULL REFERENCES groups (group_id) ON DELETE CASCADE,
    member_id BLOB NOT NULL,
    display_name TEXT NOT NULL,
    UNIQUE (chat_item_id, display_name),
    UNIQUE (chat_item_id, member_id)
) STRICT;

ALTER TABLE chat_items ADD COLUMN user_mention INTEGER NOT NULL DEFAULT 0;

CREATE INDEX idx_chat_item_mentions_group_id_member_id ON chat_item_mentions (group_id, member_id);
CREATE INDEX idx_chat_items_group_id_user_mention ON chat_items (group_id, item_status)
    WHERE user_mention = 1;
