-- Settings of users, chats and apps: hidden profiles, receipts, themes, time to live of messages.

CREATE TABLE settings (
    settings_id INTEGER PRIMARY KEY,
    chat_item_ttl INTEGER,
    user_id INTEGER NOT NULL UNIQUE REFERENCES users (user_id) ON DELETE CASCADE,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE app_settings (
    app_settings TEXT NOT NULL
) STRICT;

ALTER TABLE users ADD COLUMN view_pwd_hash BLOB;
ALTER TABLE users ADD COLUMN view_pwd_salt BLOB;
ALTER TABLE users ADD COLUMN show_ntfs INTEGER NOT NULL DEFAULT 1;
ALTER TABLE users ADD COLUMN send_rcpts_contacts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN send_rcpts_small_groups INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN user_member_profile_updated_at TEXT;
ALTER TABLE users ADD COLUMN ui_themes TEXT;
ALTER TABLE users ADD COLUMN active_order INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN auto_accept_member_contacts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE contacts ADD COLUMN send_rcpts INTEGER;
ALTER TABLE contacts ADD COLUMN custom_data TEXT;
ALTER TABLE contacts ADD COLUMN ui_themes TEXT;
ALTER TABLE contacts ADD COLUMN chat_item_ttl INTEGER;
ALTER TABLE groups ADD COLUMN send_rcpts INTEGER;
ALTER TABLE groups ADD COLUMN custom_data TEXT;
ALTER TABLE groups ADD COLUMN ui_themes TEXT;
ALTER TABLE groups ADD COLUMN chat_item_ttl INTEGER;

UPDATE users
SET active_order = 1
WHERE active_user = 1;
