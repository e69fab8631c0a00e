package import SystemPackage
package import ValiseChatLog
import ValiseConcurrency
import ValiseEncoding
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
    /// Which files of items are exported, and how; nil for none.
    package var media: MediaChoice? = MediaChoice()
    /// What is kept back.
    package var redaction = ChatRedaction()

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
            let place = try ConversationExportPlace(
                target, updates: updates, fileSystem, request: redaction.isEmpty ? request : nil)
            do {
                var report = try export(opener, account, to: place.folder, progress, fileSystem)
                try place.publish()
                report.path = target.string
                try earlierForms(fileSystem).map { context.note($0) }
                return report
            } catch is Interruption {
                throw place.interruption
            } catch {
                context.note(place.note)
                throw error
            }
        }
        context.tell(report.entryFailures)
        return report
    }

    /// Forms that the export has, and that this update does not write again.
    private func earlierForms(_ fileSystem: FileSystem) throws -> EarlierFormsNote? {
        guard updates else { return nil }
        return EarlierFormsNote(
            try ViewFormat.allCases.filter { format in
                guard !formats.contains(format) else { return false }
                return try fileSystem.exists(target.appending(format.rawValue))
            })
    }

    /// What can be known before a passphrase is asked for.
    private func check(_ fileSystem: FileSystem) throws {
        if updates, !input.items.isEverything {
            throw OperationError(
                .invalid,
                "an update needs all messages: those left out would count as deleted. Nothing was changed.",
                subject: target.string)
        }
        try checkRedaction(fileSystem)
        try ConversationExportPlace.check(target, updates: updates, fileSystem)
        if formats.contains(.html) { _ = try ViewExport(templates: templates).pageTemplates() }
    }

    /// What decides which messages and files the folder gets, as text: what a killed run left is continued by the same request
    /// only, so that nothing of another one stays in the folder.
    private var request: String {
        let items = input.items
        let kinds = items.kinds.map(\.rawValue).sorted().joined(separator: ",")
        let mediaKinds = media?.kinds.map(\.rawValue).sorted().joined(separator: ",") ?? "none"
        let lines = [
            "\(input.path.string.debugDescription) \(input.prefix.debugDescription)",
            "\(input.selectors) \(input.includesHidden)",
            "\(items.since?.isoText ?? "") \(items.before?.isoText ?? "") \(kinds) \(items.hasFile)",
            "\(items.sender.debugDescription) \(items.leavesOutDeleted)",
            "\(mediaKinds) \(media?.largest.map(String.init) ?? "") \(media?.links ?? false)",
            formats.map(\.rawValue).sorted().joined(separator: ","),
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Pseudonyms are drawn anew for each export: kept anywhere, they would tell the names.
    private func checkRedaction(_ fileSystem: FileSystem) throws {
        guard redaction.isEmpty else {
            if updates {
                throw OperationError(
                    .invalid,
                    "a redacted export cannot be updated: pseudonyms would differ. Nothing was changed.",
                    subject: target.string)
            }
            if media?.links == true {
                throw OperationError(
                    .invalid,
                    "a redacted export cannot link to files of the account: their paths contain names",
                    subject: target.string)
            }
            return
        }
        guard updates, try ExportedLog.isThere(target, fileSystem: fileSystem) else { return }
        guard try ExportedLog(target, fileSystem: fileSystem).redacted.isEmpty else {
            throw OperationError(
                .invalid,
                "this export is redacted: an update would add what was left out. Nothing was changed.",
                subject: target.string)
        }
    }

    private func export(
        _ opener: ConversationOpener, _ account: ReadAccount?, to folder: FilePath,
        _ progress: ProgressHandler, _ fileSystem: FileSystem
    ) throws -> ConversationExportReport {
        var report = ConversationExportReport()
        let source = try opener()
        let wanted = try input.conversations(of: source) { report.damaged.append($0.message) }
        if updates { try checkOrigin(of: folder, source, wanted, progress, fileSystem) }
        let media = try exporter(of: source, account, to: folder, fileSystem)
        let export = ConversationExport(fileSystem: fileSystem)
        let written: ConversationExport.Report
        if media == nil, redaction.isEmpty {
            // What is packed in an archive is read from its start.
            let workers = account?.reader.isArchive == true ? 1 : ParallelBatches.workers
            written = try export.run(
                opening: opener, workers: workers, wanted, to: folder, selection: input.items,
                progress: progress)
        } else {
            // One after the other, so that the same copies get the same names each time, and names the same pseudonyms.
            let (shown, conversations) = try redacted(source, wanted, progress)
            written = try export.run(
                shown, conversations, to: folder,
                selection: redaction.isEmpty ? input.items : ItemSelection(),
                media: { file, item, conversation in
                    try media?.export(
                        file, of: item, in: conversation,
                        checkpoint: { try progress(OperationProgress("copying media")) })
                        ?? ExportedMedia(.leftOut)
                }, progress: progress)
            try media?.finish()
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

    private func checkOrigin(
        of folder: FilePath, _ source: any ConversationSource, _ wanted: [Conversation],
        _ progress: ProgressHandler, _ fileSystem: FileSystem
    ) throws {
        let origin = try ExportedAccount(of: ExportedLog(folder, fileSystem: fileSystem))
        let isAnother = try origin.isAnother(source, wanted) {
            try progress(OperationProgress("comparing with the export"))
        }
        guard !isAnother else {
            throw OperationError(
                .invalid,
                "this export is of another account: none of its messages is in this one. Nothing was changed.",
                subject: target.string)
        }
    }

    /// Nil where no files are exported: an export has none but its own.
    private func exporter(
        of source: any ConversationSource, _ account: ReadAccount?, to folder: FilePath,
        _ fileSystem: FileSystem
    ) throws -> ConversationMedia? {
        guard let media, !redaction.categories.contains(.media) else { return nil }
        let files: any ItemFiles
        if let log = source as? SessionLog {
            files = try log.files()
        } else if let log = source as? ChatLog, let account {
            files = try AccountItemFiles(log, account.reader.media)
        } else {
            return nil
        }
        return try ConversationMedia(files, to: folder, media, fileSystem: fileSystem)
    }

    private func redacted(
        _ source: any ConversationSource, _ conversations: [Conversation], _ progress: ProgressHandler
    ) throws -> (any ConversationSource, [Conversation]) {
        guard !redaction.isEmpty else { return (source, conversations) }
        let redacted = try RedactedSource(
            source, redaction, selection: input.items, progress: progress)
        return (redacted, conversations.map { redacted.redacted($0) })
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
    /// Files that the export refers to where they are in the account.
    package internal(set) var linked = 0
    /// Files whose content is in the export already, under another name.
    package internal(set) var duplicates = 0
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
        case path, added, gone, copied, copiedSize, linked, duplicates, media, damaged, problems
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
        linked = report.links
        duplicates = report.duplicates
        for (state, count) in report.counts { media[state.rawValue] = count }
        problems = report.problems.map { Problem(name: $0.name, message: $0.message) }
    }
}
