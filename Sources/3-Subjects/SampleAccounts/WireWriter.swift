import ValiseDatabase
import ValiseEncoding

/// Writes recent messages as they went over the wire.
final class WireWriter {
    private let messages: RowInserter
    private let links: RowInserter
    private let deliveries: RowInserter
    private var count = 0

    init(_ chat: SampleDatabase) throws {
        let times = ["created_at", "updated_at"]
        messages = try RowInserter(
            chat, "messages",
            [
                "message_id", "msg_sent", "chat_msg_event", "msg_body", "connection_id", "group_id",
                "shared_msg_id", "author_group_member_id", "broker_ts",
            ] + times)
        links = try RowInserter(chat, "chat_item_messages", ["chat_item_id", "message_id"] + times)
        deliveries = try RowInserter(
            chat, "msg_deliveries",
            ["message_id", "connection_id", "agent_msg_id", "delivery_status", "chat_ts"] + times)
    }

    /// - Returns: the message's id; nil for notes, which go nowhere.
    func add(_ item: ItemRow, _ content: SampleMessage) throws -> Int? {
        guard item.chat.noteFolder == nil else { return nil }
        count += 1
        let body: OrderedJSON = [
            "v": "1-16", "msgId": .text(Base64URL.encode(item.sharedID)), "event": "x.msg.new",
            "params": ["content": content.json],
        ]
        let connection = item.chat.contact.map { ConnectionsWriter.connection(ofContact: $0) }
        try messages.add([
            .number(count), .flag(item.isSent), "x.msg.new", .text(body.line), .optional(connection),
            .optional(item.chat.group?.id), .blob(item.sharedID), .optional(item.member?.id),
            item.isSent ? .null : .time(item.time), .time(item.time), .time(item.time),
        ])
        if let connection {
            try deliveries.add([
                .number(count), .number(connection), .number(count),
                item.isSent ? "snd_sent" : "rcv_acknowledged", .time(item.time), .time(item.time),
                .time(item.time),
            ])
        }
        return count
    }

    func link(_ item: ItemRow, _ message: Int) throws {
        try links.add([.number(item.id), .number(message), .time(item.time), .time(item.time)])
    }
}

/// Sets the time of last activity of all chats, which sorts the chat list.
struct ChatTimes {
    private let chat: SampleDatabase

    init(_ chat: SampleDatabase) { self.chat = chat }

    func write() throws {
        for (table, key, time) in [
            ("contacts", "contact_id", "created_at"), ("groups", "group_id", "item_ts"),
            ("note_folders", "note_folder_id", "created_at"),
        ] {
            try chat.connection.execute(
                """
                UPDATE \(table)
                SET chat_ts = coalesce(
                    (SELECT max(i.\(time)) FROM chat_items AS i WHERE i.\(key) = \(table).\(key)), chat_ts)
                """)
        }
        try chat.connection.execute(
            """
            UPDATE group_members
            SET support_chat_ts = (
                SELECT max(i.item_ts) FROM chat_items AS i
                WHERE i.group_scope_group_member_id = group_members.group_member_id)
            WHERE support_chat_ts IS NOT NULL
            """)
    }
}
