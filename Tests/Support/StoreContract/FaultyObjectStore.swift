import Synchronization
import ValiseFailures
package import ValiseStorage

/// A store of objects that fails at its n-th call, as ``FaultyStore`` does.
package final class FaultyObjectStore: ObjectStore {
    private let store: any ObjectStore
    private let fault: FaultyStore.Fault
    private let position: Int
    private let counter = Mutex(0)

    /// - Parameters:
    ///   - store: what is asked.
    ///   - fault: what happens.
    ///   - position: at which call, from 1.
    package init(_ store: any ObjectStore, _ fault: FaultyStore.Fault, at position: Int = .max) {
        self.store = store
        self.fault = fault
        self.position = position
    }

    /// How many calls there were.
    package var count: Int { counter.withLock { $0 } }

    /// Whether the n-th call was reached.
    package var wasReached: Bool { count >= position }

    package var location: String { store.location }

    package func hasConditionalWrites() throws -> Bool { try call { try store.hasConditionalWrites() } }

    package func get(_ key: ObjectKey, _ range: Range<Int64>?, mostBytes: Int) throws -> StoredObject {
        try call({ try store.get(key, range, mostBytes: mostBytes) }) { object in
            StoredObject(
                content: Array(object.content.prefix(object.content.count / 2)), version: object.version)
        }
    }

    /// The answer is broken behind its end.
    @discardableResult
    package func read(
        _ key: ObjectKey, _ range: Range<Int64>,
        _ take: (_ piece: UnsafeRawBufferPointer, _ version: ObjectVersion) throws -> Void
    ) throws -> Int64 {
        try call { try store.read(key, range, take) }
    }

    package func attributes(of key: ObjectKey) throws -> ObjectAttributes? {
        try call { try store.attributes(of: key) }
    }

    @discardableResult
    package func put(
        _ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition
    ) throws -> ObjectVersion {
        try call { try store.put(key, content, if: condition) }
    }

    @discardableResult
    package func put(
        _ key: ObjectKey, _ source: ObjectSource, if condition: WriteCondition
    ) throws -> ObjectVersion {
        try call { try store.put(key, source, if: condition) }
    }

    package func remove(_ key: ObjectKey) throws { try call { try store.remove(key) } }

    package func list(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedObject) throws -> Bool
    ) throws {
        let (listed, isCut) = try call({ (try store.listed(prefix, isDelimited, after: after), false) }) {
            listed, _ in (Array(listed.prefix(listed.count / 2)), true)
        }
        for object in listed {
            guard try body(object) else { return }
        }
        if isCut { throw FaultyStore.brokenAnswer }
    }

    private func call<Value>(
        _ body: () throws -> Value, cut: (Value) throws -> Value = { _ in throw FaultyStore.brokenAnswer }
    ) throws -> Value {
        let number = counter.withLock { count in
            count += 1
            return count
        }
        return try fault.apply(number, position, body, cut: cut)
    }
}
