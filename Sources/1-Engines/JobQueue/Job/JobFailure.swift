package import ValiseFailures

/// How a run of a job failed, and so what becomes of the job.
package enum JobFailure: Error, Sendable, Equatable {
    /// It is tried again later, each time after a longer pause; after ``JobRequest/mostAttempts`` it is a dead letter.
    case temporary(String)
    /// Trying again is of no use: a dead letter.
    case permanent(String)
    /// A user has to do something first, and then resumes the job.
    case needsUser(String)

    /// Why, in one sentence.
    package var reason: String {
        switch self {
        case .temporary(let reason), .permanent(let reason), .needsUser(let reason): reason
        }
    }

    /// What a failure of this toolkit means for the job; of any other error, that it may be temporary.
    ///
    /// - Parameter remedies: the words for the remedies in the reason, which is kept as a text; nil for none.
    package init(_ error: any Error, remedies: RemedyWords? = nil) {
        if let failure = error as? JobFailure {
            self = failure
        } else if let failure = error as? any Failure {
            self.init(code: failure.code, failure.description { remedies?($0) })
        } else {
            self = .temporary("\(error)")
        }
    }

    private init(code: FailureCode, _ reason: String) {
        switch code {
        case .failed, .inUse, .interrupted: self = .temporary(reason)
        case .wrongPassphrase, .denied, .noSpace: self = .needsUser(reason)
        case .notFound, .alreadyExists, .damaged, .unsupported, .newer, .invalid, .gone:
            self = .permanent(reason)
        }
    }
}
