import ValiseEncoding

/// Where the sending side of a move is: the states of the official flow (Documentation/formats/move.md), and those that a
/// flow needs that goes on after a kill.
package enum SendingState: Sendable, Equatable {
    /// Whether a program uses the account.
    case chatStopInProgress
    /// One does.
    case chatStopFailed(reason: String)
    /// The account has no passphrase, or one that nobody knows.
    case passphraseNotSet
    /// The passphrase is being proved.
    case passphraseConfirmation
    /// A user looks at the plan.
    case uploadConfirmation
    /// The account is read: the bytes of its archive, and its proof.
    case archiving
    case uploadProgress
    case uploadFailed(reason: String)
    /// All is on the relays, or in the archive file.
    case linkCreation
    /// The other machine's turn.
    case linkShown
    /// The proof is right: the source is taken out of use, then the chunks are deleted.
    case finishing
    case finished(source: SourceDisposition)
    /// Chunks are being deleted.
    case cancelling
    /// Nothing is left but the record.
    case cancelled

    /// What became of the account here.
    package enum SourceDisposition: String, Sendable, Codable, CaseIterable {
        case retired, removed
    }

    /// A state without what it holds.
    package enum Name: String, Sendable, Codable, CaseIterable {
        case chatStopInProgress, chatStopFailed, passphraseNotSet, passphraseConfirmation, uploadConfirmation
        case archiving, uploadProgress, uploadFailed, linkCreation, linkShown
        case finishing, finished, cancelling, cancelled
    }

    package var name: Name {
        switch self {
        case .chatStopInProgress: .chatStopInProgress
        case .chatStopFailed: .chatStopFailed
        case .passphraseNotSet: .passphraseNotSet
        case .passphraseConfirmation: .passphraseConfirmation
        case .uploadConfirmation: .uploadConfirmation
        case .archiving: .archiving
        case .uploadProgress: .uploadProgress
        case .uploadFailed: .uploadFailed
        case .linkCreation: .linkCreation
        case .linkShown: .linkShown
        case .finishing: .finishing
        case .finished: .finished
        case .cancelling: .cancelling
        case .cancelled: .cancelled
        }
    }

    /// Why it failed, in the states that have a reason.
    package var reason: String? {
        switch self {
        case .chatStopFailed(let reason), .uploadFailed(let reason): reason
        default: nil
        }
    }
}

extension SendingState.Name {
    /// Where the flow goes from here. A run begins at the beginning until its plan was confirmed, and with reading the
    /// account after that.
    package var next: Set<Self> {
        switch self {
        case .chatStopInProgress: [.chatStopFailed, .passphraseNotSet, .passphraseConfirmation, .cancelling]
        case .chatStopFailed, .passphraseNotSet: [.chatStopInProgress, .cancelling]
        case .passphraseConfirmation: [.chatStopInProgress, .uploadConfirmation, .cancelling]
        case .uploadConfirmation: [.chatStopInProgress, .archiving, .cancelling]
        // With a previous link, by which the other machine may have received meanwhile, it may also be finished.
        case .archiving: [.uploadProgress, .linkCreation, .finishing, .cancelling]
        case .uploadProgress: [.archiving, .uploadFailed, .linkCreation, .finishing, .cancelling]
        case .uploadFailed: [.archiving, .finishing, .cancelling]
        case .linkCreation: [.archiving, .linkShown, .finishing, .cancelling]
        // Sent anew; compared; abandoned.
        case .linkShown: [.archiving, .finishing, .cancelling]
        // Changed since: nothing was done yet.
        case .finishing: [.archiving, .linkShown, .finished, .cancelling]
        // Retired, and now removed.
        case .finished: [.finished]
        case .cancelling: [.cancelled]
        case .cancelled: []
        }
    }
}

extension SendingState: MoveState {
    package func encode(to encoder: any Encoder) throws {
        try SumCoding.encode(name.rawValue, to: encoder) { fields in
            if let reason { try fields.encode(reason, forKey: "reason") }
            if case .finished(let source) = self { try fields.encode(source, forKey: "source") }
        }
    }

    package init(from decoder: any Decoder) throws {
        let (text, fields) = try SumCoding.decode(decoder)
        func reason() throws -> String { try fields.decode(String.self, forKey: "reason") }
        guard let name = Name(rawValue: text) else { throw SumCoding.unknownCase(text, decoder) }
        self =
            switch name {
            case .chatStopInProgress: .chatStopInProgress
            case .chatStopFailed: .chatStopFailed(reason: try reason())
            case .passphraseNotSet: .passphraseNotSet
            case .passphraseConfirmation: .passphraseConfirmation
            case .uploadConfirmation: .uploadConfirmation
            case .archiving: .archiving
            case .uploadProgress: .uploadProgress
            case .uploadFailed: .uploadFailed(reason: try reason())
            case .linkCreation: .linkCreation
            case .linkShown: .linkShown
            case .finishing: .finishing
            case .finished: .finished(source: try fields.decode(SourceDisposition.self, forKey: "source"))
            case .cancelling: .cancelling
            case .cancelled: .cancelled
            }
    }

    package var step: MoveStep { .sending(self) }
}
