import ValiseFailures

/// How connections to a server are made, and how long they wait.
package struct PostgresSettings: Sendable {
    package let address: PostgresAddress
    package let password: PostgresPassword
    /// The schema whose tables are meant by their bare names. It need not exist yet.
    package let schema: String
    /// What the server shows of us, for its operator.
    package var applicationName = "valise"
    /// Until a connection can be used. It does not cover the look-up of a name, which has limits of its own.
    package var connectTimeout = Duration.seconds(10)
    /// For a batch of statements that is not given another time.
    package var statementTimeout = Duration.seconds(30)
    /// How long the server may take to stop a statement that took too long.
    package var cancelPatience = Duration.seconds(5)
    /// After which the server ends a session that began a transaction and does nothing: its locks would stay.
    package var idleTransactionTimeout = Duration.seconds(60)

    /// - Parameters:
    ///   - address: the server.
    ///   - password: where the password comes from.
    ///   - schema: small letters, digits and `_`, not a digit first; `pg_` is the server's own.
    /// - Throws: ``PostgresError``: `invalid` for another name of a schema.
    package init(
        _ address: PostgresAddress, password: PostgresPassword = .none, schema: String
    ) throws(PostgresError) {
        let isName =
            (1...63).contains(schema.utf8.count)
            && schema.utf8.allSatisfy { Self.isLetter($0) || Self.isDigit($0) }
        guard isName, let first = schema.utf8.first, Self.isLetter(first), !schema.hasPrefix("pg_") else {
            throw PostgresError(
                .general, .invalid,
                "not a name for a schema of the database: small letters, digits and _, beginning with a letter"
            )
        }
        self.address = address
        self.password = password
        self.schema = schema
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
