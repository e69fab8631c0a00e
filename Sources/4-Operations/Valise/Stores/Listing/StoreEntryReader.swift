import Synchronization
import ValiseConcurrency
import ValiseContentStore
import ValiseFailures
import ValiseStorage

/// Reads index entries and manifests of listed paths, several at a time, in their order.
struct StoreEntryReader {
    private let store: ContentStore
    private let take: (StoreEntry) throws -> Void
    private let checkpoint: () throws -> Void
    private var waiting: [Waiting] = []

    private enum Waiting: Sendable {
        case known(StoreEntry)
        case path(StorePath)
    }

    private static let most = 256

    /// - Parameters:
    ///   - store: that they are of.
    ///   - checkpoint: throws to stop.
    ///   - take: gets each in its turn.
    init(
        _ store: ContentStore, checkpoint: @escaping () throws -> Void,
        take: @escaping (StoreEntry) throws -> Void
    ) {
        self.store = store
        self.checkpoint = checkpoint
        self.take = take
    }

    /// What needs no request comes in its turn, too.
    mutating func add(_ entry: StoreEntry) throws { try add(.known(entry)) }

    mutating func add(_ path: StorePath) throws { try add(.path(path)) }

    private mutating func add(_ item: Waiting) throws {
        waiting.append(item)
        if waiting.count == Self.most { try finish() }
    }

    /// Reads what is left.
    mutating func finish() throws {
        let items = waiting
        waiting = []
        let found = Mutex([StoreEntry?](repeating: nil, count: items.count))
        try ParallelBatches.run(count: items.count, workers: store.rules.chunksInFlight) {
        } work: { [store] _, number in
            let entry =
                switch items[number] {
                case .known(let entry): entry
                case .path(let path): try Self.read(path, store)
                }
            found.withLock { $0[number] = entry }
        } report: { _ in
            try checkpoint()
        }
        for entry in found.withLock({ $0 }) { if let entry { try take(entry) } }
    }

    /// An entry that is damaged is one of the list all the same.
    private static func read(_ path: StorePath, _ store: ContentStore) throws -> StoreEntry {
        do {
            return StoreEntry(path, try store.content(of: path))
        } catch let error as ContentStoreError where error.isOfObject {
            return StoreEntry(path, error)
        } catch let error as StorageError where error.code == .damaged {
            return StoreEntry(path, error)
        }
    }
}

extension ContentStoreError {
    /// Whether it says something of one object or file, so that others are worked on all the same.
    var isOfObject: Bool {
        switch kind {
        case .damaged, .missing, .newer, .unsupported, .wrongKey, .noKey, .conflict, .exists: true
        case .invalid, .failed: false
        }
    }
}
