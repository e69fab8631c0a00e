import Synchronization
import ValiseChatLog
import ValiseConcurrency
import ValiseFailures

/// Hands what connections ask for to the one thread that reads the conversations: a connection to a database is for one thread,
/// and must not be waited for by those of tasks.
final class PageDesk: Sendable {
    private struct Request: Sendable {
        let address: PageAddress
        let cancellation: Cancellation
        let answer: Promise<ServedPages.Answer>
    }

    private struct State: Sendable {
        var waiting: [Request] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Is signaled for each request, and at the end.
    private let news = Gate()
    private let opening = Promise<Bool>()

    /// Whether there are pages; false where they could not be opened.
    var isOpen: Bool {
        get async throws { try await opening.value }
    }

    /// What an address leads to.
    /// - Parameter cancellation: stops the work where nobody waits for it any more; so does the end of the task.
    /// - Throws: what making the page throws; `Interruption`.
    func answer(to address: PageAddress, _ cancellation: Cancellation) async throws -> ServedPages.Answer {
        let request = Request(address: address, cancellation: cancellation, answer: Promise())
        let isTaken = state.withLock { state in
            if !state.isClosed { state.waiting.append(request) }
            return !state.isClosed
        }
        guard isTaken else { throw Interruption() }
        news.signal()
        return try await withTaskCancellationHandler {
            try await request.answer.value
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Answers requests on this thread until it is closed.
    func work(with pages: ServedPages) {
        opening.keep(.success(true))
        while let request = next() {
            request.answer.keep(
                Result {
                    try pages.answer(to: request.address) {
                        try request.cancellation.check()
                        if isClosed { throw Interruption() }
                    }
                })
        }
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    private func next() -> Request? {
        news.wait()
        return state.withLock { $0.isClosed || $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }

    /// Ends the work. Who waits for an answer hears that there will be none.
    func close() {
        let left = state.withLock { state in
            defer { state.waiting = [] }
            state.isClosed = true
            return state.waiting
        }
        opening.keep(.success(false))
        for request in left { request.answer.keep(.failure(Interruption())) }
        news.signal()
    }
}
