package import SystemPackage
package import ValiseAccounts
import ValiseArchives
package import ValiseConcurrency
import ValiseContainers
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
import ValiseMedia
package import ValiseSecrets

/// Exports an account to a zip archive that the official apps can import (Documentation/formats/archive.md), or to a tar.
public struct ArchiveExport {
    /// How the archive is written.
    public struct Options: Sendable, Codable {
        /// False stores every entry.
        package var compresses: Bool
        /// Of Deflate, 1 to 9. Measured on text, 5 takes half the time of 6 for 8 % more bytes.
        package var level: Int
        /// Whether an existing file of that name is replaced, once the new one is complete.
        package var replacesFile: Bool
        /// Which parts of the account go along.
        package var scope: ArchiveScope
        /// Leaves out what differs between two exports of the same files, so that their archives have the same
        /// bytes: the files' times. The same version of Valise and of libdeflate, and the same level, are needed for that.
        package var isReproducible: Bool
        /// What kind of archive it is; nil for a zip, as in data written by an earlier version.
        private var otherFormat: ExportFormat?

        /// What kind of archive it is.
        public var format: ExportFormat {
            get { otherFormat ?? .zip }
            set { otherFormat = newValue == .zip ? nil : newValue }
        }

        /// The default level.
        package static let usualLevel = 5

        /// - Parameters:
        ///   - compresses: whether entries are deflated where worthwhile.
        ///   - level: of compression, as zlib counts; nil for the usual one.
        ///   - replacesFile: whether an archive of that name may be replaced.
        ///   - scope: what goes into it.
        ///   - isReproducible: whether the same account gives the same bytes.
        public init(
            compresses: Bool = true, level: Int? = nil, replacesFile: Bool = false,
            scope: ArchiveScope = .complete,
            isReproducible: Bool = false
        ) {
            self.compresses = compresses
            self.level = level ?? Self.usualLevel
            self.replacesFile = replacesFile
            self.scope = scope
            self.isReproducible = isReproducible
        }
    }

    let fileSystem: FileSystem
    let options: Options
    /// Gets what becomes of an archive that is not complete: at the beginning, and where the export is stopped.
    package var reportContinuation: @Sendable (ExportContinuation) -> Void = { _ in }
    /// Whether a run that is stopped leaves what a later one can keep; asked then.
    package var leavesArchive: @Sendable () -> Bool = { true }
    /// When what was written is made durable.
    package var flushing = Flushing()
    /// Seconds since 1970.
    package var clock = UTCTime.clock
    /// How many cores pack a zip.
    package var workers = ParallelBatches.workers

    /// - Parameters:
    ///   - options: how it is written.
    ///   - fileSystem: where it is written.
    package init(_ options: Options = Options(), fileSystem: FileSystem = FileSystem()) {
        self.options = options
        self.fileSystem = fileSystem
    }

    /// Exports the account. The archive appears under its name only when it is complete and durable.
    ///
    /// What an earlier run left of a zip of this name is continued, where the same account would be written in the same way:
    /// media that are in it stay, databases are written anew (decision 53).
    ///
    /// - Parameters:
    ///   - location: the account; it is locked, and not changed.
    ///   - archive: the zip file.
    ///   - passphrase: where given, both databases are opened first to prove it, and their pages are checked. A scope that names chats or
    ///     a time needs it where the databases are encrypted.
    ///   - progress: sees the bytes that were read; throw an `Interruption` to stop, which leaves a large zip for a later run,
    ///     and any other error to leave nothing.
    /// - Returns: what was written, and which files could not be or are damaged databases: they don't stop the export.
    /// - Throws: `AccountError`: `inUse`, `notFound`; `invalid` where the archive would lie
    ///   in an account; `DatabaseError`, `AccountMediaError`: `wrongPassphrase`; `AccountArchiveError`:
    ///   `alreadyExists`, `noSpace`, `wrongPassphrase` for a passphrase that is missing; `AccountMediaError`:
    ///   `notFound` for a chat; `FileError`: `unsupported` where no file is to be replaced; `ZipError`.
    package func export(
        _ location: AccountLocation, to archive: FilePath, passphrase: borrowing SecretBytes? = nil,
        progress: ProgressHandler = { _ in }
    ) throws -> ExportReport {
        var report = ExportReport(archivePath: archive.string)
        try checkPlace(archive, location)
        // What was interrupted is completed first, so that the archive holds one state and not two halves.
        report.recovery = try AccountWriter.complete(location, fileSystem: fileSystem)
        let output = try ExportOutput(archive, self)
        OldLeftovers(export: self).remove(beside: archive)
        do {
            try export(location, into: output, passphrase, &report, progress)
        } catch {
            guard Self.isInterruption(error) else {
                guard let error = error as? FileError else { throw error }
                throw error.named(archive, insteadOf: output.partial)
            }
            guard leavesArchive() else {
                output.drop()
                throw error
            }
            let continuation = output.leave()
            reportContinuation(continuation)
            if case .left = continuation, error is Interruption {
                throw Interruption(state: "The account is unchanged.")
            }
            throw error
        }
        try output.publish(replacing: options.replacesFile, as: options.format)
        return report
    }

    private func export(
        _ location: AccountLocation, into output: ExportOutput, _ passphrase: borrowing SecretBytes?,
        _ report: inout ExportReport, _ progress: ProgressHandler
    ) throws {
        let reader = try AccountReader(
            location, privateFolder: output.privateFolder, fileSystem: fileSystem)
        defer { withExtendedLifetime(reader) {} }

        let collector = try gather(location, reader, passphrase, &report, progress)
        try checkSpace(collector, output.path, occupied: output.occupied)
        try write(collector, try entries(into: output), &report, progress)
        if options.isReproducible { report.sha256 = try output.digest(progress) }
    }

    private static func isInterruption(_ error: any Error) -> Bool {
        error is CancellationError || (error as? any Failure)?.code == .interrupted
    }

    private func entries(into output: ExportOutput) throws -> any ExportEntries {
        guard options.format != .zip else { return try output.zipEntries() }
        let file = ExportedTarFile(try output.open())
        let writer = try unsafe TarWriter(tarPacking) { try unsafe file.write($0) }
        return TarEntries(writer: writer, isReproducible: options.isReproducible) { try file.synchronize() }
    }

    /// What the bytes of an entry depend on, besides its file and this code: an archive that was packed in another way is not
    /// continued.
    var packing: String {
        "packing 1, libdeflate \(CompressionVersions.deflate), zlib \(CompressionVersions.zlib), level \(options.level), "
            + "compressed \(options.compresses), reproducible \(options.isReproducible)"
    }

    /// With what a tar is packed.
    var tarPacking: TarWriter.Packing {
        options.format == .tarZstd && options.compresses ? .zstd(level: options.level) : .none
    }

    /// Everything that goes into the archive, and what the report says of it before it is written.
    func gather(
        _ location: AccountLocation, _ reader: AccountReader, _ passphrase: borrowing SecretBytes?,
        _ report: inout ExportReport, _ progress: ProgressHandler
    ) throws -> ExportCollector {
        let key = try passphrase.duplicate()
        try reader.deriveKeys(key)
        report.inUse = reader.holder
        report.databasesOpened = key != nil
        report.isReproducible = options.isReproducible ? true : nil
        var databases: [ExportedDatabase] = []
        for database in AccountDatabase.allCases {
            databases.append(try consistentDatabase(database, reader, key, &report, progress))
        }
        var collector = try collect(databases, location, key, progress)
        collector.check = try ExportedDatabasesCheck.begin(databases, key)
        report.archiveErrors = collector.errors
        report.partial = collector.partial
        return collector
    }

    /// Everything that goes into the archive.
    func collect(
        _ databases: [ExportedDatabase], _ location: AccountLocation,
        _ passphrase: borrowing SecretBytes?, _ progress: ProgressHandler
    ) throws -> ExportCollector {
        var media: SelectedMedia?
        if case .media(let chats, let since) = options.scope,
            let chat = databases.first(where: { $0.stored.database == .chat })
        {
            var selection = MediaSelection()
            (selection.chats, selection.since) = (chats, since)
            let connection = try connect(chat, passphrase)
            media = try SelectedMedia(selection, location, connection, fileSystem, progress)
        }
        var collector = ExportCollector(ExportChoice(options.scope, media), fileSystem)
        for database in databases { collector.add(database) }
        try collector.addFolder(location.filesFolder, as: ArchiveLayout.files)
        try collector.addFolder(location.wallpapersFolder, as: ArchiveLayout.wallpapers)
        return collector
    }

    private func connect(
        _ chat: ExportedDatabase, _ passphrase: borrowing SecretBytes?
    ) throws -> Connection {
        if let key = try passphrase.duplicate() {
            return try ChatDatabase.connect(chat.source, passphrase: key)
        }
        guard chat.stored.form == .unencrypted else {
            throw AccountArchiveError(
                .wrongPassphrase,
                "passphrase required to select media by chat or time",
                subject: chat.stored.path.string)
        }
        return try ChatDatabase.connect(chat.source, passphrase: SecretBytes.empty())
    }

    /// Refuses what would replace something that is no archive; and a place in an account: among its media the
    /// archive would pack itself, and in the place of a database be its end.
    package func checkPlace(_ archive: FilePath, _ location: AccountLocation) throws {
        try AccountPaths.refuse(archive, for: "the archive", and: location, fileSystem: fileSystem)
        if try fileSystem.attributes(of: archive)?.kind == .directory {
            let name = location.directory.lastComponent.flatMap { $0.kind == .regular ? $0.string : nil }
            throw AccountArchiveError(
                .alreadyExists,
                "a folder with this name exists. Nothing was written.", subject: archive.string,
                remedy: .nameFile(archive.appending("\(name ?? "account").zip")))
        }
        // Before the advice to replace it, which would be refused.
        try ReplaceableContent.archive.check(archive, fileSystem: fileSystem)
        if !options.replacesFile, try fileSystem.exists(archive) {
            throw AccountArchiveError(
                .alreadyExists, "already exists", subject: archive.string,
                remedy: .replaceFile(archive))
        }
        guard try fileSystem.isDirectory(archive.parentFolder) else {
            throw FileError.noFolder(archive.parentFolder)
        }
        try ExportOutput.checkPlace(archive, fileSystem)
    }

    /// A database as of its last transaction, from a private copy where a journal or log has to be folded in.
    private func consistentDatabase(
        _ database: AccountDatabase, _ reader: AccountReader, _ passphrase: borrowing SecretBytes?,
        _ report: inout ExportReport, _ progress: ProgressHandler
    ) throws -> ExportedDatabase {
        let stored = try checked(reader, database)
        guard try needsFolding(stored, reader, passphrase) else {
            return ExportedDatabase(stored: stored, source: try reader.unfolded(database))
        }
        report.folded.append(database)
        // Rolled back under a key, a database is not the same twice; without one its pages come back as they were.
        let isBlind = options.isReproducible && stored.hasJournalAlone
        if options.isReproducible, !isBlind, stored.form == .encrypted { report.isReproducible = false }
        let source = try reader.source(
            of: database, passphrase: isBlind ? nil : passphrase.duplicate(), alwaysFolds: true,
            progress: progress)
        if isBlind, stored.form == .encrypted, let given = try passphrase.duplicate() {
            _ = try Connection(source, passphrase: given)
        }
        return ExportedDatabase(stored: stored, source: source)
    }

    /// A database that is one by its first bytes.
    func checked(_ reader: AccountReader, _ database: AccountDatabase) throws -> StoredDatabase {
        let stored = try reader.stored(database)
        guard stored.form == .unencrypted || stored.form == .encrypted else {
            throw AccountError(
                .damaged, "not a database", stored.path,
                remedy: .checkAccount(Remedy.Account(ofDatabase: stored.path)))
        }
        return stored
    }

    /// Whether something waits in a side file, or the header asks for a log, which only the passphrase shows. The
    /// passphrase is proved by that.
    /// - Throws: `DatabaseError` or `AccountMediaError` with `wrongPassphrase`; `FileError`.
    func needsFolding(
        _ stored: StoredDatabase, _ reader: AccountReader, _ passphrase: borrowing SecretBytes?
    ) throws -> Bool {
        guard !stored.needsFolding, let given = try passphrase.duplicate() else { return stored.needsFolding }
        return try ChatDatabase.asksForLog(reader.unfolded(stored.database), passphrase: given)
    }

    /// Stored entries need their size; packed ones at most that, to within a thousandth.
    ///
    /// - Parameter occupied: in bytes, what the archive has already.
    func checkSpace(_ collector: ExportCollector, _ archive: FilePath, occupied: Int64 = 0) throws {
        let needed = collector.spaceNeeded
        let free = try fileSystem.freeSpace(at: archive.parentFolder)
        guard free >= needed - occupied else {
            throw AccountArchiveError(
                .noSpace,
                "not enough free space: up to \(Count.bytes(needed)) needed, \(Count.bytes(free)) "
                    + "available. Nothing was written.",
                subject: archive.string, remedy: .freeSpace(needed, in: archive.parentFolder))
        }
    }

    func write(
        _ collector: ExportCollector, _ writer: any ExportEntries, _ report: inout ExportReport,
        _ progress: ProgressHandler
    ) throws {
        let total = collector.size
        var entry = ExportEntryWriter(writer, fileSystem, options, total: total, check: collector.check)
        let media = collector.sources.firstIndex { !$0.isDatabase } ?? collector.sources.count
        for source in collector.sources[..<media] { try entry.add(source, progress) }
        var rest = collector.sources[media...]
        if let taken = try entry.takeOver(rest, progress) {
            reportContinuation(
                taken.kept.files > 0 ? .continues(taken.kept) : .startsAnew(taken.reason ?? .damaged))
            rest = rest.dropFirst(taken.kept.files)
        }
        for source in rest { try entry.add(source, progress) }
        report.areDatabasesChecked = try entry.endCheck(progress)
        report.archiveErrors += entry.errors
        report.entries = entry.entries
        report.storedEntries = entry.storedEntries
        report.sourceSize = entry.done
        try progress(OperationProgress("flushing the archive", completed: total, total: total))
        report.archiveSize = try writer.finish()
    }
}

/// The file of a tar while it is written.
private final class ExportedTarFile {
    private var file: OpenFile

    init(_ file: consuming OpenFile) { self.file = file }

    func write(_ bytes: UnsafeRawBufferPointer) throws { try unsafe file.write(bytes) }

    func synchronize() throws { try file.synchronize() }
}
