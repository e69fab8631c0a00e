public import SystemPackage
public import ValiseAccounts
public import ValiseArchives
public import ValiseConcurrency
public import ValiseDatabase
import ValiseFailures
public import ValiseFiles
public import ValiseSecrets

/// Tells for each file of an account's media whether it is what the chat database says: whether its tag holds, its
/// size fits, its key belongs to it. Nothing is changed.
public struct MediaAudit {
    private let fileSystem: FileSystem

    public init(fileSystem: FileSystem = FileSystem()) {
        self.fileSystem = fileSystem
    }

    /// Audits the account in a folder.
    ///
    /// - Parameters:
    ///   - location: the account; it is locked, shared with others that read.
    ///   - passphrase: of the chat database; empty for none.
    ///   - progress: sees what is done; throw to stop.
    /// - Returns: what is wrong, which is no failure of the audit.
    /// - Throws: ``AccountError``: `inUse`, `notFound`; ``AccountMediaError``: `wrongPassphrase`, `damaged`,
    ///   `unsupported`; ``DatabaseError``; ``FileError``; whatever `progress` throws.
    public func audit(
        _ location: AccountLocation, passphrase: borrowing SecretBytes,
        progress: ProgressHandler = { _ in }
    ) throws -> MediaAuditReport {
        let start = ContinuousClock.now
        let reading = try AccountReading(location, fileSystem: fileSystem)
        defer { withExtendedLifetime(reading) {} }
        let connection = try ChatDatabase.connect(
            reading, passphrase: passphrase, fileSystem: fileSystem, progress: progress)
        return try audit(
            connection, try MediaFolder(location, fileSystem: fileSystem), path: location.directory,
            since: start, progress: progress)
    }

    /// Audits the account in an archive, where it lies.
    /// - Throws: ``ZipError`` for an archive that is no sound zip file; as ``audit(_:passphrase:progress:)``.
    public func audit(
        archive: FilePath, passphrase: borrowing SecretBytes,
        limits: ZipLimits = ArchivedAccount.readingLimits, progress: ProgressHandler = { _ in }
    ) throws -> MediaAuditReport {
        let start = ContinuousClock.now
        let content = try ArchivedAccount(archive, limits: limits, fileSystem: fileSystem)
        return try audit(
            try content.connect(.chat, passphrase: passphrase), content.media, path: archive, since: start,
            progress: progress)
    }

    /// Whether a passphrase is needed for the chat database in an archive.
    /// - Throws: ``ZipError``; ``AccountMediaError`` with `damaged` where it is missing; ``FileError``.
    public func isEncrypted(
        archive: FilePath, limits: ZipLimits = ArchivedAccount.readingLimits
    ) throws -> Bool {
        try ArchivedAccount(archive, limits: limits, fileSystem: fileSystem).isEncrypted(.chat)
    }

    /// Audits any store against any chat database.
    ///
    /// - Parameters:
    ///   - path: what the report calls them.
    ///   - start: from when on time counts.
    /// - Throws: ``AccountMediaError``: `unsupported` for a database without the table `files`;
    ///   ``DatabaseError``; whatever `progress` throws.
    public func audit(
        _ connection: borrowing Connection, _ store: any MediaStore & Sendable, path: FilePath,
        since start: ContinuousClock.Instant = .now, progress: ProgressHandler = { _ in }
    ) throws -> MediaAuditReport {
        guard let table = try MediaTable(connection) else {
            throw AccountMediaError(
                .unsupported, "this is no chat database of an account: the table 'files' is missing",
                subject: path.string)
        }
        var report = try withoutActuallyEscaping(progress) { progress in
            try MediaAuditRun(table, store, path: path.string, connection, progress).run(connection)
        }
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        return report
    }
}
