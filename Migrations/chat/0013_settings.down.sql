-- Takes away settings.

ALTER TABLE groups DROP COLUMN chat_item_ttl;
ALTER TABLE groups DROP COLUMN ui_themes;
ALTER TABLE groups DROP COLUMN custom_data;
ALTER TABLE groups DROP COLUMN send_rcpts;
ALTER TABLE contacts DROP COLUMN chat_item_ttl;
ALTER TABLE contacts DROP COLUMN ui_themes;
ALTER TABLE contacts DROP COLUMN custom_data;
ALTER TABLE contacts DROP COLUMN send_rcpts;
ALTER TABLE users DROP COLUMN auto_accept_member_contacts;
ALTER TABLE users DROP COLUMN active_order;
ALTER TABLE users DROP COLUMN ui_themes;
ALTER TABLE users DROP COLUMN user_member_profile_updated_at;
ALTER TABLE users DROP COLUMN send_rcpts_small_groups;
ALTER TABLE users DROP COLUMN send_rcpts_contacts;
ALTER TABLE users DROP COLUMN show_ntfs;
ALTER TABLE users DROP COLUMN view_pwd_salt;
ALTER TABLE users DROP COLUMN view_pwd_hash;

DROP TABLE app_settings;
DROP TABLE settings;
