import Synchronization
import SystemPackage
import ValiseConcurrency
import ValiseCryptoFiles
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// One file that is to be exported.
struct ExportJob: Sendable {
    /// All but SHA-256.
    var entry: MediaExportEntry
    /// The name that its copies are numbered by, and their folder.
    let name: SafeFileName
    let folder: String
    /// As the database has it.
    let storedPath: String
    let source: FilePath
    /// The size of the source as it is stored, in bytes.
    let storedSize: Int64
    /// Nil for an unencrypted file.
    let keys: CryptoFileArgs?
    /// Seconds since 1970; nil where the message has none.
    let time: Int64?
    /// Where the copy is written.
    let partial: FilePath

    func problem(_ reason: MediaExportReport.Reason, _ message: String) -> MediaExportReport.Problem {
        .init(reason: reason, fileId: entry.fileId, path: storedPath, message: message)
    }
}

/// Writes decrypted copies under names that nobody looks at yet, and hashes them on the way.
struct ExportCopy {
    private let fileSystem: FileSystem
    private let workers: Int
    private let cipher: CryptoFileCipher
    private let cancellation: Cancellation

    /// - Parameter workers: how many threads work on one file.
    /// - Throws: `SecretsError`.
    init(_ fileSystem: FileSystem, workers: Int, _ cancellation: Cancellation) throws {
        self.fileSystem = fileSystem
        self.workers = workers
        self.cancellation = cancellation
        cipher = try CryptoFileCipher(workers: workers)
    }

    enum Outcome: Sendable {
        /// The SHA-256 of the content.
        case copied(String)
        case problem(MediaExportReport.Problem)
    }

    /// - Parameter done: gets the number of bytes done since the last call; throw to stop.
    /// - Throws: ``FileError`` where the copy cannot be written; ``Interruption``; whatever `done` throws.
    func run(_ job: ExportJob, done: (Int64) throws -> Void) throws -> Outcome {
        let outcome = try copy(job, done)
        if case .problem = outcome { try fileSystem.removeTree(job.partial) }
        return outcome
    }

    private func copy(_ job: ExportJob, _ done: (Int64) throws -> Void) throws -> Outcome {
        let target = ParallelWriter(try fileSystem.create(job.partial))
        do {
            let source = try FileSource(job.source, fileSystem: fileSystem)
            guard source.size == job.storedSize else {
                return .problem(job.problem(.wrongSize, "changed during the export"))
            }
            var before: Int64 = 0
            let digest = OrderedDigest(workers: workers)
            let report = { (count: Int64) in
                try cancellation.check()
                try done(count - before)
                before = count
            }
            if let keys = job.keys {
                try decrypt(source, keys, target, digest, report)
            } else {
                try copy(source, target, digest, report)
            }
            // The manifest has the time anyhow.
            if let time = job.time { try target.setModificationTimeIfPossible(time) }
            return .copied(Hexadecimal.encode(digest.finish()))
        } catch let error as CryptoFileError {
            return .problem(job.problem(.damaged, error.message))
        } catch let error as FileError where error.path == job.source {
            return .problem(job.problem(.unreadable, error.message))
        }
    }

    private func decrypt(
        _ source: FileSource, _ keys: CryptoFileArgs, _ target: ParallelWriter, _ digest: OrderedDigest,
        _ report: (Int64) throws -> Void
    ) throws {
        // What stopped the others is the failure, not that they were stopped.
        let cause = Mutex<(any Error)?>(nil)
        do {
            try unsafe cipher.decrypt(source, keys, progress: report) { chunk, offset in
                do {
                    try unsafe target.write(chunk, at: offset)
                } catch {
                    cause.withLock { $0 = $0 ?? error }
                    digest.fail()
                    throw error
                }
                target.startWriteback(upTo: offset)
                try unsafe digest.add(chunk, at: offset)
            }
        } catch {
            throw cause.withLock { $0 } ?? error
        }
    }

    private func copy(
        _ source: FileSource, _ target: ParallelWriter, _ digest: OrderedDigest,
        _ report: (Int64) throws -> Void
    ) throws {
        // The cipher's steps without a cipher: one thread writes while another one reads.
        try unsafe OrderedChunks.run(size: source.size, workers: workers) { chunk, offset in
            try unsafe source.fill(chunk, at: offset)
            try unsafe target.write(UnsafeRawBufferPointer(chunk), at: offset)
            target.startWriteback(upTo: offset)
        } ordered: { chunk in
            unsafe digest.addInTurn(UnsafeRawBufferPointer(chunk))
        } report: { done in
            try report(done)
        }
    }
}
