package import ValiseFailures

/// What a job waits for that only its user can do.
package enum UserNeed: Sendable {
    /// The passphrase of something is nowhere, or does not fit.
    case passphrase(of: String, cause: (any Error)?)
    /// Nobody has agreed to a move yet.
    case agreement
    /// The account was changed since its import was asked for.
    case changedAccount(String)
    /// Another file is where one of the operation was when it was asked for.
    case replacedSource(String)
    /// A failure that the user can do something about.
    case failure(any Failure)
    /// A newer version of this program wrote the job.
    case newerProgram

    /// In a sentence, without what to do.
    var description: String {
        switch self {
        case .passphrase(let name, let cause):
            "passphrase for \(name) required" + (cause.map { " (\($0))" } ?? "")
        case .agreement: "this move has not been confirmed yet"
        case .changedAccount(let name): "\(name) has changed since this import was requested"
        case .replacedSource(let path): "\(path) was replaced by another file since this was requested"
        case .failure(let failure): failure.description
        case .newerProgram: "this job was written by a newer version"
        }
    }
}

/// Thrown by a job that cannot go on until its user does something.
package struct UserNeeded: Failure {
    package let need: UserNeed

    package var code: FailureCode {
        if case .newerProgram = need { .newer } else { .denied }
    }
    package var message: String { need.description }
    package var subject: String? { nil }
    package var cause: (any Error)? {
        if case .passphrase(_, let cause) = need { cause } else { nil }
    }

    init(_ need: UserNeed) { self.need = need }
}
