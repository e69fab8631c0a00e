import Synchronization

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

    /// In seconds; servers may say any number.
    private static let longestPause = 86_400

    /// Whether the server ever answered.
    private final class Contact: Sendable {
        let isMade = Atomic(false)
    }

    private let store: any BlobStore
    private let contact = Contact()
    private let rules: RetryRules
    private let clock: StorageClock
    private let jitter: @Sendable () -> Double
    private let checkpoint: @Sendable () throws -> Void
    private let observer: @Sendable (Retry) -> Void

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
        self.rules = rules
        self.clock = clock
        self.jitter = jitter
        self.checkpoint = checkpoint
        self.observer = observer
    }

    package var location: String { store.location }

    package func create() throws { try retrying { try store.create() } }

    package func put(_ name: StoredName, _ content: [UInt8]) throws {
        try retrying { try store.put(name, content) }
    }

    package func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8] {
        try retrying { try store.get(name, range) }
    }

    package func size(of name: StoredName) throws -> Int64 { try retrying { try store.size(of: name) } }

    package func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws {
        // Complete before anybody sees it: a second attempt would name files again.
        let files = try retrying {
            var files: [(ContentID, Int64)] = []
            try store.list(kind) { files.append(($0, $1)) }
            return files
        }
        for (id, size) in files { try body(id, size) }
    }

    package func remove(_ name: StoredName) throws { try retrying { try store.remove(name) } }

    private func retrying<Value>(_ body: () throws -> Value) throws -> Value {
        let start = clock.now()
        var attempts = 0
        while true {
            try checkpoint()
            do {
                attempts += 1
                let value = try body()
                contact.isMade.store(true, ordering: .relaxed)
                return value
            } catch let error as StorageError {
                if error.kind != .unreachable { contact.isMade.store(true, ordering: .relaxed) }
                guard error.isTransient else { throw error }
                // A busy server knows best when it is not.
                let pause = max(
                    rules.pause(after: attempts, jitter: jitter()),
                    .seconds(min(error.retryAfter ?? 0, Self.longestPause)))
                let patience =
                    contact.isMade.load(ordering: .relaxed) ? rules.longestTime : rules.longestTimeUnseen
                guard attempts < rules.mostAttempts, clock.now() - start + pause <= patience else {
                    throw error
                }
                observer(Retry(error: error, attempts: attempts, pause: pause))
                try clock.wait(pause, checkpoint)
            }
        }
    }
}
