import ValiseFailures

/// Repeats what failed for a moment, with growing pauses.
///
/// A write with a condition may be done though its answer was lost, and the condition is not met the second time. So what is
/// there then is compared: the same content counts as ours, whoever wrote it.
package struct RetryingObjectStore: ObjectStore {
    private let store: any ObjectStore
    private let retries: Retries

    /// - Parameters:
    ///   - store: what is asked.
    ///   - rules: how often.
    ///   - clock: waits.
    ///   - jitter: random numbers from 0 to 1.
    ///   - checkpoint: is asked before each attempt and often in pauses; throw to stop.
    ///   - observer: gets each failure that is followed by another attempt.
    package init(
        _ store: any ObjectStore, _ rules: RetryRules = RetryRules(), clock: StorageClock = StorageClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        checkpoint: @escaping @Sendable () throws -> Void = {},
        observer: @escaping @Sendable (RetryingStore.Retry) -> Void = { _ in }
    ) {
        self.store = store
        retries = Retries(rules, clock, jitter, checkpoint, observer)
    }

    package var location: String { store.location }

    package func hasConditionalWrites() throws -> Bool {
        try retries.run { try store.hasConditionalWrites() }
    }

    package func get(_ key: ObjectKey, _ range: Range<Int64>?, mostBytes: Int) throws -> StoredObject {
        try retries.run { try store.get(key, range, mostBytes: mostBytes) }
    }

    package func attributes(of key: ObjectKey) throws -> ObjectAttributes? {
        try retries.run { try store.attributes(of: key) }
    }

    @discardableResult
    package func put(
        _ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition
    ) throws -> ObjectVersion {
        var isRepeated = false
        return try retries.run {
            do {
                return try store.put(key, content, if: condition)
            } catch let error as StorageError {
                if error.kind == .changed, isRepeated, let version = try version(of: key, with: content) {
                    return version
                }
                isRepeated = true
                throw error
            }
        }
    }

    /// The version of an object that has this content; nil for another content.
    private func version(of key: ObjectKey, with content: [UInt8]) throws -> ObjectVersion? {
        guard try store.attributes(of: key)?.size == Int64(content.count) else { return nil }
        do {
            let found = try store.get(key, nil, mostBytes: content.count)
            return found.content == content ? found.version : nil
        } catch let error as StorageError where [.notFound, .damaged].contains(error.code) {
            // It is another one by now.
            return nil
        }
    }

    package func remove(_ key: ObjectKey) throws { try retries.run { try store.remove(key) } }

    /// A list that breaks off is continued where it was, and so is not kept until it is complete.
    package func list(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedObject) throws -> Bool
    ) throws {
        var last = after
        // What the reader of the list throws is no failure of the store.
        var thrown: (any Error)?
        try retries.runCounting { progressed in
            try store.list(prefix, isDelimited: isDelimited, after: last) { listed in
                do {
                    guard try body(listed) else { return false }
                } catch {
                    thrown = error
                    return false
                }
                last = listed.text
                progressed()
                return true
            }
        }
        if let thrown { throw thrown }
    }
}
