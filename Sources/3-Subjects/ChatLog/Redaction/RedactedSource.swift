package import ValiseConcurrency
package import ValiseDatabase

/// The conversations of another source, redacted: whatever is made of it has nothing else.
package final class RedactedSource: ConversationSource {
    private let source: any ConversationSource
    private let redactor: ItemRedactor
    private let originals: [String: Conversation]
    private let selection: ItemSelection

    package let program: String
    package let redacted: [String]

    /// Reads all names first, where these are kept back.
    /// - Parameters:
    ///   - source: what is redacted.
    ///   - redaction: what is kept back.
    ///   - selection: the items that are wanted, by the real names of senders.
    ///   - progress: sees the items; throw to stop.
    /// - Throws: `DatabaseError`; whatever `progress` throws.
    package init(
        _ source: any ConversationSource, _ redaction: ChatRedaction,
        selection: ItemSelection = ItemSelection(), progress: ProgressHandler = { _ in }
    ) throws {
        self.source = source
        self.selection = selection
        program = source.program
        redacted = source.redacted + redaction.words.filter { !source.redacted.contains($0) }
        let all = try source.conversations(includesHidden: true, damaged: { _ in })
        let hidesNames = redaction.categories.contains(.names)
        let names = hidesNames ? try NameCollector(source, all, progress: progress).pseudonyms : Pseudonyms()
        let redactor = ItemRedactor(redaction, names)
        originals = Dictionary(
            all.map { (redactor.conversation($0).key, $0) }, uniquingKeysWith: { first, _ in first })
        self.redactor = redactor
    }

    package func users() throws -> [LogUser] {
        try source.users().map {
            LogUser(id: $0.id, name: redactor.name($0.name), isActive: $0.isActive, isHidden: $0.isHidden)
        }
    }

    package func conversations(
        includesHidden: Bool, damaged: (DatabaseError) throws -> Void
    ) throws -> [Conversation] {
        try source.conversations(includesHidden: includesHidden, damaged: damaged).map(redactor.conversation)
    }

    package func isOrderedByTime(_ conversation: Conversation) -> Bool {
        source.isOrderedByTime(conversation)
    }

    /// A conversation of the other source as this one has it.
    package func redacted(_ conversation: Conversation) -> Conversation {
        redactor.conversation(conversation)
    }

    package func forEachItem(
        of conversation: Conversation, newest: Int64?, damaged: (DatabaseError) throws -> Void,
        _ body: (ConversationItem) throws -> Void
    ) throws {
        // Its items are made with the names that it has in the other source.
        guard let original = originals[conversation.key] else { return }
        try source.forEachItem(
            of: original, newest: newest, damaged: damaged,
            { if selection.contains($0) { try body(redactor.item($0)) } })
    }
}
