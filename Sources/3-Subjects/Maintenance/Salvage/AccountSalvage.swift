package import SystemPackage
package import ValiseAccounts
package import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
import ValisePages
package import ValiseSecrets

/// Saves what can be read of a damaged account into a new one. The damaged one is only read.
package struct AccountSalvage {
    private let fileSystem: FileSystem

    package init(fileSystem: FileSystem = FileSystem()) {
        self.fileSystem = fileSystem
    }

    /// Salvages both databases and copies the media.
    ///
    /// - Parameters:
    ///   - location: the damaged account.
    ///   - target: a folder that is not there yet, or empty. It has the new account whole, or nothing.
    ///   - passphrase: of both databases, and of the new ones; empty for none.
    ///   - options: what the caller chooses.
    ///   - progress: sees what is done; throw to stop.
    /// - Throws: `AccountError`: `notFound`, `inUse`, `alreadyExists`, `noSpace`; ``MaintenanceError`` with
    ///   `wrongPassphrase` or `damaged` when no database can be opened; `DatabaseError`; `FileError`.
    package func run(
        _ location: AccountLocation, to target: FilePath, passphrase: borrowing SecretBytes,
        options: SalvageOptions = SalvageOptions(), progress: ProgressHandler = { _ in }
    ) throws -> SalvageReport {
        let key = try passphrase.duplicate()
        return try withoutActuallyEscaping(progress) { progress in
            try run(location, target, key, options, progress)
        }
    }

    /// Refuses a target where something is.
    /// - Throws: `AccountError` with `alreadyExists`; `FileError`.
    package func refuse(_ target: FilePath) throws { try SalvageOutput.refuse(target, fileSystem) }

    private func run(
        _ location: AccountLocation, _ target: FilePath, _ passphrase: borrowing SecretBytes,
        _ options: SalvageOptions, _ progress: @escaping ProgressHandler
    ) throws -> SalvageReport {
        if let pending = try AccountRecovery.pending(location, fileSystem: fileSystem),
            pending.state == .after
        {
            throw AccountError(
                .inUse, "an interrupted operation is pending", location.directory,
                remedy: .recoverAccount(Remedy.Account(location)))
        }
        let reader = try AccountReader(location, fileSystem: fileSystem)
        let other = try options.schemaFrom.map { try AccountReader($0, fileSystem: fileSystem) }
        defer { withExtendedLifetime((reader, other)) {} }
        let output = try SalvageOutput(target, fileSystem: fileSystem)
        let needed = try checkSpace(location, options, output.folder, for: target)
        let new = AccountLocation(directory: output.folder, prefix: location.prefix, style: location.style)
        var report = SalvageReport(source: location.directory.string, target: target.string)
        report.inUse = reader.holder
        report.bytesNeeded = needed
        for database in AccountDatabase.allCases {
            report.databases.append(
                try salvage(database, reader, other, location, new, passphrase, options, progress))
        }
        guard report.databases.contains(where: { $0.state == .salvaged }) else {
            throw try nothingOpened(report, reader, location, options)
        }
        if options.copiesMedia {
            try MediaCopy(fileSystem: fileSystem).run(location, new, &report, progress)
        }
        if !options.isDryRun { try output.commit() }
        return report
    }

    private func salvage(
        _ database: AccountDatabase, _ reader: AccountReader, _ other: AccountReader?,
        _ location: AccountLocation, _ new: AccountLocation, _ passphrase: borrowing SecretBytes,
        _ options: SalvageOptions, _ progress: @escaping ProgressHandler
    ) throws -> SalvageReport.Database {
        let path = location.path(of: database)
        var report = SalvageReport.Database(database, file: path.string)
        guard let file = try reader.fileToRead(of: database), file.form != .missing, file.size > 0 else {
            report.state = .missing
            return report
        }
        let input = SalvageInput(fileSystem: fileSystem, options: options, folder: new.directory)
        guard let opened = try input.open(database, file, passphrase, progress) else {
            report.state = .unopened
            report.pages = 0
            return report
        }
        defer { if opened.path != file.path { try? fileSystem.remove(opened.path) } }
        var schemaInput = input
        schemaInput.copyName = "schema"
        let schemas = KnownSchemas(input: schemaInput, account: reader, other: other)
        let staged = new.path(of: database)
        let lost = new.directory.appending("\(new.prefix)_\(database.rawValue)_lost_and_found.db")
        report = try DatabaseSalvage(
            database, opened, file: path, to: staged, lostAndFound: lost, passphrase: passphrase,
            options: options, fileSystem: fileSystem, progress: progress
        ).run { try schemas.list(database, passphrase, progress) }
        if opened.encrypted != nil { try prove(staged, passphrase) }
        return report
    }

    /// Every page of what was written has to hold under the passphrase.
    private func prove(_ path: FilePath, _ passphrase: borrowing SecretBytes) throws {
        let source = try FileSource(path, fileSystem: fileSystem)
        let key = try CipherKey(
            passphrase: passphrase, salt: EncryptedDatabaseFile.salt(of: source), settings: .format4)
        let file = try EncryptedDatabaseFile(source, settings: .format4, key: key)
        guard try file.verify().isSound else {
            throw MaintenanceError(
                .failed, "the new database failed its check. Nothing was installed.",
                subject: path.string)
        }
    }

    /// The new databases are about as large as the old ones; a copy of one is needed beside them.
    /// - Returns: the bytes that they need.
    private func checkSpace(
        _ location: AccountLocation, _ options: SalvageOptions, _ folder: FilePath, for target: FilePath
    ) throws -> Int64 {
        var needed: Int64 = 0
        for database in AccountDatabase.allCases {
            needed += 2 * (try fileSystem.attributes(of: location.path(of: database))?.size ?? 0)
        }
        if options.copiesMedia { needed += try MediaCopy(fileSystem: fileSystem).size(of: location) }
        let free = try fileSystem.freeSpace(at: folder)
        guard free >= needed else {
            throw AccountError(
                .noSpace,
                "not enough free space: \(Count.bytes(needed)) needed, \(Count.bytes(free)) available. Nothing "
                    + "was changed.", target,
                remedy: .freeSpace(needed, in: target.parentFolder))
        }
        return needed
    }

    private func nothingOpened(
        _ report: SalvageReport, _ reader: AccountReader, _ location: AccountLocation,
        _ options: SalvageOptions
    ) throws -> MaintenanceError {
        let unopened = report.databases.filter { $0.state == .unopened }
        let folder = location.directory.string
        guard !unopened.isEmpty else {
            return MaintenanceError(
                .damaged, "both databases are missing or empty: nothing to recover",
                subject: folder)
        }
        let looksEncrypted = try unopened.contains {
            try FileOutline(reader.unfolded($0.database)).looksEncrypted
        }
        guard looksEncrypted else {
            return MaintenanceError(
                .damaged,
                "the files are no longer databases, neither unencrypted nor encrypted. Nothing was "
                    + "changed.", subject: folder)
        }
        // What was just done is no advice, and copies were tried too.
        if options.repairsSalt {
            return MaintenanceError(
                .wrongPassphrase,
                "wrong passphrase, or more than one bit of the salt (the first 16 bytes of each file) is damaged. "
                    + "Nothing was changed.",
                subject: folder)
        }
        return MaintenanceError(
            .wrongPassphrase,
            "wrong passphrase, or the salt (the first 16 bytes of each file) is damaged. Nothing was changed.",
            subject: folder, remedy: .repairSalt(Remedy.Account(location)))
    }
}
