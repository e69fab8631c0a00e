import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValisePages

/// Adds the files one by one; a file that cannot be read is an error of its own, not of the archive.
struct ExportEntryWriter {
    private let writer: any ExportEntries
    private let fileSystem: FileSystem
    private let options: ArchiveExport.Options
    private let total: Int64
    /// Sees the bytes of the databases; nil where they cannot be checked.
    private var check: ExportedDatabasesCheck?

    private(set) var errors: [ArchiveError] = []
    private(set) var entries = 0
    private(set) var storedEntries = 0
    /// Bytes that went into the archive.
    private(set) var done: Int64 = 0

    init(
        _ writer: any ExportEntries, _ fileSystem: FileSystem, _ options: ArchiveExport.Options, total: Int64,
        check: ExportedDatabasesCheck?
    ) {
        self.check = check
        self.writer = writer
        self.fileSystem = fileSystem
        self.options = options
        self.total = total
    }

    /// Takes over what an earlier run had written of the first ones of these.
    /// - Returns: nil where no earlier run left anything.
    mutating func takeOver(
        _ sources: ArraySlice<ExportSource>, _ progress: ProgressHandler
    ) throws -> TakenEntries? {
        let (start, total) = (done, total)
        let taken = try writer.takeOver(sources, fileSystem) { size in
            try progress(
                OperationProgress("checking the unfinished archive", completed: start + size, total: total))
        }
        guard let taken else { return nil }
        done += taken.kept.size
        entries += taken.kept.files
        storedEntries += taken.stored
        return taken
    }

    mutating func add(_ source: ExportSource, _ progress: ProgressHandler) throws {
        guard let input = try open(source) else { return }
        let pages = try check?.pages(of: source.name)
        let missing = options.format == .zip ? "" : ", and zeros for the rest"
        var unreadable: FileError?
        var written: Int64 = 0
        let start = done
        _ = try unsafe writer.add(
            source.name, size: input.size,
            modificationTime: source.modificationTime, method: input.method
        ) { buffer in
            do {
                let count = try unsafe input.source.read(into: buffer, at: written)
                written += Int64(count)
                try unsafe pages?.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                return count
            } catch let error as FileError {
                unreadable = error
                return 0
            }
        } afterEach: {
            try progress(.entry(source.name, completed: start + written, total: total))
        }
        let isComplete = unreadable == nil && written == input.size
        writer.added(from: isComplete ? input.file(of: source) : .incomplete)
        done += written
        entries += 1
        if input.method == .stored { storedEntries += 1 }
        let (here, whole) = Count.bytes(written, and: input.size)
        if let unreadable {
            try report(
                source, "\(unreadable.message); the archive has only the first \(here) of \(whole)\(missing)",
                fatal: source.isDatabase ? unreadable : nil)
        } else if written < input.size {
            let shrank = "shrank while being read; the archive has only \(here) of \(whole)\(missing)"
            try report(
                source, shrank,
                fatal: source.isDatabase ? AccountError(.failed, shrank, source.path) : nil)
        }
        if let pages { try check?.end(source.name, pages) }
    }

    /// Waits for what is still checked of the databases, and adds what is wrong with them.
    /// - Returns: whether the content of both was checked.
    mutating func endCheck(_ progress: ProgressHandler) throws -> Bool {
        guard var check = self.check.take() else { return false }
        errors += try check.finish(progress)
        return check.areChecked
    }

    /// The file if its bytes can be read; nil with an error in the list otherwise.
    private mutating func open(_ source: ExportSource) throws -> ExportInput? {
        do {
            return try ExportInput(
                source.open(fileSystem), probes: options.compresses && options.format == .zip,
                isTracked: writer.tracksFiles && !source.isDatabase)
        } catch let error as FileError {
            try report(source, error.message, fatal: source.isDatabase ? error : nil)
            return nil
        }
    }

    private mutating func report(_ source: ExportSource, _ text: String, fatal: (any Error)?) throws {
        // An archive without a whole database is no archive of an account.
        if let fatal { throw fatal }
        errors.append(.fileError(file: source.name, fileError: Remark(text)))
    }
}

/// An open file, and how its bytes go into the archive.
private struct ExportInput {
    let source: any ByteSource
    /// In bytes.
    let size: Int64
    let method: ZipMethod
    /// The file before anything of it was read, where somebody wants to know.
    private let before: FileAttributes?

    /// Three looks of so many bytes tell whether deflating is worth it.
    private static let probeSize = 16 << 10

    init(_ source: any ByteSource, probes: Bool, isTracked: Bool) throws {
        size = source.size
        before = isTracked ? try (source as? FileSource)?.attributes() : nil
        method = probes && size > 0 ? try Self.method(for: source) : .stored
        self.source = source
    }

    /// Which file it is now that all of it was read. One that is not as it was listed has other headers in another run.
    func file(of listed: ExportSource) -> AddedFile {
        if listed.isDatabase { return .database }
        guard let before, before.size == size, before.size == listed.size,
            before.modificationTime == listed.modificationTime,
            let after = try? (source as? FileSource)?.attributes()
        else { return .incomplete }
        return .file(before: before, after: after)
    }

    private static func method(for source: any ByteSource) throws -> ZipMethod {
        let size = source.size
        var sample: [UInt8] = []
        let step = Int64(probeSize)
        // Not the first bytes alone: headers of media pack well, and what follows does not.
        for offset in Set([0, max(0, size / 2 - step / 2), max(0, size - step)]).sorted() {
            sample += try source.bytes(at: offset, upTo: probeSize)
        }
        return Compressibility.isWorthwhile(sample) ? .deflated : .stored
    }
}
