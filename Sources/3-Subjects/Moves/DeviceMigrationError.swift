package import ValiseFailures

/// An error of a move to another machine.
package struct DeviceMigrationError: Failure {
    /// For callers that handle a kind of error.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// A program is using the account.
        case sourceInUse
        /// The account has no passphrase yet, or a random one that nobody knows.
        case passphraseNotSet
        case wrongPassphrase
        /// The words of the other machine differ from those of this account.
        case wrongWords
        /// The entered text is not a list of fingerprint words.
        case invalidWords
        /// The account changed after it was sent.
        case sourceChanged
        /// There is no unfinished move here.
        case noMove
        case alreadyFinished
        /// The relays no longer have the chunks.
        case expired
        case wrongLink
        /// The extra data of the link is not in the format of the apps.
        case invalidLinkData
        /// The app settings in the chat database are not a JSON object.
        case invalidSettings
        /// A database or the list of media cannot be read.
        case damaged
        /// The account was moved away from here.
        case retired
        /// There is no retired account here.
        case notRetired
        /// A file already has the name that a step needs.
        case nameTaken
        /// Another run is working on this move.
        case moveInUse
        /// The record of a move cannot be read.
        case damagedRecord
        /// A program is using the account in the target folder.
        case targetInUse
        /// The target folder already has an account.
        case accountExists
        /// The user declined.
        case declined
        case noSpace
        /// Links of other parts are missing.
        case partsMissing
        /// The received file is not an account archive.
        case notAnArchive
        /// Another move has already put its account in the target folder.
        case otherMove
        /// The caller stopped it. The same call resumes it.
        case interrupted
        /// The move cannot go from its state to the next one.
        case wrongState
        case unsupported
        case failed
    }

    package let kind: Kind
    package let message: String
    /// The account, file, table or word.
    package let subject: String?
    package let cause: (any Error)?
    package let remedy: Remedy?

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

    package var code: FailureCode { kind.code }

    /// - Parameter move: its id.
    package static func wrongWords(_ move: String) -> Self {
        Self(
            .wrongWords,
            "the words do not match: the other machine does not have the account as it was sent. Nothing was "
                + "changed.",
            subject: move, remedy: .compareWordsAgain)
    }
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
