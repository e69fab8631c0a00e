import Synchronization
package import SystemPackage
package import ValiseConcurrency
import ValiseDatabase
package import ValiseEncoding
import ValiseFailures
package import ValiseFiles

/// Writes conversations as JSON lines into a folder, or brings such a folder up to date.
///
/// Each file is complete when it gets its name, the list of conversations last: a killed run leaves files of the earlier state
/// or of the new one, and another run completes them. Nothing that an export once had is lost: what the account no longer has is
/// kept and marked.
package struct ConversationExport {
    private let fileSystem: FileSystem
    private let time: UTCTime

    /// - Parameters:
    ///   - fileSystem: where it is written.
    ///   - time: of the export.
    package init(fileSystem: FileSystem = FileSystem(), time: UTCTime = .now) {
        self.fileSystem = fileSystem
        self.time = time
    }

    /// Says where the file of an item is in the export, and puts it there.
    package typealias MediaExporter = (ItemFile, ConversationItem, Conversation) throws -> ExportedMedia?

    /// What was written.
    package struct Report: Sendable {
        package var conversations = 0
        package var items: Int64 = 0
        /// Not in the earlier export.
        package var added: Int64 = 0
        /// In the earlier export only, and marked since now.
        package var gone: Int64 = 0
        /// What is wrong with rows that could not be read, at most a thousand of them.
        package var damaged: [String] = []
        package var damagedCount = 0

        private static let mostListed = 1000

        mutating func add(damaged message: String) {
            damagedCount += 1
            if damaged.count < Self.mostListed { damaged.append(message) }
        }

        mutating func add(_ other: Report) {
            conversations += other.conversations
            items += other.items
            added += other.added
            gone += other.gone
            damaged += other.damaged.prefix(Self.mostListed - damaged.count)
            damagedCount += other.damagedCount
        }
    }

    /// Writes all that is wanted.
    /// - Parameters:
    ///   - source: where the conversations are.
    ///   - conversations: those that are written.
    ///   - folder: the folder, which exists. Where it holds an export, that is brought up to date.
    ///   - selection: the items that are wanted. With an earlier export only everything can be.
    ///   - media: where a file is in the export.
    ///   - progress: sees the items; throw to stop.
    /// - Throws: `FileError`; `DatabaseError`; whatever `progress` throws.
    package func run(
        _ source: any ConversationSource, _ conversations: [Conversation], to folder: FilePath,
        selection: ItemSelection = ItemSelection(), media: MediaExporter = { _, _, _ in nil },
        progress: ProgressHandler = { _ in }
    ) throws -> Report {
        let isUpdate = try prepare(folder)
        var counter = ItemCounter(conversations)
        var report = Report()
        for conversation in conversations {
            report.add(
                try write(conversation, of: source, isUpdate: isUpdate, to: folder, selection, media) {
                    try counter.add($0, progress)
                })
        }
        try writeList(source, conversations, isUpdate: isUpdate, to: folder)
        return report
    }

    /// Writes all that is wanted without files, several conversations at a time.
    /// - Parameters:
    ///   - open: opens where the conversations are, for a thread.
    ///   - workers: how many threads share the work.
    ///   - conversations: those that are written.
    ///   - folder: the folder, which exists. Where it holds an export, that is brought up to date.
    ///   - selection: the items that are wanted. With an earlier export only everything can be.
    ///   - progress: sees the items; throw to stop.
    /// - Throws: as for one at a time.
    package func run(
        opening open: @Sendable () throws -> any ConversationSource,
        workers: Int = ParallelBatches.workers, _ conversations: [Conversation], to folder: FilePath,
        selection: ItemSelection = ItemSelection(),
        progress: ProgressHandler = { _ in }
    ) throws -> Report {
        let isUpdate = try prepare(folder)
        let reports = Mutex([Report?](repeating: nil, count: conversations.count))
        let written = Atomic<Int64>(0)
        let stop = Mutex<(any Error)?>(nil)
        // The largest first: else all others would wait for one that began last.
        let order = conversations.indices.sorted { conversations[$0].items > conversations[$1].items }
        let counter = ItemCounter(conversations)
        try ParallelBatches.run(count: order.count, workers: workers) {
            try open()
        } work: { source, batch in
            let conversation = conversations[order[batch]]
            let leftOut: MediaExporter = { _, _, _ in ExportedMedia(.leftOut) }
            let report = try write(
                conversation, of: source, isUpdate: isUpdate, to: folder, selection, leftOut
            ) { items in
                written.add(items, ordering: .relaxed)
                if let error = stop.withLock({ $0 }) { throw error }
            }
            reports.withLock { $0[order[batch]] = report }
        } report: { _ in
            do {
                try counter.report(written.load(ordering: .relaxed), progress)
            } catch {
                stop.withLock { $0 = error }
                throw error
            }
        }
        var report = Report()
        for one in reports.withLock({ $0 }) { one.map { report.add($0) } }
        try writeList(open(), conversations, isUpdate: isUpdate, to: folder)
        return report
    }

    /// - Returns: whether the folder holds an earlier export.
    private func prepare(_ folder: FilePath) throws -> Bool {
        let isUpdate = try ExportedLog.isThere(folder, fileSystem: fileSystem)
        if isUpdate {
            // Before anything is written: the list is written anew, without what cannot be read in it.
            let log = try ExportedLog(folder, fileSystem: fileSystem)
            _ = try log.conversations(includesHidden: true, damaged: { throw $0 })
        }
        try fileSystem.makeDirectories(folder.appending(ExportedLog.itemsFolder))
        return isUpdate
    }

    // MARK: Items

    /// How many items are written before they are counted.
    private static let counted = 1024

    /// - Parameter progress: gets the number of items that were written since it was called last.
    private func write(
        _ conversation: Conversation, of source: any ConversationSource, isUpdate: Bool, to folder: FilePath,
        _ selection: ItemSelection, _ media: MediaExporter, _ progress: (Int64) throws -> Void
    ) throws -> Report {
        let path = ExportedLog.itemsPath(of: conversation.key, in: folder)
        let output = try LineOutput(path, fileSystem)
        var lines = JSONLineWriter()
        let hasEarlier = try isUpdate && fileSystem.exists(path)
        let earlier = hasEarlier ? try EarlierItems(path, fileSystem) : nil
        var merge = try merge(isOrderedByTime: source.isOrderedByTime(conversation), earlier) { item in
            try output.write(lines.line(of: item, in: conversation.key))
        }
        var report = Report()
        report.conversations = 1
        var (items, counted) = (0, report)
        try source.forEachItem(
            of: conversation, newest: nil, damaged: { counted.add(damaged: $0.message) },
            { item in
                guard selection.contains(item) else { return }
                var item = item
                if let file = item.file {
                    let exported = try media(file, item, conversation)
                    item.file?.exported = exported
                }
                try merge.add(item)
                items += 1
                if items % Self.counted == 0 { try progress(Int64(Self.counted)) }
            })
        try merge.end()
        if let message = try earlier?.finish() { counted.add(damaged: message) }
        try output.finish()
        try progress(Int64(items % Self.counted))
        report = counted
        report.items = Int64(items)
        report.added = Int64(merge.counts.added)
        report.gone = Int64(merge.counts.gone)
        return report
    }

    private func merge(
        isOrderedByTime: Bool, _ earlier: EarlierItems?,
        _ output: @escaping (ConversationItem) throws -> Void
    ) throws -> LogMerge {
        guard let earlier else {
            return try LogMerge(
                isOrderedByTime: isOrderedByTime, gone: "", nextEarlier: { nil }, output: output)
        }
        return try LogMerge(
            isOrderedByTime: isOrderedByTime, gone: time.jsonText, nextEarlier: earlier.next, output: output)
    }

    // MARK: The list

    /// Conversations that the account no longer has stay in the list.
    private func writeList(
        _ source: any ConversationSource, _ conversations: [Conversation], isUpdate: Bool,
        to folder: FilePath
    ) throws {
        let earlier = isUpdate ? try ExportedLog(folder, fileSystem: fileSystem) : nil
        let output = try LineOutput(folder.appending(ExportedLog.listName), fileSystem)
        var lines = JSONLineWriter()
        try output.write(lines.header(program: source.program, time: time, redacted: source.redacted))
        for conversation in conversations { try output.write(lines.line(of: conversation)) }
        let keys = Set(conversations.map(\.key))
        let others = try earlier?.conversations(includesHidden: true, damaged: { throw $0 }) ?? []
        for other in others where !keys.contains(other.key) { try output.write(lines.line(of: other)) }
        try output.finish()
        try fileSystem.synchronizeDirectory(folder)
    }
}

/// Tells how far an export is.
private struct ItemCounter {
    private let total: Int64
    private var done: Int64 = 0

    init(_ conversations: [Conversation]) { total = conversations.reduce(0) { $0 + $1.items } }

    mutating func add(_ items: Int64, _ progress: ProgressHandler) throws {
        done += items
        try report(done, progress)
    }

    func report(_ done: Int64, _ progress: ProgressHandler) throws {
        try progress(OperationProgress("exporting messages", completed: done, total: total, unit: .items))
    }
}

/// A file that is written beside its name, and gets it when it is complete.
package final class LineOutput {
    private let path: FilePath
    private let pending: PendingFile
    private var file: OpenFile
    private var buffer: [UInt8] = []

    private static let capacity = 1 << 20

    /// - Throws: `FileError`.
    package init(_ path: FilePath, _ fileSystem: FileSystem) throws(FileError) {
        self.path = path
        pending = try PendingFile(path, fileSystem: fileSystem)
        file = try pending.open()
        buffer.reserveCapacity(Self.capacity + (64 << 10))
    }

    /// - Throws: `FileError`.
    package func write(_ bytes: [UInt8]) throws(FileError) {
        buffer += bytes
        if buffer.count >= Self.capacity { try flush() }
    }

    private func flush() throws(FileError) {
        do throws(FileError) {
            try file.write(buffer)
        } catch {
            throw error.named(path, insteadOf: pending.partial)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Makes it durable, and gives it its name.
    /// - Throws: `FileError`.
    package func finish() throws(FileError) {
        try flush()
        try file.synchronize()
        try pending.publish(replacing: true)
    }
}
