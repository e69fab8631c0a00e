/// Columns whose values only grow: of two copies of a row, that with the larger value is the later one.
package enum GrowingColumns {
    /// Those of numbers in a table of the agent database: a connection counts its messages.
    package static func counters(ofAgentTable table: String) -> Set<String> {
        guard AgentTable(rawValue: table) == .connections else { return [] }
        return [
            "last_internal_msg_id", "last_internal_rcv_msg_id", "last_internal_snd_msg_id",
            "last_external_snd_msg_id",
        ]
    }

    /// Those of times, in any table of the chat database.
    package static let timesOfChatTables: Set = ["updated_at", "chat_ts"]
}
