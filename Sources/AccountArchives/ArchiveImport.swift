public import Accounts
public import Archives
import Database
import Failures
public import Files
public import Secrets
public import SystemPackage

/// Takes an account out of an untrusted zip and puts it in place as one act.
public struct ArchiveImport {
    /// What the import may do.
    public struct Options: Sendable {
        /// Whether an account that is there may be replaced.
        public var replacesAccount: Bool
        /// How far the archive's claims are trusted.
        public var limits: ZipLimits

        public init(replacesAccount: Bool = false, limits: ZipLimits = ZipLimits()) {
            self.replacesAccount = replacesAccount
            self.limits = limits
        }
    }

    private let fileSystem: FileSystem
    private let options: Options

    public init(_ options: Options = Options(), fileSystem: FileSystem = FileSystem()) {
        self.options = options
        self.fileSystem = fileSystem
    }

    /// Checks the whole archive, unpacks it beside the account, proves the databases, puts all in place.
    ///
    /// - Parameters:
    ///   - archive: the zip file.
    ///   - location: where the account shall be; the folder is made where it is missing.
    ///   - passphrase: where given, both databases must open with it.
    ///   - progress: sees the bytes that arrived; throw to stop, which changes nothing.
    /// - Returns: what arrived, and which media did not. Media of the same name are replaced, others stay.
    /// - Throws: ``ZipError`` for an archive that is refused; ``AccountArchiveError``: `damaged` without a
    ///   database, `noSpace`, `alreadyExists`; ``DatabaseError``: `wrongPassphrase`; ``AccountError``;
    ///   ``FileError``. Nothing was changed then, or the error says what the next run completes.
    public func `import`(
        _ archive: FilePath, to location: AccountLocation, passphrase: borrowing SecretBytes? = nil,
        progress: ProgressHandler = { _ in }
    ) throws -> ImportReport {
        let file = try fileSystem.openForReading(archive)
        let index = try ZipIndex(file, limits: options.limits)
        try requireDatabases(index, archive)

        let isNew = try !fileSystem.exists(location.directory)
        try fileSystem.makeDirectories(location.directory)
        var isDone = false
        // A folder that was made for nothing goes again.
        defer { if isNew, !isDone { try? fileSystem.removeDirectory(location.directory) } }

        let account = try OpenedAccount(location, fileSystem: fileSystem)
        var report = ImportReport()
        report.recovery = account.recovery
        report.replacedAccount = try checkTarget(location)
        try checkRoom(index, location)

        let change = try AccountChange(
            location, act: "import", lock: account.lock, fileSystem: fileSystem)
        let unpacking = try ImportUnpacking(change, location, archive, fileSystem, total: index.totalSize)
        try unpacking.unpack(file, index, progress)
        report.archiveErrors = unpacking.errors
        report.ignored = unpacking.ignored
        report.entries = unpacking.entries
        report.size = unpacking.done
        try progress(WorkProgress("checking the databases", done: unpacking.done, total: index.totalSize))
        report.databasesOpened = try ImportedDatabases(change, archive, fileSystem).check(passphrase)
        try progress(WorkProgress("flushing", done: unpacking.done, total: index.totalSize))
        try fileSystem.synchronizeAll(change.stagingFolder)
        try change.commit()
        isDone = true
        return report
    }

    private func requireDatabases(_ index: ZipIndex, _ archive: FilePath) throws {
        for database in AccountDatabase.allCases where index.entry(named: database.archiveName) == nil {
            throw AccountArchiveError(
                .damaged,
                "this is no archive of an account: \(database.archiveName) is missing; "
                    + "nothing was changed", subject: archive.string)
        }
    }

    private func checkTarget(_ location: AccountLocation) throws -> Bool {
        var isThere = false
        for database in AccountDatabase.allCases {
            let path = location.path(of: database)
            guard try fileSystem.exists(path) else { continue }
            isThere = true
            guard options.replacesAccount else {
                throw AccountArchiveError(
                    .alreadyExists,
                    "an account is already there; nothing was changed. "
                        + "Use --into-existing to replace it", subject: path.string)
            }
        }
        return isThere
    }

    private func checkRoom(_ index: ZipIndex, _ location: AccountLocation) throws {
        // Names, folders and the rounding to whole blocks.
        let needed = index.totalSize + Int64(index.entries.count) * 4096 + (1 << 20)
        let free = try fileSystem.freeSpace(at: location.directory)
        guard free >= needed else {
            throw AccountArchiveError(
                .noSpace, "the import needs \(needed) bytes and \(free) are free; nothing was changed",
                subject: location.directory.string)
        }
    }
}
