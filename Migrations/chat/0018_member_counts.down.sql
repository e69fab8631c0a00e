-- Takes away the number of current members.

DROP TRIGGER on_group_members_update_update_summary;
DROP TRIGGER on_group_members_delete_update_summary;
DROP TRIGGER on_group_members_insert_update_summary;

DROP INDEX idx_group_members_group_id_member_status;

ALTER TABLE groups DROP COLUMN summary_current_members_count;

DROP TABLE group_member_status_predicates;
