import StoreContract
import Synchronization
import ValiseStorage

/// A store whose first object is read to its end before something happens to the request.
final class ReadingObjectStore: ObjectStore {
    private let store: any ObjectStore
    private let fault: FaultyStore.Fault
    private let puts = Atomic(0)

    init(_ store: any ObjectStore, _ fault: FaultyStore.Fault) {
        self.store = store
        self.fault = fault
    }

    var location: String { store.location }

    func hasConditionalWrites() throws -> Bool { try store.hasConditionalWrites() }

    func get(_ key: ObjectKey, _ range: Range<Int64>?, mostBytes: Int) throws -> StoredObject {
        try store.get(key, range, mostBytes: mostBytes)
    }

    func attributes(of key: ObjectKey) throws -> ObjectAttributes? { try store.attributes(of: key) }

    func put(_ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition) throws -> ObjectVersion {
        let isFirst = puts.add(1, ordering: .relaxed).newValue == 1
        if isFirst, case .fail(let error) = fault { throw error }
        let version = try store.put(key, content, if: condition)
        if isFirst, case .loseAnswer(let error) = fault { throw error }
        return version
    }

    func remove(_ key: ObjectKey) throws { try store.remove(key) }

    func list(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedObject) throws -> Bool
    ) throws {
        try store.list(prefix, isDelimited: isDelimited, after: after, body)
    }
}
