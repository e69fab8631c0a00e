-- Takes away channels and relays.

DROP INDEX idx_files_roster_transfer_id;
DROP INDEX idx_files_group_id_shared_msg_id;
DROP INDEX idx_group_members_group_id_index_in_group;

ALTER TABLE files DROP COLUMN roster_transfer_id;
ALTER TABLE files DROP COLUMN file_type;
ALTER TABLE files DROP COLUMN shared_msg_id;
ALTER TABLE chat_items DROP COLUMN show_group_as_sender;
ALTER TABLE group_members DROP COLUMN removed_at;
ALTER TABLE group_members DROP COLUMN member_pub_key;
ALTER TABLE group_members DROP COLUMN member_relations_vector;
ALTER TABLE group_members DROP COLUMN index_in_group;
ALTER TABLE groups DROP COLUMN member_priv_key;
ALTER TABLE groups DROP COLUMN root_pub_key;
ALTER TABLE groups DROP COLUMN root_priv_key;
ALTER TABLE groups DROP COLUMN roster_updated_at;
ALTER TABLE groups DROP COLUMN roster_version;
ALTER TABLE groups DROP COLUMN relay_request_failed;
ALTER TABLE groups DROP COLUMN relay_request_link;
ALTER TABLE groups DROP COLUMN relay_own_status;
ALTER TABLE groups DROP COLUMN public_member_count;
ALTER TABLE groups DROP COLUMN use_relays;
ALTER TABLE group_profiles DROP COLUMN group_domain;
ALTER TABLE group_profiles DROP COLUMN group_web_page;
ALTER TABLE group_profiles DROP COLUMN public_group_id;
ALTER TABLE group_profiles DROP COLUMN group_link;
ALTER TABLE group_profiles DROP COLUMN group_type;
ALTER TABLE users DROP COLUMN is_user_chat_relay;

DROP TABLE delivery_jobs;
DROP TABLE delivery_tasks;
DROP TABLE rcv_roster_transfers;
DROP TABLE group_relays;
DROP TABLE chat_relays;
