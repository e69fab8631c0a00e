import AccountMedia
import Accounts
import ByteCoding
import CryptoFiles
import Database
import Failures
import Files
import Secrets
import Synchronization
import SystemPackage

/// One act: some files, and the rows that hold their keys.
struct MediaConversionAct {
    private let direction: MediaDirection
    private let account: OpenedAccount
    private let keys: DerivedKeys
    private let candidates: MediaCandidates
    private let store: MediaFolder
    private let workers: Int
    private let fileSystem: FileSystem

    /// Larger ones are worked on by all cores, one after the other.
    private static let largeSize: Int64 = 64 << 20

    init(
        _ direction: MediaDirection, _ account: OpenedAccount, _ keys: DerivedKeys,
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
        let jobs = try jobs(batch)
        let change = try AccountChange(
            account.location, act: "media \(direction == .encrypt ? "encryption" : "decryption")",
            lock: account.lock, fileSystem: fileSystem)
        // The database goes into place before the files: were an app started between the two, after a crash, what it
        // writes would not be replaced by the next run, which only puts the rest of the files in place.
        change.replaces(.chat)
        let staging = try MediaStaging(change, account.location, jobs)
        let results = try convert(jobs, staging, progress)
        var done: [MediaJob] = []
        for (job, result) in zip(jobs, results) {
            if let problem = result {
                report.leave(job.fileID, job.path, problem.reason, problem.message)
            } else {
                done.append(job)
            }
        }
        guard !done.isEmpty else { return }
        try updateKeys(of: done, change)
        // One flush for all that was staged.
        try fileSystem.synchronizeAll(change.stagingFolder)
        try change.commit()
        report.files += done.count
        report.bytes += done.reduce(0) { $0 + $1.contentSize }
        report.acts += 1
    }

    // MARK: Files

    private func jobs(_ batch: MediaBatches.Batch) throws -> [MediaJob] {
        let connection = try keys.connect(
            .chat, at: account.location.path(of: .chat), .readOnlyUnderLock)
        guard let table = try MediaTable(connection) else { return [] }
        var files: [(id: Int64, path: String, name: String, size: Int64)] = []
        try table.forEach(connection, ids: batch.ids) { file in
            guard case .convert(let name) = try candidates.decide(file) else { return }
            files.append((file.fileID, file.filePath, name, file.fileSize))
        }
        let args =
            try direction == .encrypt
            ? CryptoFileArgs.make(count: files.count) : table.keys(of: files.map(\.id), connection)
        guard args.count == files.count else {
            throw MediaEncryptionError(.damaged, "the keys changed while they were read; nothing was changed")
        }
        return zip(files, args).map { file, args in
            MediaJob(fileID: file.id, path: file.path, name: file.name, contentSize: file.size, args: args)
        }
    }

    /// - Returns: for each job why it was not done; nil where it was.
    private func convert(
        _ jobs: [MediaJob], _ staging: MediaStaging, _ progress: (Int64) throws -> Void
    ) throws -> [MediaJob.Problem?] {
        let results = Mutex([MediaJob.Problem?](repeating: nil, count: jobs.count))
        let large = jobs.indices.filter { jobs[$0].contentSize >= Self.largeSize }
        let small = jobs.indices.filter { jobs[$0].contentSize < Self.largeSize }
        var done: Int64 = 0
        if !large.isEmpty {
            let converter = try MediaConverter(direction, store, staging, workers: workers, fileSystem)
            for index in large {
                let problem = try converter.convert(jobs[index]) { try progress(done + $0) }
                results.withLock { $0[index] = problem }
                done += jobs[index].contentSize
            }
        }
        let bytes = Atomic<Int64>(0)
        let (direction, store, fileSystem) = (direction, store, fileSystem)
        try ParallelBatches.run(count: small.count, workers: workers) {
            try MediaConverter(direction, store, staging, workers: 1, fileSystem)
        } work: { converter, number in
            let index = small[number]
            let problem = try converter.convert(jobs[index])
            results.withLock { $0[index] = problem }
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

    /// Why it stays as it is.
    struct Problem: Sendable {
        let reason: MediaConversionReport.Reason
        let message: String
    }

    /// The folder inside of the media folder; empty for itself.
    var folder: String {
        name.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(name[..<$0]) } ?? ""
    }

    var lastComponent: String {
        name.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(name[name.utf8.index(after: $0)...]) } ?? name
    }
}
