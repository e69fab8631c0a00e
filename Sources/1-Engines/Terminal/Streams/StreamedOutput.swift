import Synchronization
import SystemPackage
import ValiseFiles

/// Standard output for results that may be large: buffered, and a failure to write ends the work. On a terminal a pager may
/// show them.
package final class StreamedOutput: Sendable {
    private struct State {
        var buffer: [UInt8] = []
        /// The pager's command line, until it is started: nothing to show needs none.
        var command: String?
        var pager: Pager?
    }

    private let state: Mutex<State>
    private static let capacity = 64 << 10

    /// - Parameter pages: whether a pager shows it where standard output is a terminal.
    package init(pages: Bool = false) {
        state = Mutex(State(command: pages ? TerminalSetup.current.pagerCommand : nil))
    }

    /// - Throws: as ``flush()``.
    package func write(_ text: String) throws {
        try state.withLock { state in
            state.buffer.append(contentsOf: text.utf8)
            if state.buffer.count >= Self.capacity { try Self.flush(&state) }
        }
    }

    /// Hands on what is buffered.
    /// - Throws: `ReaderGone` where a pipe was closed or a pager has ended; ``PagerError``; ``TerminalError`` for anything else.
    package func flush() throws { try state.withLock { try Self.flush(&$0) } }

    /// Does work that writes, and then waits until a user of a pager has read its result. What is said after that is seen.
    /// - Throws: whatever the work throws; as ``flush()``.
    package func shown<Result>(_ work: () throws -> Result) throws -> Result {
        let result: Swift.Result<Result, any Error>
        do {
            let value = try work()
            try flush()
            result = .success(value)
        } catch {
            if !(error is ReaderGone) { try? flush() }
            result = .failure(error)
        }
        let pager = state.withLock { $0.pager.take() }
        try pager?.finish()
        return try result.get()
    }

    private static func flush(_ state: inout State) throws {
        guard !state.buffer.isEmpty else { return }
        defer { state.buffer.removeAll(keepingCapacity: true) }
        do {
            if let command = state.command.take() {
                StandardStreams.clearProgress()
                state.pager = try Pager(command)
            }
            if let pager = state.pager { return try pager.write(state.buffer) }
            _ = try FileDescriptor.standardOutput.writeAll(state.buffer)
        } catch Errno.brokenPipe {
            throw ReaderGone()
        } catch let error where error is PagerError || error is ReaderGone {
            throw error
        } catch {
            throw TerminalError.unwritable(error)
        }
    }
}
