import CValisePostgres
import ValiseFailures

/// A connection of libpq with what is known of it. Whoever has it is alone with it.
///
/// Nothing waits in libpq: what is sent lies in its memory, and a loop of our own waits for the socket, until a deadline. Once
/// the connection is lost, it is closed, and every use has the reason.
@safe struct PostgresSession: ~Copyable {
    /// What a prepared statement is for: types are part of it.
    struct PreparedKey: Hashable {
        let sql: String
        let types: [UInt32]
    }

    private var connection: OpaquePointer?
    /// The server, for messages.
    let subject: String
    let settings: PostgresSettings
    /// Why there is no connection any more.
    private(set) var failure: PostgresError?
    /// The names of what is prepared.
    private var prepared: [PreparedKey: String] = [:]
    private var nameCount = 0
    /// What begins the transaction, until it is sent with the first statement in it.
    var pendingBegin: String?
    var isInTransaction = false
    /// What failed in the transaction, whatever its owner made of that.
    var transactionFailure: PostgresError?
    /// The locks of the session that are held, and how often each.
    var locks: [PostgresLock: Int] = [:]

    /// More statements are not prepared: each takes memory of the server for as long as the connection lasts.
    static let mostPrepared = 256

    /// - Parameters:
    ///   - connection: is connected; it is this value's from now on.
    ///   - subject: the server, for messages.
    init(_ connection: OpaquePointer, _ settings: PostgresSettings, subject: String) {
        unsafe self.connection = unsafe connection
        self.settings = settings
        self.subject = subject
    }

    deinit {
        if let connection = unsafe connection { unsafe valise_postgres_finish(connection) }
    }

    var isOpen: Bool { unsafe connection != nil }

    /// Whether no transaction is open, neither one of ours nor one that a statement began.
    var isIdle: Bool {
        guard let connection = unsafe connection else { return true }
        return unsafe valise_postgres_transaction(connection) == VALISE_POSTGRES_IDLE
    }

    /// - Throws: ``PostgresError`` where it is lost.
    func opened() throws(PostgresError) -> OpaquePointer {
        guard let connection = unsafe connection else {
            throw failure ?? PostgresError.lost("it is closed", subject: subject)
        }
        return unsafe connection
    }

    /// Closes it.
    mutating func close() {
        if let connection = unsafe connection { unsafe valise_postgres_finish(connection) }
        unsafe connection = nil
        prepared = [:]
        (pendingBegin, isInTransaction, transactionFailure, locks) = (nil, false, nil, [:])
    }

    /// Closes it after a failure. What is asked for later has another one, which says nothing of what was under way.
    /// - Returns: the failure.
    mutating func lose(_ error: PostgresError) -> PostgresError {
        close()
        failure = PostgresError(
            error.isOutage ? error.kind : .connectionLost, .failed, error.message, error.subject,
            sqlState: error.sqlState, remedy: .tryLater)
        return error
    }

    /// What libpq says last.
    func words(_ connection: OpaquePointer) -> String {
        unsafe valise_postgres_message(connection).map { unsafe String(cString: $0) } ?? ""
    }

    // MARK: Preparing

    /// The name that a statement is prepared under.
    func preparedName(_ key: PreparedKey) -> String? { prepared[key] }

    var preparedCount: Int { prepared.count }

    /// A name that nothing was prepared under.
    mutating func freshName() -> String {
        defer { nameCount += 1 }
        return "v\(nameCount)"
    }

    mutating func notePrepared(_ key: PreparedKey, as name: String) { prepared[key] = name }

    /// Forgets what is prepared: the server does not know it any more, or not as it was.
    mutating func forgetPrepared() { prepared = [:] }

    // MARK: Looking

    /// Takes in what the server sent without being asked: that it shuts down, or ended the session. Does not wait.
    /// - Throws: ``PostgresError`` where the connection is lost.
    mutating func lookAlive() throws(PostgresError) {
        let connection = unsafe try opened()
        // It ends: a server that sends without end is none.
        for _ in 0..<100 {
            let socket = unsafe valise_postgres_socket(connection)
            guard socket >= 0 else { break }
            guard try PostgresSocket(socket).wait(writing: false, until: .now) != .nothing else { return }
            guard unsafe valise_postgres_receive(connection), unsafe !valise_postgres_is_busy(connection)
            else { break }
        }
        throw unsafe lose(.lost(words(connection), subject: subject))
    }
}
