/// How old the account in an archive is against the one that it replaces.
///
/// Each message that a connection sends or receives moves its ratchet on. Going on from an older state uses keys a
/// second time, and the other side cannot decrypt what is sent then.
package struct ImportAge: Sendable, Equatable, Codable {
    /// What is known.
    package enum Verdict: String, Sendable, Codable {
        case newer, same, older, unknown
        /// Both have connections, and none in common.
        case otherAccount
    }

    /// What it was told by.
    package enum Evidence: String, Sendable, Codable {
        /// The databases are equal, byte by byte.
        case bytes
        /// The message counters of the connections that both have.
        case connections
        /// The newest message or item of the chat database.
        case messages
        /// The modification times of the files. They tell when something was written, not by whom.
        case times
    }

    package let verdict: Verdict
    /// Nil where the verdict is ``Verdict/unknown``.
    package let evidence: Evidence?
    /// How many connections have moved on since, where they were compared.
    package let connectionsMoved: Int?
    /// How many connections of the account in place are not in the archive, where they were compared.
    package let connectionsMissing: Int?

    /// Whether something that is only in place is known to be lost by the replacement.
    package var losesWork: Bool { verdict == .older || verdict == .otherAccount }

    init(
        _ verdict: Verdict, by evidence: Evidence? = nil, connectionsMoved: Int? = nil,
        connectionsMissing: Int? = nil
    ) {
        self.connectionsMissing = connectionsMissing
        self.verdict = verdict
        self.evidence = evidence
        self.connectionsMoved = connectionsMoved
    }
}
