import ValiseCryptography
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

    /// Throws what its reader has thrown, which is no failure of the store.
    private struct ReaderFailed: Error {}

    /// An answer that breaks off is continued where it was.
    @discardableResult
    package func read(
        _ key: ObjectKey, _ range: Range<Int64>,
        _ take: (_ piece: UnsafeRawBufferPointer, _ version: ObjectVersion) throws -> Void
    ) throws -> Int64 {
        var (place, version) = (range.lowerBound, ObjectVersion?.none)
        var thrown: (any Error)?
        do {
            return try retries.runCounting { progressed in
                try unsafe store.read(key, place..<range.upperBound) { piece, found in
                    do {
                        guard version == nil || version == found else { throw StorageError.replaced(key) }
                        version = found
                        try unsafe take(piece, found)
                    } catch {
                        thrown = error
                        throw ReaderFailed()
                    }
                    place += Int64(piece.count)
                    progressed()
                }
            }
        } catch is ReaderFailed {
            throw thrown ?? ReaderFailed()
        }
    }

    package func attributes(of key: ObjectKey) throws -> ObjectAttributes? {
        try retries.run { try store.attributes(of: key) }
    }

    @discardableResult
    package func put(
        _ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition
    ) throws -> ObjectVersion {
        try writing {
            try store.put(key, content, if: condition)
        } orFinding: {
            try version(of: key, size: Int64(content.count)) { _ in
                let found = try store.get(key, nil, mostBytes: content.count)
                return found.content == content ? found.version : nil
            }
        }
    }

    @discardableResult
    package func put(
        _ key: ObjectKey, _ source: ObjectSource, if condition: WriteCondition
    ) throws -> ObjectVersion {
        try writing {
            try store.put(key, source, if: condition)
        } orFinding: {
            try version(of: key, size: source.size) { listed in
                var hash = SHA256()
                var version = listed
                try unsafe store.read(key, 0..<source.size) { piece, found in
                    unsafe hash.update(piece)
                    version = found
                }
                return hash.finalize() == source.digest ? version : nil
            }
        }
    }

    /// - Parameters:
    ///   - write: is repeated.
    ///   - find: the version of what is there where a condition is not met the second time; nil for another content.
    private func writing(
        _ write: () throws -> ObjectVersion, orFinding find: () throws -> ObjectVersion?
    ) throws -> ObjectVersion {
        var isRepeated = false
        return try retries.run {
            do {
                return try write()
            } catch let error as StorageError {
                if error.kind == .changed, isRepeated, let version = try find() { return version }
                isRepeated = true
                throw error
            }
        }
    }

    /// - Parameter compare: gets the version that the object has, and gives the one whose content is the same; nil for another content.
    private func version(
        of key: ObjectKey, size: Int64, _ compare: (ObjectVersion) throws -> ObjectVersion?
    ) throws -> ObjectVersion? {
        guard let found = try store.attributes(of: key), found.size == size else { return nil }
        do {
            return try compare(found.version)
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
