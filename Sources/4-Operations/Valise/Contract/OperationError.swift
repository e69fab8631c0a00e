public import ValiseFailures

/// A failure of an operation itself, not of what it works on.
public struct OperationError: Failure {
    /// What an operation requires and the caller can provide.
    public enum Need: Sendable, Equatable {
        /// A relay to send over.
        case relay
        /// The address by which others reach a relay of this process.
        case serveAddress
        /// A relay at the address in the link already given out, or a new link.
        case sameServeAddress
        /// Free space for the chunks of a relay in this process.
        case spaceToServe
        /// The number of a job in the list.
        case knownJob
        /// An account, or the ID of a move that is recorded.
        case knownMove
        /// The account's folder in the place of a move's ID.
        case folderOfMove
        /// Consent to replace something that exists.
        case replacing
        /// Consent to go back to an older state of an account.
        case olderState
        /// The key of an encrypted file.
        case fileKey
        /// A passphrase that a key store has for the account.
        case storedPassphrase
        /// Consent to what would be done.
        case agreement
        /// The eight words of the other machine.
        case words
        /// A folder for what operations keep of themselves, see ``ValiseFolders``.
        case stateFolder
        /// A folder for keys.
        case keyFolder
        /// Another passphrase: this one is wrong.
        case anotherPassphrase
        /// A passphrase that is hard to guess, or consent to a weak one.
        case strongPassphrase
        /// An account that was sent before.
        case sending
        /// A confirmation that a sent account was received, or consent without it.
        case receipt
        /// Consent that relays learn the network address.
        case relayApproval
        /// The folder that sending made for the file, in the place of the file.
        case folderOfSentFile
        /// The link that is in a file, on standard input.
        case linkInFile
        /// That an export is brought up to date which exists.
        case updating
        /// A chat that the account has.
        case knownChat
        /// The ID of one of several chats with the same name.
        case chatID
        /// The links of the file that is received, and the same target.
        case links
        /// Consent that no snapshot of an account is left.
        case lastSnapshot
        /// How the salt of a store's passphrase is written.
        case saltOfStore
    }

    public let code: FailureCode
    public let message: String
    public let subject: String?
    /// Nil if the caller cannot help.
    public let need: Need?
    public let remedy: Remedy?
    public var cause: (any Error)? { nil }

    package init(
        _ code: FailureCode, _ message: String, subject: String? = nil, need: Need? = nil,
        remedy: Remedy? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.need = need
        self.remedy = remedy
    }
}

extension OperationError {
    /// The answer was no.
    static var declined: OperationError {
        OperationError(.failed, Declined.sentence, need: .agreement)
    }

    /// Nobody could be asked.
    /// - Parameter change: what needs consent, such as `removing the encryption`.
    static func unasked(_ change: String, subject: String?) -> OperationError {
        OperationError(
            .invalid, "\(change) requires confirmation. Nothing was changed.", subject: subject,
            need: .agreement)
    }
}
