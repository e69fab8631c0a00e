package import ValiseChatLog
import ValiseDatabase

/// Reads the items of one conversation, or the last of them.
package struct ReadConversation: Operation {
    package var input: ConversationInput
    /// So many of the last items that are wanted; nil for all.
    package var newest: Int64?
    /// Receives the conversation, before its items.
    package var begin: @Sendable (Conversation) throws -> Void
    /// Receives each item in its order: memory does not grow with their number.
    package var item: @Sendable (ConversationItem) throws -> Void

    package init(
        _ input: ConversationInput, newest: Int64? = nil,
        begin: @escaping @Sendable (Conversation) throws -> Void,
        item: @escaping @Sendable (ConversationItem) throws -> Void
    ) {
        self.input = input
        self.newest = newest
        self.begin = begin
        self.item = item
    }

    /// - Throws: also whatever the receivers throw.
    package func run(in context: OperationContext) async throws -> ReadReport {
        var context = context
        // The items that come are progress enough.
        context.events = { [events = context.events] event in
            if case .progress = event { return }
            events(event)
        }
        return try await input.read(to: "read its messages", counts: false, in: context) {
            [self] source, _, progress in
            var damaged: [String] = []
            let conversation = try input.conversation(of: source) { damaged.append($0.message) }
            try begin(conversation)
            try read(conversation, of: source, damaged: { damaged.append($0.message) })
            return ReadReport(damaged: damaged)
        }
    }

    private func read(
        _ conversation: Conversation, of source: any ConversationSource,
        damaged: (DatabaseError) throws -> Void
    ) throws {
        let isWanted = { (item: ConversationItem) in item.isShown && input.items.contains(item) }
        guard let newest else {
            try source.forEachItem(
                of: conversation, newest: nil, damaged: damaged,
                { if isWanted($0) { try item($0) } })
            return
        }
        // What is left out does not count, so that more and more are looked at.
        var (looked, before) = (newest, Int64(-1))
        while true {
            var last: [ConversationItem] = []
            var seen: Int64 = 0
            var problems: [DatabaseError] = []
            try source.forEachItem(
                of: conversation, newest: looked, damaged: { problems.append($0) },
                { item in
                    seen += 1
                    if isWanted(item) { last.append(item) }
                })
            // An item with several files comes once and is looked for as often. How many there are is not known: to count
            // them takes longer than all else.
            let isAll = seen + Int64(problems.count) < looked / 2 || seen == before
            if last.count >= newest || isAll {
                for problem in problems { try damaged(problem) }
                for item in last.suffix(Int(newest)) { try self.item(item) }
                return
            }
            before = seen
            looked = looked.multipliedReportingOverflow(by: 4).partialValue
        }
    }
}

/// What a reading met beside items.
package struct ReadReport: OperationReport {
    /// What is wrong with rows that could not be read.
    package let damaged: [String]

    package var hasEntryErrors: Bool { !damaged.isEmpty }
}
