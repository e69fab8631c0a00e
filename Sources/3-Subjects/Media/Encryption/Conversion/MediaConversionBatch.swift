import Synchronization
import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseCryptoFiles
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// One operation: some files, and the rows that hold their keys.
struct MediaConversionBatch {
    private let direction: MediaDirection
    private let account: AccountWriter
    private let keys: DerivedKeys
    private let candidates: MediaCandidates
    private let store: MediaFolder
    private let workers: Int
    private let fileSystem: FileSystem

    /// Larger ones are worked on by all cores, one after the other.
    private static let largeSize: Int64 = 64 << 20

    init(
        _ direction: MediaDirection, _ account: AccountWriter, _ keys: DerivedKeys,
        _ candidates: MediaCandidates,
        _ store: MediaFolder, workers: Int, _ fileSystem: FileSystem
    ) {
        self.direction = direction
        self.account = account
        self.keys = keys
        self.candidates = candidates
        self.store = store
        self.workers = workers
        self.fileSystem = fileSystem
    }

    /// - Parameters:
    ///   - report: gets what was done, once it is.
    ///   - progress: gets the bytes that are done.
    func run(
        _ batch: MediaBatches.Batch, _ report: inout MediaConversionReport,
        progress: (Int64) throws -> Void
    ) throws {
        let jobs = try jobs(batch, &report)
        let change = try account.change("media \(direction == .encrypt ? "encryption" : "decryption")")
        // The database goes into place before the files: were an app started between the two, after a crash, what it
        // writes would not be replaced by the next run, which only puts the rest of the files in place.
        change.replaces(.chat)
        let staging = try MediaStaging(
            change, account.location, jobs, growth: direction.growth)
        let outcomes = try convert(jobs, staging, progress)
        let done = try settle(jobs, outcomes, staging, &report)
        guard !done.isEmpty else { return }
        try updateKeys(of: done, change)
        // One flush for all that was staged.
        try fileSystem.synchronizeAll(change.stagingFolder)
        try change.commit()
        report.files += done.count
        report.bytes += done.reduce(0) { $0 + $1.contentSize }
        report.operations += 1
    }

    /// What was converted and did not change meanwhile. Programs that write to media hold no lock of ours.
    private func settle(
        _ jobs: [MediaJob], _ outcomes: [MediaJob.Outcome], _ staging: MediaStaging,
        _ report: inout MediaConversionReport
    ) throws -> [MediaJob] {
        var done: [MediaJob] = []
        for (job, outcome) in zip(jobs, outcomes) {
            switch outcome {
            case .left(let reason, let message): report.leave(job.fileID, job.path, reason, message)
            case .converted(let found):
                if try fileSystem.attributes(of: store.path(job.name)) == found {
                    done.append(job)
                } else {
                    if let staged = staging.path(of: job) { try fileSystem.remove(staged) }
                    report.leave(
                        job.fileID, job.path, .changed,
                        "changed or moved during the conversion; nothing was lost")
                }
            }
        }
        return done
    }

    // MARK: Files

    private func jobs(
        _ batch: MediaBatches.Batch, _ report: inout MediaConversionReport
    ) throws -> [MediaJob] {
        let connection = try keys.connect(
            .chat, at: account.location.path(of: .chat), .readOnlyUnderLock)
        guard let table = try MediaTable(connection) else { return [] }
        var files: [(id: Int64, path: String, name: String, size: Int64)] = []
        try table.forEach(connection, ids: batch.ids) { file in
            switch try candidates.decide(file) {
            case .convert(let name): files.append((file.fileID, file.filePath, name, file.fileSize))
            // It changed since it was counted, or was told of then.
            case .leave(let reason, let message):
                report.leave(file.fileID, file.filePath, reason, message)
            case .already, .waiting, nil: break
            }
        }
        let args =
            try direction == .encrypt
            ? CryptoFileArgs.make(count: files.count) : table.keys(of: files.map(\.id), connection)
        guard args.count == files.count else {
            throw MediaEncryptionError(.damaged, "the keys changed while being read. Nothing was changed.")
        }
        return zip(files, args).map { file, args in
            MediaJob(fileID: file.id, path: file.path, name: file.name, contentSize: file.size, args: args)
        }
    }

    private func convert(
        _ jobs: [MediaJob], _ staging: MediaStaging, _ progress: (Int64) throws -> Void
    ) throws -> [MediaJob.Outcome] {
        let results = Mutex(
            [MediaJob.Outcome](repeating: .left(.unreadable, "not tried"), count: jobs.count))
        let large = jobs.indices.filter { jobs[$0].contentSize >= Self.largeSize }
        let small = jobs.indices.filter { jobs[$0].contentSize < Self.largeSize }
        var done: Int64 = 0
        if !large.isEmpty {
            let converter = try MediaConverter(direction, store, staging, workers: workers, fileSystem)
            for index in large {
                let outcome = try converter.convert(jobs[index]) { try progress(done + $0) }
                results.withLock { $0[index] = outcome }
                done += jobs[index].contentSize
            }
        }
        let bytes = Atomic<Int64>(0)
        let (direction, store, fileSystem) = (direction, store, fileSystem)
        try ParallelBatches.run(count: small.count, workers: workers) {
            try MediaConverter(direction, store, staging, workers: 1, fileSystem)
        } work: { converter, number in
            let index = small[number]
            let outcome = try converter.convert(jobs[index])
            results.withLock { $0[index] = outcome }
            bytes.add(jobs[index].contentSize, ordering: .relaxed)
        } report: { _ in
            try progress(done + bytes.load(ordering: .relaxed))
        }
        return results.withLock { $0 }
    }

    // MARK: Rows

    private func updateKeys(
        of jobs: [MediaJob], _ change: AccountChange
    ) throws {
        let staged = change.stagedPath(of: .chat)
        let source = try fileSystem.openForReading(account.location.path(of: .chat))
        var copy = try fileSystem.create(staged)
        try copy.append(contentsOf: source)
        try copy.close()
        do {
            let connection = try keys.connect(.chat, at: staged, .readWrite)
            try connection.transaction {
                let writer = try MediaKeyWriter(connection)
                for job in jobs { try writer.set(direction == .encrypt ? job.args : nil, of: job.fileID) }
            }
        }
        try fileSystem.openForUpdating(staged).synchronize()
    }
}

/// One file to convert.
struct MediaJob: Sendable {
    let fileID: Int64
    /// As the database has it.
    let path: String
    /// Its path in the media folder.
    let name: String
    /// Without the tag, in bytes.
    let contentSize: Int64
    let args: CryptoFileArgs

    enum Outcome: Sendable {
        /// With what the system said of the file before.
        case converted(FileAttributes)
        /// Why it stays as it is.
        case left(MediaConversionReport.Reason, Remark)
    }

    /// The folder inside of the media folder; empty for itself.
    var folder: String {
        name.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(name[..<$0]) } ?? ""
    }

    var lastComponent: String {
        name.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(name[name.utf8.index(after: $0)...]) } ?? name
    }
}
