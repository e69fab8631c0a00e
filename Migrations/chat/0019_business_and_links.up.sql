-- Business chats, prepared chats with their links, bots, and richer profiles with badges.

ALTER TABLE users ADD COLUMN client_service INTEGER NOT NULL DEFAULT 0;
ALTER TABLE contact_profiles ADD COLUMN description TEXT;
ALTER TABLE contact_profiles ADD COLUMN chat_peer_type TEXT;
ALTER TABLE contact_profiles ADD COLUMN badge_type TEXT;
ALTER TABLE contact_profiles ADD COLUMN badge_proof BLOB;
ALTER TABLE contact_profiles ADD COLUMN badge_expires_at TEXT;
ALTER TABLE contact_profiles ADD COLUMN badge_verified_at TEXT;
ALTER TABLE contacts ADD COLUMN conn_full_link_to_connect TEXT;
ALTER TABLE contacts ADD COLUMN conn_short_link_to_connect TEXT;
ALTER TABLE contacts ADD COLUMN welcome_shared_msg_id BLOB;
ALTER TABLE contacts ADD COLUMN request_shared_msg_id BLOB;
ALTER TABLE contacts ADD COLUMN grp_direct_inv_link TEXT;
ALTER TABLE contacts ADD COLUMN grp_direct_inv_from_group_id INTEGER
    REFERENCES groups (group_id) ON DELETE SET NULL;
ALTER TABLE contacts ADD COLUMN grp_direct_inv_from_group_member_id INTEGER
    REFERENCES group_members (group_member_id) ON DELETE SET NULL;
ALTER TABLE contacts ADD COLUMN grp_direct_inv_started_connection INTEGER NOT NULL DEFAULT 0;
ALTER TABLE groups ADD COLUMN business_chat TEXT;
ALTER TABLE groups ADD COLUMN business_member_id BLOB;
ALTER TABLE groups ADD COLUMN customer_member_id BLOB;
ALTER TABLE groups ADD COLUMN conn_full_link_to_connect TEXT;
ALTER TABLE groups ADD COLUMN conn_short_link_to_connect TEXT;

CREATE INDEX idx_contacts_grp_direct_inv_from_group_id ON contacts (grp_direct_inv_from_group_id);
CREATE INDEX idx_contacts_grp_direct_inv_from_group_member_id
    ON contacts (grp_direct_inv_from_group_member_id);
