/// How an interrupted change of an account ended in a later run, which only completed it or rolled it back.
public enum JobEnding: String, Codable, Sendable {
    /// The change was completed.
    case completed
    /// The change was rolled back; the account is unchanged.
    case rolledBack
    /// The account is intact, but it is unknown whether it contains the change.
    case unknown
}
