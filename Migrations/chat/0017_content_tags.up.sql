-- Kind of content and presence of links in each item, filled from what is stored.

ALTER TABLE chat_items ADD COLUMN msg_content_tag TEXT;
ALTER TABLE chat_items ADD COLUMN has_link INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chat_items ADD COLUMN item_viewed INTEGER NOT NULL DEFAULT 0;

UPDATE chat_items
SET msg_content_tag = CASE
    WHEN json_valid(item_content) THEN coalesce(
        json_extract(item_content, '$.sndMsgContent.msgContent.type'),
        json_extract(item_content, '$.rcvMsgContent.msgContent.type')
    )
END;

UPDATE chat_items
SET has_link = 1
WHERE msg_content_tag = 'link'
    OR (msg_content_tag IS NOT NULL AND (item_text LIKE '%https://%' OR item_text LIKE '%http://%'));

UPDATE chat_items
SET item_viewed = 1
WHERE item_status = 'rcv_read';

CREATE INDEX idx_chat_items_contact_id_msg_content_tag
    ON chat_items (contact_id, msg_content_tag, created_at);
CREATE INDEX idx_chat_items_group_id_msg_content_tag ON chat_items (group_id, msg_content_tag, item_ts);
