-- Takes away tags.

DROP TABLE chat_tags_chats;
DROP TABLE chat_tags;
