-- User profiles, the contacts of each, what these show of themselves, and the names in use.

CREATE TABLE users (
    user_id INTEGER PRIMARY KEY,
    contact_id INTEGER NOT NULL UNIQUE
        REFERENCES contacts (contact_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    local_display_name TEXT NOT NULL UNIQUE,
    active_user INTEGER NOT NULL DEFAULT 0,
    agent_user_id INTEGER NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE contact_profiles (
    contact_profile_id INTEGER PRIMARY KEY,
    display_name TEXT NOT NULL,
    full_name TEXT NOT NULL DEFAULT '',
    short_descr TEXT,
    image TEXT,
    contact_link TEXT,
    local_alias TEXT NOT NULL DEFAULT '',
    preferences TEXT,
    user_id INTEGER REFERENCES users (user_id) ON DELETE CASCADE,
    incognito INTEGER NOT NULL DEFAULT 0,
    properties TEXT NOT NULL DEFAULT '{}',
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE contacts (
    contact_id INTEGER PRIMARY KEY,
    contact_profile_id INTEGER REFERENCES contact_profiles (contact_profile_id) ON DELETE SET NULL,
    user_id INTEGER NOT NULL
        REFERENCES users (user_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    local_display_name TEXT NOT NULL,
    is_user INTEGER NOT NULL DEFAULT 0,
    xcontact_id BLOB,
    enable_ntfs INTEGER NOT NULL DEFAULT 1,
    unread_chat INTEGER NOT NULL DEFAULT 0,
    contact_used INTEGER NOT NULL DEFAULT 0,
    user_preferences TEXT NOT NULL DEFAULT '{}',
    contact_status TEXT NOT NULL DEFAULT 'active',
    deleted INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (user_id, local_display_name),
    UNIQUE (user_id, xcontact_id)
) STRICT;

CREATE TABLE display_names (
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    local_display_name TEXT NOT NULL,
    ldn_base TEXT NOT NULL,
    ldn_suffix INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    PRIMARY KEY (user_id, local_display_name),
    UNIQUE (user_id, ldn_base, ldn_suffix)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_contact_profiles_user_id ON contact_profiles (user_id);
CREATE INDEX idx_contacts_contact_profile_id ON contacts (contact_profile_id);
