import ValiseFailures

/// What a user who stops a run throws.
struct TestInterruption: Failure {
    var code: FailureCode { .interrupted }
    var message: String { "interrupted" }
    var subject: String? { nil }
    var cause: (any Error)? { nil }
}
