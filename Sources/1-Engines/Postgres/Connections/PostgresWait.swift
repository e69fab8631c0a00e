import CValisePostgres
import ValiseConcurrency
import ValiseFailures

/// Waits for the answers to what was sent, and has the server stop what takes too long.
struct PostgresWait: ~Copyable {
    private var deadline: ContinuousClock.Instant
    private let patience: Duration
    private var cancelling: Cancelling?

    /// Longer is not waited without reading: bytes of an encrypted connection may be with the library already.
    private static let longestTurn = Duration.seconds(1)

    /// - Parameter deadline: when the server is asked to stop; then it has the patience of the settings.
    init(_ deadline: ContinuousClock.Instant, _ settings: PostgresSettings) {
        self.deadline = deadline
        patience = settings.cancelPatience
    }

    /// Whether the server was asked to stop.
    var hasCancelled: Bool { cancelling != nil }

    /// Sends what is left, waits once, and reads what has arrived.
    /// - Throws: ``PostgresError`` where the connection cannot be used any more.
    mutating func turn(_ connection: OpaquePointer, subject: String) throws(PostgresError) {
        let rest = unsafe valise_postgres_flush(connection)
        let socket = unsafe valise_postgres_socket(connection)
        guard rest >= 0, socket >= 0 else { throw unsafe Self.lost(connection, subject) }
        let now = ContinuousClock.now
        let end = min(deadline, now + Self.longestTurn)
        let event = try PostgresSocket(socket).wait(writing: rest > 0, until: end)
        if event == .writable { return }
        guard unsafe valise_postgres_receive(connection) else { throw unsafe Self.lost(connection, subject) }
        if event == .nothing, end == deadline { try unsafe expire(connection, subject) }
    }

    private mutating func expire(_ connection: OpaquePointer, _ subject: String) throws(PostgresError) {
        guard cancelling == nil, let request = unsafe valise_postgres_prepare_cancel(connection) else {
            throw Self.unresponsive(subject)
        }
        cancelling = unsafe Cancelling(request)
        deadline = .now + patience
    }

    /// Waits until nothing is on its way that would stop a later statement.
    /// - Throws: ``PostgresError`` where that takes too long.
    func finish(subject: String) throws(PostgresError) {
        guard let cancelling else { return }
        guard cancelling.hasEnded.wait(atMost: max(.zero, deadline - .now)) else {
            throw Self.unresponsive(subject)
        }
    }

    private static func lost(_ connection: OpaquePointer, _ subject: String) -> PostgresError {
        let words = unsafe valise_postgres_message(connection).map { unsafe String(cString: $0) } ?? ""
        return .lost(words, subject: subject)
    }

    private static func unresponsive(_ subject: String) -> PostgresError {
        PostgresError(
            .unresponsive, .failed, "the database does not answer, not even to the request to stop", subject,
            remedy: .tryLater)
    }
}

/// A request to stop, which is made on a thread of its own: libpq has no form of it that does not wait.
private final class Cancelling: Sendable {
    let hasEnded = Gate()

    /// - Parameter request: is this object's from now on. It has nothing of the connection but its address and its number.
    init(_ request: OpaquePointer) {
        // A pointer is not given to other threads, since the compiler takes it for one into the connection.
        let address = UInt(bitPattern: request)
        WorkerThread.start { [hasEnded] in
            unsafe valise_postgres_cancel(OpaquePointer(bitPattern: address))
            hasEnded.signal()
        }
    }
}
