package import SystemPackage
package import ValiseAccounts
public import ValiseArchives
package import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
import ValiseMaintenance
package import ValiseSecrets

/// Imports an account from an untrusted zip archive, atomically.
public struct ArchiveImport {
    /// What the import may do.
    public struct Options: Sendable, Codable {
        /// Whether an account that is there may be replaced.
        package var replacesAccount: Bool
        /// How far the archive's claims are trusted.
        package var limits: ZipLimits
        /// The name of a folder, inside of the account's, in which the replaced account stays; nil to remove it.
        package var keepsPreviousAs: String?
        /// Whether the account is only to be read afterwards; see `ReadOnlyMark`.
        package var isReadOnly: Bool
        /// Whether an account that is newer than the archive, or another one, may be lost by it.
        package var replacesNewer: Bool
        /// Whether databases are taken that a verification calls damaged or unsupported. They are told of as errors of the
        /// archive then.
        package var allowsDamaged: Bool
        /// Whether an archive is taken that holds entries which its directory does not name; see `ZipHiddenRecord`.
        package var allowsHiddenEntries: Bool

        private enum CodingKeys: String, CodingKey {
            case replacesAccount, limits, isReadOnly, replacesNewer, allowsDamaged, allowsHiddenEntries
            case keepsPreviousAs = "keepsFormerAs"
        }

        /// The defaults are safe: nothing is replaced, and nothing damaged or hidden is imported.
        public init(
            replacesAccount: Bool = false, limits: ZipLimits = ZipLimits(), keepsPreviousAs: String? = nil,
            isReadOnly: Bool = false, replacesNewer: Bool = false, allowsDamaged: Bool = false,
            allowsHiddenEntries: Bool = false
        ) {
            self.allowsDamaged = allowsDamaged
            self.allowsHiddenEntries = allowsHiddenEntries
            self.replacesNewer = replacesNewer
            self.keepsPreviousAs = keepsPreviousAs
            self.isReadOnly = isReadOnly
            self.replacesAccount = replacesAccount
            self.limits = limits
        }

        /// Data written by an earlier version lacks some options.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            replacesAccount = try container.decode(Bool.self, forKey: .replacesAccount)
            limits = try container.decode(ZipLimits.self, forKey: .limits)
            keepsPreviousAs = try container.decodeIfPresent(String.self, forKey: .keepsPreviousAs)
            isReadOnly = try container.decode(Bool.self, forKey: .isReadOnly)
            replacesNewer = try container.decode(Bool.self, forKey: .replacesNewer)
            allowsDamaged = try container.decodeIfPresent(Bool.self, forKey: .allowsDamaged) ?? false
            allowsHiddenEntries =
                try container.decodeIfPresent(Bool.self, forKey: .allowsHiddenEntries) ?? false
        }
    }

    let fileSystem: FileSystem
    let options: Options

    /// - Parameters:
    ///   - options: what it may do.
    ///   - fileSystem: where the account is put.
    package init(_ options: Options = Options(), fileSystem: FileSystem = FileSystem()) {
        self.options = options
        self.fileSystem = fileSystem
    }

    /// Checks the whole archive, unpacks it beside the account, proves the databases, puts all in place.
    ///
    /// - Parameters:
    ///   - archive: the zip file.
    ///   - location: where the account shall be; the folder is made where it is missing.
    ///   - passphrase: where given, both databases must open with it, and everything is checked that a verification checks
    ///     of them. Without it, databases that are encrypted are not looked into.
    ///   - progress: sees the bytes that arrived; throw to stop, which changes nothing.
    /// - Returns: what arrived, and which media did not. Media of the same name are replaced, others stay.
    /// - Throws: `ZipError` for an archive that is refused; `AccountArchiveError`: `damaged` without a
    ///   database, `noSpace`, `alreadyExists` (also for an account that is newer; see `Options.replacesNewer`);
    ///   `wrongPassphrase`, `damaged` and `unsupported` for databases that are refused; `AccountError`:
    ///   `unsupported` for an account that is only to be read; `FileError`. Nothing was changed then, or the error says what the next run completes.
    package func `import`(
        _ archive: FilePath, to location: AccountLocation, passphrase: borrowing SecretBytes? = nil,
        progress: ProgressHandler = { _ in }
    ) throws -> ImportReport {
        try self.import(
            from: ArchiveStorage(archive, limits: options.limits, fileSystem: fileSystem), to: location,
            passphrase: passphrase, progress: progress)
    }

    /// The same from an archive that is open already, because it was looked at: whatever has its name by now.
    ///
    /// - Parameters: as for ``import(_:to:passphrase:progress:)``; `content` was opened under the limits of the options.
    /// - Throws: the same.
    package func `import`(
        from content: ArchiveStorage, to location: AccountLocation,
        passphrase: borrowing SecretBytes? = nil, progress: ProgressHandler = { _ in }
    ) throws -> ImportReport {
        let archive = content.archive.path
        let index = content.index
        try requireDatabases(index, archive)
        try refuseHidden(index, archive)
        let target = ImportTarget(location, options, fileSystem)
        let isNew = try !fileSystem.exists(location.directory)
        if isNew { try target.refuseObstacles() }
        try fileSystem.makeDirectories(location.directory)
        var isDone = false
        // A folder that was made for nothing goes again.
        defer { if isNew, !isDone { try? fileSystem.removeDirectory(location.directory) } }

        let account = try AccountWriter(location, fileSystem: fileSystem)
        let replaced = try target.replaced()
        let previous = try target.previous()
        try target.refuseObstacles()
        try target.refuseShortage(index)
        let databases = try ImportedDatabases(archive, content, passphrase, fileSystem)
        let change = try account.change("import")
        if options.isReadOnly { try change.marks(mark(of: archive, index)) }
        if let previous { try target.refuseShortage(index, and: change.spaceNeeded(toKeep: previous)) }
        let media = try previous.map { try change.keeps($0, progress: progress) }

        var report = try unpack(content, to: location, archive, change, databases, progress)
        report.recovery = account.recovery
        report.replacedAccount = !replaced.isEmpty
        let proof = try databases.judge(allowsDamaged: options.allowsDamaged, progress)
        report.databasesOpened = proof.databases.areOpened
        report.outlook = proof.judgement.outlook
        if proof.judgement.refusal != nil {
            report.archiveErrors += proof.problems.map { .import(importError: $0) }
        }
        try keepTimes(change, index)
        if report.replacedAccount { report.age = try age(change, location, index, passphrase) }
        if let refusal = refusal(report.age, archive, at: location) { throw refusal }
        try progress(OperationProgress("flushing", completed: report.size, total: index.totalSize))
        try fileSystem.synchronizeAll(change.stagingFolder)
        let outcome = try change.commit()
        isDone = true
        if let media, let name = outcome.keptPrevious {
            report.keptPrevious = KeptPrevious(
                directory: location.directory.appending(name).string, media: media,
                isIntact: replaced.count == AccountDatabase.allCases.count)
        }
        return report
    }

    private func unpack(
        _ content: ArchiveStorage, to location: AccountLocation, _ archive: FilePath,
        _ change: AccountChange, _ databases: ImportedDatabases, _ progress: ProgressHandler
    ) throws -> ImportReport {
        let total = content.index.totalSize
        let unpacking = try ImportUnpacking(
            change, location, archive, databases, fileSystem, total: total)
        try unpacking.unpack(content, progress)
        var report = ImportReport()
        report.isReadOnly = options.isReadOnly
        report.archiveErrors = unpacking.errors
        report.ignored = unpacking.ignored
        report.entries = unpacking.entries
        report.size = unpacking.done
        try progress(OperationProgress("checking the databases", completed: unpacking.done, total: total))
        return report
    }

    func requireDatabases(_ index: ZipIndex, _ archive: FilePath) throws {
        for database in AccountDatabase.allCases where index.entry(named: database.archiveName) == nil {
            throw AccountArchiveError(
                .damaged,
                "not an account archive: \(database.archiveName) is missing. Nothing was changed.",
                subject: archive.string)
        }
    }

    /// - Throws: `ZipError` where the archive means something else to a reader that goes by its bytes.
    func refuseHidden(_ index: ZipIndex, _ archive: FilePath) throws(ZipError) {
        guard !options.allowsHiddenEntries, let hidden = index.hidden.first else { return }
        throw ZipError(
            .unsupported, .hiddenEntry,
            "\(hidden.sentence). Other programs may read a different account from it. Nothing was changed.",
            remedy: .acceptHiddenEntries(archive)
        ).naming(archive: archive.string)
    }

    private func mark(of archive: FilePath, _ index: ZipIndex) -> ReadOnlyMark {
        ReadOnlyMark(
            archive: archive.lastComponent?.string, archiveSize: index.archiveSize,
            imported: UTCTime.now.isoText)
    }

    /// The databases keep the times that the archive tells, by which a later import can compare.
    private func keepTimes(_ change: AccountChange, _ index: ZipIndex) throws {
        for database in AccountDatabase.allCases {
            guard let time = index.entry(named: database.archiveName)?.modified else { continue }
            try fileSystem.openForUpdating(change.stagedPath(of: database)).setModificationTime(time.seconds)
        }
    }

    private func age(
        _ change: AccountChange, _ location: AccountLocation, _ index: ZipIndex,
        _ passphrase: borrowing SecretBytes?
    ) throws -> ImportAge {
        let areEqual = try AccountDatabase.allCases.allSatisfy {
            try FileMatch.areEqual(change.stagedPath(of: $0), location.path(of: $0), fileSystem)
        }
        if areEqual { return ImportAge(.same, by: .bytes) }
        return try AgeComparison(location, index, fileSystem).age(passphrase: passphrase) {
            try FileSource(change.stagedPath(of: $0), fileSystem: fileSystem)
        }
    }
}
