package import SystemPackage
import ValiseAccounts
import ValiseArchives
package import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// Recovers intact entries of a damaged archive into a new one. The damaged one is only read.
public struct ArchiveSalvage {
    /// How an archive is salvaged.
    public struct Options: Sendable {
        /// Whether a file that has the new archive's name is replaced.
        package var replacesFile: Bool
        /// Whether everything is done but leaving the new archive.
        package var isDryRun: Bool
        /// How many times larger than packed an entry of more than 16 MiB may be. An import would refuse the new archive
        /// for one that grows more.
        package var ratio: Int64

        /// Stands in for what is free on the disk, in bytes.
        package var freeSpace: Int64?

        /// - Parameters:
        ///   - replacesFile: whether an archive of that name may be replaced.
        ///   - isDryRun: whether nothing is written.
        ///   - ratio: how many times its packed size an entry may have.
        public init(
            replacesFile: Bool = false, isDryRun: Bool = false, ratio: Int64 = 200
        ) {
            self.ratio = ratio
            self.replacesFile = replacesFile
            self.isDryRun = isDryRun
        }
    }

    private let options: Options
    private let fileSystem: FileSystem

    package init(_ options: Options = Options(), fileSystem: FileSystem = FileSystem()) {
        self.options = options
        self.fileSystem = fileSystem
    }

    /// Looks for entries, keeps those whose checksums hold, and salvages damaged databases.
    ///
    /// - Parameters:
    ///   - archive: the broken archive.
    ///   - target: the new archive. It appears under its name only when it is complete and durable.
    ///   - passphrase: for damaged databases; without it their bytes are kept as they are.
    ///   - progress: sees what is done; throw to stop, which leaves nothing.
    /// - Throws: ``ArchiveSalvageError``: `damaged` when nothing can be saved, `wrongPassphrase`,
    ///   `alreadyExists`, `inUse`, `noSpace`, `invalid`, `failed` when the archive was changed meanwhile;
    ///   `ContainerError` for a tar, cpio or 7z of which no entry is supported, or that does not fit on the disk unpacked;
    ///   `AccountError`; `FileError`.
    package func run(
        _ archive: FilePath, to target: FilePath, passphrase: borrowing SecretBytes? = nil,
        progress: ProgressHandler = { _ in }
    ) throws -> ArchiveSalvageReport {
        let original = try FileSource(archive, fileSystem: fileSystem)
        let before = try original.attributes()
        try checkTarget(target, archive)
        try AccountPaths.refuse(target, for: "the new archive", fileSystem: fileSystem)
        let workplace = try SalvageWorkplace(target, fileSystem)
        let container = try SalvagedContainer(
            original, beside: target, ratio: options.ratio, fileSystem, progress)
        let source = container?.content ?? original
        let total = source.size
        // What its checksum proves is copied as it is packed, and left out only by what it comes to at its end.
        let scan = try ZipScan(source, ratio: .max) { done in
            try progress(OperationProgress("scanning for entries", completed: done, total: total))
        }
        var report = ArchiveSalvageReport(
            source: archive.string, target: target.string, size: original.size, isDryRun: options.isDryRun,
            isPassphraseGiven: passphrase != nil)
        var selection = SalvagedEntries(scan, ZipLimits(ratio: options.ratio), &report)
        container?.leaveOut(&selection, &report)
        let soundness = try DatabaseSoundness(source, selection, passphrase, progress)
        soundness.condemn(&selection, hasChecksums: container == nil)
        ScanFindings(scan, selection).note(&report)
        soundness.note(&report)
        let space = SalvageSpace(
            free: try options.freeSpace ?? fileSystem.freeSpace(at: target.parentFolder), selection.intact)
        var rescued = DamagedDatabases(
            archive: source, workplace: workplace, fileSystem: fileSystem, space: space)
        try rescued.run(selection.damaged, passphrase, &report, progress)
        for database in rescued.left { selection.restore(database) }
        report.kept = selection.kept
        container?.note(&report)
        try checkPassphrase(soundness, rescued, archive)
        // Damaged bytes alone are worth an archive only as long as a passphrase may still open them.
        let mayOpen = !report.isPassphraseGiven
        let isDatabaseKept = report.databases.contains {
            $0.state == .salvaged || $0.state == .keptDamaged && (mayOpen || $0.failure != nil)
        }
        guard !selection.intact.isEmpty || isDatabaseKept else {
            throw nothingFound(scan, container, report, archive)
        }
        if !options.isDryRun {
            try checkSpace(rescued.space, target)
            try write(selection, rescued.products, source, workplace, progress)
        }
        guard try original.attributes().isUnchanged(since: before) else { throw changed(archive) }
        if !options.isDryRun { try workplace.publish(replacing: options.replacesFile) }
        return report
    }

    private func changed(_ archive: FilePath) -> ArchiveSalvageError {
        ArchiveSalvageError(
            .failed,
            "the damaged archive changed while being read. No archive was written.",
            subject: archive.string, remedy: .giveCommandAgain)
    }

    private func checkPassphrase(
        _ soundness: DatabaseSoundness, _ rescued: DamagedDatabases, _ archive: FilePath
    ) throws {
        guard soundness.isRefused || rescued.isOneRefused, !soundness.isOneOpened, !rescued.isOneOpened
        else { return }
        throw ArchiveSalvageError(
            .wrongPassphrase,
            "wrong passphrase. No archive was written. Without a passphrase, every intact entry is recovered, and "
                + "damaged databases are copied unchanged.", subject: archive.string)
    }

    private func checkTarget(_ target: FilePath, _ archive: FilePath) throws {
        guard let found = try fileSystem.attributes(of: target) else { return }
        if let read = try fileSystem.attributes(of: archive), read.isSameFile(as: found) {
            throw ArchiveSalvageError(
                .invalid, "cannot overwrite the damaged archive", subject: target.string,
                remedy: .chooseAnotherName)
        }
        // Before the advice to replace it, which would be refused.
        try ReplaceableContent.archive.check(target, fileSystem: fileSystem)
        guard options.replacesFile else {
            throw ArchiveSalvageError(
                .alreadyExists, "already exists", subject: target.string,
                remedy: .replaceFile(target))
        }
    }

    private func nothingFound(
        _ scan: ZipScan, _ container: SalvagedContainer?, _ report: ArchiveSalvageReport, _ archive: FilePath
    ) -> ArchiveSalvageError {
        if report.databases.contains(where: { $0.state == .noSpace }) {
            return ArchiveSalvageError(
                .noSpace,
                "only damaged databases were found, and there is not enough free space to copy them. No archive was "
                    + "written.", subject: archive.string)
        }
        let found = container?.nothing(scan.entries.count) ?? Self.nothing(scan)
        return ArchiveSalvageError(
            .damaged, "nothing to recover: \(found). No archive was written.", subject: archive.string)
    }

    private static func nothing(_ scan: ZipScan) -> String {
        if scan.entries.isEmpty { return "no zip entries found" }
        return scan.isIncomplete
            ? "scanning exceeds the work limit for a file of this size, as only crafted files do"
            : "none of the zip entries found (\(scan.entries.count)) is an intact account entry"
    }

    private func checkSpace(_ space: SalvageSpace, _ target: FilePath) throws {
        guard space.isEnough else {
            throw ArchiveSalvageError(
                .noSpace,
                "not enough free space: up to \(Count.bytes(space.needed)) needed, "
                    + "\(Count.bytes(space.free)) available. Nothing was "
                    + "written.",
                subject: target.string, remedy: .freeSpace(space.needed, in: target.parentFolder))
        }
    }

    /// Packed bytes are copied as they are: what their checksum proved stays proved.
    private func write(
        _ selection: SalvagedEntries, _ products: [DamagedDatabases.Product], _ source: any ByteSource,
        _ workplace: SalvageWorkplace, _ progress: ProgressHandler
    ) throws {
        let writer = try ZipWriter(try workplace.open())
        var done: Int64 = 0
        let total = selection.intact.reduce(0) { $0 + Int64($1.entry.data.count) }
        func add(_ chosen: SalvagedEntries.Chosen) throws {
            guard let method = chosen.entry.method, let size = chosen.entry.size,
                let checksum = chosen.entry.checksum
            else { return }
            let packed = CopiedBytes(chosen.entry.packedSource(in: source))
            func tell() throws {
                try progress(
                    OperationProgress(
                        "copying intact entries", completed: done + packed.read.count, total: total))
            }
            try tell()
            try writer.addPacked(
                chosen.name, packed, method: method, size: size, checksum: checksum,
                modificationTime: chosen.entry.modificationTime, afterEach: tell)
            guard method != .stored || packed.read.value == checksum else { throw changed(source.path) }
            done += Int64(chosen.entry.data.count)
        }
        // Databases first, whether they were whole or not.
        let (databases, media) = selection.intact.split { chosen in
            if case .database = chosen.role { true } else { false }
        }
        let fresh = products.split { ArchiveLayout.role(of: $0.name) != .other }
        for chosen in databases { try add(chosen) }
        for product in fresh.matching { try copy(product, to: writer, progress) }
        for chosen in media { try add(chosen) }
        for product in fresh.others { try copy(product, to: writer, progress) }
        _ = try writer.finish()
    }

    private func copy(
        _ product: DamagedDatabases.Product, to writer: ZipWriter, _ progress: ProgressHandler
    ) throws {
        let file = try fileSystem.openForReading(product.path)
        let size = try file.size()
        var done: Int64 = 0
        try unsafe writer.add(
            product.name, size: size, modificationTime: product.modificationTime, method: .stored,
            next: {
                let count = try unsafe file.read(into: $0)
                done += Int64(count)
                return count
            },
            afterEach: {
                try progress(.file(product.name, "copying", completed: done, total: size))
            })
    }
}

extension Array {
    /// Those that match and the others, each in their order.
    fileprivate func split(_ matches: (Element) -> Bool) -> (matching: [Element], others: [Element]) {
        (filter(matches), filter { !matches($0) })
    }
}
