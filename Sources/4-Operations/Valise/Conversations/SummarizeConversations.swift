import Synchronization
import ValiseChatLog
import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding

/// Counts what conversations hold: by month, kind and author, and their files.
package struct SummarizeConversations: Operation {
    package var input: ConversationInput

    package init(_ input: ConversationInput) { self.input = input }

    package func run(in context: OperationContext) async throws -> ConversationStatistics {
        try await input.readAll(to: "count its messages", in: context) {
            [self] opener, account, progress in
            let source = try opener()
            var statistics = ConversationStatistics()
            let conversations = try input.conversations(of: source) { statistics.damaged.append($0.message) }
            let counted = try count(
                conversations, opener,
                workers: account?.reader.isArchive == true ? 1 : ParallelBatches.workers,
                progress)
            for (one, damaged) in counted {
                statistics.add(one)
                statistics.damaged += damaged
            }
            return statistics
        }
    }

    /// What one conversation holds, and what is wrong with its rows.
    private typealias Counted = (one: ConversationStatistics.One, damaged: [String])

    private func count(
        _ conversations: [Conversation], _ opener: ConversationOpener, workers: Int,
        _ progress: ProgressHandler
    ) throws -> [Counted] {
        let counted = Mutex([Counted?](repeating: nil, count: conversations.count))
        let done = Atomic<Int64>(0)
        let stop = Mutex<(any Error)?>(nil)
        // The largest first: else all others would wait for one that began last.
        let order = conversations.indices.sorted { conversations[$0].items > conversations[$1].items }
        let total = conversations.reduce(0) { $0 + $1.items }
        try ParallelBatches.run(count: order.count, workers: workers) {
            try opener()
        } work: { source, batch in
            let place = order[batch]
            let found = try count(conversations[place], of: source) { items in
                done.add(items, ordering: .relaxed)
                if let error = stop.withLock({ $0 }) { throw error }
            }
            counted.withLock { $0[place] = found }
        } report: { _ in
            do {
                let completed = done.load(ordering: .relaxed)
                try progress(OperationProgress("counting", completed: completed, total: total, unit: .items))
            } catch {
                stop.withLock { $0 = error }
                throw error
            }
        }
        return counted.withLock { $0.compactMap { $0 } }
    }

    private func count(
        _ conversation: Conversation, of source: any ConversationSource, _ look: (Int64) throws -> Void
    ) throws -> Counted {
        var counted: Counted = (ConversationStatistics.One(conversation), [])
        var items: Int64 = 0
        try source.forEachItem(
            of: conversation, newest: nil, damaged: { counted.damaged.append($0.message) },
            { item in
                items += 1
                if items % 1024 == 0 { try look(1024) }
                if item.isShown, input.items.contains(item) { counted.one.add(item) }
            })
        return counted
    }
}

/// What conversations hold, each and in all.
package struct ConversationStatistics: OperationReport {
    /// What was counted.
    package struct Counts: Encodable, Sendable {
        package internal(set) var messages: Int64 = 0
        package internal(set) var months: [String: Int64] = [:]
        package internal(set) var kinds: [String: Int64] = [:]
        package internal(set) var authors: [String: Int64] = [:]
        package internal(set) var files: Int64 = 0
        /// Of the files that their messages tell, in bytes.
        package internal(set) var fileSize: Int64 = 0
        /// How many are not there as far as their messages tell.
        package internal(set) var filesNotReceived: Int64 = 0
    }

    /// A file, for the list of the largest.
    package struct LargeFile: Encodable, Sendable {
        package let chat: String
        package let name: String
        package let size: Int64
    }

    /// Of one conversation.
    package struct One: Encodable, Sendable {
        package let id: String
        package let name: String
        package internal(set) var counts = Counts()
        var largest: [LargeFile] = []

        private enum CodingKeys: String, CodingKey { case id, name, counts }

        init(_ conversation: Conversation) {
            id = conversation.key
            name = conversation.name
        }

        mutating func add(_ item: ConversationItem) {
            counts.messages += 1
            counts.months[item.time.value.map { String($0.dateText.prefix(7)) } ?? "unknown", default: 0] += 1
            counts.kinds[item.kind.rawValue, default: 0] += 1
            if item.message != nil { counts.authors[item.author.name, default: 0] += 1 }
            guard let file = item.file else { return }
            counts.files += 1
            if !file.isReceived { counts.filesNotReceived += 1 }
            guard let size = file.size else { return }
            counts.fileSize = counts.fileSize.addingReportingOverflow(max(0, size)).partialValue
            largest.append(LargeFile(chat: name, name: file.name, size: size))
            if largest.count > 2 * ConversationStatistics.mostLargest {
                largest = ConversationStatistics.largest(of: largest)
            }
        }
    }

    package internal(set) var conversations: [One] = []
    package internal(set) var all = Counts()
    package internal(set) var largest: [LargeFile] = []
    /// What is wrong with rows that could not be read.
    package internal(set) var damaged: [String] = []

    static let mostLargest = 10

    private enum CodingKeys: String, CodingKey {
        case all, largest, damaged
        case conversations = "chats"
    }

    package var hasEntryErrors: Bool { !damaged.isEmpty }

    mutating func add(_ one: One) {
        conversations.append(one)
        all.messages += one.counts.messages
        all.months.merge(one.counts.months, uniquingKeysWith: +)
        all.kinds.merge(one.counts.kinds, uniquingKeysWith: +)
        all.authors.merge(one.counts.authors, uniquingKeysWith: +)
        all.files += one.counts.files
        all.fileSize = all.fileSize.addingReportingOverflow(one.counts.fileSize).partialValue
        all.filesNotReceived += one.counts.filesNotReceived
        largest = Self.largest(of: largest + one.largest)
    }

    static func largest(of files: [LargeFile]) -> [LargeFile] {
        Array(files.sorted { ($1.size, $0.name) < ($0.size, $1.name) }.prefix(mostLargest))
    }
}
