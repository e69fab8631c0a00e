public import ValiseFailures

/// Something is wrong with the move of an account to another machine.
public struct DeviceMigrationError: Failure {
    /// What it is, for a caller that does something about it.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// A program has the account open.
        case sourceInUse
        /// The account has no passphrase yet, or a random one that nobody knows.
        case passphraseNotSet
        case wrongPassphrase
        /// The words of the other machine are not those of this account.
        case wrongWords
        /// What was typed is no proof words.
        case invalidWords
        /// The account is not as it was when it was sent.
        case sourceChanged
        /// No move is under way here.
        case noMove
        case alreadyFinished
        /// The relays keep the chunks no longer.
        case expired
        case wrongLink
        /// What the link says beside the description is not what the apps write.
        case invalidLinkData
        /// The app settings in the chat database are no JSON object.
        case invalidSettings
        /// A database or the list of media cannot be read.
        case damaged
        /// The account was moved away from here.
        case retired
        /// There is no retired account here.
        case notRetired
        /// Something has the name that a step wants to give.
        case nameTaken
        /// Another run is at this move.
        case moveInUse
        /// The record of a move cannot be read.
        case damagedRecord
        /// A program has the account open that is in the place of the one to be received.
        case targetInUse
        /// An account is in the place of the one to be received.
        case accountExists
        /// A user said no.
        case declined
        case noSpace
        /// The links are not all that belong together.
        case partsMissing
        /// What was received is no archive of an account.
        case notAnArchive
        /// Another move into this place has put its account there already.
        case otherMove
        /// The caller stopped it; the same call goes on.
        case interrupted
        /// The flow does not have this transition.
        case wrongState
        case unsupported
        case failed
    }

    package let kind: Kind
    public let message: String
    /// The account, file, table or word.
    public let subject: String?
    public let cause: (any Error)?
    public let remedy: Remedy?

    package init(
        _ kind: Kind, _ message: String, subject: String? = nil, cause: (any Error)? = nil,
        remedy: Remedy? = nil
    ) {
        self.kind = kind
        self.message = message
        self.subject = subject
        self.cause = cause
        self.remedy = remedy
    }

    public var code: FailureCode { kind.code }
}

extension DeviceMigrationError.Kind {
    var code: FailureCode {
        switch self {
        case .sourceInUse, .targetInUse, .moveInUse: .inUse
        case .wrongPassphrase: .wrongPassphrase
        case .passphraseNotSet, .wrongWords, .invalidWords, .wrongState, .partsMissing, .otherMove: .invalid
        case .noMove, .notRetired: .notFound
        case .alreadyFinished, .nameTaken, .accountExists: .alreadyExists
        case .expired: .gone
        case .wrongLink, .invalidLinkData, .invalidSettings, .damaged, .damagedRecord: .damaged
        case .unsupported, .notAnArchive, .retired: .unsupported
        case .noSpace: .noSpace
        case .interrupted: .interrupted
        case .sourceChanged, .declined, .failed: .failed
        }
    }
}
