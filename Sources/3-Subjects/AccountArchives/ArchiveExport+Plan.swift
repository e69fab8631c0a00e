package import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseMedia
package import ValiseSecrets

extension ArchiveExport {
    /// Plans ``export(_:to:passphrase:progress:)`` with these options, without writing an archive.
    ///
    /// Where chats or a time are asked for, and a journal of the chat database has to be folded in for that, it is
    /// read from a private copy beside it, which goes again.
    ///
    /// - Parameters:
    ///   - location: the account.
    ///   - archive: nil for one that is written into a stream: it needs no space, and nothing is said to be free.
    ///   - passphrase: of the account; empty for none.
    ///   - progress: sees how far it is; throw to stop.
    /// - Throws: as the export would: what it refuses is refused here; `AccountError` with `failed` where an
    ///   interrupted operation waits to be completed.
    package func plan(
        _ location: AccountLocation, to archive: FilePath?, passphrase: borrowing SecretBytes? = nil,
        progress: ProgressHandler = { _ in }
    ) throws -> ExportPlan {
        if let archive { try checkPlace(archive, location) }
        var plan = ExportPlan(archivePath: archive?.string ?? Self.streamPath)
        let reader = try AccountReader(location, fileSystem: fileSystem)
        defer { withExtendedLifetime(reader) {} }
        let key = try passphrase.duplicate()
        plan.inUse = reader.holder
        plan.databasesOpened = key != nil
        var databases: [ExportedDatabase] = []
        for database in AccountDatabase.allCases {
            var found = try verifiedDatabase(database, reader, key, &plan)
            if case .media = options.scope, database == .chat {
                let given: SecretBytes? = try key.duplicate() ?? SecretBytes.empty()
                found.source = try reader.source(of: .chat, passphrase: given, progress: progress)
            }
            databases.append(found)
        }
        let isUnencrypted = databases.allSatisfy { $0.stored.form == .unencrypted }
        plan.checksDatabases = plan.databasesOpened || isUnencrypted
        let collector = try collect(databases, location, key, progress)
        if let archive {
            try checkSpace(collector, archive)
            plan.spaceNeeded = collector.spaceNeeded
            plan.spaceFree = try fileSystem.freeSpace(at: archive.parentFolder)
        }
        plan.archiveErrors = collector.errors
        plan.entries = collector.sources.count
        plan.sourceSize = collector.size
        plan.partial = collector.partial
        return plan
    }

    /// A database that the passphrase opens, without what may wait beside it.
    func verifiedDatabase(
        _ database: AccountDatabase, _ reader: AccountReader, _ passphrase: borrowing SecretBytes?,
        _ plan: inout ExportPlan
    ) throws -> ExportedDatabase {
        let stored = try checked(reader, database)
        let source = try reader.unfolded(database)
        if let key = try passphrase.duplicate() {
            _ = try ChatDatabase.connect(source, passphrase: key)
        }
        if try needsFolding(stored, reader, passphrase) { plan.folded.append(database) }
        return ExportedDatabase(stored: stored, source: source)
    }
}
