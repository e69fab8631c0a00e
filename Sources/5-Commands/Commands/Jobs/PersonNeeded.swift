import ValiseFailures

/// Thrown by a job that cannot go on until a person does something.
struct PersonNeeded: Failure {
    /// What to do, with `{job}` in place of the job's number.
    let advice: String

    var code: FailureCode { .denied }
    var message: String { advice }
    var subject: String? { nil }
    let cause: (any Error)?

    init(_ advice: String, cause: (any Error)? = nil) {
        self.advice = advice
        self.cause = cause
    }
}
