import Synchronization
import ValiseFailures

/// Objects in memory: for tests, and as the model that other stores are compared with.
///
/// Versions are the numbers of the writes, from 1: each write has a new one.
package final class MemoryObjectStore: ObjectStore {
    private struct Stored {
        let content: [UInt8]
        let attributes: ObjectAttributes
    }

    private struct State {
        var objects: [ObjectKey: Stored] = [:]
        /// Sorted, until a key comes or goes.
        var keys: [ObjectKey]?
        var writes = 0
    }

    package let location: String
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())

    /// - Parameters:
    ///   - location: how messages name it.
    ///   - now: the time of writes, in seconds since 1970.
    package init(
        location: String = "memory", now: @escaping @Sendable () -> Int64 = { StorageClock.systemTime() }
    ) {
        self.location = location
        self.now = now
    }

    /// All that is in it at this moment.
    package var contents: [ObjectKey: [UInt8]] { state.withLock { $0.objects.mapValues(\.content) } }

    /// The lock is the condition.
    package func hasConditionalWrites() -> Bool { true }

    // MARK: Objects

    package func get(_ key: ObjectKey, _ range: Range<Int64>?, mostBytes: Int) throws -> StoredObject {
        guard let stored = state.withLock({ $0.objects[key] }) else { throw StorageError.noObject(key) }
        let version = stored.attributes.version
        if let range {
            return StoredObject(content: try stored.content.part(range, of: key.text), version: version)
        }
        guard stored.content.count <= mostBytes else { throw StorageError.tooLarge(key.text) }
        return StoredObject(content: stored.content, version: version)
    }

    @discardableResult
    package func read(
        _ key: ObjectKey, _ range: Range<Int64>,
        _ take: (_ piece: UnsafeRawBufferPointer, _ version: ObjectVersion) throws -> Void
    ) throws -> Int64 {
        // All of one content, whatever is written meanwhile.
        guard let stored = state.withLock({ $0.objects[key] }) else { throw StorageError.noObject(key) }
        guard range.lowerBound >= 0, range.upperBound <= stored.attributes.size else {
            throw StorageError.tooShort(key.text)
        }
        if !range.isEmpty {
            try unsafe stored.content.withUnsafeBytes { memory in
                let part = unsafe memory[Int(range.lowerBound)..<Int(range.upperBound)]
                try unsafe take(UnsafeRawBufferPointer(rebasing: part), stored.attributes.version)
            }
        }
        return stored.attributes.size
    }

    package func attributes(of key: ObjectKey) -> ObjectAttributes? {
        state.withLock { $0.objects[key]?.attributes }
    }

    @discardableResult
    package func put(
        _ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition
    ) throws -> ObjectVersion {
        let time = now()
        let version = state.withLock { state -> ObjectVersion? in
            let previous = state.objects[key]?.attributes.version
            guard condition.isMet(by: previous) else { return nil }
            state.writes += 1
            let attributes = ObjectAttributes(
                size: Int64(content.count), version: ObjectVersion("\(state.writes)"), modified: time)
            state.objects[key] = Stored(content: content, attributes: attributes)
            if previous == nil { state.keys = nil }
            return attributes.version
        }
        guard let version else { throw StorageError.changed(key, condition) }
        return version
    }

    package func remove(_ key: ObjectKey) {
        state.withLock { state in
            if state.objects.removeValue(forKey: key) != nil { state.keys = nil }
        }
    }

    // MARK: Lists

    package func list(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedObject) throws -> Bool
    ) throws {
        let keys = sortedKeys()
        var place = keys.firstPlace { key in
            !key.text.comesBefore(prefix) && after.map { $0.comesBefore(key.text) } ?? true
        }
        while place < keys.count, keys[place].text.begins(with: prefix) {
            let key = keys[place]
            if isDelimited, let folder = key.text.upToSlash(behind: prefix.utf8.count) {
                place = keys.firstPlace { folder.comesBefore($0.text) && !$0.text.begins(with: folder) }
                // It may begin before the place where the list does.
                guard after.map({ $0.comesBefore(folder) }) ?? true else { continue }
                guard try body(.folder(folder)) else { return }
            } else {
                place += 1
                // Not under the lock: whoever lists may store and remove meanwhile.
                guard let attributes = attributes(of: key) else { continue }
                guard try body(.object(key, attributes)) else { return }
            }
        }
    }

    private func sortedKeys() -> [ObjectKey] {
        state.withLock { state in
            let keys = state.keys ?? state.objects.keys.sorted()
            state.keys = keys
            return keys
        }
    }
}

extension WriteCondition {
    /// - Parameter version: of the object; nil where there is none.
    func isMet(by version: ObjectVersion?) -> Bool {
        switch self {
        case .always: true
        case .isAbsent: version == nil
        case .isUnchanged(let wanted): version == wanted
        }
    }
}

extension [ObjectKey] {
    /// The first place where something holds that holds for all behind it, too.
    fileprivate func firstPlace(_ holds: (ObjectKey) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
