import ValiseDatabase

/// Writes settings, servers with their operator, and the chat tags.
struct SettingsWriter {
    private let chat: SampleDatabase
    private let agent: SampleDatabase
    private var generator: SampleGenerator

    init(_ chat: SampleDatabase, _ agent: SampleDatabase, seed: UInt64) {
        self.chat = chat
        self.agent = agent
        generator = SampleGenerator(seed: seed, purpose: "settings")
    }

    consuming func write() throws {
        for user in SampleUser.all {
            try chat.insert(
                "settings", at: .start,
                ["user_id": .number(user.id), "chat_item_ttl": user.isHidden ? 86_400 : .null])
        }
        let settings: OrderedJSON = [
            "appColorScheme": "system", "privacyEncryptLocalFiles": true, "networkProxyPort": 9050,
            "currentTheme": "LIGHT", "androidCallOnLockScreen": "show",
        ]
        try chat.insert("app_settings", at: nil, ["app_settings": .text(settings.line)])
        try servers()
        try tags()
        try transfers()
    }

    private func servers() throws {
        try chat.insert(
            "server_operators", at: .start,
            [
                "server_operator_id": 1, "server_operator_tag": "sample", "trade_name": "Sample Servers",
                "legal_name": "Sample Servers Ltd", "server_domains": "example.org,example.net",
            ])
        let conditions = "0123456789abcdef0123456789abcdef01234567"
        try chat.insert(
            "usage_conditions", at: .start,
            ["conditions_commit": .text(conditions), "notified_at": .time(.start)])
        try chat.connection.run(
            """
            INSERT INTO operator_usage_conditions
                (server_operator_id, server_operator_tag, conditions_commit, accepted_at, created_at)
            VALUES (1, 'sample', ?, ?, ?)
            """, [.text(conditions), .time(.start), .time(.start)])
        for (index, host) in (ConnectionsWriter.servers + ["xftp1.example.org"]).enumerated() {
            let isFiles = host.hasPrefix("xftp")
            try chat.insert(
                "protocol_servers", at: .start,
                [
                    "host": .text(host), "port": isFiles ? "443" : "5223",
                    "key_hash": .blob(ConnectionsWriter.keyHash), "protocol": isFiles ? "xftp" : "smp",
                    "preset": .flag(index == 0), "tested": index < 2 ? 1 : .null,
                    "enabled": .flag(index != 2), "user_id": 1,
                    "basic_auth": index == 1 ? "sample-password" : .null,
                ])
        }
    }

    private func tags() throws {
        let tags = [("Family", "🏠"), ("Work", "💼"), ("Later", "")]
        for (index, tag) in tags.enumerated() {
            try chat.insert(
                "chat_tags", at: nil,
                [
                    "chat_tag_id": .number(index + 1), "user_id": 1, "chat_tag_text": .text(tag.0),
                    "chat_tag_emoji": tag.1.isEmpty ? .null : .text(tag.1), "tag_order": .number(index),
                ])
        }
        for (column, chat, tag) in [
            ("contact_id", 2, 1), ("contact_id", 2, 2), ("contact_id", 5, 2), ("group_id", 1, 1),
        ] {
            try self.chat.insert(
                "chat_tags_chats", at: nil, [column: .number(chat), "chat_tag_id": .number(tag)])
        }
    }

    /// A file server and one transfer in each direction in the agent's database.
    private mutating func transfers() throws {
        try agent.insert(
            "xftp_servers", at: .start,
            [
                "xftp_server_id": 1, "xftp_host": "xftp1.example.org", "xftp_port": "443",
                "xftp_key_hash": .blob(ConnectionsWriter.keyHash),
            ])
        try agent.insert(
            "snd_files", at: .start,
            [
                "snd_file_id": 1, "snd_file_entity_id": .blob(generator.bytes(24)), "user_id": 1,
                "num_recipients": 1, "digest": .blob(generator.bytes(64)), "key": .blob(generator.bytes(32)),
                "nonce": .blob(generator.bytes(24)), "path": "photo_0001.jpg", "status": "complete",
            ])
        try agent.insert(
            "snd_file_chunks", at: .start,
            [
                "snd_file_chunk_id": 1, "snd_file_id": 1, "chunk_no": 1, "chunk_offset": 0,
                "chunk_size": 65_536, "digest": .blob(generator.bytes(32)),
            ])
        try agent.insert(
            "snd_file_chunk_replicas", at: .start,
            [
                "snd_file_chunk_id": 1, "replica_number": 1, "xftp_server_id": 1,
                "replica_id": .blob(generator.bytes(24)), "replica_key": .blob(generator.bytes(48)),
                "replica_status": "uploaded",
            ])
        try agent.insert(
            "rcv_files", at: .start,
            [
                "rcv_file_id": 1, "rcv_file_entity_id": .blob(generator.bytes(24)), "user_id": 1,
                "size": 65_536, "digest": .blob(generator.bytes(64)), "key": .blob(generator.bytes(32)),
                "nonce": .blob(generator.bytes(24)), "chunk_size": 65_536, "prefix_path": "rcv.xftp",
                "save_path": "rcv.xftp/part", "save_file_key": .blob(generator.bytes(32)),
                "save_file_nonce": .blob(generator.bytes(24)), "status": "receiving",
            ])
    }
}
