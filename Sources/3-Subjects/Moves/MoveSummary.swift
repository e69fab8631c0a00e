package import ValiseAccounts

/// A move recorded on this machine.
public struct MoveSummary: Sendable, Equatable, Encodable {
    /// The argument of `AccountMove.forget(_:)`.
    public let id: String
    /// Whether the account was sent or received.
    public let side: MoveSide
    /// The account's folder.
    public let directory: String
    /// What the names of its databases start with.
    package let prefix: String
    /// A state of the official flow, such as `linkShown`; nil if the record cannot be read.
    public let state: String?
    /// Why it failed, in the states that have a reason.
    package let reason: String?
    /// In seconds since 1970.
    package let created: Int64
    /// When something of it was noted last, in seconds since 1970.
    package let changed: Int64
    /// When the relays delete the sent data, in seconds since 1970: 48 hours after sending began, unless their operators
    /// chose otherwise. Nil if nothing is on relays, and on the receiving side, which does not know it.
    public internal(set) var expires: Int64?
    /// The words that the other machine must show too; nil before they are known.
    public internal(set) var words: FingerprintWords?
    /// Of the archive, in bytes; nil before it is known.
    package internal(set) var size: Int64?
    /// The archive that was written instead of an upload, or was given instead of a link; nil for relays.
    package internal(set) var archive: String?
    /// The relays that the user named; nil for those of his list.
    package internal(set) var relays: NamedRelays?
    /// Whether the entries of the archive are packed.
    package internal(set) var isPacked = false
    /// How often it was sent anew.
    package internal(set) var renewals: Int?
    /// Whether a run is at it at this moment.
    package let isRunning: Bool
    /// Whether its record cannot be read: it can only be forgotten. Chunks on relays expire then.
    package let isDamaged: Bool
    /// Whether a newer version of Valise wrote its record: only that knows where the move is.
    package internal(set) var isNewer = false
    /// The process that is at it; nil where none is, or the system does not tell.
    package internal(set) var process: Int32?
    /// On the receiving side: the databases that are replaced, as they were before the import; none where the record does not
    /// have them.
    package internal(set) var replaced: [AccountDatabase: FileStamp] = [:]

    private enum CodingKeys: CodingKey {
        case id, side, directory, prefix, state, reason, created, changed, expires, words, size, archive
        case renewals, isRunning, isDamaged, isNewer
    }

    /// Of a move to another machine; nil of others, and where the record cannot be read.
    package var sendingState: SendingState.Name? {
        side == .sending ? state.flatMap { .init(rawValue: $0) } : nil
    }

    /// Of a move from another machine; nil of others.
    package var receivingState: ReceivingState.Name? {
        side == .receiving ? state.flatMap { .init(rawValue: $0) } : nil
    }

    static let lettersOfID = Array("abcdefghijkmnpqrstuvwxyz23456789")
    static let lengthOfID = 10

    /// Whether a text has the form of ``id``.
    package static func isID(_ text: String) -> Bool {
        text.count == lengthOfID && text.allSatisfy { lettersOfID.contains($0) }
    }

    /// Whether it is neither finished, cancelled nor damaged.
    public var isUnderWay: Bool { !isDamaged && !["finished", "cancelled"].contains(state) }
}

/// The result of cancelling a move.
public struct CancelReport: Sendable, Equatable, Encodable {
    package let side: MoveSide
    /// Of the sending side: whether anything was sent, or written into an archive.
    package internal(set) var wasSent = false
    /// Of the sending side: whether there was a link, which is invalid now.
    package internal(set) var hadLink = false
    /// Of the sending side: chunks that could not be removed from their relays; they expire.
    package internal(set) var chunksLeft = 0
    /// On the sending side: the archive that was written, which is kept. Whoever has it and the passphrase has all.
    public internal(set) var archiveLeft: String?
    /// On the receiving side: whether the account was already in place, where it stays.
    public internal(set) var accountStays = false

    private enum CodingKeys: CodingKey { case side, wasSent, chunksLeft, archiveLeft, accountStays }
}
