import ValiseAccountArchives
import ValiseAccounts
import ValiseFailures

/// What the sending side keeps of a move. Links and keys are in the journal of the upload alone.
struct SendingMove: StoredMove {
    /// Where the archive goes.
    enum Destination: Codable, Sendable, Equatable {
        case relays
        case file(path: String)
    }

    /// What the other machine was given.
    struct Sent: Codable, Sendable {
        /// In seconds since 1970.
        var created: Int64
        var parts: Int
    }

    var state = SendingState.chatStopInProgress
    let destination: Destination
    /// Whether a user has seen the plan.
    var isConfirmed = false
    /// Counts what was sent: a renewal is another one, under another key.
    var generation = 1
    /// Those whose chunks are still to be deleted.
    var previousGenerations: [Int] = []
    /// By which the account is known to be as it was: of its archive. Nil before it was read.
    var identity: [UInt8]?
    var proof: AccountProof?
    /// In bytes.
    var archiveSize: Int64?
    var entries: Int?
    var archiveErrors: [ArchiveError] = []
    var sent: Sent?
    /// The relays that the user named; nil for those of his list, and where this machine is the relay.
    var relays: NamedRelays?
    /// Whether the entries of the archive are packed; nil for relays.
    var isPacked: Bool?

    /// What has no key here is not kept.
    private enum CodingKeys: String, CodingKey {
        case state, destination, isConfirmed, generation, identity, proof, archiveSize, entries
        case archiveErrors, sent, relays, isPacked
        case previousGenerations = "formerGenerations"
    }

    static var side: MoveSide { .sending }
    /// Relays keep chunks so long unless their operators chose otherwise, in seconds.
    static let lifetime: Int64 = 48 * 3600

    var archive: String? {
        if case .file(let path) = destination { path } else { nil }
    }

    /// When the relays delete it.
    var expires: Int64? { archive == nil ? sent.map { $0.created + Self.lifetime } : nil }
    var renewals: Int { generation - 1 }

    func describe(_ summary: inout MoveSummary) {
        summary.words = proof?.words
        summary.size = archiveSize
        summary.archive = archive
        summary.expires = expires
        summary.renewals = renewals
        summary.relays = relays
        summary.isPacked = isPacked ?? false
    }

    /// Notes with which options it is sent, for whoever resumes it without them.
    mutating func take(_ options: SendOptions) {
        relays = options.namedRelays
        isPacked = if case .file(_, let packs) = options.destination { packs } else { nil }
    }

    /// Whether there is or was a link.
    var hadLink: Bool { archive == nil && (sent != nil || !previousGenerations.isEmpty) }
}

extension SendingMove {
    /// The same command again, which an archive needs its name for.
    func continuing(_ location: AccountLocation) -> Remedy {
        let account = Remedy.Account(location)
        return archive == nil ? .continueSending(account) : .continueOrCancelMove(account)
    }

    /// By what the upload of a generation is found.
    static func contentID(_ move: String, _ generation: Int) -> String { contentIDs(move) + "\(generation)" }

    /// How those of all generations begin.
    static func contentIDs(_ move: String) -> String { "move:\(move):" }
}
