public import SystemPackage
public import ValiseAccounts
public import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseMedia
public import ValiseSecrets

extension ArchiveExport {
    /// Tells what ``export(_:to:passphrase:progress:)`` would do with these options, and writes no archive.
    ///
    /// Where chats or a time are asked for, and a journal of the chat database has to be folded in for that, it is
    /// read from a private copy beside it, which goes again.
    ///
    /// - Parameter archive: nil for one that is written into a stream: it needs no space, and nothing is said to be free.
    /// - Throws: as the export would: what it refuses is refused here; ``AccountError`` with `failed` where an
    ///   interrupted act waits to be completed.
    public func plan(
        _ location: AccountLocation, to archive: FilePath?, passphrase: borrowing SecretBytes? = nil,
        progress: ProgressHandler = { _ in }
    ) throws -> ExportPlan {
        if let archive { try checkPlace(archive, location) }
        var plan = ExportPlan(archivePath: archive?.string ?? Self.streamPath)
        let reading = try AccountReading(location, fileSystem: fileSystem)
        defer { withExtendedLifetime(reading) {} }
        let key = try passphrase.duplicate()
        plan.databasesOpened = key != nil
        var databases: [AccountDatabase: FilePath] = [:]
        for database in AccountDatabase.allCases {
            let file = try checked(reading.file(of: database), key)
            if try needsFolding(file, key) { plan.folded.append(database) }
            databases[database] = file.path
        }
        if case .media = options.scope {
            if let given = try key.duplicate() {
                databases[.chat] = try reading.path(of: .chat, passphrase: given, progress: progress)
            } else {
                databases[.chat] = try reading.path(
                    of: .chat, passphrase: SecretBytes.empty(), progress: progress)
            }
        }
        let collector = try collect(databases, location, key, progress)
        if let archive {
            try checkRoom(collector, archive)
            plan.spaceNeeded = collector.spaceNeeded
            plan.spaceFree = try fileSystem.freeSpace(at: archive.parentFolder)
        }
        plan.archiveErrors = collector.errors
        plan.entries = collector.sources.count
        plan.sourceSize = collector.size
        plan.partial = collector.partial
        return plan
    }

    /// The same file, where it is a database that the passphrase opens.
    private func checked(_ file: DatabaseFile, _ passphrase: borrowing SecretBytes?) throws -> DatabaseFile {
        guard file.form == .plain || file.form == .encrypted else {
            throw AccountError(.damaged, "this is not a database", file.path)
        }
        if let key = try passphrase.duplicate() {
            _ = try ChatDatabase.connect(FileSource(file.path, fileSystem: fileSystem), passphrase: key)
        }
        return file
    }
}
