import ValiseEncoding

/// Where the receiving side of a move is: the states of the official flow (Documentation/formats/move.md), and those that a
/// flow needs that goes on after a kill.
///
/// Unlike in the apps the archive is verified, and the passphrase proved, before it is imported: it never replaces an
/// account that it cannot be.
package enum ReceivingState: Sendable, Equatable {
    /// A link or an archive file was given.
    case pasteOrScanLink
    /// What the link says is looked at, and a user at that.
    case linkDownloading
    case downloadProgress
    case downloadFailed(reason: String)
    /// The whole archive is read, nothing is unpacked.
    case archiveVerification
    /// A user is asked for the passphrase.
    case passphrase
    /// The account is put in place, and its proof is made.
    case archiveImport
    case archiveImportFailed(reason: String)
    /// The account is in place. Whether its schema has to be migrated, and a user wants that.
    case migrationConfirmation
    case migration
    /// Whether the network configuration of the link is taken over.
    case networkSettings
    /// All is done; what was received is removed.
    case verified
    case finished
    /// What was received is being removed.
    case cancelling
    /// Nothing is left but the record.
    case cancelled

    /// A state without what it holds.
    package enum Name: String, Sendable, Codable, CaseIterable {
        case pasteOrScanLink, linkDownloading, downloadProgress, downloadFailed
        case archiveVerification, passphrase, archiveImport, archiveImportFailed
        case migrationConfirmation, migration, networkSettings, verified = "proved", finished
        case cancelling, cancelled
    }

    package var name: Name {
        switch self {
        case .pasteOrScanLink: .pasteOrScanLink
        case .linkDownloading: .linkDownloading
        case .downloadProgress: .downloadProgress
        case .downloadFailed: .downloadFailed
        case .archiveVerification: .archiveVerification
        case .passphrase: .passphrase
        case .archiveImport: .archiveImport
        case .archiveImportFailed: .archiveImportFailed
        case .migrationConfirmation: .migrationConfirmation
        case .migration: .migration
        case .networkSettings: .networkSettings
        case .verified: .verified
        case .finished: .finished
        case .cancelling: .cancelling
        case .cancelled: .cancelled
        }
    }

    /// Why it failed, in the states that have a reason.
    package var reason: String? {
        switch self {
        case .downloadFailed(let reason), .archiveImportFailed(let reason): reason
        default: nil
        }
    }
}

extension ReceivingState.Name {
    /// Where the flow goes from here. As long as nothing is in place another link may be given, and what is gone from the
    /// work folder is received again.
    package var next: Set<Self> {
        switch self {
        case .pasteOrScanLink: [.linkDownloading, .archiveVerification, .cancelling]
        case .linkDownloading:
            [.pasteOrScanLink, .downloadProgress, .downloadFailed, .archiveVerification, .cancelling]
        case .downloadProgress:
            [.pasteOrScanLink, .linkDownloading, .downloadFailed, .archiveVerification, .cancelling]
        case .downloadFailed: [.pasteOrScanLink, .linkDownloading, .archiveVerification, .cancelling]
        case .archiveVerification:
            [.pasteOrScanLink, .linkDownloading, .passphrase, .archiveImportFailed, .cancelling]
        case .passphrase:
            [
                .pasteOrScanLink, .linkDownloading, .archiveVerification, .archiveImport,
                .archiveImportFailed,
                .cancelling,
            ]
        case .archiveImport:
            [
                .linkDownloading, .archiveVerification, .archiveImportFailed, .migrationConfirmation,
                .cancelling,
            ]
        case .archiveImportFailed: [.pasteOrScanLink, .linkDownloading, .archiveVerification, .cancelling]
        case .migrationConfirmation: [.migration, .networkSettings, .cancelling]
        case .migration: [.migrationConfirmation, .networkSettings, .cancelling]
        case .networkSettings: [.verified, .cancelling]
        case .verified: [.finished, .cancelling]
        case .cancelling: [.cancelled]
        case .finished, .cancelled: []
        }
    }

    /// Whether the account is in place for certain. In ``archiveImport`` it may be.
    package var isAfterImport: Bool {
        switch self {
        case .migrationConfirmation, .migration, .networkSettings, .verified, .finished: true
        default: false
        }
    }
}

extension ReceivingState: MoveState {
    package func encode(to encoder: any Encoder) throws {
        try SumCoding.encode(name.rawValue, to: encoder) { fields in
            if let reason { try fields.encode(reason, forKey: "reason") }
        }
    }

    package init(from decoder: any Decoder) throws {
        let (text, fields) = try SumCoding.decode(decoder)
        func reason() throws -> String { try fields.decode(String.self, forKey: "reason") }
        guard let name = Name(rawValue: text) else { throw SumCoding.unknownCase(text, decoder) }
        self =
            switch name {
            case .pasteOrScanLink: .pasteOrScanLink
            case .linkDownloading: .linkDownloading
            case .downloadProgress: .downloadProgress
            case .downloadFailed: .downloadFailed(reason: try reason())
            case .archiveVerification: .archiveVerification
            case .passphrase: .passphrase
            case .archiveImport: .archiveImport
            case .archiveImportFailed: .archiveImportFailed(reason: try reason())
            case .migrationConfirmation: .migrationConfirmation
            case .migration: .migration
            case .networkSettings: .networkSettings
            case .verified: .verified
            case .finished: .finished
            case .cancelling: .cancelling
            case .cancelled: .cancelled
            }
    }

    package var step: MoveStep { .receiving(self) }
}
