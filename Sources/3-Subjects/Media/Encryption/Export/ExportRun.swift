import Synchronization
import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseCryptoFiles
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// One run of an export, from the list of what is due to the last line of the manifest.
final class ExportRun {
    let out: FilePath
    private let media: MediaFolder
    private let options: MediaExportOptions
    private let fileSystem: FileSystem
    private let workers: Int
    private let manifest: ExportManifest
    private let names: ExportNames
    private var folders: ExportFolders
    private let staging: ExportStaging
    private var findings = MediaExportReport()
    private var totalSize: Int64 = 0
    private let doneSize = ByteCounter()
    private let cancellation = Cancellation()

    /// Each has a key in guarded memory, which is scarce.
    private static let filesPerBatch = 128
    private static let bytesPerBatch: Int64 = 32 << 20
    /// Files of this size and more are worked on by all threads, the smaller ones side by side.
    private static let largeSize: Int64 = 16 << 20

    /// - Throws: ``MediaEncryptionError`` with `alreadyExists` for a foreign manifest; ``FileError``.
    init(
        _ out: FilePath, _ media: MediaFolder, _ options: MediaExportOptions, _ fileSystem: FileSystem,
        _ workers: Int
    ) throws {
        self.out = out
        self.media = media
        self.options = options
        self.fileSystem = fileSystem
        self.workers = workers
        let names = ExportNames(out, fileSystem)
        var folders = ExportFolders(out, fileSystem)
        manifest = try ExportManifest(out, fileSystem) { entry in
            names.note(entry.path)
            folders.note(entry)
        }
        self.names = names
        self.folders = folders
        staging = ExportStaging(out, manifest, names, fileSystem)
        findings.isDryRun = options.isDryRun
    }

    /// What was found and done so far.
    var report: MediaExportReport {
        var report = findings
        guard !options.isDryRun else { return report }
        report.copied = staging.copied
        report.copiedSize = staging.copiedSize
        report.duplicates = staging.duplicates
        report.adopted = staging.adopted
        return report
    }

    // MARK: Planning

    /// The rows whose files are to be copied, in their order.
    /// - Throws: ``AccountMediaError``; ``DatabaseError``; ``FileError``; whatever `progress` throws.
    func plan(
        _ table: MediaTable, _ connection: borrowing Connection, _ progress: ProgressHandler
    ) throws -> [Int64] {
        let filter = try MediaFilter(options.selection, connection)
        var due: [Int64] = []
        try table.forEach(connection, damaged: { findings.add(.init(damagedRow: $0)) }) { file in
            guard filter.matches(file) else { return }
            if findings.selected % 256 == 0 { try progress(OperationProgress("scanning media")) }
            findings.selected += 1
            switch try source(of: file) {
            case .notReceived: findings.notReceived += 1
            case .problem(let problem): findings.add(problem)
            case .file(_, _, let size):
                if try isThere(file, size) {
                    findings.unchanged += 1
                } else {
                    due.append(file.fileID)
                    totalSize += size
                }
            }
        }
        findings.copied = due.count
        findings.copiedSize = totalSize
        return due
    }

    private func source(of file: MediaReference) throws -> MediaExportSource {
        try MediaExportSource.of(file, media, includesOutside: options.includesOutside, fileSystem)
    }

    private func previous(_ file: MediaReference, _ size: Int64) throws -> MediaExportEntry? {
        try manifest.find(file.fileID, name: MediaExportEntry.recorded(file.recordedName), size: size)
    }

    /// Whether a previous run exported it and nobody took it away.
    private func isThere(_ file: MediaReference, _ size: Int64) throws -> Bool {
        guard let previous = try previous(file, size),
            let found = try fileSystem.attributes(of: out.appending(previous.path))
        else { return false }
        return found.kind == .regular && found.size == size
    }

    // MARK: Exporting

    /// - Throws: as ``MediaExport/run(_:to:passphrase:options:progress:)``.
    func export(
        _ due: [Int64], _ table: MediaTable, _ connection: borrowing Connection, _ progress: ProgressHandler
    ) throws {
        guard !due.isEmpty else { return try staging.clean() }
        try staging.begin()
        try manifest.open()
        let senders = try ExportSenders(connection)
        var rest = due[...]
        var batch: [ExportJob] = []
        var batchSize: Int64 = 0
        // What is wrong with damaged rows was said when the export was planned.
        try table.forEach(connection, damaged: { _ in }) { file in
            guard file.fileID == rest.first else { return }
            rest.removeFirst()
            guard let job = try job(file, table, senders, connection) else { return }
            if job.storedSize >= Self.largeSize { return try copy([job], workersPerFile: workers, progress) }
            batch.append(job)
            batchSize += job.storedSize
            guard batch.count >= Self.filesPerBatch || batchSize >= Self.bytesPerBatch else { return }
            try copy(batch, workersPerFile: 1, progress)
            batch = []
            batchSize = 0
        }
        try copy(batch, workersPerFile: 1, progress)
        try staging.end()
    }

    /// Puts in place what is finished, after a failure. Where that fails too, the next run does it again.
    func keepFinished() {
        try? staging.flush()
        staging.discard()
    }

    /// - Returns: nil where the file went since it was planned.
    private func job(
        _ file: MediaReference, _ table: MediaTable, _ senders: ExportSenders,
        _ connection: borrowing Connection
    ) throws -> ExportJob? {
        guard
            case .file(let source, let storedSize, let size) =
                try source(of: file)
        else { return nil }
        var entry = try senders.entry(file, size: size, connection)
        let folder = try folders.folder(of: entry)
        let name = SafeFileName(Self.shownName(file), fallback: "file")
        let previous = try previous(file, size).flatMap { $0.isStoredElsewhere ? nil : $0.path }
        entry.path = try previous ?? names.claim(name, in: folder, size: size)
        // A previous path may lie in a folder that had another name then.
        let ownFolder = entry.path.split(separator: "/").dropLast().joined(separator: "/")
        return ExportJob(
            entry: entry, name: name, folder: ownFolder, storedPath: file.filePath, source: source,
            storedSize: storedSize, keys: try table.keys(of: file.fileID, connection),
            time: file.time?.seconds, partial: staging.nextPartial())
    }

    private static func shownName(_ file: MediaReference) -> String {
        guard file.recordedName.isEmpty else { return file.recordedName }
        return file.filePath.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
    }

    private func copy(_ jobs: [ExportJob], workersPerFile: Int, _ progress: ProgressHandler) throws {
        guard !jobs.isEmpty else { return }
        let outcomes = Mutex<[ExportCopy.Outcome?]>(Array(repeating: nil, count: jobs.count))
        let show = { [totalSize, doneSize] in
            let done = doneSize.value
            try progress(OperationProgress("exporting media", completed: done, total: totalSize))
        }
        do {
            if workersPerFile > 1 {
                try copyLarge(jobs, outcomes: outcomes, show)
            } else {
                try copySmall(jobs, outcomes: outcomes, show)
            }
        } catch {
            try? stage(jobs, outcomes.withLock { $0 })
            throw error
        }
        try stage(jobs, outcomes.withLock { $0 })
    }

    private func copyLarge(
        _ jobs: [ExportJob], outcomes: borrowing Mutex<[ExportCopy.Outcome?]>, _ show: () throws -> Void
    ) throws {
        let copy = try ExportCopy(fileSystem, workers: workers, cancellation)
        for (index, job) in jobs.enumerated() {
            let outcome = try copy.run(job) { count in
                doneSize.add(count)
                try show()
            }
            outcomes.withLock { $0[index] = outcome }
        }
    }

    private func copySmall(
        _ jobs: [ExportJob], outcomes: borrowing Mutex<[ExportCopy.Outcome?]>, _ show: () throws -> Void
    ) throws {
        let (fileSystem, cancellation) = (fileSystem, cancellation)
        let add = { @Sendable [doneSize] (count: Int64) in doneSize.add(count) }
        try ParallelBatches.run(count: jobs.count, workers: workers) {
            try ExportCopy(fileSystem, workers: 1, cancellation)
        } work: { copy, index in
            let outcome = try copy.run(jobs[index], done: add)
            outcomes.withLock { $0[index] = outcome }
        } report: { _ in
            do {
                try show()
            } catch {
                cancellation.cancel()
                throw error
            }
        }
    }

    /// Takes over what was finished.
    private func stage(_ jobs: [ExportJob], _ outcomes: [ExportCopy.Outcome?]) throws {
        for (job, outcome) in zip(jobs, outcomes) {
            switch outcome {
            case .problem(let problem): findings.add(problem)
            case .copied(let digest):
                var job = job
                job.entry.sha256 = digest
                try staging.add(job)
            case nil: break
            }
        }
    }
}

/// Bytes that several threads count.
private final class ByteCounter: Sendable {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    func add(_ bytes: Int64) { count.add(bytes, ordering: .relaxed) }
}
