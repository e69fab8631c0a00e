import CValisePlatform
import Synchronization
package import ValiseConcurrency
import ValiseFailures

/// Asynchronous work of the library, while the main thread has the terminal: it shows progress, asks questions, and
/// stops the work if the user interrupts.
package final class AsynchronousWork<Value: Sendable>: Sendable {
    /// What the work tells this thread, and this thread the work.
    private struct State: Sendable {
        var progress: OperationProgress?
        var notes: [Note] = []
        var results: [String] = []
        var troubles: [Trouble] = []
        var questions: [@Sendable () -> Void] = []

        /// Makes notes of those that are older, or that the end of the work says nothing of.
        mutating func ripenTroubles(_ age: Duration, _ result: Result<Value, any Error>?) {
            let end: String? =
                switch result {
                case .failure(let error): "\(error)"
                case .success: ""
                case nil: nil
                }
            let now = ContinuousClock.now
            notes += troubles.filter { trouble in
                end.map { !$0.contains(trouble.message) } ?? (now - trouble.moment > age)
            }.map { Note($0.note) }
            troubles.removeAll { end != nil || now - $0.moment > age }
        }
    }

    private struct Note: Sendable {
        let text: String
        let isWarning: Bool

        init(_ text: String, isWarning: Bool = false) {
            self.text = text
            self.isWarning = isWarning
        }
    }

    /// A problem that may turn out to be the failure that ends the work; it is then reported only once.
    private struct Trouble: Sendable {
        let subject: String
        let message: String
        let moment = ContinuousClock.now

        var note: String { "\(subject): \(message)" }
    }

    private let state = Mutex(State())
    private let news = Gate()

    private static var interval: Duration { .milliseconds(100) }
    /// So long the end of the work may follow a trouble that is its reason.
    private static var patience: Duration { .seconds(1) }

    // MARK: For the work

    /// Shows the progress of the work. Only the last call counts.
    package func show(_ progress: OperationProgress) { state.withLock { $0.progress = progress } }

    /// Shows no progress until there is more.
    package func hideProgress() { state.withLock { $0.progress = nil } }

    /// A line for the user.
    package func note(_ text: String, isWarning: Bool = false) {
        state.withLock { state in
            state.notes += state.troubles.map { Note($0.note) } + [Note(text, isWarning: isWarning)]
            state.troubles = []
        }
        news.signal()
    }

    /// A line that `--quiet` does not silence.
    package func warn(_ text: String) { note(text, isWarning: true) }

    /// A line of the result, shown at once.
    package func result(_ text: String) {
        state.withLock { $0.results.append(text) }
        news.signal()
    }

    /// A line for the user, unless the work ends with the same failure right after.
    package func note(trouble message: String, of subject: String) {
        state.withLock { $0.troubles.append(Trouble(subject: subject, message: message)) }
    }

    /// Drops problems that the result of the work reports.
    package func forgetTroubles() { state.withLock { $0.troubles = [] } }

    /// Asks the user at the terminal.
    package func confirm(_ text: String) async throws -> Bool {
        try await atTerminal { try Terminal.confirm(text) }
    }

    /// Runs a closure on the thread that has the terminal, which shows nothing else meanwhile.
    package func atTerminal<Answer: Sendable>(
        _ body: @escaping @Sendable () throws -> Answer
    ) async throws -> Answer {
        let answer = Promise<Answer>()
        state.withLock { $0.questions.append { answer.keep(Result { try body() }) } }
        news.signal()
        return try await answer.value
    }

    // MARK: For the main thread

    /// Runs work to its end, on other threads.
    ///
    /// - Parameters:
    ///   - display: where the terminal shows what the work says.
    ///   - work: runs in a task.
    /// - Throws: whatever the work throws; `Interruption` if the user stopped it and there is no better error.
    package static func run(
        _ display: WorkDisplay, _ work: @escaping @Sendable (AsynchronousWork) async throws -> Value
    ) throws -> Value {
        let shared = AsynchronousWork()
        let task = AwaitedTask(news: shared.news) { try await work(shared) }
        return try shared.wait(for: task, display)
    }

    private func wait(for task: AwaitedTask<Value>, _ display: WorkDisplay) throws -> Value {
        var line = ProgressLine(display.style, words: display.words)
        defer { line.clear() }
        var isCancelled = false
        while true {
            let result = task.result(after: Self.interval)
            if valise_interrupted(), !isCancelled {
                isCancelled = true
                task.cancel()
            }
            let (progress, notes, questions, results) = state.withLock { state in
                state.ripenTroubles(Self.patience, result)
                defer { (state.notes, state.questions, state.results) = ([], [], []) }
                return (state.progress, state.notes, state.questions, state.results)
            }
            if !notes.isEmpty || !questions.isEmpty || !results.isEmpty { line.clear() }
            for note in notes { note.isWarning ? display.warn(note.text) : display.note(note.text) }
            try results.forEach(display.result)
            for question in questions { question() }
            if let result { return try value(of: result, isCancelled) }
            if let progress { line.show(progress) }
        }
    }

    private func value(of result: Result<Value, any Error>, _ isCancelled: Bool) throws -> Value {
        switch result {
        case .success(let value): return value
        case .failure(let error):
            // What the library says of its cancellation says also what is kept.
            if isCancelled, !(error is any Failure) { throw Interruption() }
            throw error
        }
    }
}
