package import ValiseFailures

/// Why the runner stopped.
package struct MigrationError: Failure {
    package let code: FailureCode
    package let message: String
    /// The migration.
    package let migration: String?
    package let cause: (any Error)?
    package var subject: String? { migration }

    package init(
        _ code: FailureCode, _ message: String, migration: String? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.migration = migration
        self.cause = cause
    }
}
