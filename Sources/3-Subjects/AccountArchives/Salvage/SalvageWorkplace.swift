import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseFailures
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The new archive while it is written, with a private folder for damaged databases beside it.
final class SalvageWorkplace {
    private let file: PendingFile
    private let folder: FilePath
    private let fileSystem: FileSystem
    /// False as long as the folder may be somebody else's.
    private var isOurs = false

    /// - Throws: ``ArchiveSalvageError`` with `inUse` when another run writes the same file, `alreadyExists` when
    ///   something else has the private folder's name; ``FileError``.
    init(_ target: FilePath, _ fileSystem: FileSystem) throws {
        self.fileSystem = fileSystem
        folder = target.appendingSuffix(".salvage")
        file = try Self.begin(target, fileSystem)
        try removeLeftover()
        isOurs = true
    }

    private static func begin(_ target: FilePath, _ fileSystem: FileSystem) throws -> PendingFile {
        do {
            return try PendingFile(target, fileSystem: fileSystem)
        } catch  where error.code == .inUse {
            throw ArchiveSalvageError(
                .inUse, "another run is writing this archive", subject: target.string)
        }
    }

    /// What a killed run left: ours alone to read, and nothing but its own folders.
    private func removeLeftover() throws {
        guard let found = try fileSystem.attributes(of: folder) else { return }
        guard found.kind == .directory, found.owner == geteuid(),
            found.permissions == .ownerReadWriteExecute,
            try fileSystem.list(folder).allSatisfy({
                $0.name.map(Self.ownNames.contains) ?? false
            })
        else {
            throw ArchiveSalvageError(
                .alreadyExists, "already exists and was not created by a salvage. Nothing was changed.",
                subject: folder.string)
        }
        try fileSystem.removeTree(folder)
    }

    // Also runs where the initializer throws.
    deinit { if isOurs { try? fileSystem.removeTree(folder) } }

    /// The file to write to, empty.
    func open() throws -> OpenFile { try file.open() }

    private static let ownNames = Set(
        AccountDatabase.allCases.flatMap { database in
            ["damaged-\(database)", "saved-\(database)", "saved-\(database).partial"]
        })

    /// An empty folder in which nobody else can look, for the damaged database.
    func damagedFolder(of database: AccountDatabase) throws -> FilePath {
        if try !fileSystem.exists(folder) { try fileSystem.makeDirectory(folder) }
        let damaged = folder.appending("damaged-\(database)")
        try fileSystem.makeDirectory(damaged)
        return damaged
    }

    /// Where the salvaged one goes; not there yet.
    func savedFolder(of database: AccountDatabase) -> FilePath { folder.appending("saved-\(database)") }

    /// Checks the structure of what was written, and gives it its name.
    func publish(replacing: Bool) throws {
        _ = try ZipIndex(
            try fileSystem.openForReading(file.partial), limits: ZipLimits(entries: .max, ratio: .max))
        try fileSystem.removeTree(folder)
        try file.publish(replacing: replacing, .archive)
    }
}
