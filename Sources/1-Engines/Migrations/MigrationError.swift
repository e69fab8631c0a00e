public import ValiseFailures

/// Why the runner stopped.
public struct MigrationError: Failure {
    public let code: FailureCode
    public let message: String
    /// The migration.
    public let migration: String?
    public let cause: (any Error)?
    public var subject: String? { migration }

    public init(
        _ code: FailureCode, _ message: String, migration: String? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.migration = migration
        self.cause = cause
    }
}
