package import ValiseFailures
import ValiseFiles
package import ValiseXFTPWire

/// What a relay stores cannot be read or written, or a client asked for what cannot be.
package struct XFTPStoreError: Failure {
    package let code: FailureCode
    package let message: String
    /// What the failure is about.
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?
    /// What the client gets to hear of it.
    package let answer: XFTPErrorCode

    init(
        _ code: FailureCode, _ message: String, subject: String? = nil, cause: (any Error)? = nil,
        answer: XFTPErrorCode = .internal, remedy: Remedy? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
        self.answer = answer
        self.remedy = remedy
    }

    /// The same failure for a client: a full disk is told like a full quota, all else as an error of files.
    init(_ error: any Error) {
        if let error = error as? XFTPStoreError {
            self = error
        } else if let error = error as? FileError {
            self.init(
                error.code, error.message, subject: error.subject,
                answer: error.code == .noSpace ? .quota : .fileIO, remedy: error.remedy)
        } else {
            self.init(.failed, "the store failed. Previously acknowledged data is intact.", cause: error)
        }
    }

    static var unknownName: XFTPStoreError {
        XFTPStoreError(.notFound, "no chunk with this ID", answer: .auth)
    }

    static var closed: XFTPStoreError {
        XFTPStoreError(.failed, "the store is closed. Nothing was changed.")
    }

    static func blocked(_ information: BlockingInfo) -> XFTPStoreError {
        XFTPStoreError(.denied, "this chunk was blocked by the operator", answer: .blocked(information))
    }
}
