import AccountMedia
public import Accounts
import Archives
import Failures
import Files
public import Secrets
public import SystemPackage

extension ArchiveImport {
    /// What an import would do. It unpacks everything, to nowhere, and writes nothing at all.
    ///
    /// - Parameters: as for ``import(_:to:passphrase:progress:)``.
    /// - Throws: what the import would throw before it changed anything, but for the space, which the plan tells.
    public func plan(
        _ archive: FilePath, to location: AccountLocation, passphrase: borrowing SecretBytes? = nil,
        progress: ProgressHandler = { _ in }
    ) throws -> ImportPlan {
        let archived = try ArchivedAccount(archive, limits: options.limits, fileSystem: fileSystem)
        try requireDatabases(archived.index, archive)
        var plan = ImportPlan(archive: archive.string, location)
        plan.makesDirectory = try !fileSystem.exists(location.directory)
        plan.isReadOnly = options.isReadOnly
        let lock = plan.makesDirectory ? nil : try lock(location)
        defer { withExtendedLifetime(lock) {} }
        plan.interrupted = try AccountRecovery.pending(location, fileSystem: fileSystem)?.pendingSentence

        let target = ImportTarget(location, options, fileSystem)
        let replaced = try target.replaced()
        plan.replacesAccount = !replaced.isEmpty
        plan.keptFormer = try target.former()?.location.directory.string
        try target.refuseObstacles()
        (plan.spaceNeeded, plan.freeSpace) = try target.space(for: archived.index)
        plan.databases = AccountDatabase.allCases.map {
            .init(
                database: $0, size: archived.index.entry(named: $0.archiveName)?.size ?? 0,
                replacedSize: replaced[$0])
        }
        let rehearsal = ImportRehearsal(location, archive, fileSystem, total: archived.index.totalSize)
        try rehearsal.run(try fileSystem.openForReading(archive), archived.index, &plan, progress)
        plan.databasesOpened = try ImportedDatabases.check(archived, archive, passphrase)
        if plan.replacesAccount {
            plan.age =
                rehearsal.databasesAreIdentical
                ? ImportAge(.same, by: .bytes)
                : try AgeComparison(location, archived.index, fileSystem).age(passphrase: passphrase) {
                    try archived.source(of: $0)
                }
        }
        return plan
    }

    /// Whether a passphrase opens the databases of an archive, or they need none.
    ///
    /// - Throws: what the import would throw about them, but for `wrongPassphrase`.
    public func opens(_ archive: FilePath, passphrase: borrowing SecretBytes) throws -> Bool {
        let archived = try ArchivedAccount(archive, limits: options.limits, fileSystem: fileSystem)
        do {
            return try ImportedDatabases.check(archived, archive, passphrase.duplicate())
        } catch let error as AccountArchiveError where error.code == .wrongPassphrase {
            return false
        }
    }

    /// Another run or an app that has the account would refuse the import too.
    private func lock(_ location: AccountLocation) throws -> AccountLock {
        try ReadOnlyMark.refuse(location, fileSystem: fileSystem)
        return try AccountLock(location, .shared, fileSystem: fileSystem)
    }
}
