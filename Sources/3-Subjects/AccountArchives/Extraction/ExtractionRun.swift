import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles
import ValiseMedia

/// Writes the entries of an extraction one after the other, each read where it lies.
final class ExtractionRun {
    private let account: ArchiveStorage
    private let selection: EntrySelection
    private let keys: ArchivedMediaKeys?
    private let folder: ExtractionFolder
    private let staging: ExtractionStaging
    private let fileSystem: FileSystem
    private let cipher: CryptoFileCipher?
    private let total: Int64
    private var done: Int64 = 0
    private var errors: [ArchiveError] = []

    /// - Parameter keys: for decrypting; nil to leave everything as it lies.
    /// - Throws: `SecretsError`.
    init(
        _ account: ArchiveStorage, _ selection: EntrySelection, _ keys: ArchivedMediaKeys?,
        _ folder: ExtractionFolder, _ staging: ExtractionStaging, _ fileSystem: FileSystem
    ) throws {
        self.account = account
        self.selection = selection
        self.keys = keys
        self.folder = folder
        self.staging = staging
        self.fileSystem = fileSystem
        cipher = keys == nil ? nil : try CryptoFileCipher()
        total = selection.size
    }

    /// - Throws: ``FileError`` where the archive cannot be read or the folder not be written; `SecretsError`; whatever
    ///   `progress` throws. Damage of an entry is in the report.
    func extract(_ progress: ProgressHandler) throws {
        for entry in selection.entries {
            try progress(.entry(entry.name, completed: done, total: total))
            if let reason = try folder.obstacle(for: entry.name) ?? write(entry, progress) {
                errors.append(.fileError(file: entry.name, fileError: reason))
            }
            done += entry.size
        }
        try progress(OperationProgress("flushing", completed: total, total: total))
        try staging.end()
    }

    func tell(_ report: inout ExtractionReport) {
        report.archiveErrors = errors + staging.errors
        report.entries = staging.published.values.reduce(0, +)
        report.size = staging.publishedSize
        report.decrypted = staging.published[.decrypted] ?? 0
        report.withoutKey = keys == nil ? nil : staging.published[.withoutKey] ?? 0
    }

    /// - Returns: why the entry is left out; nil when it was written.
    private func write(_ entry: ZipEntry, _ progress: ProgressHandler) throws -> Remark? {
        guard let keys, let cipher, case .file(let name) = ArchiveLayout.role(of: entry.name) else {
            return try write(entry, as: .other) { try copy(entry, to: $0, progress) }
        }
        guard keys.has(name) else {
            return try write(entry, as: .withoutKey) { try copy(entry, to: $0, progress) }
        }
        var reason: Remark?
        let wasTried = try keys.tryEach(name) { args in
            reason = try write(entry, as: .decrypted) { writer in
                try cipher.decrypt(account.source(of: entry), to: writer, args) { count in
                    try progress(.entry(entry.name, completed: done + count, total: total))
                }
                return entry.size - CryptoFileCipher.overhead
            }
            return reason == nil
        }
        return wasTried
            ? reason : Remark("its key in the database is damaged", remedy: .extractWithoutDecrypting)
    }

    /// - Parameter body: writes the file and returns its size.
    private func write(
        _ entry: ZipEntry, as kind: ExtractionStaging.Kind, _ body: (ParallelWriter) throws -> Int64
    ) throws -> Remark? {
        let partial = staging.nextPartial()
        let writer = ParallelWriter(try fileSystem.create(partial))
        let size: Int64
        do {
            size = try body(writer)
        } catch let error as any Failure where Self.isDamage(error) {
            try fileSystem.remove(partial)
            return Remark(error)
        }
        if let time = entry.modified?.seconds { try writer.setModificationTimeIfPossible(time) }
        try staging.add(entry.name, partial, size: size, kind)
        return nil
    }

    private static func isDamage(_ error: any Failure) -> Bool {
        (error is ZipError || error is CryptoFileError) && error.code == .damaged
    }

    private func copy(
        _ entry: ZipEntry, to writer: ParallelWriter, _ progress: ProgressHandler
    ) throws -> Int64 {
        var size: Int64 = 0
        try unsafe account.contents.read(entry) { bytes in
            try unsafe writer.write(bytes, at: size)
            size += Int64(bytes.count)
            writer.startWriteback(upTo: size)
            try progress(.entry(entry.name, completed: done + size, total: total))
        }
        return size
    }
}
