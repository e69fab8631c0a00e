/// Repeats what failed for a moment, with growing pauses.
///
/// Every request may be repeated, also one whose answer alone was lost: see ``BlobStore``.
package struct RetryingStore: BlobStore {
    /// A failure after which the same is tried again.
    package struct Retry: Sendable {
        /// What failed.
        package let error: StorageError
        /// How many attempts there were.
        package let attempts: Int
        /// How long it is waited before the next one.
        package let pause: Duration
    }

    private let store: any BlobStore
    private let retries: Retries

    /// - Parameters:
    ///   - store: what is asked.
    ///   - rules: how often.
    ///   - clock: waits.
    ///   - jitter: random numbers from 0 to 1.
    ///   - checkpoint: is asked before each attempt and often in pauses; throw to stop.
    ///   - observer: gets each failure that is followed by another attempt.
    package init(
        _ store: any BlobStore, _ rules: RetryRules = RetryRules(), clock: StorageClock = StorageClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        checkpoint: @escaping @Sendable () throws -> Void = {},
        observer: @escaping @Sendable (Retry) -> Void = { _ in }
    ) {
        self.store = store
        retries = Retries(rules, clock, jitter, checkpoint, observer)
    }

    package var location: String { store.location }

    package func create() throws { try retries.run { try store.create() } }

    package func put(_ name: StoredName, _ content: [UInt8]) throws {
        try retries.run { try store.put(name, content) }
    }

    package func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8] {
        try retries.run { try store.get(name, range) }
    }

    package func size(of name: StoredName) throws -> Int64 { try retries.run { try store.size(of: name) } }

    package func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws {
        // Complete before anybody sees it: a second attempt would name files again.
        let files = try retries.run {
            var files: [(ContentID, Int64)] = []
            try store.list(kind) { files.append(($0, $1)) }
            return files
        }
        for (id, size) in files { try body(id, size) }
    }

    package func remove(_ name: StoredName) throws { try retries.run { try store.remove(name) } }
}
