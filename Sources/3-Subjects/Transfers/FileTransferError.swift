import ValiseEncoding
package import ValiseFailures
package import ValiseXFTPWire

/// A file that cannot be sent, received or deleted.
package struct FileTransferError: Failure {
    /// The cases that the official app knows, and those that its journal adds.
    package enum Kind: Sendable, Equatable {
        /// The caller's task was cancelled. What was transferred stays, and a later run goes on.
        case cancelled
        /// Another run receives the same file to the same place at this moment.
        case alreadyReceiving
        /// Another run sends under the same journal at this moment.
        case alreadySending
        /// Relays that the caller did not approve would learn his address; none of them was contacted.
        case fileNotApproved(unknownServers: [XFTPAddress])
        /// In bytes.
        case tooLarge(size: Int64, limit: Int64)
        /// The relays keep the file no longer: it expired, was deleted, or its sender has not finished.
        case expired
        /// The operator of a relay blocked the file.
        case blocked(BlockingInfo)
        /// In bytes.
        case noSpace(needed: Int64, available: Int64)
        /// The source is not what it was when the transfer began.
        case sourceChanged
        /// The link or description is none, or is not of the party that is needed.
        case invalidLink
        /// What relays hold is not what the description promises.
        case damaged
        /// No relay could be used; the cause says why the last one could not.
        case relays
        /// Something else that the code and the message tell.
        case other
    }

    package let kind: Kind
    package let code: FailureCode
    package let message: String
    /// What the failure is about.
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?

    init(
        _ kind: Kind, _ code: FailureCode, _ message: String, subject: String? = nil,
        cause: (any Error)? = nil, remedy: Remedy? = nil
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.subject = subject
        self.cause = cause
        self.remedy = remedy
    }

    static func invalid(_ message: String, subject: String? = nil, remedy: Remedy? = nil) -> Self {
        Self(.other, .invalid, message, subject: subject, remedy: remedy)
    }

    static func damaged(
        _ message: String, subject: String? = nil, cause: (any Error)? = nil, remedy: Remedy? = nil
    ) -> Self {
        Self(.damaged, .damaged, message, subject: subject, cause: cause, remedy: remedy)
    }

    /// Of links that do not make a whole.
    static let notAllParts = Self(
        .invalidLink, .invalid,
        "these links are not all the parts of one file, each once", remedy: .receivePartsSingly)

    static func tooLarge(_ size: Int64, limit: Int64, subject: String? = nil) -> Self {
        let (found, most) = Count.bytes(size, and: limit)
        return Self(
            .tooLarge(size: size, limit: limit), .unsupported,
            "too large: \(found), the limit is \(most). Nothing was transferred.", subject: subject)
    }
}
