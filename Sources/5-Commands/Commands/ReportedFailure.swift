import Valise

/// A failure that the command's JSON document already has, or that comes after it: each run prints one document.
struct ReportedFailure: Failure {
    let failure: any Failure

    var code: FailureCode { failure.code }
    var message: String { failure.message }
    var subject: String? { failure.subject }
    var cause: (any Error)? { failure.cause }
    var remedy: Remedy? { failure.remedy }
    var description: String { failure.description }
}
