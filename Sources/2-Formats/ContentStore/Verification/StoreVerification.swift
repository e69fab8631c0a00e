import Synchronization
import ValiseConcurrency
import ValiseFailures
import ValiseStorage

/// What a verification is busy with.
package enum VerificationStage: String, Sendable, CaseIterable {
    /// Paths with their manifests, and the content of the files.
    case files
    case manifests
    case chunks
    /// Everything else.
    case others
}

/// Is told how much of a stage is done; throw to stop: bytes that were read of files and chunks, otherwise objects. The total is nil
/// where nobody knows it.
package typealias VerificationProgress = (VerificationStage, _ done: Int64, _ total: Int64?) throws -> Void

/// Verifies a store: whether each object is what its name says, each file what its manifest says, and nothing is missing.
///
/// It goes on behind every problem, and changes nothing. Memory grows with the number of chunks, by some fifty bytes for each.
/// Beside a program that removes objects it finds losses that are none.
package struct StoreVerification: Sendable {
    let store: ContentStore
    /// The same one, for files of which several are read side by side.
    let smallFiles: ContentStore
    /// From this size on, in bytes, a file is read alone, and its chunks side by side.
    static let largeFile: Int64 = 16 << 20
    let share: VerificationShare
    private let now: @Sendable () -> Int64

    /// Paths that are gone through side by side.
    private static let batch = 256

    /// - Parameters:
    ///   - store: with a key, where files are encrypted; without one their chunks are verified only.
    ///   - share: how much of the content is read.
    ///   - now: seconds since 1970.
    /// - Throws: ``ContentStoreError``: `invalid` for a part that there is not.
    package init(
        _ store: ContentStore, reading share: VerificationShare = .all, now: @escaping @Sendable () -> Int64
    ) throws(ContentStoreError) {
        try share.check()
        self.share = share
        self.now = now
        self.store = store
        // Several small files at a time, so fewer chunks of each.
        var rules = store.rules
        let files = max(1, ParallelBatches.waitingWorkers)
        rules.chunksInFlight = max(1, rules.chunksInFlight / files)
        rules.chunkMemory = max(1, rules.chunkMemory / files)
        smallFiles = ContentStore(store.objects, store.layout, keys: store.keys, rules: rules)
    }

    /// Runs the verification.
    ///
    /// - Parameter progress: throw to stop.
    /// - Throws: `StorageError` where objects cannot be listed, or the store is not reached any more; `CryptographyError`;
    ///   whatever `progress` throws.
    package func run(_ progress: VerificationProgress = { _, _, _ in }) throws -> StoreVerificationReport {
        let state = VerificationState(store.layout)
        var report = StoreVerificationReport()
        report.share = share
        report.began = now()
        // What an entry names was there before the entry: so entries come first.
        try verifyFiles(state, progress)
        try verifyManifests(state, progress)
        try verifyChunks(state, progress)
        try verifyOthers(state, progress)
        try reportMissing(state)
        state.finish(&report)
        report.ended = now()
        return report
    }

    // MARK: Batches

    /// Goes through a listing, some objects side by side.
    func each<Item: Sendable>(
        _ state: VerificationState, _ list: @escaping ((Item) throws -> Void) throws -> Void,
        _ report: (Int64) throws -> Void, _ work: @Sendable (Item) throws -> Void
    ) throws {
        var waiting: [Item] = []
        var done: Int64 = 0
        func flush() throws {
            let items = waiting
            waiting = []
            // What stopped the others is the failure, not that they were stopped.
            var stopped: (any Error)?
            do {
                try ParallelBatches.run(count: items.count, workers: ParallelBatches.waitingWorkers) {
                } work: { _, number in
                    try work(items[number])
                } report: {
                    do {
                        try report(done + Int64($0))
                    } catch {
                        stopped = error
                        state.stop()
                        throw error
                    }
                }
            } catch {
                throw stopped ?? error
            }
            done += Int64(items.count)
        }
        try list { item in
            waiting.append(item)
            if waiting.count == Self.batch { try flush() }
        }
        if !waiting.isEmpty { try flush() }
    }

    /// Does something with one object; a failure of it alone becomes a finding.
    func finding(
        _ state: VerificationState, _ subject: String, _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch let error as any Failure where error.isOfObject {
            state.findings.add(StoreFinding(Self.kind(of: error), error.message, subject))
        }
    }

    private static func kind(of error: any Failure) -> StoreFinding.Kind {
        guard let error = error as? ContentStoreError else { return .wrongContent }
        switch error.kind {
        case .noKey: return .noKey
        case .wrongKey: return .wrongKey
        case .missing: return .missingChunk
        default: return .wrongContent
        }
    }
}
