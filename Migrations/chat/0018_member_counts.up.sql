-- Number of current members of each group, kept right by triggers.

CREATE TABLE group_member_status_predicates (
    member_status TEXT NOT NULL PRIMARY KEY,
    current_member INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

INSERT INTO group_member_status_predicates (member_status, current_member)
VALUES
    ('rejected', 0),
    ('removed', 0),
    ('left', 0),
    ('deleted', 0),
    ('unknown', 0),
    ('invited', 0),
    ('pending_approval', 0),
    ('pending_review', 0),
    ('introduced', 1),
    ('intro-inv', 1),
    ('accepted', 1),
    ('announced', 1),
    ('connected', 1),
    ('complete', 1),
    ('creator', 1);

ALTER TABLE groups ADD COLUMN summary_current_members_count INTEGER NOT NULL DEFAULT 0;

UPDATE groups
SET summary_current_members_count = (
    SELECT count(*)
    FROM group_members AS m
    JOIN group_member_status_predicates AS p ON p.member_status = m.member_status
    WHERE m.group_id = groups.group_id AND p.current_member = 1
);

CREATE INDEX idx_group_members_group_id_member_status ON group_members (group_id, member_status);

CREATE TRIGGER on_group_members_insert_update_summary
AFTER INSERT ON group_members
FOR EACH ROW
WHEN EXISTS (
    SELECT 1
    FROM group_member_status_predicates
    WHERE member_status = NEW.member_status AND current_member = 1
)
BEGIN
    UPDATE groups
    SET summary_current_members_count = summary_current_members_count + 1
    WHERE group_id = NEW.group_id;
END;

CREATE TRIGGER on_group_members_delete_update_summary
AFTER DELETE ON group_members
FOR EACH ROW
WHEN EXISTS (
    SELECT 1
    FROM group_member_status_predicates
    WHERE member_status = OLD.member_status AND current_member = 1
)
BEGIN
    UPDATE groups
    SET summary_current_members_count = summary_current_members_count - 1
    WHERE group_id = OLD.group_id;
END;

CREATE TRIGGER on_group_members_update_update_summary
AFTER UPDATE OF group_id, member_status ON group_members
FOR EACH ROW
WHEN OLD.group_id <> NEW.group_id OR OLD.member_status <> NEW.member_status
BEGIN
    UPDATE groups
    SET summary_current_members_count = summary_current_members_count - 1
    WHERE group_id = OLD.group_id
        AND EXISTS (
            SELECT 1
            FROM group_member_status_predicates
            WHERE member_status = OLD.member_status AND current_member = 1
        );
    UPDATE groups
    SET summary_current_members_count = summary_current_members_count + 1
    WHERE group_id = NEW.group_id
        AND EXISTS (
            SELECT 1
            FROM group_member_status_predicates
            WHERE member_status = NEW.member_status AND current_member = 1
        );
END;
