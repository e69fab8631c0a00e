package import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
package import ValiseDatabase
import ValiseFailures
import ValiseFiles
package import ValiseSecrets

/// Tells for each file of an account's media whether it is what the chat database says: whether its tag holds, its
/// size fits, its key belongs to it. Nothing is changed.
package struct MediaAudit {
    package init() {}

    /// Audits an account.
    ///
    /// - Parameters:
    ///   - reader: the account.
    ///   - passphrase: of the chat database; empty for none.
    ///   - progress: sees what is done; throw to stop.
    /// - Returns: what is wrong, which is no failure of the audit.
    /// - Throws: `AccountError` with `notFound`; `AccountMediaError`: `wrongPassphrase`, `damaged`, `unsupported`;
    ///   `DatabaseError`; `FileError`; whatever `progress` throws.
    package func audit(
        _ reader: AccountReader, passphrase: borrowing SecretBytes, progress: ProgressHandler = { _ in }
    ) throws -> MediaAuditReport {
        let start = ContinuousClock.now
        let connection = try reader.connectWithAnySettings(.chat, passphrase: passphrase, progress: progress)
        var report = try audit(
            connection, try reader.media, path: reader.path, since: start, progress: progress)
        report.inUse = reader.holder
        return report
    }

    /// Audits any store against any chat database.
    ///
    /// - Parameters:
    ///   - connection: to the chat database.
    ///   - store: the files.
    ///   - path: what the report calls them.
    ///   - start: from when on time counts.
    ///   - progress: sees how far it is; throw to stop.
    /// - Throws: `AccountMediaError`: `unsupported` for a database without the table `files`;
    ///   `DatabaseError`; whatever `progress` throws.
    package func audit(
        _ connection: borrowing Connection, _ store: any MediaStore & Sendable, path: FilePath,
        since start: ContinuousClock.Instant = .now, progress: ProgressHandler = { _ in }
    ) throws -> MediaAuditReport {
        guard let table = try MediaTable(connection) else {
            throw AccountMediaError(
                .unsupported, "not an account's chat database: the table 'files' is missing",
                subject: path.string)
        }
        var report = try withoutActuallyEscaping(progress) { progress in
            try MediaAuditRun(table, store, path: path.string, connection, progress).run(connection)
        }
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        return report
    }
}
