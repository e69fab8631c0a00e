import ValiseDatabase

/// Writes the connections of contacts and members into both databases: the row in the chat database points
/// to the one in the agent's, which has queues and a ratchet.
struct ConnectionsWriter {
    private let chat: SampleDatabase
    private let agent: SampleDatabase
    private var generator: SampleGenerator
    private var nextID = 1

    static let servers = ["smp1.example.org", "smp2.example.org", "smp3.example.net"]
    static let keyHash = (0..<32).map { UInt8($0 * 7 % 251) }

    init(_ chat: SampleDatabase, _ agent: SampleDatabase, seed: UInt64) {
        self.chat = chat
        self.agent = agent
        generator = SampleGenerator(seed: seed, purpose: "connections")
    }

    /// The connection of a contact; those of members follow behind.
    static func connection(ofContact contact: Int) -> Int { contact }
    static func connection(ofMember member: Int) -> Int { 100 + member }

    consuming func write(_ contacts: [SampleContact], _ groups: [SampleGroup]) throws {
        try agentBase()
        try connect(contacts, groups)
        try address()
    }

    /// The connections of more contacts and members, after the first ones.
    mutating func connect(_ contacts: [SampleContact], _ groups: [SampleGroup]) throws {
        for contact in contacts where contact.status != "deletedByUser" {
            try connection(
                Self.connection(ofContact: contact.id), type: "contact", user: contact.user,
                column: "contact_id", owner: contact.id, incognito: contact.incognitoProfile,
                status: contact.status == "deleted" ? "deleted" : "ready")
        }
        for group in groups {
            for member in group.authors {
                try connection(
                    Self.connection(ofMember: member.id), type: "member", user: group.user,
                    column: "group_member_id", owner: member.id, incognito: nil, status: "ready")
            }
        }
    }

    private func agentBase() throws {
        for user in SampleUser.all { try agent.insert("users", at: nil, ["user_id": .number(user.id)]) }
        for server in Self.servers {
            try agent.insert(
                "servers", at: nil,
                ["host": .text(server), "port": "5223", "key_hash": .blob(Self.keyHash)])
        }
        // The migration put the real time here.
        let time = Value.time(.start)
        try agent.connection.run(
            "UPDATE servers_stats SET started_at = ?, created_at = ?, updated_at = ?", [time, time, time])
    }

    /// The user's address, with its own connection of the other mode.
    private mutating func address() throws {
        try chat.insert(
            "user_contact_links", at: .start,
            [
                "user_contact_link_id": 1, "user_id": 1,
                "conn_req_contact": "https://simplex.chat/contact#/?v=2-7&smp=sample", "auto_accept": 1,
                "auto_reply_msg_content": #"{"type":"text","text":"Hello! I answer in the evening."}"#,
            ])
        try connection(
            99, type: "user_contact", user: 1, column: "user_contact_link_id", owner: 1, incognito: nil,
            status: "ready")
    }

    private mutating func connection(
        _ id: Int, type: String, user: Int, column: String, owner: Int, incognito: Int?, status: String
    ) throws {
        let connection = generator.bytes(24)
        let isVerified = id % 5 == 2
        try chat.insert(
            "connections", at: .start,
            [
                "connection_id": .number(id), "agent_conn_id": .blob(connection),
                "conn_status": .text(status), "conn_type": .text(type), column: .number(owner),
                "user_id": .number(user), "custom_user_profile_id": .optional(incognito),
                "security_code": isVerified ? "38271 90412 55810 66392 10447 83320" : .null,
                "security_code_verified_at": isVerified ? .time(.start.adding(3600)) : .null,
                "pq_support": 1, "pq_encryption": .flag(id % 2 == 0),
            ])
        guard status == "ready" else { return }
        try agentConnection(connection, mode: type == "user_contact" ? "CON" : "INV", user: user)
    }

    private mutating func agentConnection(_ id: [UInt8], mode: String, user: Int) throws {
        let hash = generator.bytes(32)
        try agent.insert(
            "connections", at: nil,
            [
                "conn_id": .blob(id), "conn_mode": .text(mode), "user_id": .number(user),
                "last_internal_msg_id": 12, "last_internal_rcv_msg_id": 7, "last_internal_snd_msg_id": 5,
                "last_external_snd_msg_id": 7, "last_rcv_msg_hash": .blob(hash),
                "last_snd_msg_hash": .blob(generator.bytes(32)), "smp_agent_version": 7,
                "duplex_handshake": 1, "pq_support": 1,
            ])
        try queues(id, isAddress: mode == "CON")
        guard mode == "INV" else { return }
        try agent.insert(
            "ratchets", at: nil,
            [
                "conn_id": .blob(id), "ratchet_state": .blob(generator.bytes(900)), "e2e_version": 3,
            ])
        if nextID % 4 == 0 {
            try agent.insert(
                "skipped_messages", at: nil,
                [
                    "conn_id": .blob(id), "header_key": .blob(generator.bytes(32)), "msg_n": 3,
                    "msg_key": .blob(generator.bytes(48)),
                ])
        }
        try agent.insert(
            "encrypted_rcv_message_hashes", at: .start, ["conn_id": .blob(id), "hash": .blob(hash)])
        nextID += 1
    }

    private mutating func queues(_ id: [UInt8], isAddress: Bool) throws {
        let host = Value.text(Self.servers[nextID % Self.servers.count])
        try agent.insert(
            "rcv_queues", at: nil,
            [
                "host": host, "port": "5223", "rcv_id": .blob(generator.bytes(24)), "conn_id": .blob(id),
                "rcv_private_key": .blob(generator.bytes(48)), "rcv_dh_secret": .blob(generator.bytes(32)),
                "e2e_priv_key": .blob(generator.bytes(48)), "e2e_dh_secret": .blob(generator.bytes(32)),
                "snd_id": .blob(generator.bytes(24)), "snd_key": .blob(generator.bytes(44)),
                "status": "active", "rcv_queue_id": 1, "rcv_primary": 1, "smp_server_version": 15,
                "smp_client_version": 4, "queue_mode": isAddress ? "C" : "M",
            ])
        guard !isAddress else { return }
        try agent.insert(
            "snd_queues", at: nil,
            [
                "host": host, "port": "5223", "snd_id": .blob(generator.bytes(24)), "conn_id": .blob(id),
                "snd_private_key": .blob(generator.bytes(48)), "snd_public_key": .blob(generator.bytes(44)),
                "e2e_dh_secret": .blob(generator.bytes(32)), "status": "active", "snd_queue_id": 1,
                "snd_primary": 1, "smp_server_version": 15, "smp_client_version": 4, "queue_mode": "M",
            ])
    }
}
