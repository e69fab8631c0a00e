import CValisePostgres
import ValiseFailures

extension PostgresSession {
    /// What counts where the connection string says nothing else: a name for the server's operator; a server that can be written
    /// to, of several; and a network that swallows everything is noticed.
    private static func defaults(_ settings: PostgresSettings) -> [(String, String)] {
        [
            ("fallback_application_name", settings.applicationName), ("target_session_attrs", "read-write"),
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"),
        ]
    }

    /// PostgreSQL 13: older ones are no longer maintained.
    private static let oldest: Int32 = 130_000

    /// Connects, and sets the session up.
    /// - Throws: ``PostgresError``
    static func connect(_ settings: PostgresSettings) throws(PostgresError) -> PostgresSession {
        try PostgresLibrary.load()
        let deadline = ContinuousClock.now + settings.connectTimeout
        var session = try start(settings)
        try session.finishConnecting(until: deadline)
        try session.check()
        try session.setUp(until: deadline)
        return session
    }

    private static func start(_ settings: PostgresSettings) throws(PostgresError) -> PostgresSession {
        let words = defaults(settings) + [("dbname", settings.address.text), ("client_encoding", "UTF8")]
        let connection = unsafe try settings.password.withText { password in
            unsafe start(words, password)
        }
        guard let connection = unsafe connection else {
            throw PostgresError(.general, .failed, "not enough memory for a connection to the database")
        }
        return unsafe PostgresSession(connection, settings, subject: subject(connection))
    }

    /// - Parameter password: nil for none of ours. It counts more than what libpq finds elsewhere.
    private static func start(
        _ words: [(String, String)], _ password: UnsafePointer<CChar>?
    ) -> OpaquePointer? {
        // One after the other with a zero behind each, so that pointers into it last as long as it does.
        var text: [CChar] = []
        var places: [(Int, Int)] = []
        func append(_ word: String) -> Int {
            defer { text += word.utf8CString }
            return text.count
        }
        for (keyword, value) in words { places.append((append(keyword), append(value))) }
        let passwordPlace = append("password")
        return unsafe text.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress else { return nil }
            var keywords: [UnsafePointer<CChar>?] = unsafe places.map { unsafe start + $0.0 }
            var values: [UnsafePointer<CChar>?] = unsafe places.map { unsafe start + $0.1 }
            if let password = unsafe password {
                unsafe keywords.append(start + passwordPlace)
                unsafe values.append(password)
            }
            return unsafe valise_postgres_start(keywords, values, Int32(keywords.count))
        }
    }

    /// What messages call the server.
    private static func subject(_ connection: OpaquePointer) -> String {
        let parts = unsafe [
            valise_postgres_database(connection), valise_postgres_host(connection),
            valise_postgres_port(connection),
        ].map { unsafe $0.map { unsafe String(cString: $0) } ?? "" }
        let place = [parts[1], parts[2]].filter { !$0.isEmpty }.joined(separator: ":")
        return PostgresError.line([parts[0], place].filter { !$0.isEmpty }.joined(separator: " at "))
    }

    /// Goes on until it is connected.
    private mutating func finishConnecting(until deadline: ContinuousClock.Instant) throws(PostgresError) {
        let connection = unsafe try opened()
        var step = VALISE_POSTGRES_WRITE
        while step != VALISE_POSTGRES_CONNECTED {
            // Another one for each address that is tried.
            let socket = unsafe valise_postgres_socket(connection)
            guard step != VALISE_POSTGRES_FAILED, socket >= 0 else {
                throw unsafe lose(.notConnected(words(connection), subject: subject))
            }
            let isWriting = step == VALISE_POSTGRES_WRITE
            let event = try PostgresSocket(socket).wait(
                reading: !isWriting, writing: isWriting, until: deadline)
            guard event != .nothing else {
                throw lose(
                    PostgresError(
                        .unreachable, .failed, "the database does not answer", subject,
                        remedy: .checkServerAddress))
            }
            step = unsafe valise_postgres_proceed(connection)
        }
        guard unsafe valise_postgres_make_nonblocking(connection) else {
            throw unsafe lose(.notConnected(words(connection), subject: subject))
        }
    }

    /// Whether it is a server that this program can use.
    private mutating func check() throws(PostgresError) {
        let connection = unsafe try opened()
        let version = unsafe valise_postgres_server_version(connection)
        guard version >= Self.oldest else {
            let (found, wanted) = (PostgresLibrary.text(ofVersion: version), Self.oldest / 10_000)
            throw lose(
                PostgresError(
                    .general, .unsupported,
                    "the database runs PostgreSQL \(found), and \(wanted) is the oldest that is supported",
                    subject))
        }
        let encoding = unsafe valise_postgres_parameter(connection, "server_encoding").map {
            unsafe String(cString: $0)
        }
        guard encoding == "UTF8" else {
            throw lose(
                PostgresError(
                    .general, .unsupported,
                    "the database has the encoding \(PostgresError.line(encoding ?? "?")), not UTF8", subject)
            )
        }
    }

    /// What applies to each statement of the session.
    private mutating func setUp(until deadline: ContinuousClock.Instant) throws(PostgresError) {
        // Ours are the shorter ones: these are for a server that does not hear from us any more.
        let statement = settings.statementTimeout + settings.cancelPatience
        let values = [
            ("search_path", "\"\(settings.schema)\", pg_temp"),
            ("statement_timeout", Self.milliseconds(statement)),
            ("idle_in_transaction_session_timeout", Self.milliseconds(settings.idleTransactionTimeout)),
            ("default_transaction_isolation", "read committed"),
            ("client_min_messages", "error"),
        ]
        let batch = values.map {
            PostgresStatement("SELECT set_config($1, $2, false)", [.text($0.0), .text($0.1)])
        }
        _ = try run(batch, until: deadline)
    }

    /// As settings of the server have it; 0 would be no limit.
    static func milliseconds(_ duration: Duration) -> String {
        let limited = min(max(duration, .milliseconds(1)), .milliseconds(Int64(Int32.max)))
        return "\(Int64(limited / .milliseconds(1)))"
    }
}
