import Synchronization

/// Counts in several tasks.
final class Counter: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    /// - Returns: the count with this one.
    @discardableResult func add() -> Int { number.add(1, ordering: .relaxed).newValue }
}
