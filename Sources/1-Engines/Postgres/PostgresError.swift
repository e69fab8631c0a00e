package import ValiseFailures

/// PostgreSQL could not be reached, or did not do what it was asked for.
///
/// A message has the words of the server or of libpq. It has no password: libpq gets that apart from all other words, and a
/// connection string with one is refused. It has no values of statements either.
package struct PostgresError: Failure {
    /// What went wrong, where ``code`` does not tell enough.
    package enum Kind: Sendable, Hashable {
        /// As ``code`` says.
        case general
        /// Nobody answers at the address, or no connection could be made.
        case unreachable
        /// The connection ended, or was ended by the server.
        case connectionLost
        /// The server starts, shuts down or recovers.
        case shuttingDown
        /// The server, or what is before it, has no place for another connection.
        case tooManyConnections
        /// The server only reads: it is a copy of another one.
        case readOnly
        /// The server did not even answer that it has stopped a statement that took too long.
        case unresponsive
        /// User name, password or certificate are wrong.
        case credentials
        /// A statement took too long and was stopped, by us or by the server.
        case timeout
        /// All connections of the pool are in use.
        case busy
        /// The pool is closed.
        case closed
        /// What was to be stored contradicts what is.
        case constraint(Constraint)
        /// Others changed the same rows, or waited for each other: the transaction may succeed when it is run again.
        case serialization
    }

    /// What a row must fulfill.
    package enum Constraint: Sendable, Hashable {
        /// No other row has these values.
        case unique
        /// There is a row that this one refers to, or none that refers to this one.
        case foreignKey
        /// A condition of the table.
        case check
        /// A value is required.
        case notNull
        /// A condition on pairs of rows.
        case exclusion
    }

    package let kind: Kind
    package let code: FailureCode
    package let message: String
    /// The server.
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?
    /// The state of five letters and digits that the server gives its errors; nil for those that are not its own.
    package let sqlState: String?
    /// The name of the constraint that was violated.
    package let constraint: String?
    /// Which statement of a batch failed, from 0; nil where it was none of them.
    package let statement: Int?
    /// Whether the work was to be committed, and nobody knows whether it was: the connection ended before the answer came.
    package let mayHaveTakenEffect: Bool

    package init(
        _ kind: Kind = .general, _ code: FailureCode, _ message: String, _ subject: String? = nil,
        sqlState: String? = nil, constraint: String? = nil, statement: Int? = nil,
        mayHaveTakenEffect: Bool = false, cause: (any Error)? = nil, remedy: Remedy? = nil
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.subject = subject
        self.sqlState = sqlState
        self.constraint = constraint
        self.statement = statement
        self.mayHaveTakenEffect = mayHaveTakenEffect
        self.cause = cause
        self.remedy = remedy
    }

    /// Whether the server cannot be used at the moment, whatever it is asked for.
    package var isOutage: Bool {
        switch kind {
        case .unreachable, .connectionLost, .shuttingDown, .tooManyConnections, .readOnly, .unresponsive: true
        case .general, .credentials, .timeout, .busy, .closed, .constraint, .serialization: false
        }
    }

    /// Whether the same transaction may succeed when it is run again at once.
    package var isRetryable: Bool { kind == .serialization }

    /// The same failure, of a connection that ended with it.
    func endingConnection(mayHaveTakenEffect: Bool) -> PostgresError {
        PostgresError(
            isOutage ? kind : .connectionLost, code, message, subject, sqlState: sqlState,
            constraint: constraint,
            statement: statement, mayHaveTakenEffect: mayHaveTakenEffect, cause: cause,
            remedy: remedy ?? .tryLater)
    }
}
