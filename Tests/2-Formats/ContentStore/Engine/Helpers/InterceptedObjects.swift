import Synchronization
import ValiseFailures
import ValiseStorage

/// A store of objects in which something happens before a call: another writer is quicker, or the call is refused.
struct InterceptedObjects: ObjectStore {
    /// What is going to be done.
    enum Call: Equatable {
        case get(String)
        case attributes(String)
        case put(String)
        case remove(String)
        case list(String)

        var changes: Bool {
            switch self {
            case .put, .remove: true
            case .get, .attributes, .list: false
            }
        }
    }

    private let store: any ObjectStore
    private let saysConditional: Bool?
    private let before: @Sendable (Call) throws -> Void

    /// - Parameters:
    ///   - conditional: what it says of conditional writes; nil for what the store says.
    ///   - before: is called before each call is done; throw to refuse it.
    init(
        _ store: any ObjectStore, conditional: Bool? = nil,
        _ before: @escaping @Sendable (Call) throws -> Void = { _ in }
    ) {
        self.store = store
        saysConditional = conditional
        self.before = before
    }

    var location: String { store.location }

    func hasConditionalWrites() throws -> Bool { try saysConditional ?? store.hasConditionalWrites() }

    func get(_ key: ObjectKey, _ range: Range<Int64>?, mostBytes: Int) throws -> StoredObject {
        try before(.get(key.text))
        return try store.get(key, range, mostBytes: mostBytes)
    }

    func attributes(of key: ObjectKey) throws -> ObjectAttributes? {
        try before(.attributes(key.text))
        return try store.attributes(of: key)
    }

    func put(_ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition) throws -> ObjectVersion {
        try before(.put(key.text))
        return try store.put(key, content, if: condition)
    }

    func remove(_ key: ObjectKey) throws {
        try before(.remove(key.text))
        try store.remove(key)
    }

    func list(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedObject) throws -> Bool
    ) throws {
        try before(.list(prefix))
        try store.list(prefix, isDelimited: isDelimited, after: after, body)
    }
}

/// Counts changing calls, and ends a run at one of them: as a kill does, nothing changes from then on.
final class WriteCounter: Sendable {
    struct Killed: Failure {
        var code: FailureCode { .failed }
        var message: String { "the run was killed" }
        var subject: String? { nil }
        var cause: (any Error)? { nil }
    }

    private let count = Mutex(0)
    private let last: Int

    /// - Parameter last: so many changes are done; nil for any number.
    init(last: Int? = nil) { self.last = last ?? .max }

    var changes: Int { count.withLock { $0 } }

    func wrap(_ store: any ObjectStore, conditional: Bool? = nil) -> InterceptedObjects {
        InterceptedObjects(store, conditional: conditional) { [self] call in
            guard call.changes else {
                if changes > last { throw Killed() }
                return
            }
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number > last { throw Killed() }
        }
    }
}
