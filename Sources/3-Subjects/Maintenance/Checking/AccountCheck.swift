public import SystemPackage
public import ValiseAccounts
public import ValiseArchives
public import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
public import ValiseFiles
import ValiseMedia
public import ValiseSecrets

/// Tells whether an account is whole: its passphrase, every page, every table, and its media.
///
/// Nothing is changed. An account in an archive is checked where it lies, without unpacking it.
public struct AccountCheck {
    private let fileSystem: FileSystem
    private let isQuick: Bool

    /// - Parameter isQuick: the HMAC of each page is checked, and the walk through tables and indexes left out.
    ///   A plain database has no HMACs, so it gets SQLite's quick check.
    public init(isQuick: Bool = false, fileSystem: FileSystem = FileSystem()) {
        self.isQuick = isQuick
        self.fileSystem = fileSystem
    }

    /// Checks the account in a folder.
    ///
    /// - Parameters:
    ///   - location: the account; it is locked while it is checked.
    ///   - passphrase: of both databases; empty for none.
    ///   - progress: sees what is done; throw to stop.
    /// - Returns: what is wrong, which is no failure of the check.
    /// - Throws: ``AccountError``: `inUse`, `notFound`; ``FileError``.
    public func check(
        _ location: AccountLocation, passphrase: borrowing SecretBytes,
        progress: ProgressHandler = { _ in }
    ) throws -> AccountCheckReport {
        let start = ContinuousClock.now
        let reading = try AccountReading(location, fileSystem: fileSystem)
        defer { withExtendedLifetime(reading) {} }
        let files = try AccountDatabase.allCases.map { try file(of: $0, reading, passphrase, progress) }
        var databases = try DatabasesCheck(
            files.map { ($0.source, $0.name) }, passphrase: passphrase.duplicate())
        files[0].note(in: &databases.chat.findings)
        files[1].note(in: &databases.agent.findings)
        let store = try MediaFolder(location, fileSystem: fileSystem)
        return try check(&databases, store, location.directory, start, progress)
    }

    /// A database file that is about to be checked, and what is known of its journal.
    private struct ReadFile {
        let source: FileSource
        let name: String
        let hasJournal: Bool
        let problem: DatabaseProblem?

        func note(in findings: inout DatabaseFindings) {
            findings.hadJournal = hasJournal
            if let problem, findings.key != .wrong { findings.add(problem) }
        }
    }

    private func file(
        of database: AccountDatabase, _ reading: AccountReading, _ passphrase: borrowing SecretBytes,
        _ progress: ProgressHandler
    ) throws -> ReadFile {
        let file = try reading.file(of: database)
        var path = file.path
        var problem: DatabaseProblem?
        do {
            path = try reading.path(of: database, passphrase: passphrase, progress: progress)
        } catch let error as DatabaseError {
            // The passphrase may be wrong, or the file damaged: the check tells which.
            problem = DatabaseProblem(
                .journal,
                "a journal that a crashed program left cannot be folded in: \(error.message)")
        }
        return ReadFile(
            source: try FileSource(path, fileSystem: fileSystem), name: file.path.string,
            hasJournal: file.needsFolding, problem: problem)
    }

    /// Nothing is unpacked to disk and memory is bounded, so that an archive may claim whatever Deflate can do.
    public static var readingLimits: ZipLimits { ArchivedAccount.readingLimits }

    /// Checks the account in an archive.
    /// - Throws: ``ZipError`` for an archive that is no sound zip file; ``CheckError`` where a database is
    ///   missing in it; ``FileError``.
    public func check(
        archive: FilePath, passphrase: borrowing SecretBytes, limits: ZipLimits = readingLimits,
        progress: ProgressHandler = { _ in }
    ) throws -> AccountCheckReport {
        let start = ContinuousClock.now
        let content = try ArchivedAccount(archive, limits: limits, fileSystem: fileSystem)
        let sources = try AccountDatabase.allCases.map { try Self.source(of: $0, content) }
        var databases = try DatabasesCheck(
            sources.map { ($0, $0.path.string) }, passphrase: passphrase.duplicate())
        return try check(&databases, content.media, archive, start, progress)
    }

    /// Whether a passphrase is needed for the databases in an archive.
    /// - Throws: as ``check(archive:passphrase:limits:progress:)``.
    public func isEncrypted(archive: FilePath, limits: ZipLimits = readingLimits) throws -> Bool {
        let content = try ArchivedAccount(archive, limits: limits, fileSystem: fileSystem)
        return try AccountDatabase.allCases.contains { database in
            _ = try Self.source(of: database, content)
            return try content.isEncrypted(database)
        }
    }

    private static func source(
        of database: AccountDatabase, _ content: ArchivedAccount
    ) throws -> any ByteSource {
        do {
            return try content.source(of: database)
        } catch let error as AccountMediaError {
            throw CheckError(
                error.code, error.message, subject: error.subject ?? database.archiveName,
                remedy: error.remedy)
        }
    }

    // MARK: Both kinds

    private func check(
        _ databases: inout DatabasesCheck, _ store: any MediaStore,
        _ path: FilePath, _ start: ContinuousClock.Instant, _ progress: ProgressHandler
    ) throws -> AccountCheckReport {
        try databases.checkPages(progress)
        try databases.walk(isQuick: isQuick, progress)
        try databases.requireOwnNames(progress)
        let agreement = try databases.agreement(progress)
        let media = try databases.read(.chat, progress) { try MediaCheck(store).run($0) }
        let isWhole =
            databases.chat.findings.isWhole && databases.agent.findings.isWhole && agreement?.isGood ?? true
        let verdict: AccountCheckReport.Verdict =
            if databases.isPassphraseWrong {
                .wrongPassphrase
            } else if !isWhole {
                .damaged
            } else {
                media?.isGood ?? true ? .whole : .mediaProblems
            }
        return AccountCheckReport(
            path: path.string, verdict: verdict, isQuick: isQuick, chat: databases.chat.findings,
            agent: databases.agent.findings, agreement: agreement, media: media,
            seconds: (ContinuousClock.now - start) / .seconds(1))
    }
}
