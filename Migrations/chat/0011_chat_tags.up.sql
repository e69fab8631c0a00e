-- The user's own tags, and which chats carry them.

CREATE TABLE chat_tags (
    chat_tag_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    chat_tag_text TEXT NOT NULL,
    chat_tag_emoji TEXT,
    tag_order INTEGER NOT NULL DEFAULT 0,
    UNIQUE (user_id, chat_tag_text)
) STRICT;

CREATE TABLE chat_tags_chats (
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE CASCADE,
    group_id INTEGER REFERENCES groups (group_id) ON DELETE CASCADE,
    chat_tag_id INTEGER NOT NULL REFERENCES chat_tags (chat_tag_id) ON DELETE CASCADE,
    CHECK ((contact_id IS NOT NULL) + (group_id IS NOT NULL) = 1),
    UNIQUE (contact_id, chat_tag_id),
    UNIQUE (group_id, chat_tag_id)
) STRICT;

CREATE INDEX idx_chat_tags_user_id_tag_order ON chat_tags (user_id, tag_order);
CREATE INDEX idx_chat_tags_chats_chat_tag_id ON chat_tags_chats (chat_tag_id);
