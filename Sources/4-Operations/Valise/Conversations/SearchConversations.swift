package import ValiseChatLog
import ValiseConcurrency
import ValiseDatabase

/// Searches the texts of messages.
package struct SearchConversations: Operation {
    package var input: ConversationInput
    package var query: TextQuery
    /// At most so many of the latest; nil for all.
    package var most: Int?
    /// Receives each hit as it is found.
    package var hit: @Sendable (Conversation, ConversationItem) throws -> Void

    package init(
        _ query: TextQuery, in input: ConversationInput, most: Int? = nil,
        hit: @escaping @Sendable (Conversation, ConversationItem) throws -> Void
    ) {
        self.query = query
        self.input = input
        self.most = most
        self.hit = hit
    }

    /// - Throws: also whatever the receiver throws.
    package func run(in context: OperationContext) async throws -> SearchReport {
        try await input.read(to: "search its messages", in: context) { [self] source, _, progress in
            var report = SearchReport()
            let conversations = try input.conversations(of: source) { report.damaged.append($0.message) }
            let total = conversations.reduce(0) { $0 + $1.items }
            for conversation in conversations {
                try source.forEachItem(
                    of: conversation, newest: nil, damaged: { report.damaged.append($0.message) },
                    { item in
                        report.searched += 1
                        if report.searched % 4096 == 0 {
                            try progress(
                                OperationProgress(
                                    "searching", completed: report.searched, total: total, unit: .items))
                        }
                        guard item.isShown, query.matches(item.text), input.items.contains(item) else {
                            return
                        }
                        report.hits += 1
                        if most.map({ report.hits <= $0 }) ?? true { try hit(conversation, item) }
                    })
            }
            return report
        }
    }
}

/// What a search found.
package struct SearchReport: OperationReport {
    package internal(set) var hits = 0
    /// How many items were looked at.
    package internal(set) var searched: Int64 = 0
    /// What is wrong with rows that could not be read.
    package internal(set) var damaged: [String] = []

    package var hasEntryErrors: Bool { !damaged.isEmpty }
}
