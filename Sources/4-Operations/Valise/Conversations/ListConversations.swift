package import ValiseChatLog
import ValiseDatabase
import ValiseEncoding

/// Lists the conversations of an account or an export.
package struct ListConversations: Operation {
    package var input: ConversationInput

    package init(_ input: ConversationInput) { self.input = input }

    package func run(in context: OperationContext) async throws -> ConversationList {
        try await input.read(to: "list its conversations", in: context) { [input] source, _, _ in
            var damaged: [String] = []
            let found = try input.conversations(of: source) { damaged.append($0.message) }
            return ConversationList(conversations: found, damaged: damaged)
        }
    }
}

/// The conversations of an account, the one that was used last first.
package struct ConversationList: OperationReport {
    package let conversations: [Conversation]
    /// What is wrong with rows that could not be read.
    package let damaged: [String]

    package var hasEntryErrors: Bool { !damaged.isEmpty }

    private enum Key: String, CodingKey { case chats, damaged }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(conversations.map(ConversationDocument.init), forKey: .chats)
        if !damaged.isEmpty { try container.encode(damaged, forKey: .damaged) }
    }
}

/// A conversation in a document.
struct ConversationDocument: Encodable {
    let id: String
    let kind: String
    let name: String
    let localName: String
    let profile: String
    let hidden: String?
    let messageCount: Int64
    let unread: Int64
    let first: String?
    let last: String?

    init(_ conversation: Conversation) {
        id = conversation.key
        kind = conversation.kind.rawValue
        name = conversation.name
        localName = conversation.localName
        profile = conversation.userName
        hidden = conversation.hiding?.rawValue
        messageCount = conversation.items
        unread = conversation.unread
        first = conversation.first?.isoText
        last = conversation.last?.isoText
    }
}
