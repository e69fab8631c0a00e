import Synchronization
import SystemPackage
package import ValiseFailures

/// The terminal or a standard stream could not be used, or gave something else than was asked for.
package struct TerminalError: Failure {
    package let code: FailureCode
    package let message: String
    package var subject: String? { nil }
    package var cause: (any Error)? { nil }

    package init(_ code: FailureCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension TerminalError {
    /// The result of a program cannot be written to standard output.
    static func unwritable(_ error: any Error) -> TerminalError {
        let isFull = [Errno.noSpace, .diskQuotaExceeded].contains(error as? Errno)
        let rest = changes.withLock { $0 } ? ". Changes already made are kept." : ""
        return TerminalError(
            isFull ? .noSpace : .failed, "cannot write the result to standard output: \(error)\(rest)")
    }

    private static let changes = Mutex(false)

    /// Says whether this process changes something, which stays where its result cannot be written. Only its command knows.
    package static func note(changes: Bool) { Self.changes.withLock { $0 = changes } }
}

/// The pager that the user has chosen could not be run.
package struct PagerError: Failure {
    package var code: FailureCode { .failed }
    package let message: String
    package var subject: String? { nil }
    package var cause: (any Error)? { nil }

    init(_ message: String) { self.message = message }
}
