public import Accounts
public import Archives
import Database
import Failures
public import Files
import PageCipher
public import Secrets
public import SystemPackage

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
        var chat = try open(.chat, reading, passphrase, progress)
        var agent = try open(.agent, reading, passphrase, progress)
        let store = MediaFolder(folder: location.filesFolder, fileSystem: fileSystem)
        return try check(&chat, &agent, store, location.directory, start, progress)
    }

    private func open(
        _ database: AccountDatabase, _ reading: AccountReading, _ passphrase: borrowing SecretBytes,
        _ progress: ProgressHandler
    ) throws -> CheckedDatabase {
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
        var checked = try CheckedDatabase(
            database, FileSource(path, fileSystem: fileSystem), named: file.path.string,
            passphrase: passphrase)
        checked.findings.hadJournal = file.needsFolding
        if let problem, checked.findings.key != .wrong { checked.findings.add(problem) }
        return checked
    }

    /// Checks the account in an archive.
    /// - Throws: ``ZipError`` for an archive that is no sound zip file; ``CheckError`` where a database is
    ///   missing in it; ``FileError``.
    public func check(
        archive: FilePath, passphrase: borrowing SecretBytes, limits: ZipLimits = ZipLimits(),
        progress: ProgressHandler = { _ in }
    ) throws -> AccountCheckReport {
        let start = ContinuousClock.now
        let content = try ArchivedAccount(archive, limits: limits, fileSystem: fileSystem)
        var chat = try open(.chat, content, passphrase)
        var agent = try open(.agent, content, passphrase)
        return try check(&chat, &agent, content.media, archive, start, progress)
    }

    /// Whether a passphrase is needed for the databases in an archive.
    /// - Throws: as ``check(archive:passphrase:limits:progress:)``.
    public func isEncrypted(archive: FilePath, limits: ZipLimits = ZipLimits()) throws -> Bool {
        let content = try ArchivedAccount(archive, limits: limits, fileSystem: fileSystem)
        return try AccountDatabase.allCases.contains { database in
            var head = [UInt8](repeating: 0, count: 16)
            let source = try content.source(of: database)
            _ = try head.withUnsafeMutableBytes { try source.read(into: $0, at: 0) }
            return head != Array("SQLite format 3\0".utf8)
        }
    }

    private func open(
        _ database: AccountDatabase, _ content: ArchivedAccount, _ passphrase: borrowing SecretBytes
    ) throws -> CheckedDatabase {
        let source = try content.source(of: database)
        return try CheckedDatabase(database, source, named: source.path.string, passphrase: passphrase)
    }

    // MARK: Both kinds

    private func check(
        _ chat: inout CheckedDatabase, _ agent: inout CheckedDatabase, _ store: any MediaStore,
        _ path: FilePath, _ start: ContinuousClock.Instant, _ progress: ProgressHandler
    ) throws -> AccountCheckReport {
        let bothAreWrong = chat.findings.key == .wrong && agent.findings.key == .wrong
        if !bothAreWrong {
            Self.noteLostSalt(&chat, beside: agent)
            Self.noteLostSalt(&agent, beside: chat)
        }
        try check(&chat, other: agent.encrypted, progress)
        try check(&agent, other: chat.encrypted, progress)
        let agreement = try reading(&chat) {
            try $0.findings.isWhole && agent.findings.isWhole
                && agent.isReadable ? DatabaseAgreement($0, agent) : nil
        }
        let media = try reading(&chat) { try MediaCheck(store).run($0) }
        let isWhole = chat.findings.isWhole && agent.findings.isWhole && agreement?.isGood ?? true
        let verdict: AccountCheckReport.Verdict =
            if bothAreWrong {
                .wrongPassphrase
            } else if !isWhole {
                .damaged
            } else {
                media?.isGood ?? true ? .whole : .mediaProblems
            }
        return AccountCheckReport(
            path: path.string, verdict: verdict, isQuick: isQuick, chat: chat.findings, agent: agent.findings,
            agreement: agreement, media: media, seconds: (ContinuousClock.now - start) / .seconds(1))
    }

    /// The official programs use one passphrase for both. Where it opens the other database only, the salt at
    /// the start of this one is damaged, which no HMAC covers; or somebody changed one passphrase alone.
    private static func noteLostSalt(_ checked: inout CheckedDatabase, beside other: CheckedDatabase) {
        guard checked.findings.key == .wrong, other.findings.key == .right || other.findings.form == .plain
        else { return }
        var problem = DatabaseProblem(
            .page,
            "page 1 (the schema), at byte 0, does not open with the passphrase of the other database: its salt, the "
                + "first 16 bytes, was changed, or the database has another passphrase")
        problem.page = 1
        problem.offset = 0
        problem.state = .altered
        problem.table = TreeRoots.schemaName
        checked.findings.add(problem)
    }

    private func check(
        _ checked: inout CheckedDatabase, other: EncryptedDatabaseFile?, _ progress: ProgressHandler
    ) throws {
        if let file = checked.encrypted {
            let source = checked.source
            try PageCheck(file, source, other: other).run(&checked, progress)
        }
        // SQLite ends at the first damaged page, and what it says up to there is known already.
        guard checked.isReadable, checked.findings.isWhole else { return }
        if isQuick, checked.findings.form == .encrypted { return }
        try StructureCheck(isQuick: isQuick).run(&checked, progress)
    }

    /// Reads a database that may be damaged: what cannot be read is part of the answer then.
    private func reading<Result>(
        _ checked: inout CheckedDatabase, _ body: (CheckedDatabase) throws -> Result?
    ) throws -> Result? {
        guard checked.isReadable, checked.findings.key != .wrong else { return nil }
        do {
            return try body(checked)
        } catch let error as DatabaseError {
            // On a damaged page, which is known then.
            if checked.findings.isWhole { checked.findings.add(DatabaseProblem(.unreadable, error.message)) }
            return nil
        }
    }
}
