import ValiseFailures

/// The one place where errors of servers and of libpq get their kind.
extension PostgresError {
    private struct Meaning {
        let kind: Kind
        var code = FailureCode.failed
        var remedy: Remedy?
    }

    /// Names of states are those of PostgreSQL's documentation, Appendix A.
    private static let meanings: [String: Meaning] = [
        // unique_violation, and the others of its class
        "23505": Meaning(kind: .constraint(.unique), code: .alreadyExists),
        "23503": Meaning(kind: .constraint(.foreignKey)),
        "23514": Meaning(kind: .constraint(.check)),
        "23502": Meaning(kind: .constraint(.notNull)),
        "23P01": Meaning(kind: .constraint(.exclusion)),
        // serialization_failure, deadlock_detected
        "40001": Meaning(kind: .serialization, remedy: .tryLater),
        "40P01": Meaning(kind: .serialization, remedy: .tryLater),
        // read_only_sql_transaction
        "25006": Meaning(kind: .readOnly, remedy: .tryLater),
        // idle_in_transaction_session_timeout
        "25P03": Meaning(kind: .connectionLost, remedy: .tryLater),
        // too_many_connections
        "53300": Meaning(kind: .tooManyConnections, remedy: .tryLater),
        // disk_full
        "53100": Meaning(kind: .general, code: .noSpace),
        // query_canceled, lock_not_available
        "57014": Meaning(kind: .timeout, remedy: .tryLater),
        "55P03": Meaning(kind: .timeout, remedy: .tryLater),
        // admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout
        "57P01": Meaning(kind: .shuttingDown, remedy: .tryLater),
        "57P02": Meaning(kind: .shuttingDown, remedy: .tryLater),
        "57P03": Meaning(kind: .shuttingDown, remedy: .tryLater),
        "57P05": Meaning(kind: .connectionLost, remedy: .tryLater),
        // insufficient_privilege
        "42501": Meaning(kind: .general, code: .denied),
        // undefined_database, undefined_table, undefined_schema
        "3D000": Meaning(kind: .general, code: .notFound),
        "42P01": Meaning(kind: .general, code: .notFound),
        "3F000": Meaning(kind: .general, code: .notFound),
    ]

    /// Of the class, which the first two letters name.
    private static let classes: [String: Meaning] = [
        "08": Meaning(kind: .connectionLost, remedy: .tryLater),
        "22": Meaning(kind: .general, code: .invalid),
        "23": Meaning(kind: .constraint(.check)),
        "28": Meaning(kind: .credentials, code: .denied, remedy: .checkServerPassword),
    ]

    private static func meaning(of state: String) -> Meaning? {
        meanings[state] ?? classes[String(state.prefix(2))]
    }

    /// What the server answered to a statement.
    static func answered(
        _ state: String?, _ message: String, constraint: String?, statement: Int?, subject: String
    ) -> PostgresError {
        let meaning = state.flatMap(meaning) ?? Meaning(kind: .general)
        return PostgresError(
            meaning.kind, meaning.code, "the database reports: \(line(message))", subject, sqlState: state,
            constraint: constraint.map(line), statement: statement, remedy: meaning.remedy)
    }

    /// What libpq says of a connection that was not made. The state of the server is in its words, if it comes from there.
    static func notConnected(_ words: String, subject: String) -> PostgresError {
        // The place in the server's sources, which it adds to states, is nobody's concern.
        let lines = lines(words).filter { !$0.hasPrefix("LOCATION:") }
        let state = lines.compactMap { Self.state(in: $0) }.last
        let text = line(lines.joined(separator: "; "))
        let meaning =
            state.flatMap(meaning)
            ?? Meaning(kind: state == nil ? .unreachable : .general, remedy: .checkServerAddress)
        return PostgresError(
            meaning.kind, meaning.code, "cannot connect to the database: \(text)", subject, sqlState: state,
            remedy: meaning.remedy)
    }

    /// Of a line such as `… failed: FATAL:  53300: sorry, too many clients already`.
    private static func state(in line: Substring) -> String? {
        line.firstMatch(of: #/: {2}([0-9A-Z]{5}): /#).map { String($0.1) }
    }

    /// What libpq says of a connection that is there no more.
    static func lost(
        _ words: String, subject: String, mayHaveTakenEffect: Bool = false
    ) -> PostgresError {
        PostgresError(
            .connectionLost, .failed, "the connection to the database is lost: \(line(words))", subject,
            mayHaveTakenEffect: mayHaveTakenEffect, remedy: .tryLater)
    }

    /// Words from outside, in one line for messages.
    static func line(_ words: String) -> String {
        lines(words).joined(separator: " ").replacingControls { _ in "?" }
    }

    /// Without what indents them.
    private static func lines(_ words: String) -> [Substring] {
        words.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }
    }
}
