import ValiseFailures

/// A failure of the command line itself.
struct CommandError: Failure {
    let code: FailureCode
    let message: String
    var subject: String?
    let remedy: Remedy?
    var cause: (any Error)? { nil }

    init(_ code: FailureCode, _ message: String, subject: String? = nil, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.subject = subject
        self.remedy = remedy
    }
}
