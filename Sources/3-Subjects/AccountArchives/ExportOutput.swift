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

/// The archive while it is written, with private copies of databases beside it.
final class ExportOutput {
    private let file: PendingFile
    private let folder: FilePath
    private let fileSystem: FileSystem
    /// False as long as the folder may be somebody else's.
    private var isOurs = false

    /// - Throws: ``AccountArchiveError`` with `inUse` when another export writes the same file, and as
    ///   ``checkPlace(_:_:)``.
    init(_ archive: FilePath, _ fileSystem: FileSystem) throws {
        self.fileSystem = fileSystem
        folder = Self.folder(of: archive)
        try Self.checkPlace(archive, fileSystem)
        do {
            file = try PendingFile(archive, fileSystem: fileSystem)
        } catch  where error.code == .inUse {
            throw AccountArchiveError(
                .inUse, "another export is writing this archive", subject: archive.string)
        } catch  where error.code == .notFound {
            throw AccountArchiveError(
                .notFound, "no such folder", subject: archive.parentFolder.string)
        }
        // Once more, under the lock.
        try Self.checkFolder(folder, fileSystem)
        try fileSystem.removeTree(folder)
        isOurs = true
    }

    // Also runs where the initializer throws.
    deinit {
        if isOurs { try? fileSystem.removeTree(folder) }
    }

    private static func folder(of archive: FilePath) -> FilePath { archive.appendingSuffix(".parts") }

    /// Sees to it that nothing is replaced or removed but what an export made.
    /// - Throws: ``FileError`` with `unsupported` where something that is no file has the archive's name;
    ///   ``AccountArchiveError`` with `alreadyExists` where something that no export left has a temporary name.
    static func checkPlace(_ archive: FilePath, _ fileSystem: FileSystem) throws {
        try PendingFile.checkPlace(archive, fileSystem: fileSystem)
        try checkFolder(folder(of: archive), fileSystem)
        try checkPartial(PendingFile.partialPath(of: archive), fileSystem)
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
        let others = found.permissions.subtracting(.ownerReadWrite)
        guard others.isEmpty else { throw foreign(partial) }
        let head = try fileSystem.openForReading(partial).bytes(at: 0, count: 4)
        // Of a run that was stopped by the machine's end, the first bytes may never have come to the disk.
        // Of a zip, of a tar (a database of more than 8 GiB has a pax header before its own), and of Zstandard.
        let beginnings =
            ["PK\u{3}\u{4}", "simp", "PaxH"].map { Array($0.utf8) } + [[0x28, 0xb5, 0x2f, 0xfd]]
        let isOurs = beginnings.contains { $0.starts(with: head) } || head.allSatisfy { $0 == 0 }
        guard isOurs else { throw foreign(partial) }
    }

    private static func foreign(_ path: FilePath) -> AccountArchiveError {
        AccountArchiveError(
            .alreadyExists,
            "this name is needed by the export, but taken by something else. Nothing was changed. Remove or rename it.",
            subject: path.string)
    }

    /// The file to write to, empty.
    func open() throws -> OpenFile { try file.open() }

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
    }
}
