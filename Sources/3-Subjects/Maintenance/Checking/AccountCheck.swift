import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
package import ValiseSecrets

/// Tells whether an account is whole: its passphrase, every page, every table, and its media.
///
/// Nothing is changed. An account in an archive is checked where it lies, without unpacking it.
package struct AccountCheck {
    private let isQuick: Bool

    /// - Parameter isQuick: the HMAC of each page is checked, and the walk through tables and indexes left out.
    ///   An unencrypted database has no HMACs, so it gets SQLite's quick check.
    package init(isQuick: Bool = false) {
        self.isQuick = isQuick
    }

    /// Checks an account.
    ///
    /// - Parameters:
    ///   - reader: the account.
    ///   - passphrase: of both databases; empty for none.
    ///   - progress: sees what is done; throw to stop.
    /// - Returns: what is wrong, which is no failure of the check.
    /// - Throws: `AccountError` with `notFound`, `AccountMediaError` with `damaged` where both databases are missing;
    ///   `FileError`; `ZipError`.
    package func check(
        _ reader: AccountReader, passphrase: borrowing SecretBytes, progress: ProgressHandler = { _ in }
    ) throws -> AccountCheckReport {
        let start = ContinuousClock.now
        if try AccountDatabase.allCases.allSatisfy({ try reader.find($0) == nil }) {
            _ = try reader.stored(.chat)
        }
        let files = try AccountDatabase.allCases.map { try file(of: $0, reader, passphrase, progress) }
        var databases = try DatabasesCheck(
            files.map { ($0.source, $0.name) }, passphrase: passphrase.duplicate())
        files[0].note(in: &databases.chat.findings)
        files[1].note(in: &databases.agent.findings)
        return try check(&databases, reader, start, progress)
    }

    /// A database file that is about to be checked, and what is known of its journal.
    private struct ReadFile {
        let source: any ByteSource
        let name: String
        let hasJournal: Bool
        let problem: DatabaseProblem?

        func note(in findings: inout DatabaseFindings) {
            if let problem, problem.kind == .missing {
                // What a check says of a file without content does not apply.
                findings = DatabaseFindings(file: name, form: .unknown, key: .notNeeded, size: 0)
            }
            findings.hadJournal = hasJournal
            if let problem, findings.key != .wrong { findings.add(problem) }
        }
    }

    private func file(
        of database: AccountDatabase, _ reader: AccountReader, _ passphrase: borrowing SecretBytes,
        _ progress: ProgressHandler
    ) throws -> ReadFile {
        guard let stored = try reader.find(database) else {
            let path = try reader.fileToRead(of: database)?.path ?? FilePath(database.archiveName)
            return ReadFile(
                source: MissingFile(path), name: path.string, hasJournal: false,
                problem: DatabaseProblem(.missing, "the \(database.rawValue) database is missing"))
        }
        var problem: DatabaseProblem?
        let source: any ByteSource
        do {
            source = try reader.source(of: database, passphrase: passphrase.duplicate(), progress: progress)
        } catch let error as DatabaseError {
            // The passphrase may be wrong, or the file damaged: the check tells which.
            problem = DatabaseProblem(
                .journal,
                "cannot merge the journal of a crashed program: \(error.message)")
            source = try reader.unfolded(database)
        }
        return ReadFile(
            source: source, name: stored.path.string, hasJournal: stored.needsFolding, problem: problem)
    }

    private func check(
        _ databases: inout DatabasesCheck, _ reader: AccountReader, _ start: ContinuousClock.Instant,
        _ progress: ProgressHandler
    ) throws -> AccountCheckReport {
        try databases.checkPages(progress)
        try databases.walk(isQuick: isQuick, progress)
        try databases.requireOwnNames(progress)
        let agreement = try databases.agreement(progress)
        let store = try reader.media
        let media = try databases.read(.chat, progress) { try MediaCheck(store).run($0) }
        let isIntact =
            databases.chat.findings.isIntact && databases.agent.findings.isIntact
            && agreement?.isIntact ?? true
        let isPassphraseWrong = [databases.chat.findings, databases.agent.findings].allSatisfy {
            $0.key == .wrong || $0.isMissing
        }
        let verdict: AccountCheckReport.Verdict =
            if isPassphraseWrong {
                .wrongPassphrase
            } else if !isIntact {
                .damaged
            } else {
                media?.isIntact ?? true ? .intact : .mediaProblems
            }
        return AccountCheckReport(
            path: reader.name, verdict: verdict, isQuick: isQuick, inUse: reader.holder,
            chat: databases.chat.findings,
            agent: databases.agent.findings, agreement: agreement, media: media,
            seconds: (ContinuousClock.now - start) / .seconds(1))
    }
}

/// The content of a database that is missing: none.
private final class MissingFile: ByteSource {
    let path: FilePath
    var size: Int64 { 0 }

    init(_ path: FilePath) { self.path = path }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int { 0 }
}
