import Synchronization

/// Locks for names: whoever changes a chunk holds the lock of its name, so that the log has its lines in the order
/// in which they came true. Chunks of different locks are changed side by side, and share their flushes.
struct Stripes: Sendable {
    private final class Stripe: Sendable {
        let lock = Mutex(())
    }

    private static let count = 64

    private let stripes = (0..<count).map { _ in Stripe() }

    func index(of id: StoredID) -> Int { Int(id.low % UInt64(Self.count)) }

    func withLock<Result: Sendable>(_ id: StoredID, _ body: () throws -> Result) rethrows -> Result {
        try withLock(at: index(of: id), body)
    }

    func withLock<Result: Sendable>(at index: Int, _ body: () throws -> Result) rethrows -> Result {
        try stripes[index].lock.withLock { _ in try body() }
    }

    /// Holds all locks: nobody changes anything meanwhile.
    func withAllLocks<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
        try withLocks(from: 0, body)
    }

    private func withLocks<Result: Sendable>(from index: Int, _ body: () throws -> Result) rethrows -> Result
    {
        guard index < Self.count else { return try body() }
        return try withLock(at: index) { try withLocks(from: index + 1, body) }
    }
}
