public import Accounts
import Archives
import Database
import Failures
public import Files
public import Secrets
public import SystemPackage

/// Writes an account into a zip that the official programs import (Documentation/formats/archive.md).
public struct ArchiveExport {
    /// How the archive is written.
    public struct Options: Sendable {
        /// False stores every entry.
        public var compresses: Bool
        /// Of Deflate, 1 to 9. Measured on text, 5 takes half the time of 6 for 8 % more bytes.
        public var level: Int
        /// Whether an existing file of that name is replaced, once the new one is complete.
        public var replacesFile: Bool

        public init(compresses: Bool = true, level: Int = 5, replacesFile: Bool = false) {
            self.compresses = compresses
            self.level = level
            self.replacesFile = replacesFile
        }
    }

    private let fileSystem: FileSystem
    private let options: Options

    public init(_ options: Options = Options(), fileSystem: FileSystem = FileSystem()) {
        self.options = options
        self.fileSystem = fileSystem
    }

    /// Exports the account. The archive appears under its name only when it is complete and durable.
    ///
    /// - Parameters:
    ///   - location: the account; it is locked, and not changed.
    ///   - archive: the zip file.
    ///   - passphrase: where given, both databases are opened first to prove it.
    ///   - progress: sees the bytes that were read; throw to stop, which leaves nothing.
    /// - Returns: what was written, and which files could not be: they don't stop the export.
    /// - Throws: ``AccountError``: `inUse`, `notFound`; ``DatabaseError``: `wrongPassphrase`;
    ///   ``AccountArchiveError``: `alreadyExists`, `noSpace`; ``FileError``; ``ZipError``.
    public func export(
        _ location: AccountLocation, to archive: FilePath, passphrase: borrowing SecretBytes? = nil,
        progress: ProgressHandler = { _ in }
    ) throws -> ExportReport {
        var report = ExportReport(archivePath: archive.string)
        try refuseExisting(archive)
        try refuseOwnMedia(archive, location)
        report.recovery = try recover(location)
        let lock = try AccountLock(location, .shared, fileSystem: fileSystem)
        defer { withExtendedLifetime(lock) {} }

        let output = try ExportOutput(archive, fileSystem)
        var collector = ExportCollector(fileSystem)
        let key = try passphrase.duplicate()
        report.databasesOpened = key != nil
        for database in AccountDatabase.allCases {
            let path = try consistentDatabase(database, location, key, output, &report, progress)
            try collector.addDatabase(database, at: path)
        }
        try collector.addFolder(location.filesFolder, as: ArchiveLayout.files)
        try collector.addFolder(location.wallpapersFolder, as: ArchiveLayout.wallpapers)
        report.archiveErrors = collector.errors
        try checkRoom(collector.sources, archive)
        try write(collector.sources, output, &report, progress)
        try output.publish(replacing: options.replacesFile)
        return report
    }

    private func refuseExisting(_ archive: FilePath) throws {
        guard !options.replacesFile, try fileSystem.exists(archive) else { return }
        throw AccountArchiveError(
            .alreadyExists, "a file of this name is already there; choose another or use --force",
            subject: archive.string)
    }

    /// The archive would pack itself, and be exported again the next time.
    private func refuseOwnMedia(_ archive: FilePath, _ location: AccountLocation) throws {
        guard let folder = try? fileSystem.resolve(archive.parentFolder) else { return }
        for media in [location.filesFolder, location.wallpapersFolder]
        where try fileSystem.exists(media) && fileSystem.resolve(media) == folder {
            throw AccountArchiveError(
                .invalid, "the archive cannot lie in the account's own media folder; choose another place",
                subject: archive.string)
        }
    }

    /// An interrupted act is completed first, so that the archive holds one state and not two halves.
    private func recover(_ location: AccountLocation) throws -> AccountRecovery? {
        guard try AccountRecovery.pending(location, fileSystem: fileSystem) != nil else { return nil }
        return try OpenedAccount(location, fileSystem: fileSystem).recovery
    }

    /// The database's own file; or a private copy where a journal or log has to be folded in.
    private func consistentDatabase(
        _ database: AccountDatabase, _ location: AccountLocation, _ passphrase: borrowing SecretBytes?,
        _ output: ExportOutput, _ report: inout ExportReport, _ progress: ProgressHandler
    ) throws -> FilePath {
        let file = try DatabaseFile(existing: database, of: location, fileSystem: fileSystem)
        guard file.form == .plain || file.form == .encrypted else {
            throw AccountError(.damaged, "this is not a database", file.path)
        }
        var fold = file.needsFolding
        if !fold, let given = try passphrase.duplicate() {
            let key = file.form == .plain ? try SecretBytes.empty() : given
            let connection = try Connection(file.path, mode: .readOnly, passphrase: key)
            fold = try connection.value("PRAGMA journal_mode") == .text("wal")
        }
        guard fold else { return file.path }
        report.folded.append(database)
        let copy = try output.privateFolder().appending(database.archiveName)
        var copied: Int64 = 0
        try DatabaseCopy.make(of: file, at: copy, passphrase: passphrase, fileSystem: fileSystem) { count in
            copied += count
            try progress(
                WorkProgress(
                    "copying the \(database.rawValue) database", done: copied, total: file.size))
        }
        return copy
    }

    /// Stored entries need their size; packed ones at most that, to within a thousandth.
    private func checkRoom(_ sources: [ExportSource], _ archive: FilePath) throws {
        let needed = sources.reduce(Int64(65_536)) { $0 + $1.size + Int64(400 + 2 * $1.name.utf8.count) }
        let free = try fileSystem.freeSpace(at: archive.parentFolder)
        guard free >= needed else {
            throw AccountArchiveError(
                .noSpace, "the archive needs up to \(needed) bytes and \(free) are free; nothing was written",
                subject: archive.string)
        }
    }

    private func write(
        _ sources: [ExportSource], _ output: ExportOutput, _ report: inout ExportReport,
        _ progress: ProgressHandler
    ) throws {
        let writer = try ZipWriter(try output.open(), level: options.level)
        let total = sources.reduce(0) { $0 + $1.size }
        var entry = ExportEntryWriter(
            writer, fileSystem, compresses: options.compresses, total: total)
        for source in sources {
            try entry.add(source, progress)
        }
        report.archiveErrors += entry.errors
        report.entries = entry.entries
        report.storedEntries = entry.storedEntries
        report.sourceSize = entry.done
        try progress(WorkProgress("flushing the archive", done: total, total: total))
        report.archiveSize = try writer.finish()
    }
}
