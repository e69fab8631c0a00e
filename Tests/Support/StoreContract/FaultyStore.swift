import Synchronization
import ValiseFailures
package import ValiseStorage

/// A store that fails at its n-th call.
package final class FaultyStore: BlobStore {
    /// What happens at the n-th call.
    package enum Fault: Sendable {
        /// Nothing: calls are only counted.
        case none
        /// It fails, and nothing was done; the ones after it work.
        case fail(StorageError)
        /// It fails after it was done: the answer was lost. The ones after it work.
        case loseAnswer(StorageError)
        /// A file that is read comes by half, as if it were all. A list breaks off in its middle, as ``brokenAnswer``. Whatever
        /// else is done has its answer broken. The ones after it work.
        case cutAnswer
        /// It and all after it fail, and nothing is done: this process is dead, or the line is.
        case crash
        /// It is done, and all after it fail.
        case crashAfterwards
    }

    private let store: any BlobStore
    private let fault: Fault
    private let position: Int
    private let counter = Mutex(0)

    /// - Parameters:
    ///   - store: what is asked.
    ///   - fault: what happens.
    ///   - position: at which call, from 1.
    package init(_ store: any BlobStore, _ fault: Fault, at position: Int = .max) {
        self.store = store
        self.fault = fault
        self.position = position
    }

    /// How many calls there were.
    package var count: Int { counter.withLock { $0 } }

    /// Whether the n-th call was reached.
    package var wasReached: Bool { count >= position }

    /// A failure that passes.
    package static let unreachable = StorageError(.unreachable, .failed, "the server cannot be reached")
    /// A failure that passes.
    package static let brokenAnswer = StorageError(.answer, .failed, "the answer was cut off")
    /// A failure that stays: nothing that follows is sent by a process that is dead.
    package static let dead = StorageError(.general, .failed, "the process is dead")

    package var location: String { store.location }

    package func create() throws { try call { try store.create() } }

    package func put(_ name: StoredName, _ content: [UInt8]) throws {
        try call { try store.put(name, content) }
    }

    package func get(_ name: StoredName, _ range: Range<Int64>?) throws -> [UInt8] {
        try call({ try store.get(name, range) }, cut: { Array($0.prefix($0.count / 2)) })
    }

    package func size(of name: StoredName) throws -> Int64 { try call { try store.size(of: name) } }

    package func list(_ kind: StoredKind, _ body: (_ id: ContentID, _ size: Int64) throws -> Void) throws {
        let (files, isCut) = try call({ (try store.list(kind), false) }) { files, _ in
            (Array(files.prefix(files.count / 2)), true)
        }
        for (id, size) in files { try body(id, size) }
        if isCut { throw Self.brokenAnswer }
    }

    package func remove(_ name: StoredName) throws { try call { try store.remove(name) } }

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

extension FaultyStore.Fault {
    /// Does what has to happen at a call.
    ///
    /// - Parameters:
    ///   - number: of the call, from 1.
    ///   - position: of the call that fails.
    ///   - body: what was asked for.
    ///   - cut: breaks an answer.
    func apply<Value>(
        _ number: Int, _ position: Int, _ body: () throws -> Value, cut: (Value) throws -> Value
    ) throws -> Value {
        guard number >= position else { return try body() }
        let isNow = number == position
        switch self {
        case .none: return try body()
        case .fail(let error):
            guard isNow else { return try body() }
            throw error
        case .loseAnswer(let error):
            let value = try body()
            guard isNow else { return value }
            throw error
        case .cutAnswer:
            let value = try body()
            return isNow ? try cut(value) : value
        case .crash: throw FaultyStore.dead
        case .crashAfterwards:
            guard isNow else { throw FaultyStore.dead }
            return try body()
        }
    }
}
