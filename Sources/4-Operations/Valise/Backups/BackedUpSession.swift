import ValiseEncoding
import ValiseSessionStore

/// What a snapshot says of the store of Session that it is of.
package struct BackedUpSession: Sendable, Encodable, Equatable {
    /// `session-desktop` or `session-ios`.
    package let kind: String
    /// Whether the database was opened with its key when it was backed up.
    package let databaseOpened: Bool
    /// The version of the schema; of iOS, how many migrations the database had seen. Nil where it was not opened.
    package let schema: Int64?
    package let conversations: Int64?
    package let messages: Int64?
    /// How many files of attachments there are.
    package let attachments: Int64

    init(_ facts: SessionFacts) {
        kind = facts.kind.rawValue
        databaseOpened = facts.isOpened
        schema = facts.schema
        conversations = facts.conversations
        messages = facts.messages
        attachments = facts.attachments
        name = facts.kind.name
    }

    /// In a sentence.
    private let name: String

    private enum CodingKeys: CodingKey {
        case kind, databaseOpened, schema, conversations, messages, attachments
    }

    /// One line.
    package var text: String {
        let counts = [
            conversations.map { Count.text($0, "conversation") }, messages.map { Count.text($0, "message") },
            Count.text(attachments, "attachment"), databaseOpened ? nil : "database not opened",
        ]
        return "\(name): \(counts.compactMap(\.self).joined(separator: ", "))"
    }
}
