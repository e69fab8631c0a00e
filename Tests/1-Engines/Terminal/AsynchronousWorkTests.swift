import Testing
import ValiseConcurrency

@testable import ValiseTerminal

/// What work says while another thread has the terminal.
struct AsynchronousWorkTests {
    private struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private struct Outcome: Sendable {
        let result: Result<Int, any Error>
        /// What was shown.
        let lines: [String]
    }

    private static func run(
        _ work: @escaping @Sendable (AsynchronousWork<Int>) async throws -> Int
    ) async throws -> Outcome {
        try await BlockingExecutor.shared.run {
            var lines: [String] = []
            let display = WorkDisplay(
                .none, words: { $0.activity }, note: { lines.append("note: \($0)") },
                warn: { lines.append("warning: \($0)") }, result: { lines.append("result: \($0)") })
            let result = Result { try AsynchronousWork<Int>.run(display, work) }
            return Outcome(result: result, lines: lines)
        }
    }

    @Test func `notes and warnings are shown in their order, and questions are asked`() async throws {
        let outcome = try await Self.run { work in
            work.note("one")
            work.warn("two")
            return try await work.atTerminal { 3 }
        }
        #expect(try outcome.result.get() == 3)
        #expect(outcome.lines == ["note: one", "warning: two"])
    }

    @Test func `parts of the result go where results are printed`() async throws {
        let outcome = try await Self.run { work in
            work.result("one")
            work.result("two")
            return 1
        }
        #expect(outcome.lines == ["result: one", "result: two"])
    }

    @Test func `a trouble is shown unless the failure that ends the work says the same`() async throws {
        let failed = try await Self.run { work in
            work.note(trouble: "gone", of: "relay")
            throw Problem(description: "relay: gone. Nothing was sent.")
        }
        #expect(throws: Problem.self) { try failed.result.get() }
        #expect(failed.lines.isEmpty)
        let done = try await Self.run { work in
            work.note(trouble: "gone", of: "relay")
            return 1
        }
        #expect(done.lines == ["note: relay: gone"])
        let forgotten = try await Self.run { work in
            work.note(trouble: "gone", of: "relay")
            work.forgetTroubles()
            return 1
        }
        #expect(forgotten.lines.isEmpty)
    }
}
