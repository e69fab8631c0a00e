import SystemPackage
package import ValiseAccounts
import ValiseFailures
import ValiseFiles
import ValiseMedia
package import ValiseSecrets

extension ArchiveExport {
    /// Tells what an archive of the account would hold, wherever it goes. Nothing is written and no space is needed.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - passphrase: where given, both databases are opened with it.
    /// - Throws: `AccountError`: `inUse`, `notFound`, `damaged`; `failed` where an interrupted operation waits to be completed;
    ///   `AccountMediaError`, `DatabaseError`: `wrongPassphrase`; `FileError`.
    package func contents(
        of location: AccountLocation, passphrase: borrowing SecretBytes? = nil
    ) throws -> ExportPlan {
        let reader = try AccountReader(location, use: .refused, fileSystem: fileSystem)
        defer { withExtendedLifetime(reader) {} }
        let key = try passphrase.duplicate()
        var plan = ExportPlan(archivePath: "")
        plan.databasesOpened = key != nil
        var databases: [ExportedDatabase] = []
        for database in AccountDatabase.allCases {
            databases.append(try verifiedDatabase(database, reader, key, &plan))
        }
        let collector = try collect(databases, location, key) { _ in }
        plan.spaceNeeded = collector.spaceNeeded
        plan.archiveErrors = collector.errors
        plan.entries = collector.sources.count
        plan.sourceSize = collector.size
        plan.partial = collector.partial
        return plan
    }
}
