import SystemPackage
import ValiseAccounts
import ValiseArchives
public import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
public import ValiseFiles
import ValiseMedia
public import ValiseSecrets

/// Compares two accounts, each in a folder or inside of an archive: files, rows and messages.
///
/// Nothing is changed, and nothing unpacked. Memory grows with the number of entries and of chats, not with what is in
/// them.
public struct AccountComparison {
    private let fileSystem: FileSystem

    public init(fileSystem: FileSystem = FileSystem()) {
        self.fileSystem = fileSystem
    }

    /// Whether a database of an account needs a passphrase.
    /// - Throws: ``ZipError``; ``FileError``.
    public func isEncrypted(_ account: ComparedAccount) throws -> Bool {
        switch account {
        case .folder(let location):
            return try AccountDatabase.allCases.contains {
                let form = try DatabaseFile(location.path(of: $0), fileSystem: fileSystem).form
                return form == .encrypted || form == .unknown
            }
        case .archive(let path):
            let content = try ArchivedAccount(path, fileSystem: fileSystem)
            return try AccountDatabase.allCases.contains {
                try content.index.entry(named: $0.archiveName) != nil && content.isEncrypted($0)
            }
        }
    }

    /// Compares.
    ///
    /// - Parameters:
    ///   - first: an account; one in a folder is locked meanwhile.
    ///   - second: likewise.
    ///   - passphrase: of the first one's databases; nil where it is not known: encrypted databases are compared by their
    ///     bytes alone then.
    ///   - otherPassphrase: of the second one's databases.
    ///   - progress: sees what is done; throw to stop.
    /// - Returns: what differs, which is no failure.
    /// - Throws: ``ComparisonError``: `wrongPassphrase`, `damaged`, `unsupported`; ``AccountMediaError`` and ``DatabaseError``: `wrongPassphrase`,
    ///   `damaged`; ``ZipError``; ``AccountError``: `inUse`; ``FileError``; whatever `progress` throws.
    public func compare(
        _ first: ComparedAccount, _ second: ComparedAccount, passphrase: borrowing SecretBytes?,
        otherPassphrase: borrowing SecretBytes?, progress: ProgressHandler = { _ in }
    ) throws -> ComparisonReport {
        let start = ContinuousClock.now
        let left = try ComparedSide(first, passphrase: passphrase, fileSystem: fileSystem, progress: progress)
        // A folder that is compared with itself is opened once: private copies have one place.
        let right =
            first == second
            ? left
            : try ComparedSide(
                second, passphrase: otherPassphrase, fileSystem: fileSystem, progress: progress)
        try left.checkDatabases(progress)
        if right !== left { try right.checkDatabases(progress) }
        var matches = EntryMatch.all(left.entries, right.entries)
        try ContentComparison(left.opener, right.opener).run(&matches, progress: progress)
        var run = ComparisonRun(left, right, matches)
        for database in AccountDatabase.allCases {
            try run.compare(database, passphrase, otherPassphrase, progress)
        }
        return run.report(seconds: (ContinuousClock.now - start) / .seconds(1))
    }
}
