package import ValiseAccounts
package import ValiseConcurrency
import ValiseDatabase
import ValiseFailures
import ValiseFiles
package import ValiseSecrets

/// Compares two accounts, each in a folder or inside of an archive: files, rows and messages.
///
/// Nothing is changed, and nothing unpacked. Memory grows with the number of entries and of chats, not with what is in
/// them.
package struct AccountComparison {
    package init() {}

    /// Compares.
    ///
    /// - Parameters:
    ///   - first: an account.
    ///   - second: another, or the same.
    ///   - passphrase: of the first one's databases; nil where it is not known: encrypted databases are compared by their
    ///     bytes alone then.
    ///   - otherPassphrase: of the second one's databases.
    ///   - progress: sees what is done; throw to stop.
    /// - Returns: what differs, which is no failure.
    /// - Throws: ``ComparisonError``: `wrongPassphrase`, `damaged`, `unsupported`; `AccountMediaError` and `DatabaseError`: `wrongPassphrase`,
    ///   `damaged`; `ZipError`; `AccountError`; `FileError`; whatever `progress` throws.
    package func compare(
        _ first: AccountReader, _ second: AccountReader, passphrase: borrowing SecretBytes?,
        otherPassphrase: borrowing SecretBytes?, progress: ProgressHandler = { _ in }
    ) throws -> ComparisonReport {
        let start = ContinuousClock.now
        let left = try ComparedSide(first, passphrase: passphrase, progress: progress)
        let right =
            first === second
            ? left : try ComparedSide(second, passphrase: otherPassphrase, progress: progress)
        try left.checkDatabases(progress)
        if right !== left { try right.checkDatabases(progress) }
        var matches = EntryMatch.all(left.entries, right.entries)
        try ContentComparison(left.reader, right.reader).run(&matches, progress: progress)
        var run = ComparisonRun(left, right, matches)
        for database in AccountDatabase.allCases {
            try run.compare(database, passphrase, otherPassphrase, progress)
        }
        return run.report(seconds: (ContinuousClock.now - start) / .seconds(1))
    }
}
