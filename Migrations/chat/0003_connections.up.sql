-- Connections, the user's own addresses, and requests that came in through them.

CREATE TABLE user_contact_links (
    user_contact_link_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    local_display_name TEXT NOT NULL DEFAULT '',
    conn_req_contact TEXT NOT NULL,
    auto_accept INTEGER NOT NULL DEFAULT 0,
    auto_accept_incognito INTEGER NOT NULL DEFAULT 0,
    auto_reply_msg_content TEXT,
    group_id INTEGER REFERENCES groups (group_id) ON DELETE CASCADE,
    group_link_member_role TEXT,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (user_id, local_display_name)
) STRICT;

CREATE TABLE contact_requests (
    contact_request_id INTEGER PRIMARY KEY,
    user_contact_link_id INTEGER
        REFERENCES user_contact_links (user_contact_link_id) ON DELETE CASCADE,
    agent_invitation_id BLOB NOT NULL,
    contact_profile_id INTEGER REFERENCES contact_profiles (contact_profile_id) ON DELETE SET NULL,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    local_display_name TEXT NOT NULL,
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE CASCADE,
    xcontact_id BLOB,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (user_id, local_display_name)
) STRICT;

CREATE TABLE connections (
    connection_id INTEGER PRIMARY KEY,
    agent_conn_id BLOB NOT NULL UNIQUE,
    conn_level INTEGER NOT NULL DEFAULT 0,
    via_contact INTEGER REFERENCES contacts (contact_id) ON DELETE SET NULL,
    conn_status TEXT NOT NULL,
    conn_type TEXT NOT NULL,
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE CASCADE,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    user_contact_link_id INTEGER
        REFERENCES user_contact_links (user_contact_link_id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    custom_user_profile_id INTEGER
        REFERENCES contact_profiles (contact_profile_id) ON DELETE SET NULL,
    security_code TEXT,
    security_code_verified_at TEXT,
    local_alias TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE connections_sync (
    connections_sync_id INTEGER PRIMARY KEY,
    should_sync INTEGER NOT NULL DEFAULT 0,
    last_sync_ts TEXT
) STRICT;

INSERT INTO connections_sync (connections_sync_id) VALUES (1);

ALTER TABLE contacts ADD COLUMN contact_request_id INTEGER
    REFERENCES contact_requests (contact_request_id) ON DELETE SET NULL;

CREATE INDEX idx_contacts_contact_request_id ON contacts (contact_request_id);
CREATE INDEX idx_user_contact_links_group_id ON user_contact_links (group_id);
CREATE INDEX idx_contact_requests_user_contact_link_id ON contact_requests (user_contact_link_id);
CREATE INDEX idx_contact_requests_contact_profile_id ON contact_requests (contact_profile_id);
CREATE INDEX idx_contact_requests_contact_id ON contact_requests (contact_id);
CREATE INDEX idx_connections_via_contact ON connections (via_contact);
CREATE INDEX idx_connections_contact_id ON connections (contact_id);
CREATE INDEX idx_connections_group_member_id ON connections (group_member_id);
CREATE INDEX idx_connections_user_contact_link_id ON connections (user_contact_link_id);
CREATE INDEX idx_connections_user_id ON connections (user_id);
CREATE INDEX idx_connections_custom_user_profile_id ON connections (custom_user_profile_id);
