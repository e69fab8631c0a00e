-- Takes away groups and their members.

DROP INDEX idx_contacts_contact_group_member_id;

ALTER TABLE contacts DROP COLUMN contact_grp_inv_sent;
ALTER TABLE contacts DROP COLUMN contact_group_member_id;

DROP TABLE group_member_intros;
DROP TABLE group_members;
DROP TABLE groups;
DROP TABLE group_profiles;
