import Synchronization
import ValiseFailures

/// Lets pieces of work that run side by side do one part of it in the order of their numbers.
///
/// For use inside ``ParallelBatches``, which begins batches in order: whoever waits here waits for one that
/// was begun.
package final class OrderedTurns: Sendable {
    /// One for each piece that can wait at a time.
    private let gates: [Gate]
    private let hasFailed = Atomic(false)

    package init(workers: Int) {
        gates = (0..<workers).map { _ in Gate() }
        gates[0].signal()
    }

    /// Does `body` when all pieces before this one have done theirs.
    /// - Throws: ``Failures/Interruption`` when one of them failed.
    package func take(_ number: Int, _ body: () -> Void) throws {
        let next = gates[(number + 1) % gates.count]
        gates[number % gates.count].wait()
        defer { next.signal() }
        guard !hasFailed.load(ordering: .acquiring) else { throw Interruption() }
        body()
    }

    /// Gives up: nobody waits for this piece any more.
    package func fail() {
        hasFailed.store(true, ordering: .releasing)
        for gate in gates { gate.signal() }
    }
}
