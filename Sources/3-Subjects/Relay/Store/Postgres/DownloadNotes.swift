import Synchronization

/// Downloads that are not yet counted. Counting one in the database would take as long as looking up what is downloaded; many are
/// counted in the time of one.
final class DownloadNotes: Sendable {
    /// Of one day.
    struct Batch: Sendable {
        /// Since 1970.
        let day: UInt16
        fileprivate(set) var counts: [StoredID: Int] = [:]

        /// Of all chunks.
        var count: Int { counts.values.reduce(0, +) }
    }

    private struct State {
        var batches: [Batch] = []
        /// When the first of them was noted, or could not be counted.
        var since = ContinuousClock.now
    }

    /// When downloads are counted that came before.
    private static let longestWait = Duration.seconds(1)
    /// Chunks that are counted at once.
    private static let mostChunks = 256
    /// In chunks: without a database, more are not counted.
    private static let mostKept = 65_536

    private let state = Mutex(State())

    /// - Parameter day: since 1970.
    /// - Returns: whether it is time to count.
    func add(_ chunk: StoredID, day: UInt16) -> Bool {
        state.withLock { state in
            if state.batches.isEmpty { state.since = .now }
            if state.batches.last?.day != day { state.batches.append(Batch(day: day)) }
            let last = state.batches.count - 1
            if state.batches[last].counts.count < Self.mostKept {
                state.batches[last].counts[chunk, default: 0] += 1
            }
            return .now - state.since > Self.longestWait
                || state.batches[last].counts.count == Self.mostChunks
        }
    }

    func contains(_ chunk: StoredID) -> Bool {
        state.withLock { $0.batches.contains { $0.counts[chunk] != nil } }
    }

    func take() -> [Batch] {
        state.withLock { state in
            defer { state.batches = [] }
            return state.batches
        }
    }

    /// What could not be counted is tried again, not at once.
    func putBack(_ batches: [Batch]) {
        state.withLock { state in
            var kept = batches
            for batch in state.batches {
                guard let last = kept.last, last.day == batch.day else {
                    kept.append(batch)
                    continue
                }
                kept[kept.count - 1].counts.merge(batch.counts, uniquingKeysWith: +)
            }
            state.batches = kept.suffix(2)
            state.since = .now
        }
    }
}
