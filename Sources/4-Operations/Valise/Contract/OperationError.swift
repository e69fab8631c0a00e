public import ValiseFailures

/// A failure of an operation itself, not of what it works on.
public struct OperationError: Failure {
    /// What an operation cannot do without, and the caller can give.
    public enum Need: Sendable, Equatable {
        /// A relay to send over.
        case relay
        /// The address by which others reach a relay of this process.
        case serveAddress
        /// That the relay is at the address which the link that is out leads to; or a new link.
        case sameServeAddress
        /// Room for what a relay of this process keeps.
        case spaceToServe
        /// The number of a job in the list.
        case knownJob
        /// A yes to what takes the place of something that is there.
        case replacing
        /// The key of an encrypted file.
        case fileKey
        /// A passphrase that a key store has for the account.
        case storedPassphrase
        /// A yes to what would be done.
        case agreement
        /// The eight words of the other machine.
        case words
        /// That something was sent of the account before.
        case sending
    }

    public let code: FailureCode
    public let message: String
    public let subject: String?
    /// Nil where nothing that the caller gives helps.
    public let need: Need?
    public var cause: (any Error)? { nil }

    package init(_ code: FailureCode, _ message: String, subject: String? = nil, need: Need? = nil) {
        self.code = code
        self.message = message
        self.subject = subject
        self.need = need
    }
}
