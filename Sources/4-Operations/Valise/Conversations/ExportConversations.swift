package import SystemPackage
package import ValiseChatLog
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// Exports conversations into a folder: as JSON lines, with their files, and in forms made of these.
///
/// A new export appears complete or not at all; what a killed run left beside its name is completed by the next one. An export
/// that is brought up to date keeps what the account no longer has, and marks it.
package struct ExportConversations: Operation {
    package var input: ConversationInput
    /// The folder of the export.
    package var target: FilePath
    /// The forms beside JSON lines.
    package var formats: [ViewFormat] = []
    /// A folder with files that replace those that pages are made with; nil for none.
    package var templates: FilePath?
    /// Whether an export that is there is brought up to date.
    package var updates = false
    /// Whether the files of items are copied.
    package var copiesMedia = true

    /// - Parameters:
    ///   - input: what is exported.
    ///   - target: the folder of the export.
    package init(_ input: ConversationInput, to target: FilePath) {
        self.input = input
        self.target = target
    }

    package func plan(in context: OperationContext) async throws -> ConversationExportPlan {
        try await context.blocking { [self] _ in try check(FileSystem()) }
        return try await input.read(to: "export its messages", in: context) { [self] source, _, _ in
            ConversationExportPlan(
                path: target.string, try input.conversations(of: source) { _ in }, formats, updates: updates)
        }
    }

    package func run(in context: OperationContext) async throws -> ConversationExportReport {
        try await context.blocking { [self] _ in try check(FileSystem()) }
        let report = try await input.readAll(to: "export its messages", in: context) {
            [self] opener, account, progress in
            let fileSystem = FileSystem()
            let place = try ExportPlace(target, updates: updates, fileSystem)
            var report = try export(opener, account, to: place.folder, progress, fileSystem)
            try place.publish()
            report.path = target.string
            return report
        }
        context.tell(report.entryFailures)
        return report
    }

    /// What can be known before a passphrase is asked for.
    private func check(_ fileSystem: FileSystem) throws {
        if updates, !input.items.isEverything {
            throw OperationError(
                .invalid,
                "an update takes all items: what is not selected would count as deleted. Nothing was changed.",
                subject: target.string)
        }
        try ExportPlace.check(target, updates: updates, fileSystem)
        if formats.contains(.html) { _ = try ViewExport(templates: templates).pageTemplates() }
    }

    private func export(
        _ opener: ConversationOpener, _ account: ReadAccount?, to folder: FilePath,
        _ progress: ProgressHandler, _ fileSystem: FileSystem
    ) throws -> ConversationExportReport {
        var report = ConversationExportReport()
        let source = try opener()
        let conversations = try input.conversations(of: source) { report.damaged.append($0.message) }
        let export = ConversationExport(fileSystem: fileSystem)
        var media: ConversationMedia?
        let written: ConversationExport.Report
        if copiesMedia, let account, let log = source as? ChatLog {
            let copies = try ConversationMedia(log, account.reader.media, to: folder, fileSystem: fileSystem)
            // One after the other, so that the same copies get the same names each time.
            written = try export.run(
                source, conversations, to: folder, selection: input.items,
                media: { file, item, conversation in
                    try copies.export(
                        file, of: item, in: conversation,
                        checkpoint: { try progress(OperationProgress("copying media")) })
                }, progress: progress)
            try copies.finish()
            media = copies
        } else {
            written = try export.run(
                opening: opener, conversations, to: folder, selection: input.items, progress: progress)
        }
        report.add(written)
        if let media { report.add(media) }
        // What was exported before is in them, too.
        let log = try ExportedLog(folder, fileSystem: fileSystem)
        let all = try log.conversations(includesHidden: true, damaged: { throw $0 })
        report.damaged += try ViewExport(templates: templates, fileSystem: fileSystem).run(
            log, all, formats, to: folder, progress: progress)
        return report
    }
}

/// Where an export is written: in its own folder where it is brought up to date, else beside its name until it is complete.
private struct ExportPlace {
    let folder: FilePath
    private let target: FilePath
    private let fileSystem: FileSystem
    private let lock: DirectoryLock

    init(_ target: FilePath, updates: Bool, _ fileSystem: FileSystem) throws {
        try Self.check(target, updates: updates, fileSystem)
        self.target = target
        self.fileSystem = fileSystem
        folder = updates ? target : PendingFile.partialPath(of: target)
        if !updates { try fileSystem.makeDirectories(folder) }
        guard let lock = try DirectoryLock(folder, .exclusive) else {
            throw OperationError(
                .inUse, "in use by another export. Nothing was changed.", subject: target.string)
        }
        self.lock = lock
    }

    static func check(_ target: FilePath, updates: Bool, _ fileSystem: FileSystem) throws {
        if updates {
            guard try ExportedLog.isThere(target, fileSystem: fileSystem) else {
                throw OperationError(
                    .notFound, "not an export of conversations. Nothing was changed.", subject: target.string)
            }
        } else if try fileSystem.exists(target) {
            throw OperationError(
                .alreadyExists, "already exists. Nothing was written.", subject: target.string)
        }
    }

    /// Gives a new export its name.
    func publish() throws {
        guard folder != target else { return }
        try fileSystem.synchronizeDirectory(folder)
        try fileSystem.renameExclusively(folder, to: target)
        try fileSystem.synchronizeDirectory(target.parentFolder)
        withExtendedLifetime(lock) {}
    }
}

/// What an export of conversations would write.
package struct ConversationExportPlan: Encodable, Sendable {
    /// The folder.
    package let path: String
    package let chats: Int
    package let messages: Int64
    /// The forms beside JSON lines.
    package let formats: [String]
    /// Whether an export that is there is brought up to date.
    package let updates: Bool

    init(path: String, _ conversations: [Conversation], _ formats: [ViewFormat], updates: Bool) {
        self.path = path
        chats = conversations.count
        messages = conversations.reduce(0) { $0 + $1.items }
        self.formats = formats.map(\.rawValue)
        self.updates = updates
    }
}

/// What an export of conversations wrote.
package struct ConversationExportReport: OperationReport {
    /// The folder.
    package internal(set) var path = ""
    package internal(set) var conversations = 0
    package internal(set) var items: Int64 = 0
    /// Not in the earlier export.
    package internal(set) var added: Int64 = 0
    /// No longer in the account, and kept.
    package internal(set) var gone: Int64 = 0
    package internal(set) var copied = 0
    /// In bytes.
    package internal(set) var copiedSize: Int64 = 0
    /// Files that are not there, by what is the matter.
    package internal(set) var media: [String: Int] = [:]
    /// What is wrong with items that could not be read.
    package internal(set) var damaged: [String] = []
    /// What is wrong with files.
    package internal(set) var problems: [Problem] = []

    /// A file that could not be copied.
    package struct Problem: Encodable, Sendable {
        package let name: String
        package let message: String
    }

    private enum CodingKeys: String, CodingKey {
        case path, added, gone, copied, copiedSize, media, damaged, problems
        case conversations = "chats"
        case items = "messages"
    }

    package var hasEntryErrors: Bool { !damaged.isEmpty || !problems.isEmpty }
    package var entryFailures: [EntryFailure] {
        problems.map { EntryFailure($0.name, Remark($0.message, remedy: nil)) }
    }

    mutating func add(_ report: ConversationExport.Report) {
        conversations = report.conversations
        items = report.items
        added = report.added
        gone = report.gone
        damaged += report.damaged
    }

    mutating func add(_ report: ConversationMedia) {
        copied = report.copied
        copiedSize = report.copiedSize
        for (state, count) in report.counts { media[state.rawValue] = count }
        problems = report.problems.map { Problem(name: $0.name, message: $0.message) }
    }
}
