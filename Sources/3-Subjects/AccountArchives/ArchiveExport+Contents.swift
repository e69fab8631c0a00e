import SystemPackage
public import ValiseAccounts
import ValiseFailures
import ValiseFiles
import ValiseMedia
public import ValiseSecrets

extension ArchiveExport {
    /// Tells what an archive of the account would hold, wherever it goes. Nothing is written and no room is needed.
    ///
    /// - Parameter passphrase: where given, both databases are opened with it.
    /// - Throws: ``AccountError``: `inUse`, `notFound`, `damaged`; `failed` where an interrupted act waits to be completed;
    ///   ``AccountMediaError``, ``DatabaseError``: `wrongPassphrase`; ``FileError``.
    public func contents(
        of location: AccountLocation, passphrase: borrowing SecretBytes? = nil
    ) throws -> ExportPlan {
        let reading = try AccountReading(location, fileSystem: fileSystem)
        defer { withExtendedLifetime(reading) {} }
        let key = try passphrase.duplicate()
        var plan = ExportPlan(archivePath: "")
        plan.databasesOpened = key != nil
        var databases: [AccountDatabase: FilePath] = [:]
        for database in AccountDatabase.allCases {
            let file = try reading.file(of: database)
            guard file.form == .plain || file.form == .encrypted else {
                throw AccountError(.damaged, "this is not a database", file.path)
            }
            if let given = try key.duplicate() {
                _ = try ChatDatabase.connect(FileSource(file.path, fileSystem: fileSystem), passphrase: given)
            }
            if try needsFolding(file, key) { plan.folded.append(database) }
            databases[database] = file.path
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
