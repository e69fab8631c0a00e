import Synchronization
import ValiseConcurrency

/// Joins what threads want done at the same moment: one does it for all who came while the one before was at work.
///
/// Ten uploads that end together cost one flush of the log instead of ten.
final class GroupCommit<Item: Sendable>: Sendable {
    private struct Waiting {
        let item: Item
        let ticket: Ticket
    }

    private enum Verdict {
        case done(Result<Void, any Error>)
        /// Nobody is at work any more: this one does it, for itself and the others.
        case lead([Waiting])
    }

    private final class Ticket: Sendable {
        private let gate = Gate()
        private let verdict = Mutex<Verdict?>(nil)

        func give(_ verdict: Verdict) {
            self.verdict.withLock { $0 = verdict }
            gate.signal()
        }

        func wait() -> Verdict {
            gate.wait()
            // Whoever signals gave a verdict before.
            return verdict.withLock { $0 }!
        }
    }

    private struct State {
        var isBusy = false
        var waiting: [Waiting] = []
    }

    private let state = Mutex(State())
    private let perform: @Sendable ([Item]) throws -> Void

    /// - Parameter perform: does it for all; never called by two threads at once.
    init(_ perform: @escaping @Sendable ([Item]) throws -> Void) {
        self.perform = perform
    }

    /// Returns when it was done for this item.
    /// - Throws: what `perform` threw, to everyone for whom it was called.
    func commit(_ item: Item) throws {
        let ticket = Ticket()
        let waits = state.withLock { state in
            if state.isBusy { state.waiting.append(Waiting(item: item, ticket: ticket)) }
            defer { state.isBusy = true }
            return state.isBusy
        }
        guard waits else { return try run([Waiting(item: item, ticket: ticket)]).get() }
        switch ticket.wait() {
        case .done(let result): try result.get()
        case .lead(let batch): try run(batch).get()
        }
    }

    /// - Parameter batch: the first is the caller's own.
    private func run(_ batch: [Waiting]) -> Result<Void, any Error> {
        let result = Result { try perform(batch.map(\.item)) }
        let next = state.withLock { state in
            defer { state.waiting = [] }
            if state.waiting.isEmpty { state.isBusy = false }
            return state.waiting
        }
        next.first?.ticket.give(.lead(next))
        for other in batch.dropFirst() { other.ticket.give(.done(result)) }
        return result
    }
}
