import Synchronization
import ValiseConcurrency
import ValiseFailures

/// Numbered pieces that are fetched side by side and taken in their order, with so many bytes of them in memory at most.
struct OrderedPieces<Piece: Sendable>: Sendable {
    /// How many are fetched at a time.
    let workers: Int
    /// Bytes in memory.
    let budget: Int
    /// How many bytes a piece takes while it is fetched; called side by side.
    let size: @Sendable (Int) throws -> Int
    /// Fetches a piece of at most so many bytes; called side by side.
    let fetch: @Sendable (_ number: Int, _ most: Int) throws -> Piece
    /// What a piece takes from then on.
    let weight: @Sendable (Piece) -> Int

    /// Fetches some pieces.
    ///
    /// - Parameters:
    ///   - numbers: of the pieces.
    ///   - take: gets each in its order, on any thread.
    ///   - report: called on the calling thread now and then, with how many are done; throw to stop.
    /// - Throws: the first error of any closure.
    func run(
        _ numbers: Range<Int>, take: @Sendable (Int, Piece) throws -> Void, report: (Int) throws -> Void
    ) throws {
        let workers = max(1, min(workers, numbers.count))
        if workers == 1 { return try runAlone(numbers, take, report) }
        let run = Run(budget: ByteBudget(budget), workers: workers)
        do {
            try ParallelBatches.run(count: numbers.count, workers: workers) {
            } work: { _, place in
                try run.stopping { try work(place, numbers.lowerBound + place, run, take) }
            } report: {
                try report($0)
            }
        } catch {
            throw run.cause ?? error
        }
    }

    private func work(
        _ place: Int, _ number: Int, _ run: Run, _ take: @Sendable (Int, Piece) throws -> Void
    ) throws {
        let most = try size(number)
        var isGranted = false
        try run.reserving.take(place) { isGranted = run.budget.take(most) }
        guard isGranted else { throw Interruption() }
        let piece = try fetch(number, most)
        let kept = min(most, weight(piece))
        run.budget.give(most - kept)
        var failure: (any Error)?
        try run.taking.take(place) {
            do { try take(number, piece) } catch { failure = error }
        }
        run.budget.give(kept)
        if let failure { throw failure }
    }

    private func runAlone(
        _ numbers: Range<Int>, _ take: (Int, Piece) throws -> Void, _ report: (Int) throws -> Void
    ) throws {
        for (place, number) in numbers.enumerated() {
            try report(place)
            try take(number, try fetch(number, try size(number)))
        }
        try report(numbers.count)
    }

    /// What the threads of one run share.
    private final class Run: Sendable {
        let budget: ByteBudget
        let reserving: OrderedTurns
        let taking: OrderedTurns
        // What stopped the others is the failure, not that they were stopped.
        private let first = Mutex<(any Error)?>(nil)

        init(budget: ByteBudget, workers: Int) {
            self.budget = budget
            reserving = OrderedTurns(workers: workers)
            taking = OrderedTurns(workers: workers)
        }

        var cause: (any Error)? { first.withLock { $0 } }

        func stopping(_ body: () throws -> Void) throws {
            do {
                try body()
            } catch {
                first.withLock { $0 = $0 ?? error }
                budget.end()
                reserving.fail()
                taking.fail()
                throw error
            }
        }
    }
}
