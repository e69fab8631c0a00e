import ValiseXFTPClient

/// The pauses of one chunk between its tries.
struct TransferRetries {
    private var pauses: any IteratorProtocol<Duration>
    private var absences = 0

    /// So often a relay is tried again at whose address nothing listens: within five seconds it is called dead.
    private static let mostAbsences = 2

    init(_ policy: RetryPolicy) { pauses = policy.pauses.makeIterator() }

    /// - Returns: when to try again after this trouble; nil for never.
    mutating func pause(after trouble: RelayProblem) -> Duration? {
        switch trouble {
        case .temporary: return pauses.next()
        case .absent:
            absences += 1
            return absences > Self.mostAbsences ? nil : pauses.next()
        case .refused, .unusable, .fatal: return nil
        }
    }
}

extension RelayProblem {
    /// Whether the relay may answer later.
    var mayPass: Bool { hope > 0 }

    /// Whether of two failures in a row the later one counts: unless there is more hope after the earlier.
    func givesWay(to later: RelayProblem) -> Bool { self != .temporary && later.hope >= hope }

    private var hope: Int {
        switch self {
        case .temporary: 2
        case .absent: 1
        case .refused, .unusable, .fatal: 0
        }
    }
}
