-- Groups, their profiles, their members, and who introduced whom.

CREATE TABLE group_profiles (
    group_profile_id INTEGER PRIMARY KEY,
    display_name TEXT NOT NULL,
    full_name TEXT NOT NULL DEFAULT '',
    short_descr TEXT,
    description TEXT,
    image TEXT,
    preferences TEXT,
    user_id INTEGER REFERENCES users (user_id) ON DELETE CASCADE,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE groups (
    group_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    local_display_name TEXT NOT NULL,
    group_profile_id INTEGER REFERENCES group_profiles (group_profile_id) ON DELETE SET NULL,
    enable_ntfs INTEGER NOT NULL DEFAULT 1,
    unread_chat INTEGER NOT NULL DEFAULT 0,
    local_alias TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (user_id, local_display_name)
) STRICT;

CREATE TABLE group_members (
    group_member_id INTEGER PRIMARY KEY,
    group_id INTEGER NOT NULL REFERENCES groups (group_id) ON DELETE CASCADE,
    member_id BLOB NOT NULL,
    member_role TEXT NOT NULL DEFAULT 'member',
    member_category TEXT NOT NULL,
    member_status TEXT NOT NULL,
    invited_by INTEGER REFERENCES contacts (contact_id) ON DELETE SET NULL,
    user_id INTEGER REFERENCES users (user_id) ON DELETE CASCADE,
    local_display_name TEXT NOT NULL,
    contact_profile_id INTEGER REFERENCES contact_profiles (contact_profile_id) ON DELETE SET NULL,
    member_profile_id INTEGER REFERENCES contact_profiles (contact_profile_id) ON DELETE SET NULL,
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE SET NULL,
    show_messages INTEGER NOT NULL DEFAULT 1,
    member_restriction TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (group_id, member_id)
) STRICT;

CREATE TABLE group_member_intros (
    group_member_intro_id INTEGER PRIMARY KEY,
    re_group_member_id INTEGER NOT NULL REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    to_group_member_id INTEGER NOT NULL REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    intro_status TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (re_group_member_id, to_group_member_id)
) STRICT;

ALTER TABLE contacts ADD COLUMN contact_group_member_id INTEGER
    REFERENCES group_members (group_member_id) ON DELETE SET NULL;
ALTER TABLE contacts ADD COLUMN contact_grp_inv_sent INTEGER NOT NULL DEFAULT 0;

CREATE INDEX idx_contacts_contact_group_member_id ON contacts (contact_group_member_id);
CREATE INDEX idx_group_profiles_user_id ON group_profiles (user_id);
CREATE INDEX idx_groups_group_profile_id ON groups (group_profile_id);
CREATE INDEX idx_group_members_invited_by ON group_members (invited_by);
CREATE INDEX idx_group_members_user_id ON group_members (user_id);
CREATE INDEX idx_group_members_contact_profile_id ON group_members (contact_profile_id);
CREATE INDEX idx_group_members_member_profile_id ON group_members (member_profile_id);
CREATE INDEX idx_group_members_contact_id ON group_members (contact_id);
CREATE INDEX idx_group_member_intros_to_group_member_id ON group_member_intros (to_group_member_id);
