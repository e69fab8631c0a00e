import SystemPackage
import ValiseChatLog
import ValiseFailures
import ValiseFiles

/// Where an export is written: in its own folder where it is brought up to date, else beside its name until it is complete.
struct ConversationExportPlace {
    let folder: FilePath
    private let target: FilePath
    private let fileSystem: FileSystem
    private let lock: DirectoryLock

    /// In the folder until it is complete: what was asked for.
    private static let requestName = ".request"
    private static let longestRequest = 1 << 20

    /// - Parameter request: what is asked for. What a killed run left is continued if it was asked for the same, and removed
    ///   otherwise: what is not asked for now must not stay. Nil removes it in any case.
    init(_ target: FilePath, updates: Bool, _ fileSystem: FileSystem, request: String?) throws {
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
        if !updates { try begin(request) }
    }

    private func begin(_ request: String?) throws {
        let path = folder.appending(Self.requestName)
        if let request, try fileSystem.attributes(of: path)?.kind == .regular,
            try fileSystem.contents(of: path, limit: Self.longestRequest) == Array(request.utf8)
        {
            return
        }
        for entry in try fileSystem.list(folder) {
            if let name = entry.name { try fileSystem.removeTree(folder.appending(name)) }
        }
        if let request { try fileSystem.replace(path, with: Array(request.utf8)) }
    }

    /// What can be said before a passphrase is asked for.
    static func check(_ target: FilePath, updates: Bool, _ fileSystem: FileSystem) throws {
        if updates {
            guard try fileSystem.exists(target) else {
                throw OperationError(
                    .notFound, "no such folder. Nothing was changed.", subject: target.string)
            }
            guard try ExportedLog.isThere(target, fileSystem: fileSystem) else {
                throw OperationError(
                    .notFound, "not an export of chats. Nothing was changed.", subject: target.string)
            }
            // Its rows are made of what the network knows, and are not those of any device.
            guard try !fileSystem.exists(target.appending(MergeRecord.name)) else {
                throw OperationError(
                    .invalid,
                    "this export is merged from several devices: an update from one would add its messages again. Nothing was changed.",
                    subject: target.string)
            }
        } else if try fileSystem.exists(target) {
            throw OperationError(
                .alreadyExists, "already exists. Nothing was written.", subject: target.string,
                need: try ExportedLog.isThere(target, fileSystem: fileSystem) ? .updating : nil)
        }
    }

    /// What is left where the export fails.
    var note: KeptExportNote { KeptExportNote(in: folder.string) }

    /// What is left if the export is stopped.
    var interruption: Interruption { Interruption(state: state) }

    private var state: String {
        folder == target
            ? "Everything that was in \(target) is kept. The next update completes it."
            : "What was exported so far is kept in \(folder). The same export continues there."
    }

    /// Gives a new export its name.
    func publish() throws {
        guard folder != target else { return }
        let request = folder.appending(Self.requestName)
        if try fileSystem.exists(request) { try fileSystem.remove(request) }
        try fileSystem.synchronizeDirectory(folder)
        try fileSystem.renameExclusively(folder, to: target)
        try fileSystem.synchronizeDirectory(target.parentFolder)
        withExtendedLifetime(lock) {}
    }
}
