package import SystemPackage
package import ValiseChatLog
import ValiseConcurrency
package import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// Merges what several devices of an account of Session have into one export of chats, each message once.
///
/// In `merge.jsonl` of the export is from which device what came, and where they contradict each other. The export appears complete
/// or not at all. The same stores give the same files, whatever their order, but for the time in the header.
package struct MergeSessions: Operation {
    /// Profiles of Session Desktop, folders and backups of Session iOS.
    package var stores: [FilePath]
    /// The folder of the export.
    package var target: FilePath
    /// Each is tried on every store that needs a password or a key; where none opens it, the user is asked.
    package var secrets: [PassphraseSource] = []
    /// Also messages that the app would have removed by now.
    package var includesExpired = false
    /// Which files of messages are exported; nil for none. There are no links to files.
    package var media: MediaChoice? = MediaChoice()
    /// By which messages are expired, and the time of the export.
    package var now = UTCTime.now

    /// - Parameters:
    ///   - stores: at least one.
    ///   - target: the folder of the export.
    package init(_ stores: [FilePath], to target: FilePath) {
        self.stores = stores
        self.target = target
    }

    private static let purpose = "merge its messages"

    package func plan(in context: OperationContext) async throws -> SessionMergePlan {
        let access = try await open(in: context)
        return try await context.blocking { [self] progress in
            let merged = try access.merged()
            let stores = try MergedStoreReport.all(access, merged)
            let found = try Self.compare(merged, stores, progress, damaged: { _ in })
            return SessionMergePlan(
                path: target.string, stores: stores, chats: found.count,
                messages: found.reduce(0) { $0 + $1.messages }, shared: try merged.sharedMessages())
        }
    }

    package func run(in context: OperationContext) async throws -> SessionMergeReport {
        let access = try await open(in: context)
        let report = try await context.blocking { [self] progress in
            // Before anything is written: stores of different accounts are refused.
            let merged = try access.merged()
            let place = try ConversationExportPlace(
                target, updates: false, FileSystem(), request: request(access))
            do {
                var report = try export(merged, access, to: place.folder, progress)
                try place.publish()
                report.path = target.string
                return report
            } catch is Interruption {
                throw place.interruption
            } catch {
                context.note(place.note)
                throw error
            }
        }
        ExpiredMessagesNote(report.expired).map { context.note($0) }
        context.tell(report.entryFailures)
        return report
    }

    // MARK: Opening

    private func open(in context: OperationContext) async throws -> MergedAccess {
        try await context.blocking { [self] _ in try check() }
        let access = try await MergedAccess(stores, secrets, to: Self.purpose, in: context)
        let unknown = try await context.blocking { _ in
            try access.stores.filter { try $0.snapshot.open().ownID == nil }.map(\.place.path.string)
        }
        UnknownOwnerNote(unknown).map { context.note($0) }
        return access
    }

    /// What can be known before a passphrase is asked for.
    private func check() throws {
        guard try !FileSystem().exists(target) else {
            throw OperationError(
                .alreadyExists, "already exists. Nothing was written.", subject: target.string)
        }
    }

    /// What decides which messages and files the folder gets: see ``ConversationExportPlace``.
    private func request(_ access: MergedAccess) -> String {
        let kinds = media?.kinds.map(\.rawValue).sorted().joined(separator: ",") ?? "none"
        let lines =
            ["merge"]
            + access.stores.map { "\($0.place.kind.rawValue) \($0.place.path.string.debugDescription)" }
            + ["\(kinds) \(media?.largest.map(String.init) ?? "") \(includesExpired)"]
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Writing

    /// Finds which messages are the same.
    @discardableResult
    private static func compare(
        _ merged: MergedStore, _ stores: [MergedStoreReport], _ progress: ProgressHandler,
        damaged: (SessionStoreError) -> Void
    ) throws -> [SessionConversation] {
        let total = stores.reduce(0) { $0 + $1.messages }
        var done: Int64 = 0
        return try merged.watched(by: { count in
            done += count
            try progress(
                OperationProgress("comparing messages", completed: done, total: total, unit: .items))
        }) { try merged.conversations(damaged: damaged) }
    }

    private func export(
        _ merged: MergedStore, _ access: MergedAccess, to folder: FilePath,
        _ progress: ProgressHandler
    ) throws -> SessionMergeReport {
        let fileSystem = FileSystem()
        // What a killed run has left is no earlier export.
        let list = folder.appending(ExportedLog.listName)
        if try fileSystem.exists(list) { try fileSystem.remove(list) }
        var report = SessionMergeReport()
        let stores = try MergedStoreReport.all(access, merged)
        try Self.compare(merged, stores, progress) { report.damaged.append($0.description) }
        let log = try SessionLog(merged, now: now, includesExpired: includesExpired)
        let conversations = try log.conversations { report.damaged.append($0.message) }
        let record = try MergeRecord(
            folder, stores, expiredSince: includesExpired ? nil : now, fileSystem: fileSystem)
        merged.found = { try record.add($0) }
        var media: ConversationMedia?
        if var choice = self.media {
            choice.links = false
            media = try ConversationMedia(MergedItemFiles(merged), to: folder, choice, fileSystem: fileSystem)
        }
        let written = try merged.watched(by: { _ in
            try progress(OperationProgress("exporting messages"))
        }) {
            try ConversationExport(fileSystem: fileSystem, time: now).run(
                log, conversations, to: folder,
                media: { file, item, conversation in
                    try media?.export(
                        file, of: item, in: conversation,
                        checkpoint: { try progress(OperationProgress("copying media")) })
                        ?? ExportedMedia(.leftOut)
                }, progress: progress)
        }
        try media?.finish()
        report.add(try record.finish(conversations.map(\.key)))
        report.chats = written.conversations
        report.damaged += written.damaged
        if let media { report.add(media) }
        return report
    }
}
