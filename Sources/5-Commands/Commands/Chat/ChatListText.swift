import Valise
import ValiseEncoding
import ValiseTerminal

/// The chats of an account as tables, one for each profile.
struct ChatListText {
    private let conversations: [Conversation]
    /// How many chats have a handle.
    private let handles: [String: Int]

    /// A chat with a longer handle is listed by its ID: all columns are to fit on a terminal.
    private static let longestHandle = 16

    init(_ conversations: [Conversation]) {
        self.conversations = conversations
        handles = conversations.reduce(into: [:]) { $0[$1.handle.lowercased(), default: 0] += 1 }
    }

    /// - Parameter width: of the terminal; nil for a file or pipe.
    func text(width: Int?) throws -> String {
        guard !conversations.isEmpty else { return "no chats" }
        var profiles: [Int64] = []
        for chat in conversations where !profiles.contains(chat.user) { profiles.append(chat.user) }
        let tables = try profiles.map { profile in
            let chats = conversations.filter { $0.user == profile }
            let table = try table(chats, width)
            return profiles.count > 1 ? "profile \(chats[0].userName.withoutControls)\n\n\(table)" : table
        }
        return tables.joined(separator: "\n\n")
    }

    private func table(_ chats: [Conversation], _ width: Int?) throws -> String {
        let columns = ["chat", "kind", "name", "messages", "unread", "first", "last"]
        let rows: [[Value]] = chats.map { chat in
            [
                .text(selector(of: chat)), .text(chat.kind.rawValue), .text(chat.name),
                .integer(chat.items), .integer(chat.unread), .text(chat.first?.dateText ?? ""),
                .text(chat.last?.dateText ?? ""),
            ]
        }
        let remarks = chats.map { chat in
            chat.hiding.map { "hidden in the app: \($0.rawValue.replacing("-", with: " "))" } ?? ""
        }
        return try TableRows.completeTable(columns, rows, width: width, flexible: 2, remarks: remarks)
    }

    /// What selects the chat, and no other one.
    private func selector(of chat: Conversation) -> String {
        let isShort = DisplayWidth.of(chat.handle) <= Self.longestHandle
        return chat.kind != .support && isShort && handles[chat.handle.lowercased()] == 1
            ? chat.handle : chat.key
    }
}
