import ValiseEncoding
package import ValiseFailures
import ValiseFiles
package import ValiseXFTPWire

/// What a relay stores cannot be read or written, or a client asked for what cannot be.
package struct XFTPStoreError: Failure {
    /// What went wrong, where ``code`` does not tell enough.
    package enum Kind: Sendable, Hashable {
        /// As ``code`` says.
        case general
        /// A database or a storage server cannot be reached, is busy, or restarts: the same request may succeed a moment later. What
        /// became of this one is not known.
        case unavailable
    }

    package let kind: Kind
    package let code: FailureCode
    package let message: String
    /// What the failure is about.
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?
    /// What the client gets to hear of it.
    package let answer: XFTPErrorCode

    package init(
        _ code: FailureCode, _ message: String, subject: String? = nil, cause: (any Error)? = nil,
        answer: XFTPErrorCode = .internal, remedy: Remedy? = nil
    ) {
        self.init(.general, code, message, subject, cause, answer, remedy)
    }

    private init(
        _ kind: Kind, _ code: FailureCode, _ message: String, _ subject: String?, _ cause: (any Error)?,
        _ answer: XFTPErrorCode, _ remedy: Remedy?
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
        self.answer = answer
        self.remedy = remedy
    }

    /// The same failure for a client: a full disk is told like a full quota, all else as an error of files.
    package init(_ error: any Error) {
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

    /// A database or a storage server that cannot be had at the moment. Clients are told to come again (`TIMEOUT`): all other
    /// answers are final for them, and they would drop the file.
    /// - Parameters:
    ///   - message: what cannot be had.
    ///   - subject: its place, without a password.
    ///   - cause: what a library said.
    package static func unavailable(
        _ message: String, subject: String? = nil, cause: (any Error)? = nil
    ) -> XFTPStoreError {
        XFTPStoreError(.unavailable, .failed, message, subject, cause, .timeout, nil)
    }

    /// Of a chunk, or a recipient of it.
    package static var unknownName: XFTPStoreError {
        XFTPStoreError(.notFound, "no chunk with this ID", answer: .auth)
    }

    /// After the end of the store.
    package static var closed: XFTPStoreError {
        XFTPStoreError(.failed, "the store is closed. Nothing was changed.")
    }

    /// By the operator.
    package static func blocked(_ information: BlockingInfo) -> XFTPStoreError {
        XFTPStoreError(.denied, "this chunk was blocked by the operator", answer: .blocked(information))
    }

    /// The chunk exists, and its body does not yet.
    package static var noBody: XFTPStoreError {
        XFTPStoreError(.notFound, "this chunk has not been uploaded yet", answer: .noFile)
    }

    /// - Parameter quota: in bytes.
    package static func quotaReached(_ quota: Int64) -> XFTPStoreError {
        XFTPStoreError(
            .noSpace, "the storage quota of \(Count.bytes(quota)) is used up. Nothing was changed.",
            answer: .quota)
    }

    /// A name that somebody has.
    package static var takenName: XFTPStoreError {
        XFTPStoreError(.alreadyExists, "this ID is in use. Nothing was changed.")
    }

    /// The space of an upload was given to others when its time was over.
    package static var lateUpload: XFTPStoreError {
        XFTPStoreError(.failed, "the upload took too long. The chunk was discarded.", answer: .timeout)
    }

    static var endedUpload: XFTPStoreError { XFTPStoreError(.failed, "this upload has ended") }
}
