package import SystemPackage
package import ValiseAccounts
public import ValiseArchives
package import ValiseConcurrency
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
import ValiseMedia
package import ValiseSecrets

/// Extracts files from an untrusted zip archive.
public struct ArchiveExtraction {
    /// What is extracted, and how.
    public struct Options: Sendable {
        /// Shell's patterns of whole paths, or of last components where they have no slash; none for everything.
        package var patterns: [String]
        /// Whether files that are there are replaced.
        package var replacesFiles: Bool
        /// Whether media get decrypted with the keys in the archive's chat database.
        package var decryptsMedia: Bool
        /// Only tell what would be extracted.
        package var isDryRun: Bool
        /// How far the archive's claims are trusted.
        package var limits: ZipLimits

        /// - Parameters:
        ///   - patterns: names of entries with `*` and `?`; none for all of them.
        ///   - replacesFiles: whether files that are there may be replaced.
        ///   - decryptsMedia: whether media are written decrypted.
        ///   - isDryRun: whether nothing is written.
        ///   - limits: how far the archive's claims are trusted.
        public init(
            patterns: [String] = [], replacesFiles: Bool = false, decryptsMedia: Bool = false,
            isDryRun: Bool = false, limits: ZipLimits = ZipLimits()
        ) {
            self.patterns = patterns
            self.replacesFiles = replacesFiles
            self.decryptsMedia = decryptsMedia
            self.isDryRun = isDryRun
            self.limits = limits
        }
    }

    private let options: Options
    private let fileSystem: FileSystem

    package init(_ options: Options = Options(), fileSystem: FileSystem = FileSystem()) {
        self.options = options
        self.fileSystem = fileSystem
    }

    /// Checks the whole structure, then extracts. A file gets its name when it is whole: its checksum was right, or
    /// where it was decrypted its tag; nothing is written outside of the folder or through a link in it.
    ///
    /// - Parameters:
    ///   - archive: the zip file.
    ///   - out: the folder; it is made where it is missing.
    ///   - passphrase: of the databases in the archive, for decrypting; nil where they are not encrypted.
    ///   - progress: sees the bytes that are done; throw to stop, which keeps what is whole.
    /// - Returns: what was extracted; entries that could not be are part of it.
    /// - Throws: `ZipError` for an archive that is refused; ``AccountArchiveError``: `notFound` where no pattern
    ///   means an entry, `failed` where the folder contains an account and the selection a part of one, `wrongPassphrase`, `noSpace`, `inUse`, `interrupted`; `AccountMediaError`;
    ///   `DatabaseError`; `FileError`. What has its name by then is whole.
    package func extract(
        _ archive: FilePath, to out: FilePath, passphrase: borrowing SecretBytes? = nil,
        progress: ProgressHandler = { _ in }
    ) throws -> ExtractionReport {
        try extract(
            from: ArchiveStorage(archive, limits: options.limits, fileSystem: fileSystem), to: out,
            passphrase: passphrase, progress: progress)
    }

    /// The same from an archive that is open already, because it was looked at: whatever has its name by now.
    ///
    /// - Parameters: as for ``extract(_:to:passphrase:progress:)``; `account` was opened under the limits of the options.
    /// - Throws: the same.
    package func extract(
        from account: ArchiveStorage, to out: FilePath, passphrase: borrowing SecretBytes? = nil,
        progress: ProgressHandler = { _ in }
    ) throws -> ExtractionReport {
        let archive = account.archive.path
        let (selection, folder) = try accepted(account, archive, out)
        let keys = try keys(account, archive, passphrase, progress)
        var report = ExtractionReport(archivePath: archive.string, outPath: out.string)
        report.isDryRun = options.isDryRun
        report.unmatched = selection.unmatched
        report.withoutKey = options.decryptsMedia ? 0 : nil
        if options.isDryRun {
            ExtractionPlan(selection, keys, folder).tell(&report)
        } else {
            try write(account, selection, keys, out, &report, progress)
        }
        return report
    }

    /// Whether a passphrase is needed to decrypt media. What is refused with any passphrase is refused here, before somebody is
    /// asked for one.
    /// - Throws: ``AccountArchiveError`` as ``extract(_:to:passphrase:progress:)``; `ZipError`; `AccountMediaError` with
    ///   `damaged` where the chat database is missing; `FileError`.
    package func needsPassphrase(_ account: ArchiveStorage, to out: FilePath) throws -> Bool {
        guard options.decryptsMedia else { return false }
        _ = try accepted(account, account.archive.path, out)
        return try AccountReader(account).isEncrypted(.chat)
    }

    /// What is extracted, and to where.
    private func accepted(
        _ account: ArchiveStorage, _ archive: FilePath, _ out: FilePath
    ) throws -> (EntrySelection, ExtractionFolder) {
        let selection = EntrySelection(account.index, options.patterns)
        guard !selection.entries.isEmpty || options.patterns.isEmpty else {
            throw AccountArchiveError(
                .notFound, "no entry matches",
                subject: "\(archive.string): \(options.patterns.joined(separator: " "))",
                remedy: .listArchive(archive))
        }
        let folder = try ExtractionFolder(out, replacesFiles: options.replacesFiles, fileSystem)
        try folder.refuseAccount(selection.entries.map(\.name), named: out)
        try checkSpace(selection, folder)
        return (selection, folder)
    }

    private func keys(
        _ account: ArchiveStorage, _ archive: FilePath, _ passphrase: borrowing SecretBytes?,
        _ progress: ProgressHandler
    ) throws -> ArchivedMediaKeys? {
        guard options.decryptsMedia else { return nil }
        let reader = AccountReader(account)
        let connection: Connection
        if let key = try passphrase.duplicate() {
            connection = try reader.connectWithAnySettings(.chat, passphrase: key)
        } else {
            guard try !reader.isEncrypted(.chat) else {
                throw AccountArchiveError(
                    .wrongPassphrase, "passphrase required to read the media keys",
                    subject: archive.string)
            }
            connection = try reader.connectWithAnySettings(.chat, passphrase: SecretBytes.empty())
        }
        return try ArchivedMediaKeys(reader, connection) {
            try progress(OperationProgress("scanning media"))
        }
    }

    private func checkSpace(_ selection: EntrySelection, _ folder: ExtractionFolder) throws {
        // Names, folders and the rounding to whole blocks.
        let needed = selection.size.addingCapped(Int64(selection.entries.count) * 4096 + (1 << 20))
        let free = try folder.freeSpace()
        guard free >= needed else {
            throw AccountArchiveError(
                .noSpace,
                "not enough free space: \(Count.bytes(needed)) needed, \(Count.bytes(free)) "
                    + "available. Nothing was written.",
                subject: folder.path.string, remedy: .freeSpace(needed, in: folder.path))
        }
    }

    private func write(
        _ account: ArchiveStorage, _ selection: EntrySelection, _ keys: ArchivedMediaKeys?, _ out: FilePath,
        _ report: inout ExtractionReport, _ progress: ProgressHandler
    ) throws {
        try fileSystem.makeDirectories(out)
        let lock = try lock(out)
        defer { withExtendedLifetime(lock) {} }
        // What is there is looked at under the lock.
        let folder = try ExtractionFolder(out, replacesFiles: options.replacesFiles, fileSystem)
        let staging = try ExtractionStaging(folder, replacesFiles: options.replacesFiles, fileSystem)
        let run = try ExtractionRun(account, selection, keys, folder, staging, fileSystem)
        do {
            try run.extract(progress)
        } catch let error as any Failure where [.interrupted, .noSpace].contains(error.code) {
            let reason = error.code == .noSpace ? "disk or quota full" : "interrupted"
            let count = staging.published.values.reduce(0, +)
            throw AccountArchiveError(
                error.code,
                "\(reason) after \(Count.text(count, "complete file")); the others were not written",
                subject: out.string, cause: error.code == .noSpace ? error : nil)
        }
        run.tell(&report)
    }

    /// Against another extraction, and whoever reads or changes an account there.
    private func lock(_ folder: FilePath) throws -> AnyObject {
        if let lock = try DirectoryLock(folder, .exclusive) { return lock }
        throw AccountArchiveError(
            .inUse, "in use by another run of Valise. Nothing was changed.",
            subject: folder.string)
    }
}
