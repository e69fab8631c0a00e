package import SystemPackage
package import ValiseAccounts
import ValiseArchives
package import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseMedia
package import ValiseSecrets

extension ArchiveImport {
    /// What an import would do. It unpacks everything, to nowhere, and writes nothing at all.
    ///
    /// - Parameters: as for ``import(_:to:passphrase:progress:)``.
    /// - Throws: what the import would throw before it changed anything, but for the space, which the plan tells.
    package func plan(
        _ archive: FilePath, to location: AccountLocation, passphrase: borrowing SecretBytes? = nil,
        progress: ProgressHandler = { _ in }
    ) throws -> ImportPlan {
        try plan(
            from: ArchiveStorage(archive, limits: options.limits, fileSystem: fileSystem), to: location,
            passphrase: passphrase, progress: progress)
    }

    /// The same of an archive that is open already.
    ///
    /// - Parameters: as for ``import(from:to:passphrase:progress:)``.
    /// - Throws: as ``plan(_:to:passphrase:progress:)``.
    package func plan(
        from archived: ArchiveStorage, to location: AccountLocation,
        passphrase: borrowing SecretBytes? = nil, progress: ProgressHandler = { _ in }
    ) throws -> ImportPlan {
        let archive = archived.archive.path
        let reader = AccountReader(archived)
        try requireDatabases(archived.index, archive)
        try refuseHidden(archived.index, archive)
        var plan = ImportPlan(archive: archive.string, location)
        plan.makesDirectory = try !fileSystem.exists(location.directory)
        plan.isReadOnly = options.isReadOnly
        let lock = plan.makesDirectory ? nil : try lock(location)
        defer { withExtendedLifetime(lock) {} }
        plan.interrupted = try AccountRecovery.pending(location, fileSystem: fileSystem)?.pendingSentence

        let target = ImportTarget(location, options, fileSystem)
        let replaced = try target.replaced()
        plan.replacesAccount = !replaced.isEmpty
        plan.keptPrevious = try target.previous()?.location.directory.string
        try target.refuseObstacles()
        (plan.spaceNeeded, plan.freeSpace) = try target.space(for: archived.index)
        plan.databases = AccountDatabase.allCases.map {
            .init(
                database: $0, size: archived.index.entry(named: $0.archiveName)?.size ?? 0,
                replacedSize: replaced[$0])
        }
        let keys = try ImportedDatabases(archive, archived, passphrase, fileSystem).keys
        let rehearsal = ImportRehearsal(location, archive, fileSystem, total: archived.index.totalSize)
        try rehearsal.run(archived, &plan, progress)
        let proof = try proof(of: reader, passphrase, keys, progress)
        plan.databasesOpened = proof.databases.areOpened
        plan.outlook = proof.judgement.outlook
        if proof.judgement.refusal != nil {
            plan.archiveErrors += proof.problems.map { .import(importError: $0) }
        }
        if plan.replacesAccount {
            plan.age =
                rehearsal.databasesAreIdentical
                ? ImportAge(.same, by: .bytes)
                : try AgeComparison(location, archived.index, fileSystem).age(passphrase: passphrase) {
                    try reader.source(of: $0)
                }
        }
        return plan
    }

    /// The proof that the import makes of what it unpacked, made where the databases lie.
    private func proof(
        of reader: AccountReader, _ passphrase: borrowing SecretBytes?, _ keys: DatabaseKeys?,
        _ progress: ProgressHandler
    ) throws -> ImportProof {
        let sources = try AccountDatabase.allCases.map {
            (source: try reader.source(of: $0), name: $0.archiveName)
        }
        var databases = try DatabasesCheck(sources, passphrase: passphrase, keys: keys)
        try databases.checkPages(progress)
        var proof = ImportProof(databases)
        let walks = proof.backgroundWalks()
        try proof.readSchemas(progress)
        try proof.finish(walks, progress)
        let refusal = ImportedDatabases.refusal(
            of: proof, allowsDamaged: options.allowsDamaged, reader.path)
        if let refusal { throw refusal }
        return proof
    }

    /// Whether a passphrase opens the databases of an archive, or they need none. Only their first pages are looked at.
    ///
    /// - Throws: ``AccountArchiveError`` with `damaged` for what is no database; `ZipError`; `FileError`.
    package static func opens(_ archive: ArchiveStorage, passphrase: borrowing SecretBytes) throws -> Bool {
        let reader = AccountReader(archive)
        let sources = try AccountDatabase.allCases.map { try reader.source(of: $0) }
        let keys = try DatabaseKeys(sources, passphrase: passphrase)
        guard !keys.isOneNoDatabase else {
            throw AccountArchiveError(
                .damaged, "a database in the archive is not valid. Nothing was changed.",
                subject: archive.archive.path.string)
        }
        return keys.opensBoth
    }

    /// Refuses an account that an import could not replace now: another run or an app has it, or it is a read-only copy.
    package func lock(_ location: AccountLocation) throws -> AccountLock {
        try ReadOnlyMark.refuse(location, fileSystem: fileSystem)
        return try AccountWriter.lockForPlan(location, fileSystem: fileSystem)
    }
}
