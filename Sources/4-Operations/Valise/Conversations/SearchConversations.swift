import ValiseAccounts
package import ValiseChatLog
import ValiseConcurrency
import ValiseDatabase

/// Searches the texts of messages.
package struct SearchConversations: Operation {
    package var input: ConversationInput
    package var query: TextQuery
    /// At most so many of the latest; nil for all.
    package var most: Int?
    /// Whether the account's search index is used, which is made or brought up to date first.
    package var usesIndex: Bool
    /// Receives each hit as it is found.
    package var hit: @Sendable (Conversation, ConversationItem) throws -> Void

    package init(
        _ query: TextQuery, in input: ConversationInput, most: Int? = nil, usesIndex: Bool = false,
        hit: @escaping @Sendable (Conversation, ConversationItem) throws -> Void
    ) {
        self.query = query
        self.input = input
        self.most = most
        self.usesIndex = usesIndex
        self.hit = hit
    }

    /// - Throws: also whatever the receiver throws.
    package func run(in context: OperationContext) async throws -> SearchReport {
        let place = usesIndex ? try await IndexPlace(of: input, in: context) : nil
        return try await input.open(to: "search its messages", usesIndex ? .little : .allTexts, in: context) {
            [self] opened, progress in
            switch opened {
            case .export:
                let search = SearchRun(self, try ExportedLog(input.path))
                try search.run(search.conversations(), progress)
                return search.report
            case .account(let account):
                let log = try account.log(counts: false, progress)
                let search = SearchRun(self, log)
                let rows = try rows(of: account, place, context, progress)
                try search.run(search.conversations(), rows: rows, of: log, progress)
                return search.report
            case .session(let session):
                return try run(in: session, place, context, progress)
            }
        }
    }

    private func run(
        in session: SessionInput, _ place: IndexPlace?, _ context: OperationContext,
        _ progress: ProgressHandler
    ) throws -> SearchReport {
        guard let place else {
            let log = try session.verified(progress).log(counts: false)
            let search = SearchRun(self, log)
            let found = try log.find(query, progress: progress)
            try search.run(search.conversations(), found, of: log, progress)
            return search.report
        }
        let log = try session.log(counts: false)
        let (rows, state) = try session.index(place).rows(
            matching: query, { try session.verified(progress).log(counts: false).texts() }, progress: progress
        )
        if let note = SearchIndexNote(state) { context.events(.note(note)) }
        let search = SearchRun(self, log)
        try search.run(search.conversations(), try log.found(rows), of: log, progress)
        return search.report
    }

    /// The rows of an account that may match.
    private func rows(
        of account: ReadAccount, _ place: IndexPlace?, _ context: OperationContext,
        _ progress: ProgressHandler
    ) throws -> [Int64] {
        // What is packed in an archive can be read from its start only.
        let workers = account.reader.isArchive ? 1 : ParallelBatches.workers
        // For a reading of all texts. With an index that is up to date there is none.
        func open() throws -> TextRowsOpener {
            let database = try account.reader.precheck(
                .chat, passphrase: account.key.bytes, progress: progress)
            return { try ItemTextWorker { try database.connect() } }
        }
        guard let place else {
            return try ItemTextScan(workers: workers, try open()).rows(matching: query, progress: progress)
        }
        let index = try SearchIndex(
            in: place.folder, of: place.database, account.reader, passphrase: account.key.bytes)
        let (rows, state) = try index.rows(matching: query, workers: workers, open, progress: progress)
        if let note = SearchIndexNote(state) { context.events(.note(note)) }
        return rows
    }
}

/// A search under way.
private final class SearchRun {
    private let operation: SearchConversations
    private let source: any ConversationSource
    var report = SearchReport()

    init(_ operation: SearchConversations, _ source: any ConversationSource) {
        self.operation = operation
        self.source = source
    }

    func conversations() throws -> [Conversation] {
        try operation.input.conversations(of: source) { report.damaged.append($0.message) }
    }

    /// Looks at the items of an account of Session that may match.
    func run(
        _ conversations: [Conversation], _ found: FoundMessages, of log: SessionLog,
        _ progress: ProgressHandler
    ) throws {
        for conversation in conversations {
            try log.forEachItem(
                found, of: conversation, damaged: { report.damaged.append($0.message) },
                { try look(at: $0, in: conversation, of: Int64(found.count), progress) })
        }
    }

    /// Looks at the items of an account that may match.
    func run(
        _ conversations: [Conversation], rows: [Int64], of log: ChatLog, _ progress: ProgressHandler
    ) throws {
        guard rows.count <= FoundItems.most else { return try run(conversations, progress) }
        let found = try log.found(rows) { try progress(OperationProgress("searching", unit: .items)) }
        for conversation in conversations {
            try log.forEachItem(
                found, of: conversation, damaged: { report.damaged.append($0.message) },
                { try look(at: $0, in: conversation, of: Int64(rows.count), progress) })
        }
    }

    /// Looks at all items.
    func run(_ conversations: [Conversation], _ progress: ProgressHandler) throws {
        let count = conversations.reduce(0) { $0 + $1.items }
        let total = count > 0 ? count : nil
        for conversation in conversations {
            if let export = source as? ExportedLog {
                try export.forEachItem(
                    of: conversation, mayMatch: operation.query,
                    damaged: { report.damaged.append($0.message) },
                    { try look(at: $0, in: conversation, of: total, progress) })
            } else {
                try source.forEachItem(
                    of: conversation, newest: nil, damaged: { report.damaged.append($0.message) },
                    { try look(at: $0, in: conversation, of: total, progress) })
            }
        }
    }

    private func look(
        at item: ConversationItem, in conversation: Conversation, of total: Int64?,
        _ progress: ProgressHandler
    ) throws {
        report.searched += 1
        if report.searched % 4096 == 0 {
            try progress(
                OperationProgress("searching", completed: report.searched, total: total, unit: .items))
        }
        guard item.isShown, operation.query.matches(item.text), operation.input.items.contains(item) else {
            return
        }
        report.hits += 1
        if operation.most.map({ report.hits <= $0 }) ?? true { try operation.hit(conversation, item) }
    }
}

/// What a search found.
package struct SearchReport: OperationReport {
    package internal(set) var hits = 0
    /// How many items were read as a whole.
    package internal(set) var searched: Int64 = 0
    /// What is wrong with rows that could not be read.
    package internal(set) var damaged: [String] = []

    package var hasEntryErrors: Bool { !damaged.isEmpty }
}
