-- Files sent and received in chats, how they are encrypted here, and the state of transfers.

CREATE TABLE files (
    file_id INTEGER PRIMARY KEY,
    contact_id INTEGER REFERENCES contacts (contact_id) ON DELETE CASCADE,
    group_id INTEGER REFERENCES groups (group_id) ON DELETE CASCADE,
    note_folder_id INTEGER REFERENCES note_folders (note_folder_id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    chat_item_id INTEGER REFERENCES chat_items (chat_item_id) ON DELETE CASCADE,
    file_name TEXT NOT NULL,
    file_path TEXT,
    file_size INTEGER NOT NULL,
    chunk_size INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER,
    ci_file_status TEXT,
    file_inline TEXT,
    agent_snd_file_id BLOB,
    private_snd_file_descr TEXT,
    agent_snd_file_deleted INTEGER NOT NULL DEFAULT 0,
    protocol TEXT NOT NULL DEFAULT 'smp',
    file_crypto_key BLOB,
    file_crypto_nonce BLOB,
    redirect_file_id INTEGER REFERENCES files (file_id) ON DELETE CASCADE,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE xftp_file_descriptions (
    file_descr_id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    file_descr_text TEXT NOT NULL,
    file_descr_part_no INTEGER NOT NULL DEFAULT 0,
    file_descr_complete INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE extra_xftp_file_descriptions (
    extra_file_descr_id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL REFERENCES files (file_id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (user_id) ON DELETE CASCADE,
    file_descr_text TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE snd_files (
    snd_file_id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL REFERENCES files (file_id) ON DELETE CASCADE,
    connection_id INTEGER NOT NULL REFERENCES connections (connection_id) ON DELETE CASCADE,
    file_status TEXT NOT NULL,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    file_inline TEXT,
    file_descr_id INTEGER REFERENCES xftp_file_descriptions (file_descr_id) ON DELETE SET NULL,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (file_id, connection_id)
) STRICT;

CREATE TABLE rcv_files (
    file_id INTEGER PRIMARY KEY REFERENCES files (file_id) ON DELETE CASCADE,
    file_status TEXT NOT NULL,
    group_member_id INTEGER REFERENCES group_members (group_member_id) ON DELETE CASCADE,
    rcv_file_inline TEXT,
    file_inline TEXT,
    file_descr_id INTEGER REFERENCES xftp_file_descriptions (file_descr_id) ON DELETE SET NULL,
    agent_rcv_file_id BLOB,
    agent_rcv_file_deleted INTEGER NOT NULL DEFAULT 0,
    to_receive INTEGER,
    user_approved_relays INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT;

CREATE TABLE rcv_file_chunks (
    file_id INTEGER NOT NULL REFERENCES rcv_files (file_id) ON DELETE CASCADE,
    chunk_number INTEGER NOT NULL,
    chunk_agent_msg_id INTEGER,
    chunk_stored INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL DEFAULT (datetime('now')),
    updated_at TEXT NOT NULL DEFAULT (datetime('now')),
    PRIMARY KEY (file_id, chunk_number)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_files_contact_id ON files (contact_id);
CREATE INDEX idx_files_group_id ON files (group_id);
CREATE INDEX idx_files_note_folder_id ON files (note_folder_id);
CREATE INDEX idx_files_user_id ON files (user_id);
CREATE INDEX idx_files_chat_item_id ON files (chat_item_id);
CREATE INDEX idx_files_redirect_file_id ON files (redirect_file_id);
CREATE INDEX idx_xftp_file_descriptions_user_id ON xftp_file_descriptions (user_id);
CREATE INDEX idx_extra_xftp_file_descriptions_file_id ON extra_xftp_file_descriptions (file_id);
CREATE INDEX idx_extra_xftp_file_descriptions_user_id ON extra_xftp_file_descriptions (user_id);
CREATE INDEX idx_snd_files_connection_id ON snd_files (connection_id);
CREATE INDEX idx_snd_files_group_member_id ON snd_files (group_member_id);
CREATE INDEX idx_snd_files_file_descr_id ON snd_files (file_descr_id);
CREATE INDEX idx_rcv_files_group_member_id ON rcv_files (group_member_id);
CREATE INDEX idx_rcv_files_file_descr_id ON rcv_files (file_descr_id);
