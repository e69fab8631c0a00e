import SystemPackage
import ValiseAccountArchives
import ValiseAccounts
import ValiseBackups
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseRepository
import ValiseSecrets

/// The account of a snapshot that is exported: restored into a private folder first, with its databases encrypted again.
///
/// The folder is beside the archive, and goes when the export ends; what a killed run left is removed by the next one.
struct SnapshotExport: Sendable {
    private let opened: OpenedRepository
    private let restore: SnapshotRestore
    private let contents: RestoreContents
    private let name: String

    /// Opens the repository. The caller calls ``close()``.
    /// - Throws: `RepositoryError`; `BackupError`; `StorageError`.
    init(_ snapshot: SnapshotName, in context: OperationContext) async throws {
        let (opened, found) = try await snapshot.opened(in: context)
        let restore = SnapshotRestore(opened.repository, found)
        do {
            contents = try await context.blocking { _ in try restore.contents() }
        } catch {
            opened.lock.release()
            throw error
        }
        self.opened = opened
        self.restore = restore
        name = "\(snapshot.repository.text)::\(found.id)"
    }

    func close() { opened.lock.release() }

    /// What it would be.
    func plan(_ export: ExportArchive) throws -> ExportPlan {
        let needed = RestoreJob.space(for: contents.files)
        guard case .file(let archive) = export.destination else {
            return ExportPlan(
                archivePath: FileStreamName.dash, entries: contents.files.count, sourceSize: contents.size)
        }
        try ArchiveExport(export.options).checkPlace(archive, export.account)
        return ExportPlan(
            archivePath: archive.string, entries: contents.files.count, sourceSize: contents.size,
            spaceNeeded: 2 * needed, spaceFree: try FileSystem().freeSpace(at: archive.parentFolder))
    }

    /// Restores it, and lends the export of what was restored.
    func withRestored<Value: Sendable>(
        _ export: ExportArchive, in context: OperationContext,
        _ body: (ExportArchive, OperationContext) async throws -> Value
    ) async throws -> Value {
        if case .file(let archive) = export.destination {
            try await context.blocking { _ in
                try ArchiveExport(export.options).checkPlace(archive, export.account)
            }
        }
        let key = try await key(export, context)
        let folder = try await context.blocking { _ in try PrivateRestore(for: export.destination, context) }
        defer { folder.remove() }
        let report = try await context.blocking { progress in
            try key.lent { try restore.run(into: folder.account, passphrase: $0, progress: progress) }
        }
        close()
        var restored = export
        restored.account = AccountLocation(directory: folder.account, prefix: report.prefix)
        restored.passphrase = key.map { .secret($0) } ?? PassphraseSource()
        restored.passphrase.usesKeyStores = false
        // Nothing could resume it.
        var context = context
        context.keepsJobs = false
        return try await body(restored, context)
    }

    /// Of the exported databases: given, or typed twice, as nothing tells whether it is the one of then.
    private func key(_ export: ExportArchive, _ context: OperationContext) async throws -> SharedSecret? {
        if let given = try await export.passphrase.read() { return given }
        guard contents.needsPassphrase else { return nil }
        let request = PassphraseRequest(of: name)
        let first = try await context.asking(to: "encrypt its databases in the archive").passphrase(request)
        let second = try await context.asking(to: "confirm it").passphrase(request)
        guard first.bytes.equals(second.bytes), !first.bytes.isEmpty else {
            throw OperationError(
                .invalid, "the two passphrases differ, or are empty. Nothing was written.", subject: name)
        }
        return first
    }
}

/// What stands for standard output in plans.
private enum FileStreamName {
    static let dash = "-"
}

/// A folder for a restored account, which goes again.
private final class PrivateRestore: Sendable {
    private let folder: FilePath
    private let lock: DirectoryLock

    /// Where the account is restored.
    var account: FilePath { folder.appending("account") }

    init(for destination: ExportArchive.Destination, _ context: OperationContext) throws {
        let fileSystem = FileSystem()
        if case .file(let archive) = destination {
            folder = archive.parentFolder.appending(".\(archive.lastComponent?.string ?? "archive").snapshot")
        } else {
            let number = String(UInt64.random(in: .min ... .max), radix: 36)
            folder = (context.folders.temporary ?? "/tmp").appending("valise-snapshot-\(number)")
        }
        if try fileSystem.exists(folder) {
            guard let previous = try DirectoryLock(folder, .exclusive) else {
                throw FileError(.inUse, "another process is writing this folder", folder)
            }
            try fileSystem.removeTree(folder)
            extendLifetime(previous)
        }
        try fileSystem.makeDirectory(folder)
        guard let lock = try DirectoryLock(folder, .exclusive) else {
            throw FileError(.inUse, "another process is writing this folder", folder)
        }
        self.lock = lock
    }

    func remove() { try? FileSystem().removeTree(folder) }
}
