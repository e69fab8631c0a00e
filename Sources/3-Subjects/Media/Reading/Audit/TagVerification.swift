import Synchronization
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles

/// Proves the tags of encrypted files: small ones side by side, large ones with all cores on one.
final class TagVerification: Sendable {
    /// A file to be proved.
    struct Job: Sendable {
        /// Its path in the store.
        let name: String
        let keys: CryptoFileArgs
    }

    enum Result: Sendable, Equatable {
        case valid
        case doesNotHold
        /// It could not be read, or what it is packed in is damaged.
        case failed(FailureCode, String)
    }

    /// From this size on, in bytes, a file is worth all cores.
    static let large: Int64 = 16 << 20

    private let store: any MediaStore & Sendable
    private let verified = Atomic<Int64>(0)

    init(_ store: any MediaStore & Sendable) {
        self.store = store
    }

    /// How many bytes were gone through.
    var bytes: Int64 { verified.load(ordering: .relaxed) }

    /// Proves files side by side.
    ///
    /// - Parameter checkpoint: called now and then on the calling thread; throw to stop.
    /// - Throws: `SecretsError`; whatever `checkpoint` throws. A file that cannot be read is a result.
    func run(_ jobs: [Job], checkpoint: () throws -> Void) throws -> [Result] {
        let results = Mutex([Result](repeating: .doesNotHold, count: jobs.count))
        try ParallelBatches.run(
            count: jobs.count, workers: min(ParallelBatches.workers, max(1, jobs.count))
        ) {
            try CryptoFileCipher(workers: 1)
        } work: { cipher, number in
            let result = try self.verify(jobs[number], cipher)
            results.withLock { $0[number] = result }
        } report: { _ in
            try checkpoint()
        }
        return results.withLock { $0 }
    }

    /// Proves one file with all cores.
    /// - Throws: as ``run(_:checkpoint:)``.
    func run(_ job: Job, checkpoint: () throws -> Void) throws -> Result {
        try verify(job, CryptoFileCipher(), checkpoint)
    }

    private func verify(
        _ job: Job, _ cipher: CryptoFileCipher, _ checkpoint: () throws -> Void = {}
    ) throws -> Result {
        do {
            var before: Int64 = 0
            try cipher.verify(store.source(job.name), job.keys) { done in
                verified.wrappingAdd(done - before, ordering: .relaxed)
                before = done
                try checkpoint()
            }
            return .valid
        } catch let error as CryptoFileError where error.code == .damaged {
            return .doesNotHold
        } catch {
            guard let failure = Self.reading(error) else { throw error }
            return .failed(failure.code, failure.message)
        }
    }

    /// The failure of a single file; nil for what stops everything.
    static func reading(_ error: any Error) -> (any Failure)? {
        switch error {
        case let error as FileError: error
        case let error as ZipError: error
        case let error as AccountMediaError: error
        default: nil
        }
    }
}
