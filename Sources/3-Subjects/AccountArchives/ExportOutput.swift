import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseContainers
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The archive while it is written, with private copies of databases and a journal beside it.
final class ExportOutput {
    private let file: PendingFile
    private let folder: FilePath
    private let journal: ExportJournal
    private let export: ArchiveExport
    private let fileSystem: FileSystem
    /// Whether another run left an archive that is not complete.
    private let hadPartial: Bool
    private var entries: ResumableEntries?
    /// False as long as the folder may be somebody else's.
    private var isOurs = false

    /// - Throws: ``AccountArchiveError`` with `inUse` when another export writes the same file, and as
    ///   ``checkPlace(_:_:)``.
    init(_ archive: FilePath, _ export: ArchiveExport) throws {
        let fileSystem = export.fileSystem
        self.export = export
        self.fileSystem = fileSystem
        folder = Self.folder(of: archive)
        let journal = ExportJournal(Self.journalPath(of: archive), conditions: export.packing, fileSystem)
        self.journal = journal
        try Self.checkPlace(archive, fileSystem)
        hadPartial = try fileSystem.exists(PendingFile.partialPath(of: archive))
        let mayContinue = try Self.mayContinue(export, journal)
        do {
            file = try PendingFile(archive, keepsPrevious: mayContinue, fileSystem: fileSystem)
        } catch  where error.code == .inUse {
            throw AccountArchiveError(
                .inUse, "another export is writing this archive", subject: archive.string)
        } catch  where error.code == .notFound {
            throw AccountArchiveError(
                .notFound, error.message, subject: archive.parentFolder.string, remedy: error.remedy)
        }
        // A wrong passphrase, for one, costs nothing of what an earlier run left.
        file.isLeft = file.hasPrevious
        // Once more, under the lock.
        try Self.checkFolder(folder, fileSystem)
        try Self.checkJournal(journal.path, fileSystem)
        try fileSystem.removeTree(folder)
        if !file.hasPrevious { try journal.remove() }
        isOurs = true
    }

    // Also runs where the initializer throws.
    deinit {
        // What is still on its way would make the journal once more.
        entries?.wait()
        guard isOurs else { return }
        try? fileSystem.removeTree(folder)
        if !file.isLeft { try? journal.remove() }
    }

    private static func mayContinue(_ export: ArchiveExport, _ journal: ExportJournal) throws -> Bool {
        guard export.options.format == .zip else { return false }
        return try export.fileSystem.exists(journal.path)
    }

    static func folder(of archive: FilePath) -> FilePath { archive.appendingSuffix(".parts") }

    static func journalPath(of archive: FilePath) -> FilePath {
        PendingFile.partialPath(of: archive).appendingSuffix(ExportJournal.suffix)
    }

    /// Sees to it that nothing is replaced or removed but what an export made.
    /// - Throws: ``FileError`` with `unsupported` where something that is no file has the archive's name;
    ///   ``AccountArchiveError`` with `alreadyExists` where something that no export left has a temporary name.
    static func checkPlace(_ archive: FilePath, _ fileSystem: FileSystem) throws {
        try PendingFile.checkPlace(archive, fileSystem: fileSystem)
        try checkFolder(folder(of: archive), fileSystem)
        try checkPartial(PendingFile.partialPath(of: archive), fileSystem)
        try checkJournal(journalPath(of: archive), fileSystem)
    }

    /// What a killed run left: ours alone to read, and nothing but databases and their side files.
    private static func checkFolder(_ folder: FilePath, _ fileSystem: FileSystem) throws {
        guard let found = try fileSystem.attributes(of: folder) else { return }
        let databases = AccountDatabase.allCases.map(\.archiveName)
        let names = databases + databases.flatMap { name in DatabaseFile.sideSuffixes.map { name + $0 } }
        guard found.kind == .directory, found.owner == geteuid(),
            found.permissions == .ownerReadWriteExecute,
            try fileSystem.list(folder).allSatisfy({ entry in
                entry.kind == .regular && entry.name.map { names.contains($0) } == true
            })
        else { throw foreign(folder) }
    }

    /// What a killed run left: ours alone to read, and the beginning of an archive. Whatever else is wrong with it,
    /// ``PendingFile`` says.
    private static func checkPartial(_ partial: FilePath, _ fileSystem: FileSystem) throws {
        guard let found = try fileSystem.attributes(of: partial), found.kind == .regular,
            found.owner == geteuid()
        else { return }
        guard found.isPrivateFile else { throw foreign(partial) }
        let head = try fileSystem.openForReading(partial).bytes(at: 0, count: 4)
        // Of a run that was stopped by the machine's end, the first bytes may never have come to the disk.
        // Of a zip, of a tar (a database of more than 8 GiB has a pax header before its own), and of Zstandard.
        let beginnings =
            ["PK\u{3}\u{4}", "simp", "PaxH"].map { Array($0.utf8) } + [[0x28, 0xb5, 0x2f, 0xfd]]
        let isOurs = beginnings.contains { $0.starts(with: head) } || head.allSatisfy { $0 == 0 }
        guard isOurs else { throw foreign(partial) }
    }

    /// What a killed or stopped run left: ours alone to read, and known by its first line.
    private static func checkJournal(_ path: FilePath, _ fileSystem: FileSystem) throws {
        guard let found = try fileSystem.attributes(of: path) else { return }
        guard found.kind == .regular, found.owner == geteuid(), found.links == 1, found.isPrivateFile else {
            throw foreign(path)
        }
        let head = try fileSystem.openForReading(path).bytes(at: 0, count: ExportJournal.mark.count)
        // As with the archive, the machine's end may have kept the first bytes from the disk.
        guard ExportJournal.mark.starts(with: head) || head.allSatisfy({ $0 == 0 }) else {
            throw foreign(path)
        }
    }

    private static func foreign(_ path: FilePath) -> AccountArchiveError {
        AccountArchiveError(
            .alreadyExists,
            "this name is needed by the export, but taken by something else. Nothing was changed.",
            subject: path.string, remedy: .moveAway(path))
    }

    /// The file to write a tar to, empty.
    func open() throws -> OpenFile {
        export.reportContinuation(hadPartial ? .startsAnew(.notAZip) : .starts)
        return try file.open()
    }

    /// What takes the entries of a zip, and keeps what it can of an earlier run.
    func zipEntries() throws -> ResumableEntries {
        let previous = try previous()
        let entries = try ResumableEntries(file.open(), journal, previous, export)
        file.isLeft = false
        self.entries = entries
        return entries
    }

    private func previous() throws -> PreviousEntries? {
        guard file.hasPrevious else {
            export.reportContinuation(hadPartial ? .startsAnew(.tooLittle) : .starts)
            return nil
        }
        var reason = ExportContinuation.Reason.otherOptions
        do {
            if let found = try journal.open() {
                return PreviousEntries(partial: file.partial, journal: found)
            }
        } catch is FileError {
            reason = .damaged
        }
        export.reportContinuation(.startsAnew(reason))
        try file.open().truncate()
        try journal.remove()
        return nil
    }

    /// Where the archive goes.
    var path: FilePath { file.path }

    /// Where it is until it is complete.
    var partial: FilePath { file.partial }

    /// In bytes, what an earlier run left of the archive, in the place of which this one writes.
    var occupied: Int64 {
        get throws { file.hasPrevious ? try fileSystem.attributes(of: file.partial)?.size ?? 0 : 0 }
    }

    /// Leaves for a later run what that can keep. Nothing is written to the archive any more.
    func leave() -> ExportContinuation {
        guard let entries else {
            return file.isLeft
                ? .left(nil) : .leftNothing(export.options.format == .zip ? .tooLittle : .notAZip)
        }
        let left = entries.stop()
        if case .left = left { file.isLeft = true }
        return left
    }

    /// Leaves nothing, not even what an earlier run had left.
    func drop() { file.isLeft = false }

    /// The folder for private copies of databases, which is made on demand.
    var privateFolder: FilePath { folder }

    /// The SHA-256 of what was written, in hexadecimal digits.
    func digest(_ progress: ProgressHandler) throws -> String {
        let source = try FileSource(file.partial, fileSystem: fileSystem)
        return Hexadecimal.encode(
            try SHA256.hash(source) { done in
                try progress(OperationProgress("hashing the archive", completed: done, total: source.size))
            })
    }

    /// Checks what was written, gives it its name, and makes the name durable.
    func publish(replacing: Bool, as format: ExportFormat) throws {
        let limits = ZipLimits(entries: .max, ratio: .max)
        if format == .zip {
            _ = try ZipIndex(try fileSystem.openForReading(file.partial), limits: limits)
        } else {
            _ = try ArchiveListing(file.partial, limits: limits, fileSystem: fileSystem)
        }
        try fileSystem.removeTree(folder)
        try file.publish(replacing: replacing, .archive)
        // The archive is there whatever becomes of this; without an archive that is not complete it means nothing.
        try? journal.remove()
    }
}
