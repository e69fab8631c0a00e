import Synchronization
import ValiseStorage

/// Remembers what is written to a store of objects.
final class RecordingStore: ObjectStore {
    private let store: any ObjectStore
    private let written = Mutex<Set<ObjectKey>>([])

    init(_ store: any ObjectStore) { self.store = store }

    var keys: Set<ObjectKey> { written.withLock { $0 } }

    var location: String { store.location }

    func hasConditionalWrites() throws -> Bool { try store.hasConditionalWrites() }

    func get(_ key: ObjectKey, _ range: Range<Int64>?, mostBytes: Int) throws -> StoredObject {
        try store.get(key, range, mostBytes: mostBytes)
    }

    func attributes(of key: ObjectKey) throws -> ObjectAttributes? { try store.attributes(of: key) }

    func put(_ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition) throws -> ObjectVersion {
        written.withLock { _ = $0.insert(key) }
        return try store.put(key, content, if: condition)
    }

    func remove(_ key: ObjectKey) throws { try store.remove(key) }

    func list(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedObject) throws -> Bool
    ) throws {
        try store.list(prefix, isDelimited: isDelimited, after: after, body)
    }
}
